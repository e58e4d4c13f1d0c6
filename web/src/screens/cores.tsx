// SPDX-License-Identifier: Apache-2.0
// What each core did, on the chip as it lies: the heat-map that shows imbalance.
import type { ComponentChildren } from "preact";
import { useMemo, useRef } from "preact/hooks";
import { find } from "../data/ops";
import type { Run } from "../data/run";
import type { DeviceInfo } from "../data/types";
import * as format from "../logic/format";
import { heatOf, METRICS, standout, type Core, type Heat, type Metric } from "../logic/heat";
import { allRows, opView } from "../logic/opview";
import { coreLanes, zoneHeat, zoneNames } from "../logic/zoneheat";
import { chosenPart, inPart } from "../logic/parts";
import { get, number, set } from "../state";
import { zoneOfOp } from "../timeline/pick";
import { Card, Figures } from "../ui/card";
import { ChipGrid, KIND_NAMES } from "../ui/chipgrid";
import { HEAT_GRADIENT } from "../ui/colour";
import { Empty } from "../ui/empty";
import { AllDevices, CorePanel } from "./cores_panels";
import { DeviceLog } from "./device";
import { useSize } from "../ui/size";
import { Table } from "../ui/table";

const WORSE = 40; // imbalances listed at most

export function Cores(props: { run: Run }) {
	const { run } = props;
	const zones = run.zones.value;
	const hasZones = zones !== null && run.lanes.some((lane) => lane.kind === "core");
	const log = <DeviceLog run={run} />;
	if (!run.opCores && !hasZones)
		return <><Empty title="No times per core in this run" text="The map of cores is made from the device log." parts={["device", "op_cores", "cores"]} />{log}</>;
	return <CoreMap run={run} hasZones={hasZones}>{log}</CoreMap>;
}

