// SPDX-License-Identifier: Apache-2.0
import test from "node:test";
import assert from "node:assert/strict";
import { anomalies, barValues, iterations, markers, overheads, phases, pieSlices, prepare } from "../../../web/src/logic/notebook";
import { occurrences, segments, stepOf, zoneTable, zoneTree } from "../../../web/src/logic/zonetree";
import { makeOps, numberField, textField } from "../../../web/src/data/ops";

interface Op {
	code: string;
	ident?: string;
	fw?: number;
	kernel?: number;
	host?: number;
	gap?: number;
	device?: number;
}

const mark = (ident: string): Op[] => Array.from({ length: 10 }, () => ({ code: "ProfilerNoopOperation", ident, kernel: 1 }));
const op = (code: string, ns: number, more: Partial<Op> = {}): Op => ({ code, fw: ns + 1, kernel: ns, host: 2 * ns, gap: ns / 2, ...more });

function made(list: Op[]) {
	return makeOps(list.length, [
		textField("OP CODE", (row) => list[row].code), textField("OP TYPE", () => "tt_dnn_device"),
		textField("ATTRIBUTES", (row) => (list[row].ident ? `{'identifier': '${list[row].ident}'}` : "{}")),
		numberField("DEVICE ID", "", (row) => list[row].device ?? 0), numberField("DEVICE FW DURATION [ns]", "ns", (row) => list[row].fw ?? NaN),
		numberField("DEVICE KERNEL DURATION [ns]", "ns", (row) => list[row].kernel ?? NaN), numberField("HOST DURATION [ns]", "ns", (row) => list[row].host ?? NaN),
		numberField("OP TO OP LATENCY [ns]", "ns", (row) => list[row].gap ?? NaN),
	]);
}

const step = (n: number, scale = 1): Op[] => [
	...mark(`iteration_${n}`), op("Load", 10 * scale), ...mark("dataloader_step_done"), ...mark("[FWD] [START] block"), op("Matmul", 100 * scale), ...mark("[FWD] [START] inner"), op("Gelu", 20 * scale), ...mark("[FWD] [END] inner"), ...mark("[FWD] [END] block"),
	op("Loss", 5 * scale), ...mark("forward_pass_done"), ...mark("[BWD] [END] block"), op("MatmulBw", 200 * scale), ...mark("[BWD] [START] block"), ...mark("backward_pass_done"),
	op("AllGatherAsyncDeviceOperation", 30 * scale), ...mark("gradient_sync_done"), op("Adam", 40 * scale), ...mark("optimizer_step_done"),
];
const RUN = made([op("Warm", 1e6), ...mark("compilation_finished"), ...step(1, 10), ...step(2), ...step(3), ...mark("iteration_4")]);

test("what lies before the last compilation_finished and all markers are left out", () => {
	const p = prepare(RUN);
	assert.ok(p.compiled);
	assert.ok(!p.rows.some((row) => p.code!.text(row) === "Warm" || p.code!.text(row).startsWith("Profiler")));
	assert.equal(p.steps, 4);
	const bare = prepare(made([op("A", 1)]));
	assert.deepEqual([bare.compiled, bare.steps, bare.stepsKnown, bare.rows.length], [false, 3, false, 1]);
});

test("pies keep fifteen and put the rest into Others; missing values don't count", () => {
	const p = prepare(made([...Array.from({ length: 20 }, (_, i) => op(`Op${i}`, 100 - i)), { code: "Op0" }]));
	const slices = pieSlices(p, p.metrics[0].field, "sum");
	assert.equal(slices.length, 16);
	assert.deepEqual(slices[0], { name: "Op0", value: 101 });
	assert.deepEqual(slices[15], { name: "Others", value: 86 + 85 + 84 + 83 + 82 });
	assert.equal(pieSlices(p, p.metrics[0].field, "mean")[0].value, 101);
});

test("bars of sums are per step", () => {
	const p = prepare(RUN);
	assert.equal(barValues(p, p.metrics[0].field, "sum").find((bar) => bar.name === "Adam")!.value, (401 + 41 + 41) / 4);
	assert.equal(barValues(p, p.metrics[0].field, "mean").find((bar) => bar.name === "Adam")!.value, (401 + 41 + 41) / 3);
});

test("an anomaly lies beyond three standard deviations of a sample", () => {
	const values = [...Array.from({ length: 30 }, (_, i) => 10 + (i % 2)), 1000];
	assert.deepEqual(anomalies(values), [30]);
	assert.deepEqual(anomalies([1, 2, 3]), []);
	assert.deepEqual(anomalies([NaN, 4]), []);
});

