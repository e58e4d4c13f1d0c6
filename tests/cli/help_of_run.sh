# SPDX-License-Identifier: Apache-2.0
# Two screens of 24 lines; what is not explained there is in the man page.
help=$(COLUMNS=80 "$TTPROF" run --help)
lines=$(wc -l <<<"$help")
[ "$lines" -le 48 ] || echo "more than two screens: $lines lines"
awk 'length($0) > 80 { print "too wide:", $0 }' <<<"$help"
echo "$help"