function CoreMap(props: { run: Run; hasZones: boolean; children?: ComponentChildren }) {
	const { run } = props;
	const devices = run.manifest.devices ?? [];
	const device = number("hd", devices[0]?.id ?? 0);
	const zoneName = run.opCores ? get("hz") : get("hz", "*");
	const metric = (METRICS.some(([key]) => key === get("hm", "over")) ? get("hm", "over") : "over") as Metric;
	const opRow = number("hop", 0), name = get("hname");
	const view = run.ops ? opView(run.ops) : null;
	const whole = run.manifest.span_ns;
	const t0 = number("ht0", -Infinity), t1 = number("ht1", Infinity);
	const part = chosenPart(run.ops);
	const lanes = useMemo(() => coreLanes(run.lanes, device), [run, device]);
	const names = useMemo(() => (run.zones.value ? zoneNames(run.zones.value, lanes) : []), [run.zones.value, lanes]);

	const chosenOps = useMemo<Set<number> | null>(() => {
		if (opRow) return new Set([opRow]);
		if (!view || (!name && !part && !Number.isFinite(t0) && !Number.isFinite(t1))) return null;
		return new Set(inPart(allRows(view.ops), part).filter((row) => {
			if (name && view.name?.text(row) !== name) return false;
			const start = view.start?.number(row) ?? NaN;
			return !(start < t0) && !(start > t1);
		}).map((row) => row + 1));
	}, [run, opRow, name, t0, t1, part]);
	const heat: Heat = useMemo(() => {
		if (zoneName && run.zones.value) {
			const id = zoneName === "*" ? names[0] ?? 0 : run.strings.indexOf(zoneName);
			return zoneHeat(run.zones.value, lanes, id, t0, t1);
		}
		return heatOf(run.opCores!, metric, { device, ops: chosenOps });
	}, [run, run.zones.value, device, metric, chosenOps, zoneName, lanes, t0, t1]);

	const info = devices.find((one) => one.id === device) ?? null;
	const workers = info?.workers || (info?.cells.filter(([, , kind]) => kind === "tensix").length ?? 0);
	const what = METRICS.find(([key]) => key === metric)!;
	const counts = (metric === "count" || metric === "slowest") && !zoneName;
	const text = counts ? format.count : format.time;
	const tells = metric === "over" && !zoneName;
	const stands = tells ? standout(heat) : null;
	const share = (core: Core) => `${format.count(core.slowest ?? 0)} of ${format.count(core.count)}`;
	const chosen = get("core");
	const early = metric === "tail" && !zoneName; // the one that is done last has none
	const title = opRow && view ? `op ${opRow}: ${format.short(view.name?.text(opRow - 1) ?? "", 80)}` : name ? format.short(name, 80) : zoneName ? `zone ${format.short(zoneName === "*" ? run.strings[names[0]] ?? "" : zoneName, 80)}` : part ? part.name : "all ops";
	const box = useRef<HTMLDivElement>(null);
	const room = useSize(box).width;
	const wide = info && info.width > 0 ? info.width : new Set(heat.cores.map((core) => core.x)).size || 1;
	const size = Math.max(46, Math.min(132, Math.floor(((room || 640) - 24) / wide)));
	return (
		<div class="grid">
			<section class="card two-thirds" aria-label="Map of cores">
				<header><h2>{zoneName ? "Zone time" : what[1][0].toUpperCase() + what[1].slice(1)} per core</h2><span class="hint">{title}</span></header>
				{tells && heat.cores.length ? <p class="finding" role="status">{stands
					? <>Core <button class="link" onClick={() => set({ core: `${stands.core.x},${stands.core.y}` })}>{stands.core.x},{stands.core.y}</button> is slow: {format.time(stands.core.value)} above the mean of its ops{Number.isFinite(stands.times) ? `, ${stands.times.toFixed(1)}× the next core` : ""}, and the slowest in {share(stands.core)} calls.</>
					: "No core stands out: those above the mean of their ops change from op to op, or have more of the work."}</p> : null}
				<Controls run={run} names={names} zoneName={zoneName} metric={metric} device={device} />
				{heat.cores.length === 0
					? <p class="soft">No core has a time in this choice{Number.isFinite(t0) || Number.isFinite(t1) ? ": widen the time" : ""}.</p>
					: <>
						<div style="overflow-x:auto" ref={box}><ChipGrid device={info} cores={heat.cores} max={heat.max} text={text} label={`${what[1]} of ${heat.cores.length} cores`} size={size} tall={Math.min(size, 56)} logical={get("logical") === "on"} chosen={chosen} choose={(core) => set({ core })} /></div>
						<div class="scale" style="margin-top:10px"><span>0</span><i style={{ background: HEAT_GRADIENT }} /><span>{text(heat.max)}</span>
							<span class="soft">{zoneName ? "Σ of the zone" : what[2]}</span></div>
						<p class="small soft" style="margin-top:6px">{mapWords(info)} {kindCounts(info?.cells ?? [])}</p>
					</>}
			</section>
			<section class="card third stack" aria-label="Balance">
				<header><h2>Balance</h2></header>
				{tells ? <Figures list={[
					["cores used", workers ? `${heat.cores.length} of ${workers}` : format.count(heat.cores.length)], ["most of a core", text(heat.max)], ["mean of all", text(heat.mean)],
				]} /> : <Figures list={[
					["cores used", workers ? `${heat.cores.length} of ${workers}` : format.count(heat.cores.length)], ["imbalance (max / mean − 1)", format.percent(100 * heat.imbalance)],
					["slowest", text(early ? heat.min : heat.max)], ["mean", text(heat.mean)], ["fastest", text(early ? heat.max : heat.min)],
					["variation (σ / mean)", format.percent(100 * heat.variation)], ["lost core-time", counts ? format.NONE : format.time(heat.lost)],
				]} />}
				<p class="small soft">{tells ? "Above the mean of each op's cores, summed up: a core that is never slower than the others has nothing." : "Lost core-time is Σ (slowest − each): what the other cores wait for the slowest."}</p>
				<h3>Slowest cores</h3>
				<Table label="Cores by value" file="cores" most={12} rows={[...heat.cores].sort((a, b) => (early ? a.value - b.value : b.value - a.value))} columns={[
					{ title: "core", cell: (core: Core) => <button class="link" aria-pressed={chosen === `${core.x},${core.y}`} onClick={() => set({ core: `${core.x},${core.y}` })}>{core.x},{core.y}</button>, raw: (core: Core) => `${core.x},${core.y}` },
					{ title: zoneName ? "zone time" : what[1], num: true, cell: (core: Core) => <div class="inbar"><i style={{ width: heat.max > 0 ? (100 * core.value) / heat.max + "%" : 0 }} /><span>{text(core.value)}</span></div>, raw: (core: Core) => core.value },
					...(tells ? [{ title: "slowest in … calls", num: true, says: "calls in which it was busy longest of the op's cores, of those that ran on it", cell: share, raw: (core: Core) => core.slowest ?? 0 }] : []),
					...(tells ? [] : [{ title: "× mean", num: true, cell: (core: Core) => (heat.mean > 0 ? (core.value / heat.mean).toFixed(2) : format.NONE), raw: (core: Core) => core.value / heat.mean }]),
					...(tells ? [] : [{ title: "calls", num: true, cell: (core: Core) => format.count(core.count), raw: (core: Core) => core.count }]),
					{ title: "see", cell: (core: Core) => lanes.some((lane) => lane.x === core.x && lane.y === core.y)
						? <button class="link" onClick={() => goToCore(run, device, `${core.x},${core.y}`, opRow)}>timeline</button> : "" },
				]} />
			</section>
			{run.opCores && !zoneName && devices.length > 1 ? <AllDevices run={run} device={device} metric={metric} ops={chosenOps} text={text} /> : null}
			{run.opCores && chosen ? <CorePanel run={run} device={device} core={chosen} ops={chosenOps} timeline={(op) => goToCore(run, device, chosen, op)} /> : null}
			{run.opCores && view ? <Imbalances run={run} device={device} /> : null}
			{props.children}
		</div>
	);
	function kindCounts(cells: [number, number, string][]): string {
		const counts = new Map<string, number>();
		for (const [, , kind] of cells) counts.set(kind, (counts.get(kind) ?? 0) + 1);
		return whole >= 0 && counts.size ? [...counts].map(([kind, n]) => `${n} ${KIND_NAMES[kind] ?? kind}`).join(", ") + "." : "";
	}
}

