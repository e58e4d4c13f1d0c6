// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { Batches, splitBatch } from "../../../web/src/data/batch";

const packed = (numbers: number[]) => Uint8Array.from(numbers.flatMap((n) => [2, 0, 0, 0, n, n + 1]));

test("chunks that are asked for together are one request", async () => {
	const asked: string[] = [];
	const batches = new Batches(async (first, last) => {
		asked.push(`${first}-${last}`);
		return packed(Array.from({ length: last - first + 1 }, (_, i) => first + i));
	});
	const got = await Promise.all([3, 1, 2, 9, 2].map((n) => batches.chunk(n)));
	assert.deepEqual(got.map((bytes) => [...bytes]), [[3, 4], [1, 2], [2, 3], [9, 10], [2, 3]]);
	assert.deepEqual(asked, ["1-3", "9-9"]);
	await batches.chunk(4);
	assert.equal(asked.length, 3);
});

test("an answer may hold fewer: the rest is asked for again", async () => {
	const asked: string[] = [];
	const batches = new Batches(async (first, last) => {
		asked.push(`${first}-${last}`);
		return packed([first]);
	});
	const got = await Promise.all(Array.from({ length: 70 }, (_, n) => batches.chunk(n)));
	assert.deepEqual(got.map((bytes) => bytes[0]), Array.from({ length: 70 }, (_, n) => n));
	assert.ok(asked.includes("0-63") && asked.includes("64-69") && asked.includes("63-63"));
});

test("what fails fails for those who wait for it", async () => {
	const batches = new Batches(async (first) => {
		if (first > 5) throw new Error("gone");
		return packed([first]);
	});
	const got = await Promise.allSettled([1, 7, 8].map((n) => batches.chunk(n)));
	assert.deepEqual(got.map((g) => g.status), ["fulfilled", "rejected", "rejected"]);
	await assert.rejects(new Batches(async () => new Uint8Array()).chunk(0), /empty/);
	assert.throws(() => splitBatch(Uint8Array.from([9, 0, 0, 0, 1])), /cut short/);
	assert.throws(() => splitBatch(Uint8Array.from([9, 0])), /cut short/);
});
