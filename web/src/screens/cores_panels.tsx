// SPDX-License-Identifier: Apache-2.0
// Beside the map of cores: all devices at a glance, and all about one core.
import { useMemo } from "preact/hooks";
import type { Run } from "../data/run";
import * as format from "../logic/format";
import { coreFacts, heatOf, type CoreOp, type Metric } from "../logic/heat";
import { coreLanes, zoneSums, type ZoneSum } from "../logic/zoneheat";
import { set } from "../state";
import { opLook } from "../timeline/oplook";
import { Card, Figures } from "../ui/card";
import { heat as heatColour } from "../ui/colour";
import { Table } from "../ui/table";
import { tip } from "../ui/tip";

const CELL = 11, MOST = 64;

// A small map per device, all with one scale: which one is unlike the others.
export function AllDevices(props: { run: Run; device: number; metric: Metric; ops: Set<number> | null; text(value: number): string }) {
	const { run, metric, ops, text } = props;
	const list = useMemo(() => (run.manifest.devices ?? []).slice(0, MOST).map((info) => ({ info, heat: heatOf(run.opCores!, metric, { device: info.id, ops }) })), [run, metric, ops]);
	const max = list.reduce((most, { heat }) => Math.max(most, heat.max || 0), 0);
	return (
		<Card title="All devices" hint="on one scale">
			<div class="multiples">
				{list.map(({ info, heat }) => {
					const xs = heat.cores.map((core) => core.x), ys = heat.cores.map((core) => core.y);
					const width = info.width || Math.max(0, ...xs) + 1, height = info.height || Math.max(0, ...ys) + 1;
					return (
						<button key={info.id} aria-pressed={info.id === props.device} onClick={() => set({ hd: info.id, core: null })} aria-label={`Device ${info.id}: largest ${text(heat.max)}, mean ${text(heat.mean)}`}>
							<b>device {info.id}</b>
							<svg width={width * CELL} height={height * CELL} aria-hidden="true" onMouseLeave={() => (tip.value = null)}>
								{heat.cores.map((core) => <rect key={core.x + "," + core.y} x={core.x * CELL} y={core.y * CELL} width={CELL - 1} height={CELL - 1} fill={heatColour(max > 0 ? core.value / max : 0)}
									onMouseMove={(event) => (tip.value = { x: event.clientX, y: event.clientY, title: `device ${info.id}, core ${core.x},${core.y}`, lines: [text(core.value)] })} />)}
							</svg>
							<span class="small soft">{heat.cores.length ? `up to ${text(heat.max)}` : "nothing ran"}</span>
						</button>
					);
				})}
			</div>
		</Card>
	);
}

// One core: its ops, its RISCs beside the mean of the cores that ran the same, what it waited, its zones.
export function CorePanel(props: { run: Run; device: number; core: string; ops: Set<number> | null; timeline(op: number): void }) {
	const { run, device, core, ops } = props;
	const [x, y] = core.split(",").map(Number), look = opLook(run);
	const facts = useMemo(() => coreFacts(run.opCores!, { device, ops }, x, y, (op) => look?.label(op) ?? `op ${op}`), [run, device, ops, core]);
	const zones = useMemo(() => {
		const all = run.zones.value;
		return all ? zoneSums(all, coreLanes(run.lanes, device).filter((lane) => lane.x === x && lane.y === y)) : [];
	}, [run, run.zones.value, device, core]);
	if (!facts.calls) return null;
	const hot = (value: number, mean: number) => (mean > 0 ? `${(value / mean).toFixed(2)}× the mean` : "");
	return (
		<Card title={`Core ${core} of device ${device}`} hint="in this choice of ops" tools={<button onClick={() => set({ core: null })}>Close</button>}>
			<Figures list={[["calls", format.count(facts.calls)], ["busy", format.time(facts.busy)], ["slowest in", `${format.count(facts.ops.reduce((sum, one) => sum + one.slowest, 0))} calls`],
				["waiting", facts.wait > 0 ? `${format.time(facts.wait)}, ${hot(facts.wait, facts.meanWait)}` : "not recorded"]]} />
			<div class="halves">
				<Table label={`Ops of core ${core}`} file="core_ops" most={12} rows={facts.ops} columns={[
					{ title: "op", cell: (one: CoreOp) => format.short(one.name, 60), raw: (one: CoreOp) => one.name },
					{ title: "calls", num: true, cell: (one: CoreOp) => format.count(one.calls), raw: (one: CoreOp) => one.calls },
					{ title: "slowest in", num: true, cell: (one: CoreOp) => format.count(one.slowest), raw: (one: CoreOp) => one.slowest },
					{ title: "busy", num: true, cell: (one: CoreOp) => format.time(one.busy), raw: (one: CoreOp) => one.busy },
					{ title: "above the mean", num: true, cell: (one: CoreOp) => format.time(one.over), raw: (one: CoreOp) => one.over },
					{ title: "worst call", cell: (one: CoreOp) => <><button class="link" onClick={() => set({ hop: one.worst, hname: null, hz: null })}>op {one.worst}</button>{" "}
						{run.zones.value ? <button class="link" onClick={() => props.timeline(one.worst)}>timeline</button> : null}</>, raw: (one: CoreOp) => one.worst },
				]} />
				<div>
					<Table label={`RISCs of core ${core}`} rows={facts.riscs} columns={[
						{ title: "RISC", cell: (one) => one.name.toUpperCase() },
						{ title: "kernels", num: true, cell: (one) => format.time(one.ns), raw: (one) => one.ns },
						{ title: "mean of cores", num: true, cell: (one) => format.time(one.mean), raw: (one) => one.mean },
						{ title: "", cell: (one) => hot(one.ns, one.mean) },
					]} />
					{zones.length ? <Table label={`Zones of core ${core}`} file="core_zones" most={10} rows={zones} columns={[
						{ title: "zone, all RISCs", cell: (one: ZoneSum) => format.short(run.strings[one.name] ?? "", 40), raw: (one: ZoneSum) => run.strings[one.name] ?? "" },
						{ title: "count", num: true, cell: (one: ZoneSum) => format.count(one.count), raw: (one: ZoneSum) => one.count },
						{ title: "Σ", num: true, cell: (one: ZoneSum) => format.time(one.sum), raw: (one: ZoneSum) => one.sum },
					]} /> : null}
				</div>
			</div>
		</Card>
	);
}
