// SPDX-License-Identifier: Apache-2.0
import test from "node:test";
import assert from "node:assert/strict";
import { makeOps, numberField, textField } from "../../../web/src/data/ops";
import * as format from "../../../web/src/logic/format";
import { parseFilter, parseNumber } from "../../../web/src/logic/filter";
import { giveHues, hue, OTHERS } from "../../../web/src/ui/colour";
import { fitting } from "../../../web/src/ui/grid";
import { placeLabels } from "../../../web/src/logic/roofline";
import { topGaps } from "../../../web/src/logic/gaps";
import { heatOf, summed, coreFacts, standout } from "../../../web/src/logic/heat";
import { aliveAt, layoutOf } from "../../../web/src/logic/memory";
import { countersOf, topStall } from "../../../web/src/logic/counters";
import { inverted, timeFound, flameTree, layFlame } from "../../../web/src/logic/flame";
import { foldOps, opView } from "../../../web/src/logic/opview";
import { withCores } from "../../../web/src/logic/advice";
import { readingZones } from "../../../web/src/logic/format";
import { chipOf, roofPoints } from "../../../web/src/logic/roofline";
import { histogram, quantile, stats } from "../../../web/src/logic/stats";
import { tensorsOf } from "../../../web/src/logic/tensors";
import { csvText } from "../../../web/src/ui/download";
import { contrast, CATEGORY, heat, HUES, INK, inkOn } from "../../../web/src/ui/colour";
import { path, scaleOf, ticks } from "../../../web/src/logic/chart";

type Row = { [key: string]: string | number };

export function table(rows: Row[]) {
	return makeOps(rows.length, Object.keys(rows[0]).map((key) =>
		typeof rows[0][key] === "number" ? numberField(key, /\[ns\]|_ns$/.test(key) ? "ns" : /_us$/.test(key) ? "us" : "", (row) => rows[row][key] as number) : textField(key, (row) => rows[row][key] as string)));
}

const OPS = table([
	{ op: "Matmul 32 x 32", "OP CODE": "Matmul", "CORE COUNT": 64, "OP TO OP LATENCY [ns]": 7000, bound: "DRAM", "DEVICE ID": 0, memory: "dram" },
	{ op: "Softmax 8 x 8", "OP CODE": "Softmax", "CORE COUNT": 8, "OP TO OP LATENCY [ns]": 900, bound: "SLOW", "DEVICE ID": 1, memory: "l1" },
	{ op: "Matmul 64 x 64", "OP CODE": "Matmul", "CORE COUNT": 32, "OP TO OP LATENCY [ns]": NaN, bound: "FLOP", "DEVICE ID": 0, memory: "l1 \"odd\"" },
]);
const rows = (text: string) => {
	const filter = parseFilter(OPS, text);
	assert.equal(filter.error, "", text);
	return [0, 1, 2].filter(filter.test);
};

test("the filter language: words, comparisons with units, negation, alternatives", () => {
	assert.deepEqual(rows(""), [0, 1, 2]);
	assert.deepEqual(rows("matmul"), [0, 2]);
	assert.deepEqual(rows("op~matmul cores<64"), [2]);
	assert.deepEqual(rows("gap>6.5us"), [0]);
	assert.deepEqual(rows("gap<=0.9us"), [1]);
	assert.deepEqual(rows("bound:dram dev:0"), [0]);
	assert.deepEqual(rows("-matmul"), [1]);
	assert.deepEqual(rows("bound:SLOW or cores>=64"), [0, 1]);
	assert.deepEqual(rows("op!~matmul"), [1]);
	assert.deepEqual(rows("bound!=DRAM"), [1, 2]);
	assert.deepEqual(rows('"CORE COUNT"=8'), [1]);
	assert.deepEqual(rows('op:"Matmul 64 x 64"'), [2]);
	assert.deepEqual(rows("op~/^mat.*64$/"), [2]);
	assert.deepEqual(rows("gap:"), [2]);
});

