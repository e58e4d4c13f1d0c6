# SPDX-License-Identifier: Apache-2.0
# manifest.json: the id of the run, given or new, and its files; it may be named as the run.
cat >program.py <<'PYTHON'
import os
import ttnn

device = ttnn.open_device(device_id=0)
ones = ttnn.ones((32, 32), device=device, layout=ttnn.TILE_LAYOUT)
ttnn.add(ones, ones)
ttnn.close_device(device)
print("the program has", os.environ["TT_METAL_RUN_ID"])
PYTHON
TT_METAL_RUN_ID=given "$TTPROF" run -r -o one /usr/bin/python3 program.py 2>&1 | grep "the program has"
sed -E 's/[0-9]{4}[-_][0-9T:._-]+[0-9]/TIME/' one/reports/*/manifest.json
"$TTPROF" run -r -o two /usr/bin/python3 program.py 2>&1 | grep -Ec "the program has [0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$"
"$TTPROF" report one/reports/*/manifest.json | grep -c "1 op,"
cd one/reports/* && "$TTPROF" report manifest.json | grep -c "1 op,"
