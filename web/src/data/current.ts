// SPDX-License-Identifier: Apache-2.0
// The runs of the page.  Each is read when it is first shown; all screens but Compare show the chosen one.
import { computed, signal, type Signal } from "@preact/signals";
import { chosenRun } from "../state";
import { harmless } from "../logic/format";
import { shortNames } from "../logic/names";
import { openRun, openZones, type Run } from "./run";
import type { Source } from "./source";

export interface RunEntry {
	name: string; // as the user gave it
	side: "base" | "new" | ""; // "": the only one
	source: Source;
	run: Signal<Run | null>; // null until it was read
	failed: Signal<string>;
	opened: Promise<Run | null> | null;
	zones: Promise<void> | null;
}

export const runs = signal<RunEntry[]>([]);

export function entryOf(source: Source, name = "", side: RunEntry["side"] = ""): RunEntry {
	return { name: harmless(name), side, source, run: signal(null), failed: signal(""), opened: null, zones: null };
}

export const theEntry = computed(() => runs.value[Math.min(chosenRun.value, runs.value.length - 1)] ?? null);
export const theRun = computed(() => theEntry.value?.run.value ?? null);

// Its ops and texts; null: there is no data in it.
export function openEntry(entry: RunEntry): Promise<Run | null> {
	return (entry.opened ??= openRun(entry.source).then((run) => (entry.run.value = run), (error) => {
		entry.failed.value = String(error?.message ?? error);
		throw error;
	}));
}

// The large part, too.
export function openEntryZones(entry: RunEntry): Promise<void> {
	return (entry.zones ??= openEntry(entry).then((run) => (run ? openZones(run) : undefined)));
}

// The whole name is in the list of runs.
const shorts = computed(() => shortNames(runs.value.map((entry) => entry.name)));

export function shortNameOf(entry: RunEntry): string {
	return shorts.value[runs.value.indexOf(entry)] ?? entry.name;
}

export function nameOfRun(entry: RunEntry): string {
	const side = { base: "BASE", new: "NEW", "": "" }[entry.side];
	return side ? `${side} ${shortNameOf(entry)}` : shortNameOf(entry);
}
