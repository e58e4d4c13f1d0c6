// SPDX-License-Identifier: Apache-2.0
import test from "node:test";
import assert from "node:assert/strict";
import { gallop, lowerBound } from "../../../web/src/timeline/search";
import { carve, densityOf, paintBand, SHADES, type Palette } from "../../../web/src/timeline/paint";
import { shapeOf, type Band } from "../../../web/src/timeline/band";
import { foldedAxis, opAxis, timeAxis, type Axis } from "../../../web/src/timeline/axis";
import { lastRound } from "../../../web/src/logic/rounds";
import { formatNotes, parseNotes } from "../../../web/src/timeline/notes";
import { makeOps, numberField } from "../../../web/src/data/ops";
import { busyLanes } from "../../../web/src/logic/zonesum";
import { makeTracks, layRows } from "../../../web/src/timeline/tracks";
import { busyIn, countedOnce, flameOf, histogramOf, selected } from "../../../web/src/timeline/selection";
import { findHits, nextFound, nextHit, sameName, zoneAt } from "../../../web/src/timeline/pick";

function generator(seed: number) {
	return () => (seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff) / 0x7fffffff;
}

test("galloping finds what a plain search finds", () => {
	const random = generator(5);
	for (let round = 0; round < 300; round++) {
		const a = Array.from({ length: 1 + Math.floor(random() * 60) }, () => Math.floor(random() * 40)).sort((x, y) => x - y);
		const from = Math.floor(random() * a.length), value = Math.floor(random() * 44) - 2;
		let plain = from;
		while (plain < a.length && a[plain] < value) plain++;
		assert.equal(gallop(a, value, from, a.length), plain);
		assert.equal(lowerBound(a, value, from, a.length), plain);
	}
});

function lane(zones: [number, number, number][], more = {}) {
	return {
		info: { id: 0, parent: -1, kind: "core", name: "", depth: 0, first: 0, count: zones.length, t0: 0, busy_ns: 0, ...more } as any,
		zones: { n: zones.length, start: Float64Array.from(zones, (z) => z[0]), dur: Uint32Array.from(zones, (z) => z[1]), name: Uint16Array.from(zones, (z) => z[2]), op: null, text: null },
	};
}

// Colour c in shade s is the number 100 c + s.
const palette: Palette = {
	shades: Uint32Array.from({ length: 10 * (SHADES + 1) }, (_, i) => 100 * Math.floor(i / (SHADES + 1)) + (i % (SHADES + 1))),
	edges: Uint32Array.from({ length: 10 }, (_, i) => 100 * i + 99), ground: 0,
};

const nameOf = (zones: { name: ArrayLike<number> }) => (zone: number) => `zone ${zones.name[zone]}`;
const bandOf = ({ zones }: ReturnType<typeof lane>): Band => ({ ...shapeOf(zones.start, zones.dur), colours: Uint8Array.from(zones.name) });

test("zones wider than a pixel are spans of their colour, with an edge and a label", () => {
	const one = lane([[100, 500, 2]]);
	const pixels = new Uint32Array(100);
	const labels: any[] = [];
	paintBand(pixels, 0, 100, bandOf(one), { t0: 0, t1: 1000 }, palette, labels, 0);
	assert.equal(pixels[9], 0);
	assert.equal(pixels[10], 299);
	for (let x = 11; x < 60; x++) assert.equal(pixels[x], 200 + SHADES);
	assert.equal(pixels[60], 0);
	assert.deepEqual(labels, [{ x: 10, w: 50, y: 0, zone: 0 }]);
});

test("narrow zones shade their pixel by the time that they fill, in the hue of the longest", () => {
	const one = lane([[100, 2, 1], [103, 3, 3], [108, 0, 1], [115, 9, 2]]);
	const pixels = new Uint32Array(100);
	paintBand(pixels, 0, 100, bandOf(one), { t0: 0, t1: 1000 }, palette, [], 0);
	assert.equal(pixels[10], 300 + 8);
	assert.equal(pixels[11], 200 + 14);
	assert.equal(pixels.filter((pixel) => pixel).length, 2);
});

test("the shade of a busy pixel never depends on how many zones share it", () => {
	const many = lane(Array.from({ length: 1000 }, (_, i) => [i * 10, 5, 1]));
	const pixels = new Uint32Array(10);
	paintBand(pixels, 0, 10, bandOf(many), { t0: 0, t1: 10000 }, palette, [], 0);
	for (const pixel of pixels) assert.equal(pixel, 100 + SHADES / 2);
});

