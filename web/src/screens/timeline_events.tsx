// SPDX-License-Identifier: Apache-2.0
// Messages, signposts and frames as a list: those in sight, or those that the search finds anywhere.
import { useMemo } from "preact/hooks";
import type { Run } from "../data/run";
import * as format from "../logic/format";
import { get, set } from "../state";
import { lowerBound } from "../timeline/search";
import { Table } from "../ui/table";

interface Event {
	time: number;
	kind: string;
	text: string;
	lane: string;
}

const MOST = 5000;

export function eventsOf(run: Run, t0: number, t1: number, query: string): Event[] {
	const out: Event[] = [];
	const lower = query.toLowerCase();
	for (const [table, kind, field] of [[run.messages, "message", "text"], [run.signposts, "signpost", "name"], [run.frames, "frame", "name"]] as const) {
		if (!table) continue;
		for (let i = lower ? 0 : lowerBound(table.time, t0, 0, table.n); i < table.n && (lower || table.time[i] <= t1) && out.length < MOST; i++) {
			const text = run.strings[table[field]?.[i] ?? 0] ?? "";
			if (lower && !text.toLowerCase().includes(lower)) continue;
			const id = kind === "message" ? table.lane?.[i] ?? -1 : -1;
			out.push({ time: table.time[i], kind, text, lane: run.lanes.find((lane) => lane.id === id)?.name ?? "" });
		}
	}
	return out.sort((a, b) => a.time - b.time);
}

export function EventsPanel(props: { run: Run; times: { t0: number; t1: number }; show(time: number): void }) {
	const { run, times } = props, query = get("q");
	const list = useMemo(() => eventsOf(run, times.t0, times.t1, query), [run, times.t0, times.t1, query]);
	const columns = [
		{ title: "time", num: true, cell: (one: Event) => <button class="link" onClick={() => props.show(one.time)}>{format.time(one.time)}</button>, raw: (one: Event) => one.time },
		{ title: "kind", cell: (one: Event) => one.kind },
		{ title: "text", cell: (one: Event) => format.short(one.text || "–", 300), raw: (one: Event) => one.text },
		{ title: "thread", cell: (one: Event) => format.short(one.lane, 60) },
	];
	return (
		<section class="panel" aria-label="Events">
			<button class="plain close" aria-label="Close panel" onClick={() => set({ panel: null })}>✕</button>
			<h2>{format.plural(list.length, "event")} {query ? <>with “{format.short(query, 40)}”</> : "in sight"}</h2>
			{list.length ? <Table label="Events" file="events" most={100} rows={list} columns={columns} /> : <p class="soft">{query ? "None has this text." : "Zoom out, or search for a text."}</p>}
		</section>
	);
}
