// SPDX-License-Identifier: Apache-2.0
// The device log by itself: analyses, their statistics per core, and files of the older dashboard.
import { useMemo } from "preact/hooks";
import type { Run } from "../data/run";
import type { DeviceInfo } from "../data/types";
import * as format from "../logic/format";
import { rearranged } from "../logic/rearranged";
import { get, number, set } from "../state";
import { Card, Figures } from "../ui/card";
import { ChipGrid } from "../ui/chipgrid";
import { csvText, download } from "../ui/download";
import { Table, type Column } from "../ui/table";

interface Cycles {
	count: number;
	average: number;
	median: number;
	min: number;
	max: number;
	sum: number;
}

interface Analysis {
	name: string;
	cycles: Cycles;
	cores?: { x: number; y: number; cycles: Cycles }[];
}

interface Analysed {
	device: number;
	cores: number;
	ops: number;
	analyses: Analysis[];
}

const STATS: [keyof Cycles, string][] = [["count", "count"], ["average", "average"], ["median", "median"], ["min", "min"], ["max", "max"], ["sum", "sum"]];

// On the screen of cores, below the map.
export function DeviceLog(props: { run: Run }) {
	const { run } = props;
	const analysis = run.manifest.device_analysis as { arch?: string; freq_mhz?: number; markers?: number; devices?: Analysed[] } | null | undefined;
	const list = analysis?.devices ?? [];
	if (list.length === 0) return null;
	const mine = list.find((one) => one.device === number("dd", list[0].device)) ?? list[0];
	const info = run.manifest.devices?.find((one) => one.id === mine.device) ?? null;
	const mhz = info?.mhz || analysis?.freq_mhz || 1000;
	const chosen = mine.analyses.find((one) => one.name === get("da")) ?? mine.analyses.find((one) => one.cores?.length) ?? mine.analyses[0];
	return (
		<>
			<Card title={`Log of device ${mine.device}`} hint={analysis?.arch} tools={<>
				{list.length > 1 ? <select aria-label="Device" value={mine.device} onChange={(event) => set({ dd: (event.target as HTMLSelectElement).value })}>{list.map((one) => <option key={one.device} value={one.device}>device {one.device}</option>)}</select> : null}
				<Downloads run={run} mine={mine} mhz={mhz} />
			</>}>
				<Figures list={[["clock", `${format.count(mhz)} MHz`], ["cores with markers", format.count(mine.cores)], ["ops", format.count(mine.ops)], ["markers, all devices", format.count(analysis?.markers ?? NaN)]]} />
			</Card>
			<Card title="Statistics" hint={`in time; the last column and the download have cycles of ${format.count(mhz)} MHz`}>
				<Table label="Statistics of the device" file="device_stats" rows={mine.analyses} columns={[
					{ title: "analysis", cell: (one: Analysis) => <button class="link" aria-pressed={one === chosen} onClick={() => set({ da: one.name })}>{format.short(one.name, 100)}</button>, raw: (one: Analysis) => one.name },
					...statColumns<Analysis>((one) => one.cycles, mhz),
				]} />
			</Card>
			{chosen ? <PerCore chosen={chosen} info={info} mhz={mhz} /> : null}
			<Card title="Timeline by core">
				{run.lanes.some((lane) => lane.kind === "core" && (lane.device ?? 0) === mine.device)
					? <p>Every zone of every core and RISC is in the timeline: <button onClick={() => openCores(run, mine.device)}>open the cores of device {mine.device}</button></p>
					: <p class="soft">There are no zones of cores in this run.</p>}
			</Card>
		</>
	);
}

// Times first; cycles go into the download, under the names of old.
function statColumns<T>(of: (row: T) => Cycles, mhz: number): Column<T>[] {
	const ns = (cycles: number) => (cycles * 1000) / mhz;
	return [
		...STATS.map(([key, title]): Column<T> => ({ title, num: true, cell: (row) => (key === "count" ? format.count(of(row).count) : format.time(ns(of(row)[key]))), raw: (row) => of(row)[key], file: key === "count" ? title : title + " [cycles]" })),
		{ title: "range", num: true, cell: (row) => format.time(ns(of(row).max - of(row).min)), raw: (row) => of(row).max - of(row).min, file: "range [cycles]" },
		{ title: "average in cycles", num: true, cell: (row) => plain(of(row).average), raw: (row) => ns(of(row).average), file: "average [ns]" },
	];
}

function plain(value: number): string {
	return !Number.isFinite(value) ? format.NONE : Number.isInteger(value) ? format.count(value) : value >= 1000 ? format.count(Math.round(value)) : value.toFixed(1);
}

function PerCore(props: { chosen: Analysis; info: DeviceInfo | null; mhz: number }) {
	const { chosen, info, mhz } = props;
	const cores = chosen.cores ?? [];
	const max = cores.reduce((most, core) => Math.max(most, core.cycles.median), 0);
	return (
		<Card title={`${format.short(chosen.name, 80)} per core`} hint="median of each core; ± half of its range in the table">
			{cores.length === 0 ? <p class="soft">This analysis is of the whole device, not of single cores.</p> : <>
				<div class="heat"><div style="overflow-x:auto"><ChipGrid device={info} cores={cores.map((core) => ({ x: core.x, y: core.y, count: core.cycles.count, value: core.cycles.median }))} max={max}
					text={(cycles) => format.time((cycles * 1000) / mhz)} label={`${chosen.name}: median per core`} size={(info?.width ?? 10) > 13 ? 50 : 58} logical={false} chosen={get("core")} choose={(core) => set({ core })} /></div>
				<div class="beside"><Table label={`${chosen.name} per core`} file="device_stats_cores" most={16} rows={cores} columns={[
					{ title: "core", cell: (core) => `${core.x},${core.y}` },
					{ title: "median ± half range", num: true, cell: (core) => format.time((core.cycles.median * 1000) / mhz) + (core.cycles.count > 1 ? ` ± ${format.time(((core.cycles.max - core.cycles.min) / 2) * (1000 / mhz))}` : ""), raw: (core) => core.cycles.median },
					...statColumns<(typeof cores)[number]>((core) => core.cycles, mhz),
				]} /></div></div>
			</>}
		</Card>
	);
}

function Downloads(props: { run: Run; mine: Analysed; mhz: number }) {
	const { run, mine, mhz } = props;
	const zones = run.zones.value;
	const stats = useMemo(() => csvText(["analysis", ...STATS.map(([, title]) => title + " [cycles]")], mine.analyses.map((one) => [one.name, ...STATS.map(([key]) => one.cycles[key])])), [mine]);
	return (
		<>
			<button onClick={() => download("device_stats.csv", stats)}>Statistics</button>
			<button onClick={() => download("device_analysis_data.json", JSON.stringify(run.manifest.device_analysis, null, 1), "application/json")}>Analysis JSON</button>
			{zones ? <button onClick={() => download("device_rearranged_timestamps.csv", rearranged(run, zones, mine.device, mhz))}>Timestamps by core</button> : null}
		</>
	);
}

// Toggles the RISC lanes of a device, which are closed at first.
function openCores(run: Run, device: number): void {
	const riscs = run.lanes.filter((lane) => lane.kind === "risc" && (lane.device ?? 0) === device).map((lane) => lane.id);
	set({ open: [...new Set([...get("open").split(".").filter(Boolean).map(Number), ...riscs])].join("."), sy: null }, "timeline");
}