test("dispatch overhead is the time between ops as share of it and the device time", () => {
	const { lines, whole } = overheads(prepare(made([op("A", 100), op("A", 100), op("B", 10, { gap: NaN })])));
	assert.equal(lines[0].name, "A");
	assert.equal(lines[0].calls, 0); // two calls in three steps
	assert.ok(Math.abs(lines[0].gap - 100 / 3) < 1e-9);
	assert.ok(Math.abs(lines[0].percent - (100 * 100) / (100 + 202)) < 1e-9);
	assert.equal(whole.calls, 1);
});

test("ten equal marker rows are one marker, fewer are none", () => {
	assert.deepEqual(markers(made([...mark("a"), ...mark("b").slice(0, 9), op("X", 1)])).map((m) => m.ident), ["a"]);
});

test("phases per iteration, with collectives, averaged without the first", () => {
	const [all] = phases(RUN);
	assert.deepEqual(all.iterations.map((one) => one.iteration), [1, 2, 3, 4].slice(0, all.iterations.length));
	const second = all.iterations.find((one) => one.iteration === 3)!;
	assert.equal(second.phases.forward, 125);
	assert.equal(second.phases.backward, 200);
	assert.equal(second.phases.gradient_sync, 30);
	assert.equal(second.phases.optimizer, 40);
	assert.equal(second.ccl.sync_ag, 30);
	assert.deepEqual(phases(made([op("A", 1)])), []);
});

test("one step: segments between markers, zones, tree with what is left over", () => {
	const one = stepOf(RUN, 2, 0)!;
	assert.equal(one.total, 10 + 100 + 20 + 5 + 200 + 30 + 40);
	assert.ok(segments(one).some((part) => part.label === "Gradient sync" && part.ns === 30));
	const zones = new Map(zoneTable(one).map((line) => [line.zone, line]));
	assert.equal(zones.get("[FWD] block")!.total, 120);
	assert.equal(zones.get("[BWD] block")!.total, 200);
	assert.equal(zones.get("Forward (full)")!.total, 125);
	const tree = zoneTree(one);
	const forward = tree.children.find((node) => node.name === "Forward (full)")!;
	const block = forward.children.find((node) => node.name === "[FWD] block")!;
	assert.equal(block.ns, 120);
	assert.ok(block.children.some((node) => node.name === "[FWD] inner" && node.ns === 20));
	assert.equal(forward.children.find((node) => node.name === "Other")!.ns, 5);
	assert.equal(stepOf(RUN, 99, 0), null);
});

test("forward zones after the forward pass are recomputation, and open zones are named", () => {
	const odd = made([...mark("iteration_1"), ...mark("forward_pass_done"), ...mark("[FWD] [START] a"), op("X", 7), ...mark("[FWD] [END] a"), ...mark("[FWD] [START] lost")]);
	const { list, unpaired } = occurrences(stepOf(odd, 1, 0)!);
	assert.deepEqual(list.map((one) => [one.zone, one.ns]), [["[RECOMP] a", 7]]);
	assert.deepEqual(unpaired, ["[FWD] lost"]);
});

// tt-train marks a step when it is done: what lies before iteration_1 is step 1.
const done = (n: number, scale = 1): Op[] => [...step(n, scale).slice(10), ...mark(`iteration_${n}`)];

test("marks that end a step and marks that begin one give the same steps", () => {
	const begins = iterations(RUN);
	assert.deepEqual(begins.map(({ k }) => k), [1, 2, 3, 4]);
	const ended = made([op("Warm", 1e6), ...mark("compilation_finished"), ...done(1, 10), ...done(2), ...done(3)]);
	const ends = iterations(ended);
	assert.deepEqual(ends.map(({ k }) => k), [1, 2, 3]);
	assert.equal(stepOf(ended, 1, 0)!.total, 10 * 405);
	assert.equal(stepOf(ended, 2, 0)!.total, 405);
	assert.equal(stepOf(ended, 3, 0)!.total, 405);
	assert.equal(stepOf(RUN, 3, 0)!.total, 405);
	assert.equal(ends[0].to, ends[1].from);
});

test("without phases, work behind the last mark tells that marks begin steps", () => {
	const plain = (n: number): Op[] => [...mark(`iteration_${n}`), op("A", 10 * n)];
	assert.deepEqual(iterations(made([...plain(1), ...plain(2)])).map(({ from, to }) => [from, to]), [[0, 11], [11, 22]]);
	assert.deepEqual(iterations(made([op("A", 1), ...mark("iteration_1"), op("A", 2), ...mark("iteration_2")])).map(({ from, to }) => [from, to]), [[0, 11], [11, 22]]);
	assert.deepEqual(iterations(made([op("A", 1)])), []);
});