test("a filter that can't be understood says why, and hides nothing", () => {
	for (const [text, why] of [["nosuch>3", /no column is called "nosuch"/], ["cores>many", /not a number/], ["op~/(/", /./]] as const) {
		const filter = parseFilter(OPS, text);
		assert.match(filter.error, why);
		assert.ok(filter.test(0) && filter.test(1));
	}
	assert.equal(parseNumber("1.5ms", "us"), 1500);
	assert.ok(Number.isNaN(parseNumber("3 parsecs", "ns")));
});

test("numbers carry units, and what is missing is a dash", () => {
	assert.equal(format.time(0), "0 ns");
	assert.equal(format.time(999), "999 ns");
	assert.equal(format.time(1500), "1.50 µs");
	assert.equal(format.time(999.9e3), "1.00 ms");
	assert.equal(format.time(12.34e9), "12.3 s");
	assert.equal(format.time(-2e6), "-2.00 ms");
	assert.equal(format.time(NaN), "–");
	assert.equal(format.withUnit(2.5, "us"), "2.50 µs");
	assert.equal(format.withUnit(12, "GB/s"), "12.0 GB/s");
	assert.equal(format.bytes(569134), "569 KB");
	assert.equal(format.count(1234567), "1\u2009234\u2009567");
	assert.equal(format.count(NaN), "–");
	assert.equal(format.plural(1, "zone"), "1 zone");
});

test("ticks of an axis are told apart", () => {
	for (const span of [10, 333, 4e4, 7e6, 3e8, 5e9]) {
		const step = format.niceStep(span, 8);
		const texts = new Set<string>();
		for (let t = 0; t <= span; t += step) texts.add(format.tick(t + span * 3, step));
		assert.equal(texts.size, Math.floor(span / step) + 1, `span ${span}`);
	}
});

test("statistics leave out what is missing; the deviation is a sample's", () => {
	const all = stats([1, 2, 3, 4, NaN]);
	assert.deepEqual([all.n, all.sum, all.mean, all.min, all.max, all.p50], [4, 10, 2.5, 1, 4, 2.5]);
	assert.ok(Math.abs(all.sd - 1.2909944487) < 1e-9);
	assert.equal(stats([]).n, 0);
	assert.equal(quantile([0, 10], 0.95), 9.5);
	assert.deepEqual(histogram([0, 1, 2, 3], 2).counts, [2, 2]);
	assert.deepEqual(histogram([5, 5], 10).counts, [2]);
	assert.deepEqual(histogram([], 10).counts, []);
	const wide = histogram([1, 10, 100, 1000], 3);
	assert.ok(wide.log);
	assert.deepEqual(wide.counts, [1, 1, 2]);
	assert.ok(Math.abs(wide.edges[1] - 10) < 1e-9 && !histogram([1, 2], 2).log);
});

test("imbalance is max/mean − 1, lost core-time what the others wait", () => {
	const heat = summed([{ x: 0, y: 0, count: 1, value: 10 }, { x: 1, y: 0, count: 1, value: 20 }, { x: 2, y: 0, count: 1, value: 30 }]);
	assert.equal(heat.imbalance, 0.5);
	assert.equal(heat.lost, 30);
	assert.equal(heat.mean, 20);
	assert.ok(Number.isNaN(summed([]).imbalance));
});

