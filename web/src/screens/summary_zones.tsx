// SPDX-License-Identifier: Apache-2.0
// The summary of a run without ops: what its zones say.
import { useMemo } from "preact/hooks";
import type { Run } from "../data/run";
import type { HostFunction } from "../data/types";
import * as format from "../logic/format";
import { busyLanes, longestPauses, type LaneLine, type Pause, type ZoneLine } from "../logic/zonesum";
import { set } from "../state";
import { Card, Figures } from "../ui/card";
import { hue } from "../ui/colour";
import { Empty, notesOn } from "../ui/empty";
import { Table } from "../ui/table";
import { Coverage } from "./summary";

export function ZoneSummary(props: { run: Run }) {
	const { run } = props;
	const { manifest } = run;
	const [t0, t1] = manifest.focus_ns ?? [0, manifest.span_ns];
	const lanes = useMemo(() => busyLanes(run.lanes, t1 - t0), [run]);
	const host = manifest.host, said = host?.headline ?? "no op was run";
	if (!lanes.length) return <div class="grid"><Empty title="No ops and no zones in this run" text="There is nothing to sum up. What was found, and what is missing:" parts={[]} /></div>;
	const threads = lanes.filter(({ lane }) => lane.kind === "thread" || lane.kind === "python");
	const zones = manifest.zones?.n ?? 0;
	return (
		<div class="grid">
			<section class="card" aria-label="Verdict">
				<p class="verdict">{said[0].toUpperCase() + said.slice(1)}</p>
				<p>There are no ops in this run{why()}. This is what its zones say.</p>
				<div style="margin-top:16px"><Figures list={[
					["work, first zone to last", format.time(t1 - t0)], ["whole recording", format.time(manifest.span_ns)], ["zones", format.count(zones)],
					["threads", format.count(threads.length)], ["devices", format.count(manifest.devices?.length ?? 0)],
				]} /></div>
			</section>
			{host?.functions.length ? <Functions list={host.functions} /> : null}
			<Busy run={run} lanes={lanes} />
			<Pauses run={run} lane={lanes[0]} />
			<Coverage run={run} />
		</div>
	);
}

function why(): string {
	const note = notesOn(["ops"]).find((text) => /ops report/.test(text));
	return note ? ": " + format.short(note, 300) : ": nothing in it is named as an op of tt-metal";
}

// As `ttprof report` has them: worked out there.
function Functions(props: { list: HostFunction[] }) {
	const { list } = props, most = list[0].self_us;
	const name = (one: HostFunction) => format.short(one.function, 90);
	return (
		<Card title="What takes the time" hint="functions and zones of the host, by their own time: without what is inside them">
			<Table label="What takes the time" file="functions" most={15} rows={list} columns={[
				{ title: "function", cell: (one: HostFunction) => <button class="link" onClick={() => set({ q: one.name }, "timeline")}><i class="dot" style={{ background: hue(one.name) }} />{name(one)}</button>, raw: (one: HostFunction) => one.function },
				{ title: "at", cell: (one: HostFunction) => format.short(one.at, 60), raw: (one: HostFunction) => one.at },
				{ title: "calls", num: true, cell: (one: HostFunction) => format.count(one.calls), raw: (one: HostFunction) => one.calls },
				{ title: "own time", file: "own time [us]", num: true, cell: (one: HostFunction) => <div class="inbar"><i style={{ width: (most > 0 ? (100 * one.self_us) / most : 0) + "%" }} /><span>{format.time(one.self_us * 1e3)}</span></div>, raw: (one: HostFunction) => one.self_us },
				{ title: "share", file: "share [%]", num: true, cell: (one: HostFunction) => format.percent(one.percent), raw: (one: HostFunction) => one.percent },
				{ title: "with what is inside", file: "total [us]", num: true, cell: (one: HostFunction) => format.time(one.total_us * 1e3), raw: (one: HostFunction) => one.total_us },
			]} />
		</Card>
	);
}

function nameOf(run: Run, { lane }: LaneLine): string {
	const parent = run.lanes.find((one) => one.id === lane.parent);
	return (parent && parent.name ? parent.name + " › " : "") + lane.name;
}

