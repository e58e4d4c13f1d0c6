// SPDX-License-Identifier: Apache-2.0
import test from "node:test";
import assert from "node:assert/strict";
import { gunzipSync } from "node:zlib";
import { asNumbers, fromBase64Table, undelta, unshuffle } from "../../../web/src/data/bytes";
import { Columns } from "../../../web/src/data/columns";
import { laneStarts, laneSums } from "../../../web/src/data/zones";
// @ts-ignore: written in plain JavaScript
import { Pack } from "../pack.mjs";

const source = (pack: any) => ({ chunk: async (n: number) => new Uint8Array(gunzipSync(pack.chunks[n])) });

test("base64 of every length is read, with and without padding", () => {
	for (let n = 0; n < 70; n++) {
		const bytes = Uint8Array.from({ length: n }, (_, i) => (i * 37 + n) & 255);
		const text = Buffer.from(bytes).toString("base64");
		assert.deepEqual(fromBase64Table(text), bytes);
		assert.deepEqual(fromBase64Table(text.replace(/=+$/, "") + "\n"), bytes);
	}
});

test("shuffled words of each width come back", () => {
	for (const w of [1, 2, 4, 8]) {
		const bytes = Uint8Array.from({ length: 5 * w }, (_, i) => i);
		const mixed = new Uint8Array(5 * w);
		for (let i = 0; i < 5; i++) for (let b = 0; b < w; b++) mixed[b * 5 + i] = bytes[i * w + b];
		assert.deepEqual(unshuffle(mixed, w), bytes);
	}
});

test("differences are summed beyond the width of their words, anew at each lane", () => {
	assert.deepEqual([...undelta(Uint32Array.from([4e9, 4e9, 5]), "delta")], [4e9, 8e9, 8e9 + 5]);
	assert.deepEqual([...undelta(Uint32Array.from([1, 2, 10, 1]), "delta", [0, 2])], [1, 3, 10, 11]);
});

test("zigzag differences go both ways", () => {
	assert.deepEqual([...undelta(Uint32Array.from([10, 3, 4, 0]), "zigzag")], [5, 3, 5, 5]);
	assert.deepEqual([...undelta(Uint32Array.from([1, 0]), "zigzag")], [-1, -1]);
});

test("numbers of 64 bits are exact up to 2^53", () => {
	const bytes = new Uint8Array(8);
	new DataView(bytes.buffer).setBigUint64(0, 9007199254740991n, true);
	assert.equal(asNumbers(bytes, 8, "uint")[0], Number.MAX_SAFE_INTEGER);
});

test("a column in several chunks is one column", async () => {
	const pack = new Pack(16);
	const values = Array.from({ length: 100 }, (_, i) => i * i);
	const id = pack.uint(values, 4, { delta: true });
	const floats = pack.f64(values.map((value: number) => (value % 7 ? value / 3 : NaN)));
	const columns = new Columns(pack.columns, source(pack));
	assert.deepEqual([...(await columns.numbers(id))], values);
	const read = await columns.numbers(floats);
	assert.ok(Number.isNaN(read[0]));
	assert.equal(read[1], 1 / 3);
});

test("a column that was cut short is an error, not a guess", async () => {
	const pack = new Pack(16);
	const id = pack.uint([1, 2, 3]);
	pack.columns[id].n = 4;
	await assert.rejects(new Columns(pack.columns, source(pack)).numbers(id), /has 3 values, not 4/);
	await assert.rejects(async () => new Columns(pack.columns, source(pack)).numbers(99), /no column 99/);
});

test("starts of zones count from their lane, sums within it", async () => {
	const lanes = [{ id: 0, first: 0, count: 2, t0: 100 }, { id: 1, first: 2, count: 2, t0: 7 }] as any;
	const pack = new Pack();
	const id = pack.uint([0, 10, 0, 3], 4, { delta: true, starts: [0, 2] });
	const since = await new Columns(pack.columns, source(pack), [0, 2]).numbers(id);
	const start = laneStarts(since, lanes);
	assert.deepEqual([...start], [100, 110, 7, 10]);
	const zones = { n: 4, start, dur: Uint32Array.from([1, 2, 3, 4]), name: new Uint16Array(4), op: null, text: null };
	assert.deepEqual([...laneSums(zones, lanes[1])], [0, 3, 7]);
});
