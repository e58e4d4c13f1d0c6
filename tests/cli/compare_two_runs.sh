# SPDX-License-Identifier: Apache-2.0
# one kind of op with another fidelity, one op less: what it says of them; then the same as Markdown, and a check
base=$SRC/examples/data/nano_gpt_ops.csv
sed -E '/MatmulDeviceOperation.*,HiFi4,24,/s/,HiFi4,24,/,HiFi2,24,/; $d' "$base" >new.csv
"$TTPROF" compare "$base" new.csv | sed "s#$SRC/##"
"$TTPROF" compare --markdown "$base" new.csv | sed "s#$SRC/##" | head -4
"$TTPROF" compare --check "$base" new.csv >/dev/null
echo "status $?"
