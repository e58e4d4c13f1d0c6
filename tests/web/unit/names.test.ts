// SPDX-License-Identifier: Apache-2.0
import test from "node:test";
import assert from "node:assert/strict";
import { shortNames } from "../../../web/src/logic/names";

test("a head has as much of a run's path as tells it apart", () => {
	assert.deepEqual(shortNames(["/home/me/before/", "/home/me/after"]), ["before", "after"]);
	assert.deepEqual(shortNames(["/a/main/ops.csv", "/a/branch/ops.csv"]), ["main/ops.csv", "branch/ops.csv"]);
	assert.deepEqual(shortNames(["run", "run"]), ["run", "run"]);
	assert.deepEqual(shortNames(["/"]), ["/"]);
});
