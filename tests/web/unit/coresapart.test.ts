// SPDX-License-Identifier: Apache-2.0
import test from "node:test";
import assert from "node:assert/strict";
import "./no_browser";
import { coresApart } from "../../../web/src/logic/coresapart";

const table = (rows: [number, number, number][]) => ({
	n: rows.length, op: rows.map(([op]) => op), device: rows.map(() => 0), x: rows.map(([, x]) => x), y: rows.map(() => 2), start: rows.map(() => 0), dur: rows.map(([, , ns]) => ns), busy: rows.map(([, , ns]) => ns),
}) as never;

test("cores of two runs, of the chosen ops alone", () => {
	const base = table([[1, 1, 100], [1, 3, 200], [2, 1, 50]]), other = table([[7, 1, 150], [7, 4, 30], [8, 1, 999]]);
	const all = coresApart(base, other, 0, { base: new Set([1]), new: new Set([7]) }).sort((a, b) => a.x - b.x);
	assert.deepEqual(all, [{ x: 1, y: 2, base: 100, now: 150, by: 50 }, { x: 3, y: 2, base: 200, now: 0, by: -200 }, { x: 4, y: 2, base: 0, now: 30, by: 30 }]);
	assert.deepEqual(coresApart(base, other, 1, { base: new Set([1]), new: new Set([7]) }), []);
});
