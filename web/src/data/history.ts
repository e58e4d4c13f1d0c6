// SPDX-License-Identifier: Apache-2.0
// What `ttprof history show --json` says of all trends, as C worked it out: docs/reference/formats/history-json.md.
import { signal } from "@preact/signals";

export interface HistoryRun {
	id: number;
	name: string;
	commit_id: string;
	branch: string;
	machine: string;
	chip: string;
	versions: string; // JSON
	command: string;
	part: string;
	source: string;
	time_s: number;
	commit_s: number;
	dirty: number;
	devices: number;
	ops: number;
	steps: number;
	seen: number;
	timed: number;
	partial: number;
	dropped: number;
	mhz: number;
	total_ns: number;
	gap_ns: number;
}

export interface Change {
	verdict: "slower" | "faster";
	last_good_run: number;
	first_bad_run: number;
	before_ns: number;
	after_ns: number;
	before_runs: number;
	after_runs: number;
	shift_ns: number;
	low_ns: number | null;
	high_ns: number | null;
	percent: number | null;
	low_percent: number | null;
	high_percent: number | null;
	open: boolean;
	clock: boolean;
	one_commit: boolean;
	note: string;
}

export interface Trend {
	of: "step" | "gaps" | "time" | "gap";
	label: string;
	count: number;
	newest: string;
	ns: (number | null)[]; // per run of the series
	changes: Change[];
}

export interface HistorySeries {
	name: string;
	branch: string;
	machine: string;
	chip: string;
	status: number;
	finding: string;
	runs: number[];
	trends: Trend[];
}

export interface History {
	db: string;
	tool: string;
	made: string;
	min_percent: number;
	min_ns: number;
	runs: HistoryRun[];
	series: HistorySeries[];
}

export const theHistory = signal<History | null>(null);

export function readHistory(): History | null {
	const text = document.getElementById("ttp-history")?.textContent;
	return text ? JSON.parse(text) : null;
}

const COMMIT_DIGITS = 10;

// As the terminal has it; the run's number without a commit.
export function commitOf(run: HistoryRun | undefined): string {
	if (!run) return "";
	return run.commit_id ? run.commit_id.slice(0, COMMIT_DIGITS) + (run.dirty ? "+" : "") : `run ${run.id}`;
}

// UTC, to the minute.
export function dateOf(time_s: number): string {
	return time_s > 0 && time_s < 8e12 ? new Date(time_s * 1000).toISOString().slice(0, 16).replace("T", " ") : "";
}

export function seriesName(series: HistorySeries): string {
	return [series.name, series.branch, series.machine, series.chip].filter(Boolean).join(" · ") || "runs without a name";
}

// First and last value that there is.
export function ends(ns: (number | null)[]): [number, number] {
	const there = ns.filter((value): value is number => value !== null);
	return there.length ? [there[0], there[there.length - 1]] : [NaN, NaN];
}
