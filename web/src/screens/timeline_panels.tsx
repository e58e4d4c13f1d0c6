// SPDX-License-Identifier: Apache-2.0
// What stands below the timeline: one zone, a span of time, or the longest zones.
import { useMemo, useState } from "preact/hooks";
import type { Run } from "../data/run";
import type { LaneInfo } from "../data/types";
import type { Zones } from "../data/zones";
import * as format from "../logic/format";
import { histogram, stats } from "../logic/stats";
import { set } from "../state";
import { Facts } from "../ui/card";
import { Flame } from "../ui/flame";
import { Histogram } from "../ui/histogram";
import { Table } from "../ui/table";
import { laneOf } from "../timeline/pick";
import { flameOf, histogramOf, selected } from "../timeline/selection";
import type { Scene } from "../timeline/stage";
import type { Row } from "../timeline/tracks";

function whereIs(run: Run, lane: LaneInfo | null): string {
	const names: string[] = [];
	for (let at = lane; at; at = run.lanes.find((one) => one.id === at!.parent) ?? null) names.unshift(format.short(at.name, 60));
	return names.join(" › ");
}

const Close = (props: { what: { [key: string]: null } }) => <button class="plain close" aria-label="Close panel" onClick={() => set(props.what)}>✕</button>;

export function ZonePanel(props: { run: Run; zones: Zones; zone: number; reveal(zone: number, zoom?: boolean): void }) {
	const { run, zones, zone } = props;
	const lane = laneOf(run.lanes, zone);
	const name = run.strings[zones.name[zone]] ?? "";
	const op = zones.op?.[zone] ?? 0;
	const text = zones.text ? run.strings[zones.text[zone]] : "";
	const alike = useMemo(() => {
		const list: number[] = [];
		if (lane) for (let i = lane.first; i < lane.first + lane.count; i++) if (zones.name[i] === zones.name[zone]) list.push(zones.dur[i]);
		return list;
	}, [zone, zones]);
	const all = useMemo(() => stats(alike), [alike]);
	const facts: [string, preact.ComponentChildren][] = [
		["duration", format.time(zones.dur[zone])], ["start", format.time(zones.start[zone])], ["end", format.time(zones.start[zone] + zones.dur[zone])], ["lane", whereIs(run, lane)],
	];
	if (op && run.ops) facts.push(["op", <button class="link" onClick={() => set({ op, g: null, f: null }, "ops")}>{op}: {format.short(run.ops.byKey.get("op")?.text(op - 1) || run.ops.byKey.get("OP CODE")?.text(op - 1) || "", 120)}</button>]);
	if (text) facts.push(["text", format.short(text, 2000)]);
	return (
		<section class="panel" aria-label="Zone">
			<Close what={{ zone: null }} />
			<div class="cols">
				<div>
					<h2 style="overflow-wrap:anywhere">{format.short(name, 200)}</h2>
					<p class="row" style="margin:6px 0">
						<button onClick={() => props.reveal(zone, true)}>Zoom to it</button>
						{op && run.opCores ? <button onClick={() => set({ hop: op, hname: null }, "cores")}>Its cores</button> : null}
					</p>
				</div>
				<Facts list={facts} />
				<div>
					<h3>{format.plural(all.n, "zone")} of this name in the lane <span class="soft small"><kbd>,</kbd> <kbd>.</kbd></span></h3>
					{all.n > 1 ? <>
						<Histogram data={histogram(alike)} label="Durations" text={format.time} height={60} />
						<p class="small soft">Σ {format.time(all.sum)} · mean {format.time(all.mean)} · median {format.time(all.p50)} · p95 {format.time(all.p95)} · {format.time(all.min)} … {format.time(all.max)}</p>
					</> : null}
				</div>
			</div>
		</section>
	);
}

// The lanes that a chosen rectangle touches.
function lanesIn(rows: Row[], range: NonNullable<Scene["range"]>): LaneInfo[] {
	// a pinned lane is there twice
	return [...new Set(rows.flatMap((row) => row.lanes.filter((_, i) => {
		const y = row.y + i * row.lane;
		return y + row.lane > range.y0 && y < range.y1;
	})))];
}

