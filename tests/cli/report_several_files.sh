# SPDX-License-Identifier: Apache-2.0
# Several files are several hosts: devices side by side, each cut at its own signpost.
. "$SRC/tests/cli/report.bash"
sed 's/,175000,170000,/,205000,200000,/' ops.csv >host1.csv
COLUMNS=110 ask --each --no-advice --columns id,op,time,skew,devices,gap ops.csv host1.csv
ask ops.csv missing.csv
echo "not a report" >notes.txt
ask ops.csv notes.txt