test("values per core: busy, skew, tail, span, calls, RISCs; by device and op", () => {
	const cores: any = {
		n: 5, op: [1, 1, 2, 2, 1], device: [0, 0, 0, 0, 1], x: [1, 2, 1, 2, 1], y: [1, 1, 1, 1, 1], start: [0, 5, 0, 10, 0], dur: [100, 50, 30, 20, 999], busy: [95, 45, 25, 20, 900],
		brisc: [90, 40, 20, 10, 1], wait: [1, 2, 3, 4, 5],
	};
	const value = (metric: any, ops: Set<number> | null = null) => heatOf(cores, metric, { device: 0, ops }).cores.map((core) => core.value);
	assert.deepEqual(value("busy"), [120, 65]);
	assert.deepEqual(value("busy", new Set([2])), [25, 20]);
	assert.deepEqual(value("count"), [2, 2]);
	assert.deepEqual(value("skew"), [0, 7.5]);
	assert.deepEqual(value("tail"), [0, 22.5]);
	assert.deepEqual(value("span"), [130, 70]);
	assert.deepEqual(value("brisc"), [110, 50]);
	assert.deepEqual(value("wait"), [4, 6]);
	assert.deepEqual(heatOf(cores, "busy", { device: 7, ops: null }).cores, []);
});

test("like gaps are one line, most time first, with what the host did in them", () => {
	const ops = table([{ op: "A", gap_line: "A, in y", gap_us: 1, gap_zone: "y", gap_zone_ns: 1, gap_host_ns: 4 }, { op: "B", gap_line: "B", gap_us: 3, gap_zone: "", gap_zone_ns: 0, gap_host_ns: 9 },
		{ op: "A", gap_line: "A, in y", gap_us: 2.5, gap_zone: "y", gap_zone_ns: 3, gap_host_ns: 4 }, { op: "A", gap_line: "A, in x", gap_us: 2, gap_zone: "x", gap_zone_ns: 4, gap_host_ns: 4 },
		{ op: "C", gap_line: "", gap_us: NaN, gap_zone: "", gap_zone_ns: NaN, gap_host_ns: NaN }, { op: "marker", gap_line: "", gap_us: 9, gap_zone: "", gap_zone_ns: NaN, gap_host_ns: NaN }]);
	const lines = topGaps(opView(ops), [0, 1, 2, 3, 4, 5], 10).map((gap) => [gap.name, gap.row, gap.ns, gap.count, gap.total, gap.zone, gap.covers, gap.known]);
	assert.deepEqual(lines, [["A", 2, 2500, 2, 3500, "y", 0.5, true], ["B", 1, 3000, 1, 3000, "", 0, true], ["A", 3, 2000, 1, 2000, "x", 1, true]]);
});

test("what takes most of a run is told apart by colour, and never by the grey of the rest", () => {
	const names = ["MatmulDeviceOperation", "MorehAdamWDeviceOperation", "LayerNormDeviceOperation", "BinaryNgDeviceOperation", "SoftmaxDeviceOperation", "a", "b", "c"];
	giveHues(names);
	assert.equal(new Set(names.map(hue)).size, names.length);
	assert.ok(!names.map(hue).includes(OTHERS));
	giveHues(Array.from({ length: 40 }, (_, i) => "n" + i)); // more than there are colours
	giveHues([]);
});

test("a table shows whole columns alone, the first ones first", () => {
	const columns: any[] = [{ key: "row", width: 60 }, { key: "op", width: 260 }, { key: "time", width: 120 }, { key: "gap", width: 90 }];
	const shown = (width: number) => fitting(columns, "op", width).map((column) => [column.key, column.width]);
	assert.deepEqual(shown(700), [["row", 60], ["op", 430], ["time", 120], ["gap", 90]]);
	assert.deepEqual(shown(620), [["row", 60], ["op", 350], ["time", 120], ["gap", 90]]);
	assert.deepEqual(shown(350), [["row", 60], ["op", 170], ["time", 120]]);
	assert.deepEqual(shown(40), [["row", 60], ["op", 156]]);
});

