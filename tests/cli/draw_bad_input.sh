# SPDX-License-Identifier: Apache-2.0
# what is missing, empty, damaged or hostile: a sentence that says what and what to do, never a crash
. "$SRC/tests/cli/draw.bash"
mkdir empty_folder run
: >empty.csv
echo 'nothing of this kind' >words.csv
head_of wormhole_b0 64 >no_markers.csv
small_report >ops.csv
small_log >log.csv
head -c 700 log.csv >cut.csv
echo '{"report": "/nowhere/ops_perf_results.csv", "trace": 7}' >run.json
echo '{"report": ' >half.json
for command in top heat timeline; do
	for input in nowhere empty_folder empty.csv words.csv no_markers.csv run.json half.json ''; do
		ask $command "$input" | head -4
	done
	ask $command cut.csv >cut.$command
	tail -n 3 cut.$command
done
ask heat ops.csv
ask heat --zone nothing log.csv
ask heat --risc erisc log.csv
ask heat --metric warmth log.csv
ask heat --id 77 log.csv
mkdir r && cp log.csv r/profile_log_device.csv && cp ops.csv r/ops_perf_results.csv
ask heat --id 77 r
ask heat --from 9ms log.csv
ask heat --from yesterday log.csv
ask heat --from 3us --to 2us log.csv
ask timeline --lanes host,wires log.csv
ask timeline ops.csv
ask top --zones ops.csv
ask top --ops log.csv
ask heat --svg /nowhere/x.svg log.csv
# rows that can't be read are counted
sed '5s/.*/0,1,1,BRISC,x,y,z/' log.csv >bad_row.csv
ask heat bad_row.csv | sed -n "1,3p; /^note/p"
# a run that was moved: files beside run.json are taken
cp ops.csv r/ops_perf_results.csv && echo '{"report": "/gone/ops_perf_results.csv"}' >r/run.json
ask top --ops r/run.json
