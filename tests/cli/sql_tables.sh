# SPDX-License-Identifier: Apache-2.0
# what there is to ask, and questions in each form of output
ops=$SRC/examples/data/nano_gpt_ops.csv
"$TTPROF" sql "$ops" | cut -c1-130
"$TTPROF" sql "$ops" "SELECT op, count(*) AS n, sum(time_us) AS us FROM calls GROUP BY op ORDER BY us DESC LIMIT 3"
"$TTPROF" sql -o csv "$ops" "SELECT id, op_code, math_fidelity, device_kernel_duration_ns AS ns FROM ops WHERE id IN (2, 30)"
"$TTPROF" sql --json "$ops" "SELECT verdict, verdict, ops, host_ns, NULL AS missing, x'00ff' AS bytes FROM runs"
"$TTPROF" sql "$ops" "SELECT o.op_code, c.bound, g.own_ns FROM calls c JOIN ops o USING (run, id) JOIN gaps g USING (run, id) ORDER BY c.time_us DESC LIMIT 2"
"$TTPROF" sql "$ops" "$ops" "SELECT run, count(*) AS ops FROM ops GROUP BY run"
"$TTPROF" sql "$ops" "SELECT count(*) AS zones FROM zones"
