# SPDX-License-Identifier: Apache-2.0
# The compiler, the folders, the port, Python and pages are this machine's.
hide() { sed -E '/^ +-> /d; s/; not in order: .*//; s/^(compiler  ) .*/\1 .../; s/^(kernels  ) .*/\1 .../; s/^(card|port|python|ttnn|pages) .*/\1 .../'; }
unset TT_METAL_HOME
export COLUMNS=1000
for v in $(compgen -e | grep -E '^(TTP|TT_METAL|TRACY|TTNN)_'); do unset "$v"; done
"$TTPROF" doctor | hide
TT_METAL_PROFILER_DIR=here TT_METAL_DEVICE_PROFLER=1 TT_METAL_WATCHER=5 TTP_NONSENSE_OF_MINE=x "$TTPROF" doctor | hide
TTP_SIM_HARVEST=0 TTP_DEVICE_LOG=7 "$TTPROF" doctor | hide
TTP_DEVICE=ttsim:/nowhere.so "$TTPROF" doctor | hide
TTP_DEVICE=card "$TTPROF" doctor >out
echo "status $?"
grep ^device out
TTP_DEVICE=card TT_METAL_PROFILER_DR=x "$TTPROF" doctor --json | sed -E '/^  "(card|client|port|python|ttnn|pages)": \{/,/^  \},/d' | grep -vE '"(compiler|compiler_version|kernels)"'
for missing in TTP_RISCV_CC=/nowhere/gcc TTP_CACHE=/dev/null/here TTP_DEVICE_LOG=7 TTP_SIM_HARVEST=0xFFF TTP_SIM_HARVEST=0; do
	env "$missing" "$TTPROF" doctor >out
	echo "$missing: status $?"
	grep -A1 error: out | grep -vE '^(--|compiler   [^n]|kernels +are|logs|card)' || true
done
# What is wrong, and the line that mends it.
for wrong in TTP_OFF=1 TTP_PROTOCOL=7 TRACY_PORT=99999 TRACY_PORT=x PATH=/nowhere; do
	echo "$wrong"
	env "$wrong" "$TTPROF" doctor | grep -A1 -E '^(client|port|python|pages) ' | grep -B1 -E '^ +-> ' | grep -vE '^(--|port .*taken|.*the same in the GUI|pages +node is there|python .*pytest is not|.*if tests are to be profiled)' || true
done
# On a narrow screen no word is cut.
TTP_CACHE=. COLUMNS=60 TT_METAL_WATCHER=5 "$TTPROF" doctor >out
sed -n '/^What kernels/,/^compiler/p; /^client/,/^port/p; /^variable /,$p' out | grep -vE '^(compiler|port)'
COLUMNS=60 TTP_DEVICE=card TTP_RISCV_CC=/nowhere/gcc "$TTPROF" doctor | sed -n '1,/^version/p' | sed -zE 's/; not in[[:space:]]+order: [^\n]*//'
