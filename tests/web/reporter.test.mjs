// SPDX-License-Identifier: Apache-2.0
// What the reporter says of files: nothing of one that ran, and a failure of one that could not be loaded or ended early.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const reporter = fileURLToPath(new URL("reporter.mjs", import.meta.url));
const { NODE_TEST_CONTEXT, ...env } = process.env; // else the inner run would answer in the outer one's form

function said(text) {
	const folder = mkdtempSync(join(tmpdir(), "ttprof-reporter."));
	try {
		writeFileSync(join(folder, "one.mjs"), 'import { test } from "node:test";\n' + text);
		return spawnSync(process.execPath, ["--test", `--test-reporter=${reporter}`, join(folder, "one.mjs")], { env, encoding: "utf8" }).stdout;
	} finally {
		rmSync(folder, { recursive: true });
	}
}

test("files that cannot be loaded, or end early, are failures", () => {
	assert.match(said('import "./nowhere.mjs";\ntest("a", () => {});'), /^not ok one\.mjs runs\n[\s\S]*Cannot find module/);
	assert.match(said('test("a", () => {}); setTimeout(() => process.exit(3), 100);'), /^ok a\nnot ok one\.mjs runs\n/);
	assert.equal(said('test("a", () => {});\ntest("b", { skip: "why" }, () => {});'), "ok a\nskip b - why\n");
	assert.match(said('test("a", () => { throw new Error("no"); });'), /^not ok a\n {4}Error: no\n(?! *not ok)/);
});
