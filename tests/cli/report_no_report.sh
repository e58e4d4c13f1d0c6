# SPDX-License-Identifier: Apache-2.0
# What is no report is told in a line.
. "$SRC/tests/cli/report.bash"
ask missing.csv
: >empty.csv
ask empty.csv
head -n 1 ops.csv >header.csv
ask header.csv
printf 'a,b\n1,2\n' >other.csv
ask other.csv
printf "\000\001\377\376\n\200,\000,\n" >binary.csv
ask binary.csv
mkdir folder.csv
ask folder.csv
ask
