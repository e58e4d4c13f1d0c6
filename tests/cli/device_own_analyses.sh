# SPDX-License-Identifier: Apache-2.0
cp -r "$SRC/tests/golden/ops/05_zones_sum/in" .
printf '[brisc kernel]\nacross = core\ntype = adjacent\nstart = BRISC BRISC-KERNEL ZONE_START\nend = BRISC BRISC-KERNEL ZONE_END\n' >mine
"$TTPROF" device in/.logs/profile_log_device.csv --analyses mine | tail -n 10
"$TTPROF" device --setup nothing in/.logs/profile_log_device.csv