test("like ops are one line, longest first", () => {
	const ops = table([{ op: "A", like: 1, time_us: 1, gap_us: 1 }, { op: "B", like: 2, time_us: 5, gap_us: 1 }, { op: "A", like: 1, time_us: 3, gap_us: NaN }, { op: "A", like: 4, time_us: 1, gap_us: 0 }]);
	const lines = foldOps(opView(ops), [0, 1, 2, 3]);
	assert.deepEqual(lines.map((line) => [line.name, line.rows.length, line.time, line.gap, line.longest]), [["B", 1, 5000, 1000, 1], ["A", 2, 4000, 1000, 2], ["A", 1, 1000, 0, 3]]);
});

test("the roofline has what is known and names what is not", () => {
	const chip = chipOf({ chip: { worker_cores: 64, name: "n150", roofs: [{ of: "DRAM", gbps: 288 }, { of: "NoC", gbps: 4096 }, { of: "L1", gbps: 4096 }, { of: "LoFi", tflops: 262 }, { of: "HiFi2", tflops: 131 }] } })!;
	assert.deepEqual(chip.slopes, [{ of: "DRAM", gbps: 288 }, { of: "NoC, L1", gbps: 4096 }]);
	assert.deepEqual(chip.roofs, [{ of: "LoFi", tflops: 262 }, { of: "HiFi2", tflops: 131 }]);
	assert.equal(chipOf({ chip: { dram_gbps: 288, worker_cores: 64 } }), null);
	assert.equal(chipOf(null), null);
	const ops = table([{ op: "M", time_us: 10, work_gflop: 0.02, bytes_mb: 2, roof_percent: 50 }, { op: "S", time_us: 10, work_gflop: NaN, bytes_mb: 1, roof_percent: 9 }]);
	const data = roofPoints(opView(ops), [0, 1]);
	assert.deepEqual(data.points.map((p) => [p.name, p.intensity, p.tflops, p.share]), [["M", 10, 2, 0.5]]);
	assert.deepEqual([data.movers.map((m) => [m.name, m.gbps]), data.missing], [[["S", 100]], []]);
});

test("tensors are read from the columns of all generations", () => {
	const ops = table([{ "INPUT_0_W_PAD[LOGICAL]": "1[1]", INPUT_0_X: "32", INPUT_0_DATATYPE: "BFLOAT16", INPUT_1_LAYOUT: "", OUTPUT_0_MEMORY: "DEV_0_DRAM" }]);
	assert.deepEqual(tensorsOf(ops, 0), [{ name: "input 0", shape: "1[1] × 32", layout: "", type: "BFLOAT16", memory: "" }, { name: "output 0", shape: "", layout: "", type: "", memory: "dev 0 dram" }]);
});

test("flame graphs: a table becomes a tree, a tree becomes boxes, slivers are left out", () => {
	const root = flameTree({ n: 3, parent: [0, 1, 99], name: [1, 2, 3], calls: [1, 2, 1], total: [90, 30, 10], self: [60, 30, 10] }, String, "all");
	assert.equal(root.total, 100);
	assert.deepEqual(layFlame(root).map((box) => [box.node.name, box.x, box.w, box.depth]), [["all", 0, 1, 0], ["1", 0, 0.9, 1], ["2", 0, 0.3, 2], ["3", 0.9, 0.1, 1]]);
	assert.equal(layFlame(root, 0.2).length, 3);
});

test("a flame graph turned over has the same time, by who takes it; a search counts no time twice", () => {
	const root = flameTree({ n: 4, parent: [0, 1, 0, 3], name: [1, 2, 3, 2], calls: [1, 2, 1, 1], total: [90, 30, 10, 4], self: [60, 30, 6, 4] }, String, "all");
	const over = inverted(root);
	assert.equal(over.total, root.total);
	assert.deepEqual(over.children.map((node) => [node.name, node.total, node.self]), [["1", 60, 60], ["2", 34, 34], ["3", 6, 6]]);
	assert.deepEqual(over.children[1].children.map((node) => [node.name, node.total, node.self]), [["1", 30, 0], ["3", 4, 0]]);
	assert.equal(timeFound(root, (name) => name === "1" || name === "2"), 94);
	assert.equal(timeFound(root, () => false), 0);
});

