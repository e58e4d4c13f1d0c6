# SPDX-License-Identifier: Apache-2.0
# the input picks the generation; the report is the original's
cp -r "$SRC/tests/golden/ops/O1_old_generation/in" .
"$TTPROF" ops in/ops --report r.csv
cmp r.csv "$SRC/tests/golden/ops/O1_old_generation/out/ops/ops_perf_results.csv" && echo same
"$TTPROF" process_ops_logs -i in/ops/ops -o out -n x 2>/dev/null
find out | sort
# the logs, packed under the report's name
tar -tzf out/output/ops/x/ops_perf_results_x.tgz | sort >packed
(cd in/ops && find ops ops_device -type f) | sort | cmp - packed && echo "packed: all $(wc -l <packed) logs"
# a slash at the end of the folder loses nothing of what stands beside it
"$TTPROF" process_ops_logs -i in/ops/ops// -o slash -n x 2>/dev/null
cmp out/output/ops/x/ops_perf_results_x.csv slash/output/ops/x/ops_perf_results_x.csv && echo same with a slash
# what is there and can't be read is counted: an op's own file, and a device log of one call
op=$(cd in/ops/ops && ls | head -1)
rm "in/ops/ops/$op/profile_log_host.csv" && mkfifo "in/ops/ops/$op/profile_log_host.csv"
log=$(find in/ops/ops_device -name profile_log_device.csv | grep -v "/$op/" | sort | head -1)
rm "$log" && mkfifo "$log"
"$TTPROF" ops --strict in/ops --report r.csv
echo status $?
