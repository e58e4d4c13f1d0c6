# SPDX-License-Identifier: Apache-2.0
# a full disk is told, and nothing stands under the final name; a pipe is written in place
cp -r "$SRC/tests/golden/ops/E1_drop_tail/in" .
(ulimit -f 1; trap '' XFSZ; "$TTPROF" ops in --report r.csv) 2>&1
echo "status $?"
ls
mkfifo pipe
wc -l <pipe &
"$TTPROF" ops in --report pipe >told
wait
[ -p pipe ] && echo still a pipe
