# SPDX-License-Identifier: Apache-2.0
# What a report lacks is counted in the account beside it: where that can't be read, nobody is to take the report for whole.
cp -r "$SRC/tests/golden/ops/E2_drop_fwend/in" run
"$TTPROF" ops run --device-log >/dev/null
account=run/reports/ops_perf_results.account.json
cp "$account" good
shown()
{
	echo "== $1"
	"$TTPROF" report run 2>&1 | grep -i 'account.json\|partial marker'
	"$TTPROF" report run --strict >/dev/null 2>&1
	echo "strict: $?"
	"$TTPROF" view run -o page.html 2>&1 | grep -i 'account'
	"$TTPROF" top run 2>&1 >/dev/null | grep -i 'account'
}
shown whole
head -c 100 good >"$account"
shown cut
: >"$account"
shown empty
sed 's/"csv_bytes": [0-9]*/"csv_bytes": 7/' good >"$account"
shown 'of another report'
sed 's,account/1,account/2,' good >"$account"
shown newer
sed '/"what": "op with partial markers"/s/op with/op that has/' good >"$account"
shown 'causes that are not known here'
"$TTPROF" report run | grep -A1 'does not know'
rm "$account"
mkdir "$account"
shown 'a folder'
rmdir "$account"
mkfifo "$account"
shown 'a pipe'
rm "$account"
ln -s ops_perf_results.account.json "$account"
shown 'a link to itself'
rm "$account"
shown none
true