test("the painter agrees with brute force on which pixels have something", () => {
	const random = generator(11);
	for (let round = 0; round < 60; round++) {
		let t = 0;
		const list: [number, number, number][] = Array.from({ length: 200 }, () => {
			t += Math.floor(random() * 30);
			const dur = 1 + Math.floor(random() * random() * 80);
			const zone: [number, number, number] = [t, dur, 1];
			t += dur;
			return zone;
		});
		const one = lane(list);
		const t0 = Math.floor(random() * t * 0.5), t1 = t0 + 50 + Math.floor(random() * t);
		const width = 80, per = (t1 - t0) / width;
		const pixels = new Uint32Array(width);
		paintBand(pixels, 0, width, bandOf(one), { t0, t1 }, palette, [], 0);
		for (const [start, dur] of list) {
			const x = Math.floor((start - t0) / per);
			if (x >= 0 && x < width) assert.ok(pixels[x] > 0, `zone at ${start} is not seen`);
			if (dur >= per) for (let k = Math.max(0, x); k < Math.min(width, Math.ceil((start + dur - t0) / per)); k++) assert.ok(pixels[k] > 0);
		}
		for (let x = 0; x < width; x++)
			if (pixels[x]) assert.ok(list.some(([start, dur]) => start < t0 + (x + 1) * per + 1e-6 && start + dur > t0 + x * per - 1e-6), `pixel ${x} shows what is not there`);
	}
});

test("the density of a group is the mean share of time in which its lanes run", () => {
	const { info, zones } = lane([[0, 50, 1], [100, 100, 1]]);
	assert.deepEqual([...densityOf([shapeOf(zones.start, zones.dur)], 200, 2)], [0.5, 1]);
	assert.deepEqual([...densityOf([shapeOf(zones.start, zones.dur), shapeOf(new Float64Array(0), new Uint32Array(0))], 200, 2)], [0.25, 0.5]);
	assert.deepEqual([...densityOf([shapeOf(zones.start, zones.dur)], 0, 2)], [0, 0]);
});

test("lanes of one track are one row, and closed groups show their ops", () => {
	const base = { t0: 0, busy_ns: 0, first: 0, count: 1 };
	const tops = makeTracks([
		{ ...base, id: 0, parent: -1, kind: "process", name: "p", depth: 0, count: 0 }, { ...base, id: 1, parent: 0, kind: "thread", name: "t", track: 9, depth: 0 },
		{ ...base, id: 2, parent: 0, kind: "thread", name: "t", track: 9, depth: 1 }, { ...base, id: 3, parent: -1, kind: "device", name: "d", depth: 0, count: 0 },
		{ ...base, id: 4, parent: 3, kind: "ops", name: "ops", depth: 0 },
	]);
	const { rows } = layRows(tops, new Set());
	assert.deepEqual(rows.map((row) => [row.track.name, row.lanes.length]), [["p", 0], ["t", 2], ["d", 0], ["ops", 1]]);
	const closed = layRows(tops, new Set([0, 3])).rows;
	assert.deepEqual(closed.map((row) => [row.track.name, row.lanes.length, row.density?.length ?? 0]), [["p", 0, 1], ["d", 1, 0]]);
});

test("a deep thread shows its outermost zones at first, and all of them when it is opened or alone", () => {
	const base = { t0: 0, busy_ns: 0, first: 0, count: 1, parent: -1, kind: "thread" };
	const deep = Array.from({ length: 40 }, (_, depth) => ({ ...base, id: depth, name: "main", track: 1, depth }));
	const two = makeTracks([...deep, { ...base, id: 40, name: "worker", track: 2, depth: 0 }]);
	const shown = (rows: ReturnType<typeof layRows>["rows"]) => rows.map((row) => [row.track.name, row.lanes.length, row.hidden, row.group]);
	assert.deepEqual(shown(layRows(two, new Set()).rows), [["main", 8, 32, true], ["worker", 1, 0, false]]);
	assert.deepEqual(shown(layRows(two, new Set([0])).rows), [["main", 40, 0, true], ["worker", 1, 0, false]]);
	assert.deepEqual(shown(layRows(makeTracks(deep), new Set()).rows), [["main", 40, 0, false]]);
});