function mapWords(info: DeviceInfo | null): string {
	if (info?.cells.length) return "D DRAM · E ethernet · ✕ harvested · empty: a worker that was not used.";
	const chip = info?.arch || "this chip";
	return info?.map === "misfit"
		? `Places in this run are not those of the map of ${chip}: only cores that ran something are shown, as they are numbered.`
		: `There is no map of ${chip}: only cores that ran something are shown, as they are numbered.`;
}

function goToCore(run: Run, device: number, core: string, op: number): void {
	const zone = zoneOfOp(run, op, (lane) => lane.kind === "core" && (lane.device ?? 0) === device && `${lane.x},${lane.y}` === core);
	if (zone < 0) return;
	const { start, dur } = run.zones.value!;
	set({ zone, sel: null, t0: Math.round(start[zone] - dur[zone] * 0.5), t1: Math.round(start[zone] + dur[zone] * 1.5) }, "timeline");
}

function Controls(props: { run: Run; names: number[]; zoneName: string; metric: Metric; device: number }) {
	const { run } = props;
	const devices = run.manifest.devices ?? [];
	const view = run.ops ? opView(run.ops) : null;
	const opNames = useMemo(() => (view ? [...new Set(allRows(view.ops).map((row) => view.name?.text(row) ?? ""))].filter(Boolean).slice(0, 500) : []), [run]);
	const [from, to] = run.manifest.focus_ns ?? [0, run.manifest.span_ns];
	const slider = (key: string, otherwise: number, label: string) => (
		<label class="row small">{label}
			<input type="range" min={0} max={1000} value={Math.round((1000 * (number(key, otherwise) - from)) / Math.max(1, to - from))}
				onInput={(event) => {
					const place = Number((event.target as HTMLInputElement).value);
					set({ [key]: (key === "ht0" && place === 0) || (key === "ht1" && place === 1000) ? null : Math.round(from + ((to - from) * place) / 1000), hop: null });
				}} />
			<span class="soft" style="min-width:9ch">{format.time(number(key, otherwise) - from)}</span></label>
	);
	return (
		<div class="row small" style="margin-bottom:12px">
			{devices.length > 1 ? <label class="row">device <select value={props.device} onChange={(event) => set({ hd: (event.target as HTMLSelectElement).value })}>{devices.map((one) => <option key={one.id} value={one.id}>{one.id}</option>)}</select></label> : null}
			{run.opCores && !props.zoneName ? <label class="row">show <select value={props.metric} onChange={(event) => set({ hm: (event.target as HTMLSelectElement).value })}>{METRICS.filter(([key]) => ["over", "slowest", "busy", "span", "skew", "tail", "count"].includes(key) || run.opCores![key]?.some((value) => value > 0)).map(([key, title]) => <option key={key} value={key}>{title}</option>)}</select></label> : null}
			{run.opCores && !props.zoneName ? <label class="row">of <select style="max-width:30ch" value={number("hop", 0) ? "#" : get("hname")} onChange={(event) => set({ hname: (event.target as HTMLSelectElement).value, hop: null })}>
				<option value="">all ops</option>{number("hop", 0) ? <option value="#">op {number("hop", 0)}</option> : null}
				{opNames.map((one) => <option key={one} value={one}>{format.short(one, 80)}</option>)}</select></label> : null}
			{props.names.length ? <label class="row">zone <select style="max-width:24ch" value={props.zoneName} onChange={(event) => set({ hz: (event.target as HTMLSelectElement).value })}>
				{run.opCores ? <option value="">– times of ops –</option> : <option value="*">most frequent</option>}
				{props.names.slice(0, 300).map((id) => <option key={id} value={run.strings[id]}>{format.short(run.strings[id] ?? "", 60)}</option>)}</select></label> : null}
			{to > from ? <>{slider("ht0", from, "from")}{slider("ht1", to, "to")}</> : null}
			<label class="row"><input type="checkbox" checked={get("logical") === "on"} onChange={(event) => set({ logical: (event.target as HTMLInputElement).checked ? "on" : null })} /> logical places</label>
		</div>
	);
}

