# SPDX-License-Identifier: Apache-2.0
# Each file that can't be used is reported, also the fifth and the sixth.
mkdir -p run/.logs/run_account.csv
for name in tracy_ops_data.csv tracy_ops_times.csv cpp_device_perf_report.csv profile_log_device.csv tracy_profile_log_host.tracy; do
	mkfifo "run/.logs/$name"
done
timeout 20 "$TTPROF" ops run 2>&1
echo "status $?"
