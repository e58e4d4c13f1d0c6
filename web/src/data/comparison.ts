// SPDX-License-Identifier: Apache-2.0
// What `ttprof compare --json` says of the runs of this page, as C worked it out: docs/reference/formats/compare-json.md.
import { signal } from "@preact/signals";

export interface Estimate {
	verdict: string;
	shift_ns: number | null;
	low_ns: number | null; // null: too few samples
	high_ns: number | null;
	p: number | null;
	base_samples: number;
	new_samples: number;
}

export interface CompareLine extends Partial<Estimate> {
	op: string;
	change: "kept" | "changed" | "new" | "gone";
	count: number;
	base_id?: number;
	new_id?: number;
	base_ns: number;
	new_ns: number;
	base_gap_ns: number;
	new_gap_ns: number;
	cause: string;
	gap_cause?: string;
}

export interface Contribution {
	line: number;
	of: "time" | "gap";
	by_ns: number;
	percent: number | null; // of what it was in BASE
}

export interface CompareSide {
	name: string;
	runs: number;
	steps: number;
	ops: number;
	ops_before_steps: number;
	untimed: number;
	total_ns: number;
	device_ns: number;
	gap_ns: number;
	clock_mhz: number | null;
	arch: string;
}

export interface Comparison extends Estimate {
	schema: string;
	sentence: string;
	finding: string; // the same in two parts, without options of the command
	wish: string;
	ground: string;
	unit: string;
	change_ns: number;
	firm: boolean;
	gaps_compared: boolean;
	runs_needed: number;
	common_ops: number;
	explaining: number;
	base: CompareSide;
	new: CompareSide;
	totals: { of: "step" | "device" | "gaps"; base_ns: number; new_ns: number; by_ns: number; percent: number | null }[];
	contributions: Contribution[];
	lines: CompareLine[];
	// of the page alone
	runs: { name: string; side: "base" | "new" }[]; // as they stand in the page
	pairs: { base: number[]; new: number[]; line: number[] }; // ops of a step side by side, by ID; 0: none; line + 1
}

export const theComparison = signal<Comparison | null>(null);

export function readComparison(): Comparison | null {
	const text = document.getElementById("ttp-compare")?.textContent;
	return text ? JSON.parse(text) : null;
}
