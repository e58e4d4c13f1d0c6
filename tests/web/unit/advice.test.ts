// SPDX-License-Identifier: Apache-2.0
// Advice without options of a command, and which part of a run is shown at first.
import "./no_browser";
import test from "node:test";
import assert from "node:assert/strict";
import { makeOps, numberField, textField } from "../../../web/src/data/ops";
import { withoutCommands } from "../../../web/src/logic/advice";
import { inPart, usualPart, partsOf } from "../../../web/src/logic/parts";

test("clauses about commands are none of the page", () => {
	const cases: [string, string][] = [
		["use more cores (24 of 64)", "use more cores (24 of 64)"],
		["look at its kernels' times: --id shows them", "look at its kernels' times"],
		["look at what its process does between ops: ttprof timeline, ttprof top --gaps", "look at what its process does between ops"],
		["compare one of them with a like one (--id): cores, inputs, clock; or other work ran at that time", "compare one of them with a like one: cores, inputs, clock; or other work ran at that time"],
		["it was probably another card: --chip p150", "it was probably another card"],
		["--group-by signpost shows all parts; --signpost and --end-signpost choose one", ""],
		["put input 0 into L1; look at its kernels' times: --id shows them", "put input 0 into L1; look at its kernels' times"],
		["op 388 of this run does the same product in 177 µs (Matmul, HiFi4 BF16 x BF16, 64 cores); use more", "op 388 of this run does the same product in 177 µs (Matmul, HiFi4 BF16 x BF16, 64 cores); use more"],
	];
	for (const [text, plain] of cases) assert.equal(withoutCommands(text), plain);
});

function ops(usual: number[], type: string[]) {
	return makeOps(usual.length, [
		textField("OP TYPE", (row) => type[row]), textField("OP CODE", (row) => (type[row] === "signpost" ? "mark" : "Matmul")),
		numberField("id", "", (row) => (type[row] === "signpost" ? NaN : row + 1)), numberField("usual", "", (row) => usual[row]),
	]);
}

test("the part of the terminal's report is a part of its own, unless it follows a signpost", () => {
	const own = ops([0, 0, 1, 1, 0], ["", "", "", "", ""]);
	assert.deepEqual(partsOf(own).map((part) => part.key), ["usual"]);
	assert.deepEqual(inPart([0, 1, 2, 3, 4], usualPart(own)), [2, 3]);
	const after = ops([0, 0, 1, 1], ["", "signpost", "", ""]);
	assert.deepEqual(partsOf(after).map((part) => part.key), ["s2"]);
	assert.equal(usualPart(after), partsOf(after)[0]);
	const none = ops([0, 0], ["", ""]);
	assert.equal(usualPart(none), null);
	// rows between its own are not in it
	assert.deepEqual(inPart([0, 1, 2], usualPart(ops([1, 0, 1], ["", "", ""]))), [0, 2]);
});
