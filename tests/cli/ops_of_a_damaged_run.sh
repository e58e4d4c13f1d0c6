# SPDX-License-Identifier: Apache-2.0
# the account first, then where the report is; a second call keeps the first report
cp -r "$SRC/tests/golden/ops/E2_drop_fwend/in" .
"$TTPROF" ops in --device-log --report r.csv
"$TTPROF" ops in --report r.csv --strict
echo "status $?"
"$TTPROF" ops in --device-log --strict --report r.csv >all
echo "status $?"
ls
