// SPDX-License-Identifier: Apache-2.0
// Two runs beside each other: rows of IDs, what differs, what of a timeline is in sight, sorting, bars of changes.
import test from "node:test";
import assert from "node:assert/strict";
import { makeOps, numberField, textField } from "../../../web/src/data/ops";
import { barsInSight, differences, firstAfter, opsOfDevice, rowOfId, spanAround } from "../../../web/src/logic/sidebyside";
import { harmless, short, signed, time } from "../../../web/src/logic/format";
import { sortedBy } from "../../../web/src/ui/table";
import { deltaScale } from "../../../web/src/ui/delta";

function ops(rows: { [key: string]: string | number }[]) {
	return makeOps(rows.length, Object.keys(rows[0]).map((key) => (typeof rows[0][key] === "number"
		? numberField(key, "", (row) => rows[row][key] as number) : textField(key, (row) => rows[row][key] as string))));
}

test("a row is found by its ID, not by its number", () => {
	const some = ops([{ id: 1, a: "x" }, { id: NaN, a: "post" }, { id: 3, a: "y" }]);
	assert.equal(rowOfId(some, 3), 2);
	assert.equal(rowOfId(some, 1), 0);
	assert.equal(rowOfId(some, 2), -1);
	assert.equal(rowOfId(some, undefined), -1);
});

test("what differs are columns of the file, without what differs always", () => {
	const a = ops([{ ATTRIBUTES: "x=1", "CORE COUNT": 64, "DEVICE FW DURATION [ns]": 5, "GLOBAL CALL COUNT": 1024, LAYOUT: "TILE" }]);
	const b = ops([{ ATTRIBUTES: "x=2", "CORE COUNT": 64, "DEVICE FW DURATION [ns]": 9, "GLOBAL CALL COUNT": 2048, EXTRA: "e" }]);
	assert.deepEqual(differences(a, 0, b, 0), [
		{ key: "ATTRIBUTES", base: "x=1", new: "x=2" }, { key: "LAYOUT", base: "TILE", new: "" }, { key: "EXTRA", base: "", new: "e" }]);
});

test("ops of a device stand in the order in which they ran, and those without a time are none", () => {
	const some = ops([{ start_ns: 30, end_ns: 40, "DEVICE ID": "0" }, { start_ns: 10, end_ns: 20, "DEVICE ID": "0" }, { start_ns: 0, end_ns: 5, "DEVICE ID": "1" }, { start_ns: NaN, end_ns: NaN, "DEVICE ID": "0" }]);
	const bars = opsOfDevice(some, "0");
	assert.deepEqual(bars.row, [1, 0]);
	assert.deepEqual([...bars.start], [10, 30]);
	assert.deepEqual(spanAround(bars, 0, 1), [-20, 10]);
	assert.equal(spanAround(bars, 2, 1), null);
});

test("the first bar in sight is that of a search through all", () => {
	for (let round = 0; round < 200; round++) {
		const end = Array.from({ length: round % 9 }, () => Math.floor(Math.random() * 20)).sort((a, b) => a - b), t = Math.floor(Math.random() * 22) - 1;
		const plain = end.findIndex((one) => one > t);
		assert.equal(firstAfter(end, t), plain < 0 ? end.length : plain);
	}
});

test("every bar in sight is drawn, by itself or with its neighbours, and few are drawn of very many", () => {
	const n = 10000, row = Array.from({ length: n }, (_, i) => i);
	const bars = { row, start: Float64Array.from(row, (i) => i * 10), end: Float64Array.from(row, (i) => i * 10 + 9) };
	const all = barsInSight(bars, 0, n * 10, 500);
	assert.equal(all.reduce((sum, one) => sum + one.count, 0), n);
	assert.ok(all.length <= 700, String(all.length));
	const some = barsInSight(bars, 1000, 1100, 500);
	assert.deepEqual(some.map((one) => one.at), [100, 101, 102, 103, 104, 105, 106, 107, 108, 109]);
	assert.ok(some.every((one) => one.count === 1 && Math.abs(one.width - 45) < 1e-6));
	assert.deepEqual(barsInSight(bars, -500, -100, 500), []);
});

test("tables sort by value, missing ones last both ways, equal ones as they were", () => {
	const rows = [{ n: 3, t: "b" }, { n: NaN, t: "a" }, { n: 10, t: "" }, { n: 3, t: "c" }];
	assert.deepEqual(sortedBy(rows, (row) => row.n, true).map((row) => row.t), ["", "b", "c", "a"]);
	assert.deepEqual(sortedBy(rows, (row) => row.n, false).map((row) => row.t), ["b", "c", "", "a"]);
	assert.deepEqual(sortedBy(rows, (row) => row.t, false).map((row) => row.t), ["a", "b", "c", ""]);
});

test("a wild interval does not make all bars small", () => {
	assert.equal(deltaScale([{ by: 10, low: -1e9, high: 1e9 }, { by: -20, low: null, high: null }]), 30);
});

test("a change has its sign; what can't be seen in a name is shown", () => {
	assert.equal(signed(-1500, time), "−1.50 µs");
	assert.equal(signed(0, time), "+0 ns");
	assert.equal(signed(NaN, time), "–");
	assert.equal(harmless("a\u202eb\u0007c\u200bd"), "a\ufffdb\ufffdc\ufffdd");
	assert.equal(harmless("Matmul 32 x 64 µs ä 😀\n"), "Matmul 32 x 64 µs ä 😀\n");
	assert.equal(short("\u202e" + "x".repeat(100), 5), "\ufffdxxx…");
});
