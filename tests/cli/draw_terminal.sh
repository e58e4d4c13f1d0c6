# SPDX-License-Identifier: Apache-2.0
# on terminals of a fixed size: no line is wider, nothing but ASCII where the locale has no UTF-8, colours only where they are wanted
. "$SRC/tests/cli/draw.bash"
[ -x /usr/bin/python3 ] || { echo "python3 is not installed" >&2 && exit 77; }
mkdir run && small_log >run/profile_log_device.csv && small_report >run/ops_perf_results.csv
unset COLUMNS
cat >term.py <<'END'
import fcntl, os, pty, struct, sys, termios, re
width, height = int(sys.argv[1]), int(sys.argv[2])
pid, fd = pty.fork()
if pid == 0:
    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", height, width, 0, 0))
    os.execvp(sys.argv[3], sys.argv[3:])
out = b""
while True:
    try:
        part = os.read(fd, 65536)
    except OSError:
        break
    if not part:
        break
    out += part
os.waitpid(pid, 0)
text = out.decode("utf-8", "replace").replace("\r\n", "\n")
plain = re.sub(r"\033\[[0-9;]*m", "", text)
widest = max(len(line) for line in plain.split("\n"))
print("widest" if widest > width else "fits", "ascii" if plain.isascii() else "utf-8", "colours" if plain != text else "plain")
if len(sys.argv) > 5 and os.environ.get("SHOW"):
    print(plain, end="")
END
for size in "80 24" "120 40" "40 12" "200 50"; do
	for command in top heat timeline; do
		echo "$size $command: $(TERM=xterm-256color /usr/bin/python3 term.py $size "$TTPROF" $command run)," \
			"$(TERM=xterm LC_ALL=C /usr/bin/python3 term.py $size "$TTPROF" $command run)," \
			"$(TERM=xterm NO_COLOR=1 /usr/bin/python3 term.py $size "$TTPROF" $command run)," \
			"$(TERM=dumb /usr/bin/python3 term.py $size "$TTPROF" $command run)"
	done
done
for command in top heat timeline; do
	SHOW=1 TERM=dumb LC_ALL=C /usr/bin/python3 term.py 60 24 "$TTPROF" $command run
done