test("a thread's zones are those of all depths, and its pauses where it has more than one", () => {
	const base = { t0: 0, first: 0, parent: 0, kind: "python", name: "main", track: 1 };
	const [line] = busyLanes([
		{ ...base, id: 1, depth: 0, count: 1, busy_ns: 900 }, { ...base, id: 2, depth: 1, count: 3, busy_ns: 500 }, { ...base, id: 3, depth: 2, count: 40, busy_ns: 100 },
	], 1000);
	assert.deepEqual([line.zones, line.share, line.gaps.id], [44, 0.9, 2]);
});

test("a selection counts zones that begin in it, and its flame graph time inside it", () => {
	const outer = [[0, 100, 1], [100, 100, 1]] as [number, number, number][], inner = [[10, 20, 2], [40, 20, 2], [150, 10, 3]] as [number, number, number][];
	const { zones } = lane([...outer, ...inner]);
	const lanes = [{ id: 0, track: 0, depth: 0, first: 0, count: 2 }, { id: 1, track: 0, depth: 1, first: 2, count: 3 }] as any;
	const found = selected(zones, lanes, 5, 160, nameOf(zones));
	assert.deepEqual(found.lines.map((line) => [line.name, line.n, line.sum]), [["zone 1", 1, 100], ["zone 2", 2, 40], ["zone 3", 1, 10]]);
	const root = flameOf(zones, lanes, 5, 160, String);
	assert.equal(root.total, 155);
	assert.deepEqual(root.children.map((node) => [node.name, node.total, node.self]), [["1", 155, 105]]);
	assert.deepEqual(root.children[0].children.map((node) => [node.name, node.total]), [["2", 40], ["3", 10]]);
});

test("an op that is on lanes of its device, of RISCs and of cores counts once", () => {
	const { zones } = lane([[0, 100, 1], [0, 95, 1], [0, 90, 1], [0, 80, 1], [0, 200, 1]]);
	const on = (first: number, more: object) => ({ id: first, track: first, depth: 0, first, count: 1, ...more }) as any;
	const ops = on(0, { kind: "ops", device: 0 }), risc = on(1, { kind: "risc", device: 0, risc: "BRISC" });
	const cores = [on(2, { kind: "core", device: 0, risc: "BRISC" }), on(3, { kind: "core", device: 0, risc: "NCRISC" })], host = on(4, { kind: "thread" });
	const lines = (lanes: any[]) => {
		const found = selected(zones, countedOnce(lanes), 0, 10, nameOf(zones));
		return found.lines.map((line) => [line.where, line.n, line.sum]);
	};
	assert.deepEqual(lines([ops, risc, ...cores, host]), [["host", 1, 200], ["ops", 1, 100]]);
	assert.deepEqual(lines([risc, ...cores]), [["BRISC", 1, 95], ["NCRISC", 1, 80]]);
	assert.deepEqual(lines(cores), [["BRISC", 1, 90], ["NCRISC", 1, 80]]);
	const found = selected(zones, [ops, host], 0, 10, nameOf(zones));
	assert.deepEqual(histogramOf(found, found.lines[1].key).counts, [1]);
});

test("how busy a lane was counts what is inside of the time, to the ns", () => {
	const { info, zones } = lane([[0, 10, 1], [20, 10, 2], [40, 10, 1]]);
	for (const [t0, t1, busy] of [[0, 50, 30], [5, 45, 20], [22, 26, 4], [12, 18, 0], [-9, 99, 30], [25, 41, 6]]) assert.equal(busyIn(zones, info, t0, t1), busy, `${t0} to ${t1}`);
});

// What goes there comes back, and nothing stands before what came before it.
function sound(axis: Axis, whole: number): void {
	const random = generator(21), times = Array.from({ length: 400 }, () => random() * whole).sort((a, b) => a - b);
	const along = axis.all(times, 0, times.length);
	times.forEach((time, i) => {
		assert.ok(Math.abs(axis.to(time) - along[i]) < 1e-6 * whole, `${axis.kind}: all() agrees with to()`);
		assert.ok(Math.abs(axis.from(along[i]) - time) < 1e-6 * whole, `${axis.kind}: ${time} comes back`);
		assert.ok(i === 0 || along[i] >= along[i - 1], axis.kind);
	});
	assert.ok(Math.abs(axis.from(axis.span) - whole) < 1e-6 * whole);
}

test("every axis leads there and back", () => {
	const random = generator(4);
	let t = 0;
	const work = Array.from({ length: 60 }, () => {
		t += 1 + Math.floor(random() * random() * 5000);
		const t0 = t;
		t += 1 + Math.floor(random() * 100);
		return { t0, t1: t };
	});
	sound(timeAxis(t + 100), t + 100);
	sound(foldedAxis(work, t + 100), t + 100);
	const starts = work.map((one) => one.t0);
	sound(opAxis(makeOps(60, [numberField("start_ns", "ns", (row) => starts[row]), numberField("end_ns", "ns", (row) => starts[row] + 1)]), t + 100), t + 100);
});

