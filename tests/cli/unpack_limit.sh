# SPDX-License-Identifier: Apache-2.0
# small files that unpack to much: as a report, as a log in a folder, from a pipe; the variable that raises the limit; traces
. "$SRC/tests/cli/report.bash"
needs zstd
cp ops.csv small.csv
# 30 MiB of rows, and of one cell
{ cat small.csv && yes "$(tail -n 1 small.csv)" | head -c 31457280; } | zstd -q -1 >bomb.csv.zst
{ cat small.csv && head -c 31457280 /dev/zero | tr '\0' 1; } | gzip -6 >bomb.csv.gz
mkdir run tmp
mv bomb.csv.zst run/profile_log_device.csv.zst
cp run/profile_log_device.csv.zst bomb.csv.zst
cp small.csv run/ops_perf_results.csv
export TMPDIR=$PWD/tmp
ask()
{
	echo "\$ ttprof $*"
	"$TTPROF" "$@" >out 2>err
	echo "status $?"
	cat err
}
ask report bomb.csv.zst
ask report bomb.csv.gz
ask report - <bomb.csv.gz
ask top bomb.csv.zst
ask heat run
ask view bomb.csv.zst -o v.html
# what can be read is shown, but that is not the run: status 1
ask top run
ask timeline run --json
ask view run -o v.html
# a lower one, and one that is high enough
gzip -k small.csv
TTP_UNPACK_LIMIT=1K ask report small.csv.gz
TTP_UNPACK_LIMIT=1M ask report small.csv.gz
TTP_UNPACK_LIMIT=lots ask report small.csv.gz
# blocks of a trace count, too
TTP_FILE=t.ttpr "$(dirname "$TTPROF")"/examples/names zone
"$TTPROF" convert t.ttpr -o t.tracy
TTP_UNPACK_LIMIT=100 ask info t.tracy
TTP_UNPACK_LIMIT=10M ask info t.tracy
ls tmp
