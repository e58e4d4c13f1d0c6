# SPDX-License-Identifier: Apache-2.0
# 32 devices: a table of all, a grid of the one that loses most; chips with other maps; places that no map has
. "$SRC/tests/cli/draw.bash"
{
	head_of blackhole 130
	for d in $(seq 0 31); do
		kernel $d 1 2 BRISC 1000 2000 $((1024 + d))
		kernel $d 2 2 BRISC 1000 $((2000 + 10 * d)) $((1024 + d))
	done
} >many.csv
ask heat many.csv
ask heat --device 3 many.csv | sed -n '4,6p'
ask heat --all many.csv | grep -c '^device'
ask heat --device 99 many.csv
COLUMNS=40 ask heat many.csv | head -16
COLUMNS=60 ask heat --device 0 many.csv | sed -n '/^cells/,/^   3/p'
{
	head_of tensix_next 4
	kernel 0 3 1 BRISC 100 200 1024
} >unknown.csv
ask heat unknown.csv
{
	head_of wormhole_b0 64
	kernel 0 40000 50000 BRISC 100 200 1024
	kernel 0 1 1 BRISC 100 250 1024
} >far.csv
ask heat far.csv | sed -n '4,8p'