test("what an op could do is what the report's least time allows", () => {
	const ops = table([{ op: "M", time_us: 10, work_gflop: 20, bytes_mb: 2, types: "HiFi2 BF16", "CORE COUNT": 8, ideal_us: 5 }, { op: "N", time_us: 10, work_gflop: 0.002, bytes_mb: 2, types: "HiFi4 BF16", "CORE COUNT": 8 }]);
	const { points } = roofPoints(opView(ops), [0, 1]);
	assert.deepEqual(points.map((p) => [p.fidelity, p.cores, p.roof]), [["HiFi2", 8, 4000], ["HiFi4", 8, NaN]]);
});

test("what a page says while it reads", () => {
	assert.equal(readingZones(0, 5000), "Reading zones …");
	assert.equal(readingZones(3_000_000, 11_000_000), "Reading zones: 3 of 11 M …");
	assert.equal(readingZones(1_234_567, 2_000_000), "Reading zones: 1.2 of 2.0 M …");
});

test("findings of cores stand where what they save puts them, and in sight", () => {
	const all = [{ what: "lost-data", text: "a" }, { what: "slow-op", text: "b", saves_us: 9 }, ...[5, 4, 3, 2].map((saves_us) => ({ what: "slow-op", text: "c" + saves_us, saves_us }))];
	const at = (saves_us: number) => withCores(all, [{ what: "slow-core", text: "core", saves_us }]).findIndex((one) => one.what === "slow-core");
	assert.deepEqual([at(20), at(6), at(4.5), at(1)], [1, 2, 3, 4]);
	assert.deepEqual(withCores([], [{ what: "slow-core", text: "core" }]).length, 1);
});

test("CSV quotes what needs it", () => {
	assert.equal(csvText(["a", "b"], [["x,y", 'say "hi"'], [1, NaN]]), 'a,b\n"x,y","say ""hi"""\n1,\n');
});

test("letters on every fill have a contrast of 4.5 at least", () => {
	for (const fill of [...HUES, ...Object.values(CATEGORY)]) assert.ok(contrast(fill, INK) >= 4.5, fill);
	for (let share = 0; share <= 1; share += 0.01) assert.ok(contrast(heat(share), inkOn(heat(share))) >= 4.5, `heat ${share}`);
});

test("names on the roofline touch neither circles nor each other", () => {
	const circles = [{ x: 100, y: 100, r: 10 }, { x: 120, y: 100, r: 8 }, { x: 118, y: 108, r: 6 }, { x: 380, y: 50, r: 5 }, { x: 100, y: 101, r: 9 }];
	const labels = placeLabels(circles, [80, 80, 80, 80, 0], 20, 400);
	assert.deepEqual(labels.map((one) => one.which), [0, 1, 2, 3]);
	for (const a of labels) {
		assert.ok(a.x >= 20 && a.x + a.w <= 400);
		for (const b of labels) if (a !== b) assert.ok(Math.abs(a.y - b.y) >= 14 || a.x + a.w <= b.x || b.x + b.w <= a.x, `${a.which} and ${b.which}`);
		for (const c of circles) assert.ok(c.x < a.x - c.r || c.x > a.x + a.w + c.r || Math.abs(c.y - a.y) >= c.r || Math.hypot(Math.max(a.x - c.x, 0, c.x - a.x - a.w), Math.max(Math.abs(c.y - a.y) - 7, 0)) >= c.r);
	}
});