export function TopZones(props: { run: Run; lines: ZoneLine[] }) {
	const { run, lines } = props;
	const all = lines.reduce((sum, line) => sum + line.self, 0), most = lines[0]?.self ?? 0;
	return (
		<Card title="Top zones" hint="of the host, by their own time: without the zones inside them">
			<Table label="Top zones" file="top_zones" most={12} rows={lines} columns={[
				{ title: "zone", cell: (line: ZoneLine) => <button class="link" onClick={() => set({ q: run.strings[line.name] ?? "" }, "timeline")}><i class="dot" style={{ background: hue(run.strings[line.name] ?? "") }} />{format.short(run.strings[line.name] ?? "", 90)}</button>, raw: (line: ZoneLine) => run.strings[line.name] ?? "" },
				{ title: "calls", num: true, cell: (line: ZoneLine) => format.count(line.calls), raw: (line: ZoneLine) => line.calls },
				{ title: "own time", file: "own time [ns]", num: true, cell: (line: ZoneLine) => <div class="inbar"><i style={{ width: (most > 0 ? (100 * line.self) / most : 0) + "%" }} /><span>{format.time(line.self)}</span></div>, raw: (line: ZoneLine) => line.self },
				{ title: "share", file: "share [%]", num: true, cell: (line: ZoneLine) => format.percent((100 * line.self) / all), raw: (line: ZoneLine) => (100 * line.self) / all },
				{ title: "with what is inside", file: "total [ns]", num: true, cell: (line: ZoneLine) => format.time(line.total), raw: (line: ZoneLine) => line.total },
				{ title: "mean", file: "mean [ns]", num: true, cell: (line: ZoneLine) => format.time(line.total / line.calls), raw: (line: ZoneLine) => line.total / line.calls },
			]} />
		</Card>
	);
}

function Busy(props: { run: Run; lanes: LaneLine[] }) {
	const { run, lanes } = props;
	return (
		<Card title="Threads and devices" hint="time in zones, as share of the work" wide="half">
			<Table label="Threads and devices" file="lanes" most={12} rows={lanes} columns={[
				{ title: "lane", cell: (line: LaneLine) => <button class="link" onClick={() => set({ zone: run.windowed ? null : line.lane.first, sel: null }, "timeline")}>{format.short(nameOf(run, line), 80)}</button>, raw: (line: LaneLine) => nameOf(run, line) },
				{ title: "zones", num: true, cell: (line: LaneLine) => format.count(line.zones), raw: (line: LaneLine) => line.zones },
				{ title: "in zones", file: "in zones [ns]", num: true, cell: (line: LaneLine) => <div class="inbar"><i style={{ width: Math.min(100, 100 * line.share) + "%" }} /><span>{format.time(line.busy)}</span></div>, raw: (line: LaneLine) => line.busy },
				{ title: "share", file: "share [%]", num: true, cell: (line: LaneLine) => format.percent(100 * line.share), raw: (line: LaneLine) => 100 * line.share },
			]} />
		</Card>
	);
}

function Pauses(props: { run: Run; lane: LaneLine }) {
	const { run, lane } = props;
	const zones = run.zones.value;
	const list = useMemo(() => (zones ? longestPauses(zones, lane.gaps, 10) : []), [zones, lane]);
	const nameAt = (zone: number) => run.strings[zones!.name[zone]] ?? "";
	return (
		<Card title="Longest pauses" hint={`of ${format.short(nameOf(run, lane), 60)}: time between its zones${lane.gaps.depth ? ` inside ${lane.gaps.depth === 1 ? "the outermost one" : `the ${lane.gaps.depth} outermost`}` : ""}`} wide="half">
			{!zones ? <p class="soft">{run.windowed ? "The trace is too large for a page: zoom in on the timeline to see them." : "Reading zones …"}</p>
				: !list.length ? <p class="soft">None: {lane.zones === 1 ? "it has one zone" : "its zones follow each other without a gap"}.</p>
				: <Table label="Longest pauses" file="pauses" rows={list} columns={[
					{ title: "at", file: "at [ns]", num: true, cell: (one: Pause) => <button class="link" onClick={() => set({ t0: Math.round(one.t0 - (one.t1 - one.t0) * 0.6), t1: Math.round(one.t1 + (one.t1 - one.t0) * 0.6), zone: null, sel: null }, "timeline")}>{format.time(one.t0)}</button>, raw: (one: Pause) => one.t0 },
					{ title: "pause", file: "pause [ns]", num: true, cell: (one: Pause) => format.time(one.t1 - one.t0), raw: (one: Pause) => one.t1 - one.t0 },
					{ title: "after", cell: (one: Pause) => format.short(nameAt(one.after), 40), raw: (one: Pause) => nameAt(one.after) },
					{ title: "before", cell: (one: Pause) => format.short(nameAt(one.after + 1), 40), raw: (one: Pause) => nameAt(one.after + 1) },
				]} />}
		</Card>
	);
}