export function RangePanel(props: { run: Run; zones: Zones; range: NonNullable<Scene["range"]>; rows: Row[]; zoom(): void }) {
	const { run, zones, range } = props;
	const [name, setName] = useState<number | null>(null);
	const lanes = useMemo(() => lanesIn(props.rows, range), [props.rows, range]);
	const found = useMemo(() => selected(zones, lanes, range.t0, range.t1), [zones, lanes, range]);
	const flame = useMemo(() => flameOf(zones, lanes, range.t0, range.t1, (id) => run.strings[id] ?? ""), [zones, lanes, range]);
	const text = (id: number) => run.strings[id] ?? "";
	return (
		<section class="panel" aria-label="Statistics of the selection">
			<Close what={{ sel: null }} />
			<div class="row"><h2>{format.time(range.t1 - range.t0)}</h2> <span class="soft">from {format.time(range.t0)} · {format.plural(lanes.length, "lane")} · {format.plural(found.zones, "zone")} begin in it{found.cut ? " (the rest was not counted)" : ""}</span>
				<button onClick={props.zoom}>Zoom to it <kbd>z</kbd></button></div>
			{found.zones === 0 && flame.total === 0 ? <p class="soft" style="margin-top:8px">{lanes.length ? "Nothing ran in it: no zone of these lanes begins or lasts in this time. Drag over other lanes, or over more time." : "These lanes have no zones of their own: drag over those below them, or open them first."}</p> :
			<div class="cols" style="margin-top:8px;grid-template-columns:minmax(0,2.3fr) minmax(0,1fr) minmax(0,1.3fr)">
				<div><Table label="Zones by name" file="selection" most={60} rows={found.lines} columns={[
					{ title: "name", cell: (line) => <button class="link" aria-pressed={name === line.name} onClick={() => setName(name === line.name ? null : line.name)}>{format.short(text(line.name), 80)}</button>, raw: (line) => text(line.name) },
					{ title: "count", num: true, cell: (line) => format.count(line.n), raw: (line) => line.n },
					{ title: "Σ", num: true, cell: (line) => format.time(line.sum), raw: (line) => line.sum },
					{ title: "mean", num: true, cell: (line) => format.time(line.mean), raw: (line) => line.mean },
					{ title: "p50", num: true, cell: (line) => format.time(line.p50), raw: (line) => line.p50 },
					{ title: "p95", num: true, cell: (line) => format.time(line.p95), raw: (line) => line.p95 },
					{ title: "min", num: true, cell: (line) => format.time(line.min), raw: (line) => line.min },
					{ title: "max", num: true, cell: (line) => format.time(line.max), raw: (line) => line.max },
				]} /></div>
				<div><h3>Durations of {name === null ? "all" : format.short(text(name), 60)}</h3><Histogram data={histogramOf(found, name)} label="Durations" text={format.time} height={110} /></div>
				<div><h3>Flame graph</h3><Flame root={flame} label="Selection" file="selection_flame" most={8} /></div>
			</div>}
		</section>
	);
}

// For a file without an order of its own.
function longest(zones: Zones, most: number): number[] {
	let best: number[] = [], least = -1;
	for (let i = 0; i < zones.n; i++) {
		if (zones.dur[i] <= least) continue;
		best.push(i);
		if (best.length < 4 * most) continue;
		best = best.sort((a, b) => zones.dur[b] - zones.dur[a]).slice(0, most);
		least = zones.dur[best[most - 1]];
	}
	return best.sort((a, b) => zones.dur[b] - zones.dur[a]).slice(0, most);
}

export function LongestPanel(props: { run: Run; zones: Zones; reveal(zone: number, zoom?: boolean): void }) {
	const { run, zones } = props;
	const list = useMemo(() => {
		if (run.longest) return Array.from(run.longest.subarray(0, 200));
		return longest(zones, 200);
	}, [run, zones]);
	return (
		<section class="panel" aria-label="Longest zones">
			<Close what={{ panel: null }} />
			<h2>Longest zones</h2>
			<Table label="Longest zones" file="longest_zones" most={50} rows={list} columns={[
				{ title: "name", cell: (zone) => <button class="link" onClick={() => props.reveal(zone, true)}>{format.short(run.strings[zones.name[zone]] ?? "", 120)}</button>, raw: (zone) => run.strings[zones.name[zone]] ?? "" },
				{ title: "duration", num: true, cell: (zone) => format.time(zones.dur[zone]), raw: (zone) => zones.dur[zone] },
				{ title: "start", num: true, cell: (zone) => format.time(zones.start[zone]), raw: (zone) => zones.start[zone] },
				{ title: "lane", cell: (zone) => whereIs(run, laneOf(run.lanes, zone)) },
			]} />
		</section>
	);
}
