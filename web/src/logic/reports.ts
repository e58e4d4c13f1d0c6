// SPDX-License-Identifier: Apache-2.0
// What C says of a part of the run.
import type { Run } from "../data/run";
import type { Report } from "../data/types";
import { usualPart, type Part } from "./parts";

// null: it says nothing of it by itself, or there is no report.
export function reportOf(run: Run, part: Part | null): Report | null {
	const { manifest } = run;
	if (!part) return manifest.report;
	if (manifest.usual && part === usualPart(run.ops!)) return manifest.usual;
	return manifest.parts?.find((one) => one.row === part.from)?.report ?? null;
}
