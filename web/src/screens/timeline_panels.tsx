// SPDX-License-Identifier: Apache-2.0
// What stands below the timeline: one zone, a span of time, or the longest zones.
import { useMemo, useState } from "preact/hooks";
import type { Run } from "../data/run";
import type { LaneInfo } from "../data/types";
import type { Zones } from "../data/zones";
import * as format from "../logic/format";
import { histogram, stats } from "../logic/stats";
import { get, set } from "../state";
import { Facts } from "../ui/card";
import { Flame } from "../ui/flame";
import { Histogram } from "../ui/histogram";
import { Table } from "../ui/table";
import { laneOf } from "../timeline/pick";
import { CAUSES, gapThing, type Gaps } from "../timeline/gaps";
import { opLook, plainName } from "../timeline/oplook";
import { zoneLabel } from "../timeline/palette";
import { busyOfAny, countedOnce, flameOf, histogramOf, selected } from "../timeline/selection";
import type { Scene } from "../timeline/stage";
import { EventsPanel } from "./timeline_events";
import { NotesPanel } from "./timeline_notes";
import type { Row } from "../timeline/tracks";

interface PanelProps {
	run: Run;
	zones: Zones;
	chosen: number;
	range: Scene["range"];
	rows: Row[];
	gaps: Map<number, Gaps>;
	times: { t0: number; t1: number };
	reveal(zone: number, zoom?: boolean): void;
	show(times: { t0: number; t1: number }): void;
}

// What stands below the lanes: one of them.
export function Panels(props: PanelProps) {
	const { run, zones, chosen, range, rows, gaps, times, reveal, show } = props;
	const panel = get("panel"), gap = Number(get("gap"));
	const centre = (time: number) => {
		const half = (times.t1 - times.t0) / 2;
		if (time < times.t0 || time > times.t1) show({ t0: Math.max(0, time - half), t1: Math.max(0, time - half) + 2 * half });
	};
	if (chosen >= 0) return <ZonePanel run={run} zones={zones} zone={chosen} reveal={reveal} />;
	if (gap > 0) return <GapPanel run={run} op={gap} gaps={gaps} show={show} />;
	if (range) return <RangePanel run={run} zones={zones} range={range} rows={rows} gaps={gaps} zoom={() => show(range)} />;
	switch (panel) {
	case "longest": return <LongestPanel run={run} zones={zones} reveal={reveal} />;
	case "events": return <EventsPanel run={run} times={times} show={centre} />;
	case "notes": return <NotesPanel show={centre} />;
	default: return null;
	}
}

// One gap: how long, why, and what stands before and behind it.
function GapPanel(props: { run: Run; op: number; gaps: Map<number, Gaps>; show(times: { t0: number; t1: number }): void }) {
	const { run, op } = props;
	for (const gaps of props.gaps.values()) {
		const i = gaps.op.indexOf(op);
		if (i < 0) continue;
		const { t0, t1 } = gapThing(run, gaps, i), cause = CAUSES[gaps.cause[i]], field = (key: string) => run.ops?.byKey.get(key);
		const zone = field("gap_zone")?.text(op - 1) ?? "", took = field("gap_zone_ns")?.number(op - 1) ?? NaN;
		const alike = field("gap_line"), key = alike?.text(op - 1) ?? "";
		const like: number[] = [];
		if (alike && key) for (let k = 0; k < gaps.n; k++) if (gaps.op[k] && alike.text(gaps.op[k] - 1) === key) like.push(gaps.dur[k]);
		const facts: [string, preact.ComponentChildren][] = [
			["length", format.time(t1 - t0)], ["start", format.tick(t0, (t1 - t0) / 10)], ["cause", <><i class="swatch" style={{ background: cause.colour }} />{cause.text}: {cause.says}</>],
			["before", <button class="link" onClick={() => set({ op, g: null, f: null }, "ops")}>{op}: {format.short(opLook(run)?.label(op) ?? "", 120)}</button>],
		];
		if (zone) facts.push(["host", `${format.short(zone, 120)}${took > 0 ? `, ${format.time(took)}` : ""}`]);
		const all = stats(like);
		return (
			<section class="panel" aria-label="Gap">
				<Close what={{ gap: null }} />
				<div class="cols">
					<div><h2>Gap of {format.time(t1 - t0)}</h2><p class="row" style="margin:6px 0"><button onClick={() => props.show({ t0: t0 - (t1 - t0) * 0.2, t1: t1 + (t1 - t0) * 0.2 })}>Zoom to it</button></p></div>
					<Facts list={facts} />
					{all.n > 1 ? <div><h3>{format.plural(all.n, "gap")} like it</h3><Histogram data={histogram(like)} label="Lengths" text={format.time} height={60} />
						<p class="small soft">Σ {format.time(all.sum)} · mean {format.time(all.mean)} · median {format.time(all.p50)} · {format.time(all.min)} … {format.time(all.max)}</p></div> : null}
				</div>
			</section>
		);
	}
	return null;
}