test("a chart's axis has round ticks, and its line the extremes of each pixel", () => {
	assert.deepEqual(ticks(0, 10, 5), [0, 2, 4, 6, 8, 10]);
	assert.deepEqual(ticks(5, 5, 5), []);
	const x = scaleOf([0, 99], 0, 9, false), y = scaleOf([0, 100], 100, 0, true);
	assert.deepEqual([y.low, y.high, y.at(0)], [0, 108, 100]);
	assert.deepEqual([scaleOf([], 0, 1, true).low, scaleOf([], 0, 1, true).high], [0, 1.08]);
	const values = Array.from({ length: 100 }, (_, i) => (i === 50 ? 100 : i % 2));
	const drawn = path(Array.from(values.keys()), values, x.at, y.at);
	assert.ok(drawn.includes(y.at(100).toFixed(1)), "a peak of one value in a pixel of ten is drawn");
	assert.ok(drawn.split("L").length <= 40);
	assert.equal(path([0, 1, 2], [1, null, 1], (v) => v * 10, (v) => v), "M0.0 1.0M20.0 1.0");
});

test("memory: what is in use at a time, its banks, and holes between", () => {
	const pieces = { n: 4, pool: [0, 0, 0, 1], address: [1000, 1100, 1400, 0], bytes: [1200, 1200, 600, 9], time: [0, 5, 10, 0], life: [0, 101, 0, 0], op: [0, 0, 1, 0] };
	assert.deepEqual(aliveAt(pieces, 0, 7), [0, 1]);
	assert.deepEqual(aliveAt(pieces, 0, 105), [0, 2]);
	assert.deepEqual(aliveAt(pieces, 1, 7), [3]);
	const layout = layoutOf(pieces, aliveAt(pieces, 0, 50));
	assert.deepEqual([layout.banks, layout.used, layout.low, layout.high, layout.holes, layout.largestHole, layout.fragmented], [12, 3000, 1000, 1450, 2400, 2400, 0]);
	assert.deepEqual(layoutOf(pieces, []).holes, 0);
});

test("counters are found by their columns, and an op's largest stall by its mean", () => {
	const ops = table([{ "FPU Util Min (%)": 1, "FPU Util Median (%)": 2, "FPU Util Max (%)": 3, "SrcA Valid Wait Avg (%)": 90, "Thread 1 Stall Rate Avg (%)": 95, "T0 Instrn Issue Rate Avg": 0.5, "LaunchProgram Average [ns]": 5, time_us: 1 }]);
	const counters = countersOf(ops);
	assert.deepEqual(counters.map((one) => [one.name, one.unit, one.kind, one.main.number(0)]), [["FPU Util", "%", "use", 2], ["SrcA Valid Wait", "%", "stall", 90], ["Thread 1 Stall Rate", "%", "stall", 95], ["T0 Instrn Issue Rate", "", "use", 0.5]]);
	assert.deepEqual(topStall(counters, 0), { at: 2, value: 95 });
	assert.deepEqual(countersOf(table([{ a: 1 }])), []);
});

test("a core that is slow whatever it runs stands out; one that has more of the work in a few ops does not", () => {
	const op: number[] = [], x: number[] = [], busy: number[] = [];
	for (let k = 1; k <= 10; k++) for (let c = 0; c < 4; c++) op.push(k), x.push(c), busy.push(c === 2 ? 150 : 100 + ((k * 7 + c) % 5));
	const n = op.length, same = new Array(n).fill(0), cores = { n, op, device: same, x, y: same, start: same, dur: busy, busy } as any;
	const heat = heatOf(cores, "over", { device: 0, ops: null });
	assert.equal(standout(heat)?.core.x, 2);
	assert.equal(heat.cores.find((one) => one.x === 2)!.slowest, 10);
	const even = heatOf({ ...cores, busy: busy.map((_, i) => 100 + ((op[i] + x[i]) % 4)) }, "over", { device: 0, ops: null });
	assert.equal(standout(even), null);
	const facts = coreFacts(cores, { device: 0, ops: null }, 2, 0, (k) => (k < 6 ? "a" : "b"));
	assert.deepEqual(facts.ops.map((one) => [one.name, one.calls, one.slowest]).sort(), [["a", 5, 5], ["b", 5, 5]]);
});
