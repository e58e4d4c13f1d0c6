// SPDX-License-Identifier: Apache-2.0
// The page, the pictures and the terminal have the same colours.
import test from "node:test";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import "./no_browser";
import { CIVIDIS, FIDELITY, HUES, OTHERS } from "../../../web/src/ui/colour";

const lines = readFileSync(join(process.env.SRC!, "src/draw/colours.def"), "utf8").split("\n");
const all = (kind: string) => lines.flatMap((line) => {
	const found = new RegExp(`^${kind}\\((?:(\\w+), )?0x(\\w+)`).exec(line);
	return found ? [[found[1] ?? "", "#" + found[2]]] : [];
});

test("the page's colours are those of src/draw/colours.def", () => {
	assert.deepEqual(all("HUE").map(([, rgb]) => rgb), HUES);
	assert.deepEqual(Object.fromEntries(all("FIDELITY")), FIDELITY);
	assert.deepEqual(all("RAMP").map(([, rgb]) => rgb), CIVIDIS);
	const marks = Object.fromEntries(all("MARK")), css = readFileSync(join(process.env.SRC!, "web/css/base.css"), "utf8");
	assert.equal(marks.OTHERS, OTHERS);
	for (const [mark, name] of [["POINT", "accent"], ["SLOWER", "bad"], ["FASTER", "good"]]) assert.equal(marks[mark], new RegExp(`--${name}: (#\\w+)`).exec(css)![1], mark);
});