function whereIs(run: Run, lane: LaneInfo | null): string {
	const names: string[] = [];
	for (let at = lane; at; at = run.lanes.find((one) => one.id === at!.parent) ?? null) names.unshift(format.short(at.name, 60));
	return names.join(" › ");
}

const Close = (props: { what: { [key: string]: null } }) => <button class="plain close" aria-label="Close panel" onClick={() => set(props.what)}>✕</button>;

// As many digits as it takes to see how long it was.
const precise = (time: number, dur: number) => format.tick(time, Math.max(1, dur / 100));

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
		["duration", format.time(zones.dur[zone])], ["start", precise(zones.start[zone], zones.dur[zone])], ["end", precise(zones.start[zone] + zones.dur[zone], zones.dur[zone])], ["lane", whereIs(run, lane)],
	];
	if (op && run.ops) facts.push(["op", <button class="link" onClick={() => set({ op, g: null, f: null }, "ops")}>{op}: {format.short(opLook(run)!.label(op), 120)}</button>]);
	if (text) facts.push(["text", format.short(text, 2000)]);
	return (
		<section class="panel" aria-label="Zone">
			<Close what={{ zone: null }} />
			<div class="cols">
				<div>
					<h2 style="overflow-wrap:anywhere">{format.short(plainName(name), 200)}</h2>
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

// How a device spent the chosen time: [busy, idle, gaps by cause], ns.
interface Spent {
	device: number;
	busy: number;
	causes: number[];
}

function spentOf(zones: Zones, lanes: LaneInfo[], gaps: Map<number, Gaps>, t0: number, t1: number): Spent[] {
	const out: Spent[] = [];
	for (const lane of lanes) {
		if (lane.kind !== "ops" || lane.depth > 0) continue;
		const of = gaps.get(lane.device ?? 0), causes = CAUSES.map(() => 0);
		if (of) for (let i = 0; i < of.n && of.start[i] < t1; i++) causes[of.cause[i]] += Math.max(0, Math.min(t1, of.start[i] + of.dur[i]) - Math.max(t0, of.start[i]));
		out.push({ device: lane.device ?? 0, busy: busyOfAny(zones, lanes.filter((one) => one.kind === "ops" && one.device === lane.device), t0, t1), causes });
	}
	return out;
}

function SpentLine(props: { spent: Spent; span: number; many: boolean }) {
	const { spent, span } = props, gap = spent.causes.reduce((sum, one) => sum + one, 0), idle = Math.max(0, span - spent.busy - gap);
	const parts = [
		{ text: "busy", ns: spent.busy, colour: "var(--accent)" },
		...CAUSES.map((cause, i) => ({ text: cause.key ? `gap: ${cause.text}` : "gap, cause not known", ns: spent.causes[i], colour: cause.colour })),
		{ text: "before its first or behind its last op", ns: idle, colour: "var(--line)" },
	].filter((part) => part.ns > span * 1e-4);
	return (
		<div class="spent" role="group" aria-label={`Device ${spent.device}`}>
			{props.many ? <b>device {spent.device}</b> : null}
			<span class="bar">{parts.map((part) => <i key={part.text} style={{ width: (100 * part.ns) / span + "%", background: part.colour }} />)}</span>
			{parts.map((part) => <span key={part.text} class="small"><i class="swatch" style={{ background: part.colour }} />{part.text} {format.percent((100 * part.ns) / span)} ({format.time(part.ns)})</span>)}
		</div>
	);
}

export function RangePanel(props: { run: Run; zones: Zones; range: NonNullable<Scene["range"]>; rows: Row[]; gaps: Map<number, Gaps>; zoom(): void }) {
	const { run, zones, range } = props;
	const [key, setKey] = useState<string | null>(null);
	const all = useMemo(() => lanesIn(props.rows, range), [props.rows, range]);
	const lanes = useMemo(() => countedOnce(all), [all]);
	const found = useMemo(() => selected(zones, lanes, range.t0, range.t1, (zone, lane) => zoneLabel(run, zones, zone, lane)), [zones, lanes, range]);
	const flame = useMemo(() => flameOf(zones, lanes, range.t0, range.t1, (id) => plainName(run.strings[id] ?? "")), [zones, lanes, range]);
	const spent = useMemo(() => spentOf(zones, lanes, props.gaps, range.t0, range.t1), [zones, lanes, props.gaps, range]);
	const chosen = found.lines.find((line) => line.key === key) ?? null;
	const span = range.t1 - range.t0;
	return (
		<section class="panel" aria-label="Statistics of the selection">
			<Close what={{ sel: null }} />
			<div class="row"><h2>{format.time(span)}</h2> <span class="soft">from {format.time(range.t0)} · {format.plural(lanes.length, "lane")} · {format.plural(found.zones, "zone")} begin in it{found.cut ? " (the rest was not counted)" : ""}{all.length > lanes.length ? ` · ${format.plural(all.length - lanes.length, "lane")} of RISCs and cores have the same ops and are not counted again` : ""}</span>
				<button onClick={props.zoom}>Zoom to it <kbd>z</kbd></button></div>
			{spent.slice(0, 8).map((one) => <SpentLine key={one.device} spent={one} span={span} many={spent.length > 1} />)}
			{found.zones === 0 && flame.total === 0 ? <p class="soft" style="margin-top:8px">{lanes.length ? "Nothing ran in it: no zone of these lanes begins or lasts in this time. Drag over other lanes, or over more time." : "These lanes have no zones of their own: drag over those below them, or open them first."}</p> :
			<div class="cols" style="margin-top:8px;grid-template-columns:minmax(0,2.3fr) minmax(0,1fr) minmax(0,1.3fr)">
				<div><Table label="Zones by name" file="selection" most={60} rows={found.lines} columns={[
					{ title: "name", cell: (line) => <button class="link" aria-pressed={key === line.key} onClick={() => setKey(key === line.key ? null : line.key)}>{format.short(line.name, 80)}</button>, raw: (line) => line.name },
					{ title: "on", cell: (line) => line.where },
					{ title: "count", num: true, cell: (line) => format.count(line.n), raw: (line) => line.n },
					{ title: "Σ", num: true, cell: (line) => format.time(line.sum), raw: (line) => line.sum },
					{ title: "mean", num: true, cell: (line) => format.time(line.mean), raw: (line) => line.mean },
					{ title: "p50", num: true, cell: (line) => format.time(line.p50), raw: (line) => line.p50 },
					{ title: "p95", num: true, cell: (line) => format.time(line.p95), raw: (line) => line.p95 },
					{ title: "min", num: true, cell: (line) => format.time(line.min), raw: (line) => line.min },
					{ title: "max", num: true, cell: (line) => format.time(line.max), raw: (line) => line.max },
				]} /></div>
				<div><h3>Durations of {chosen ? `${format.short(chosen.name, 60)} (${chosen.where})` : "all"}</h3><Histogram data={histogramOf(found, chosen?.key ?? null)} label="Durations" text={format.time} height={110} /></div>
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
