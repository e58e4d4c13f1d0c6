# SPDX-License-Identifier: Apache-2.0
# rules of a gate file on runs of the example with a slower kind of op: what is shown, annotated, and the status; then a file that is wrong
for i in 1 2 3 4; do
	mkdir -p base/$i new/$i
	awk -F, -v OFS=, -v i=$i 'NR == 1 { for (c = 1; c <= NF; c++) if ($c == "DEVICE KERNEL DURATION [ns]") t = c } NR > 1 && $t { $t = int($t * (1 + i / 2000)) } 1' \
		"$SRC/examples/data/nano_gpt_ops.csv" >base/$i/ops_perf_results.csv
	awk -F, -v OFS=, -v i=$i 'NR == 1 { for (c = 1; c <= NF; c++) if ($c == "DEVICE KERNEL DURATION [ns]") t = c } NR > 1 && $t && /^Softmax/ { $t = int($t * 1.2) } 1' \
		base/$i/ops_perf_results.csv >new/$i/ops_perf_results.csv
done
cat >gate.toml <<'END'
min-percent = 2
missing = "pass"

[[rule]]
name = "the step"
run = true
max = "20 ms"

[[rule]]
name = "softmax"
op = "^Softmax"

[[rule]]
name = "collectives"
category = "collective"
END
"$TTPROF" compare --gate gate.toml --github base new 2>&1 | sed -n '/^Gate/,$p; /^::/p'
echo "status ${PIPESTATUS[0]}"
printf 'min-percent = 2\n[[rule]]\nop = "^Softmax"\nmax = 20\n' >wrong.toml
"$TTPROF" compare --gate wrong.toml base new
echo "status $?"