interface Uneven {
	name: string;
	calls: number;
	imbalance: number;
	lost: number;
	cores: number;
	worst: number; // row
}

// Which ops lose most by waiting for their slowest core.
function Imbalances(props: { run: Run; device: number }) {
	const { run, device } = props;
	const part = chosenPart(run.ops);
	const list = useMemo(() => {
		const view = opView(run.ops!), time = find(run.ops!, "core_time_ns"), lost = find(run.ops!, "lost_core_ns");
		const byName = new Map<string, Uneven & { time: number; top: number }>();
		for (const row of inPart(allRows(run.ops!), part)) {
			const took = time?.number(row) ?? NaN, less = lost?.number(row) ?? NaN;
			if (!(took >= 0) || (view.device && view.device.number(row) !== device)) continue;
			const name = view.name?.text(row) ?? "";
			const line = byName.get(name) ?? { name, calls: 0, imbalance: 0, lost: 0, cores: 0, worst: row, time: 0, top: -1 };
			line.calls++;
			line.lost += less;
			line.time += took;
			line.cores = Math.max(line.cores, view.cores?.number(row) || 0);
			if (less > line.top) {
				line.top = less;
				line.worst = row;
			}
			byName.set(name, line);
		}
		return [...byName.values()].map((line) => ({ ...line, imbalance: line.time > 0 ? line.lost / line.time : 0 })).sort((a, b) => b.lost - a.lost).slice(0, WORSE);
	}, [run, device, part]);
	return (
		<Card title="Ops that wait for their slowest core" hint="by lost core-time">
			<Table label="Imbalance by op" file="imbalance" most={15} rows={list} columns={[
				{ title: "op", cell: (line: Uneven) => <button class="link" onClick={() => set({ hname: line.name, hop: null, hz: null, hm: null })}>{format.short(line.name, 90)}</button>, raw: (line: Uneven) => line.name },
				{ title: "calls", num: true, cell: (line: Uneven) => format.count(line.calls), raw: (line: Uneven) => line.calls },
				{ title: "cores", num: true, cell: (line: Uneven) => format.count(line.cores), raw: (line: Uneven) => line.cores },
				{ title: "imbalance", num: true, cell: (line: Uneven) => format.percent(100 * line.imbalance), raw: (line: Uneven) => line.imbalance },
				{ title: "lost core-time", num: true, cell: (line: Uneven) => format.time(line.lost), raw: (line: Uneven) => line.lost },
				{ title: "worst call", cell: (line: Uneven) => <button class="link" onClick={() => set({ hop: line.worst + 1, hname: null, hz: null })}>op {line.worst + 1}</button>, raw: (line: Uneven) => line.worst + 1 },
			]} />
		</Card>
	);
}
