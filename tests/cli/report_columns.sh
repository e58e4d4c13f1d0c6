# SPDX-License-Identifier: Apache-2.0
# Columns by name; the list of them; one that is not there.
. "$SRC/tests/cli/report.bash"
table --each --columns id,code,call_count,pm_ideal,pm_fpu,family,memory,signpost --id-range 5-7 ops.csv
COLUMNS=120 table --each --columns id,code,call_count,pm_ideal,pm_fpu,family,memory,signpost --id-range 5-7 ops.csv
ask --columns id,tim ops.csv
table --columns ' id , op ' --top 1 ops.csv
ask --columns= ops.csv
ask --columns help
"$TTPROF" report --columns=help | head -n 1
