# SPDX-License-Identifier: Apache-2.0
# One long name costs no column that matters, and no sentence runs over the screen's edge.
. "$SRC/tests/cli/report.bash"
long=MorehLayerNormBackwardGammaBetaGrad
huge=$(printf 'Long%.0s' $(seq 150))
sed "s/^LayerNorm/$long/; s/^Matmul/$long/" ops.csv >long.csv
sed "s/^Matmul/$huge/; s/^LayerNorm/$huge/" ops.csv >huge.csv
heads() { grep -E '^ *(ID|group|change) '; }

for columns in 60 80 100; do
	echo "$columns columns"
	COLUMNS=$columns "$TTPROF" report long.csv --no-advice | sed -n '/^ *ID /,/^$/p'
done
COLUMNS=80 "$TTPROF" report long.csv --no-advice --each | heads
COLUMNS=80 "$TTPROF" report long.csv --no-advice --group-by op | sed -n '/^group /,/^$/p'
COLUMNS=80 "$TTPROF" top long.csv --ops | sed -n '/^ *ID /,/^$/p' | head -4
sed 's/,,109226,/,,309226,/' long.csv >slower.csv
COLUMNS=80 "$TTPROF" compare long.csv slower.csv | grep -A3 '^ *change '
# 600 characters
COLUMNS=80 "$TTPROF" report huge.csv | sed -n '/^What/,/^ID/p'
for columns in 40 60 80 120; do
	# the totals of a comparison take 50
	for command in report 'report --each' 'report --group-by op' top 'compare huge.csv'; do
		[ "$columns $command" != '40 compare huge.csv' ] || continue
		# shellcheck disable=SC2086
		echo "$columns columns, $command: at most $(COLUMNS=$columns "$TTPROF" $command huge.csv | wc -L)"
	done
done
