# SPDX-License-Identifier: Apache-2.0
# a folder that has nothing but the runtime's report is read like the file itself
cp "$SRC/tests/golden/ops/01_basic/in/.logs/cpp_device_perf_report.csv" .
mkdir folder empty
cp cpp_device_perf_report.csv folder
"$TTPROF" report cpp_device_perf_report.csv --top 2 >of_file
"$TTPROF" report folder --top 2 >of_folder && cmp of_file of_folder && cat of_folder
echo "# the other commands"
for command in top timeline; do "$TTPROF" $command folder >out && wc -l <out; done
echo "# a folder without it"
"$TTPROF" report empty
