# SPDX-License-Identifier: Apache-2.0
# A trace that is no file, or a link that leads nowhere: left out, and said so, wherever a run's trace may stand.
in=$SRC/tests/golden/ops/03_trace/in/.logs/profile_log_device.csv
of()
{
	echo "== $1"
	timeout 60 "$TTPROF" ops run -o out 2>&1 | grep -v generated
	timeout 60 "$TTPROF" heat run 2>&1 >/dev/null | grep -v generated
	rm -rf "$2" out
}
mkdir -p run/.logs
cp "$in" run/.logs
for place in run/.logs/host.ttpr run/run.ttpr run/.logs/tracy_profile_log_host.tracy; do
	mkdir $place
	of "$place is a folder" $place
	mkfifo $place
	of "$place is a pipe" $place
	ln -s "${place##*/}" $place
	of "$place is a link to itself" $place
	ln -s gone $place
	of "$place is a link to nothing" $place
done
ln -s gone.csv run/.logs/tracy_ops_data.csv
of 'a log is a link to nothing' run/.logs/tracy_ops_data.csv
# The original's name copies logs beside its report: what was left out is not copied.
echo "== process_ops_logs"
mkfifo run/.logs/tracy_profile_log_host.tracy
timeout 60 "${TTPROF%/*}/process_ops_logs" -o run 2>&1 | grep -v generated
echo "status ${PIPESTATUS[0]}"
ls run/reports