test("where idle is folded, ops take most of the axis, each as long as it was", () => {
	const axis = foldedAxis([{ t0: 1000, t1: 1100 }, { t0: 500000, t1: 500300 }, { t0: 500310, t1: 500400 }], 1000000);
	assert.equal(axis.kind, "fold");
	for (const [t0, t1] of [[1000, 1100], [500000, 500300], [500310, 500400]]) assert.ok(Math.abs(axis.to(t1) - axis.to(t0) - (t1 - t0)) < 1e-6);
	assert.equal(axis.folds.length, 3);
	assert.ok(490 / axis.span > 0.7, `${axis.span}`);
	// what is short stays
	assert.ok(Math.abs(axis.to(500310) - axis.to(500300) - 10) < 1e-6);
});

test("of ops that repeat the last whole round is shown", () => {
	const round = ["a", "b", "c", "b", "d"];
	assert.deepEqual(lastRound(["warm", "up", ...round, ...round, ...round]), [12, 17]);
	assert.equal(lastRound(["a", "b", "c", "d", "e", "f", "g", "h"]), null);
	assert.equal(lastRound([]), null);
});

test("a bar stands on the floor of its row, as high as its share", () => {
	const pixels = new Uint32Array(4 * 10).fill(0xff101010), columns = Uint8Array.from([255, 128, 51, 0]);
	carve(pixels, 4, 0, 10, 10, columns, 0xffffffff);
	const high = (x: number) => Array.from({ length: 10 }, (_, y) => pixels[y * 4 + x]).filter((pixel) => pixel === 0xff101010).length;
	assert.deepEqual([0, 1, 2, 3].map(high), [10, 5, 2, 10]);
});

test("notes survive the address, whatever is in them", () => {
	const notes = [{ time: 5, text: "first" }, { time: 9, text: "a | b ~ c" }];
	assert.deepEqual(parseNotes(formatNotes(notes)), [{ time: 5, text: "first" }, { time: 9, text: "a   b   c" }]);
	assert.deepEqual(parseNotes("x|~|7~seven|NaN~no"), [{ time: 7, text: "seven" }]);
	assert.equal(parseNotes(Array.from({ length: 100 }, (_, i) => `${i}~n`).join("|")).length, 40);
});

test("a search counts an op once, by time, and goes round", () => {
	const { zones } = lane([[0, 10, 1], [20, 10, 2], [5, 10, 1], [25, 10, 1], [0, 9, 1]]);
	const on = (first: number, count: number, kind: string) => ({ id: first, first, count, kind }) as any;
	const lanes = [on(0, 2, "ops"), on(2, 2, "thread"), on(4, 1, "core")];
	const apart = (one: any) => one.kind === "core";
	const hits = findHits(zones, lanes, (_, i) => zones.name[i] === 1, apart);
	assert.deepEqual([...hits.zones], [0, 2, 3]);
	assert.equal(nextHit(zones, hits, 0, 0, 1), 2);
	assert.equal(nextHit(zones, hits, 3, 0, 1), 0);
	assert.equal(nextHit(zones, hits, -1, 6, 1), 3);
	assert.equal(nextHit(zones, hits, -1, 6, -1), 2);
	// what only cores have is found there
	assert.deepEqual([...findHits(zones, lanes, (_, i) => i === 4, apart).zones], [4]);
});

test("a zone is found by place, by name and by search, forwards and backwards", () => {
	const { info, zones } = lane([[0, 10, 1], [20, 10, 2], [40, 10, 1]]);
	assert.equal(zoneAt(zones, info, 25, 0), 1);
	assert.equal(zoneAt(zones, info, 15, 2), -1);
	assert.equal(zoneAt(zones, info, 12, 3), 0);
	const run = { lanes: [info] } as any;
	assert.equal(sameName(run, zones, 0, 1), 2);
	assert.equal(sameName(run, zones, 2, -1), 0);
	assert.equal(nextFound(zones, [info], -1, 1, (name) => name === 2), 1);
	assert.equal(nextFound(zones, [info], 40, -1, (name) => name === 1), 0);
	assert.equal(nextFound(zones, [info], 40, 1, (name) => name === 1), -1);
});
