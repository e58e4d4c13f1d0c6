# SPDX-License-Identifier: Apache-2.0
# four cores and two ops, whose figures are known: draw.bash says which
. "$SRC/tests/cli/draw.bash"
mkdir run && small_log >run/profile_log_device.csv && small_report >run/ops_perf_results.csv
ask heat run
grid() { ask heat "$@" | sed -n '/^\$/p; /^ttprof/p; /^device/,/^$/p; /^cells/,/^   3/p; /^note/p; /^status/p'; }
for metric in span sum skew tail wait use calls; do grid --metric $metric run; done
grid --risc ncrisc run
grid --risc brisc --metric sum run
grid --op LAYER run
grid --id 1 run
grid --id 2 --from 5us --to 5.5us run
grid --from 50% run
grid --zone brisc-fw run
# a log alone: ops go by the program's number
ask heat --id 2 run/profile_log_device.csv | sed -n '2p'
ask heat --id 2 run/profile_log_device.csv | sed -n '2p'
COLUMNS=40 ask heat run
COLUMNS=120 ask heat run --color | sed -n '/^cells/,/^   2/p' | cat -v
NO_COLOR=1 ask heat run --color | grep -c $'\033' || :
NO_COLOR=1 ask heat run | grep -c $'\033' || :
ask heat run --json | sed -n '1,40p'
# signposts: what report and top leave out is in the log
mkdir parts && cp run/profile_log_device.csv parts && small_report | sed '2a warm,signpost,,,,,,,,,,' >parts/ops_perf_results.csv
ask heat parts | sed -n '2,5p'
ask heat --id 1 parts | sed -n '3p'
