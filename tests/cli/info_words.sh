# SPDX-License-Identifier: Apache-2.0
# The verdict, headings, one thread and not "1 threads", and no word cut on a narrow screen.
names=$(dirname "$TTPROF")/examples/names
[ -x "$names" ] || { echo "examples/names was not built" >&2 && exit 77; }
long="one two three four five six seven eight nine ten eleven twelve thirteen fourteen"
TTP_FILE=t.ttpr "$names" "$long" >/dev/null
# the host's name and processor may take more than a line
without_host() { awk '/^host/ { skip = 1; next } skip && /^          / { next } { skip = 0; print }'; }
show() { without_host | sed -E 's/^(span|program) .*/\1 .../; s/^ +[0-9.]+ +20 .*/.../'; }
COLUMNS=50 "$TTPROF" info t.ttpr | show
# a pipe has whole lines
env -u COLUMNS "$TTPROF" info t.ttpr | grep -c "^fact      $long"
head -c $(($(stat -c %s t.ttpr) - 700)) t.ttpr >cut.ttpr
"$TTPROF" info cut.ttpr 2>/dev/null | head -n 1
