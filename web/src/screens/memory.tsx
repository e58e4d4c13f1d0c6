// SPDX-License-Identifier: Apache-2.0
// Memory of devices over ops: how much was in use, where it lay, and who took it.
import { useMemo } from "preact/hooks";
import type { Run, Table as Columns } from "../data/run";
import type { PoolInfo } from "../data/types";
import * as format from "../logic/format";
import { aliveAt, endOf, layoutOf, type Pieces } from "../logic/memory";
import { opView } from "../logic/opview";
import { get, number, set } from "../state";
import { opLook } from "../timeline/oplook";
import { plotAt } from "../timeline/plots";
import { Card, Figures } from "../ui/card";
import { HUES } from "../ui/colour";
import { Empty } from "../ui/empty";
import { Plot } from "../ui/plot";
import { Behind, Table } from "../ui/table";
import { tip } from "../ui/tip";

export function Memory(props: { run: Run }) {
	const { run } = props, pools = run.manifest.pools ?? [];
	void run.zones.value; // plots come with the zones
	if (!run.memory || !pools.length)
		return <Empty title="No memory in this run" text="Record it with `ttprof run --device-memory-profiler …` (TT_METAL_MEM_PROFILER=1): then each buffer of a device is here, from when it was taken to when it was given back." parts={["memory"]} />;
	const pieces = run.memory as unknown as Pieces & Columns, pool = Math.min(pools.length - 1, Math.max(0, number("mpool", 0)));
	const info = pools[pool], time = Math.round(number("mt", info.peak_ns));
	return (
		<div class="grid">
			<Card title={pools.length > 1 ? "Pools" : format.short(info.name, 60)} hint="what the trace says was taken and given back" tools={pools.length > 1
				? <select aria-label="Pool" value={pool} onChange={(event) => set({ mpool: (event.target as HTMLSelectElement).value, mt: null })}>{pools.map((one, i) => <option key={i} value={i}>{format.short(one.name, 60)}</option>)}</select> : null}>
				<Figures list={[
					["peak", format.bytes(info.peak_bytes)], ["at", format.time(info.peak_ns)], ["in use at the end", format.bytes(info.open_bytes)],
					["pieces taken", format.count(info.allocations)], ["largest piece", format.bytes(info.largest_bytes)],
				]} />
			</Card>
			<OverOps run={run} info={info} />
			<Map run={run} pieces={pieces} pool={pool} info={info} time={time} />
			<Card title="Largest pieces" hint="of the whole run" wide="half"><PieceTable run={run} pieces={pieces} list={useMemo(() => largest(pieces, pool), [pieces, pool])} label="Largest pieces" /></Card>
			<Card title="By size" hint="pieces of one size are often one kind of tensor" wide="half"><Sizes pieces={pieces} pool={pool} /></Card>
		</div>
	);
}

const MOST = 500;

function largest(pieces: Pieces, pool: number): number[] {
	const list: number[] = [];
	for (let i = 0; i < pieces.n; i++) if (pieces.pool[i] === pool) list.push(i);
	return list.sort((a, b) => pieces.bytes[b] - pieces.bytes[a] || pieces.time[a] - pieces.time[b]).slice(0, MOST);
}

// In use while each op ran; without ops, at each change.
function OverOps(props: { run: Run; info: PoolInfo }) {
	const { run, info } = props, look = opLook(run);
	const plot = run.plots.find((one) => one.name === info.name && one.unit === "B");
	const points = useMemo(() => {
		if (!plot) return [];
		const start = run.ops ? opView(run.ops).start : null, rows: { x: number; time: number; bytes: number }[] = [];
		if (run.ops && start) for (let row = 0; row < run.ops.n; row++) {
			const time = start.number(row), bytes = Number.isFinite(time) ? plotAt(plot, time) : NaN;
			if (Number.isFinite(bytes)) rows.push({ x: row + 1, time, bytes });
		}
		if (rows.length > 1) return rows;
		return Array.from(plot.time as ArrayLike<number>, (time, i) => ({ x: i + 1, time, bytes: plot.value[i] }));
	}, [run, plot]);
	if (points.length < 2) return null;
	const ops = run.ops !== null;
	return (
		<Card title={ops ? "In use over ops" : "In use over changes"} hint="click: what lay where then">
			<Plot label={`Memory in use over ${points.length} points`} x={points.map((one) => one.x)} xName={ops ? "op" : "change"} xText={(value) => String(Math.round(value))} yText={format.bytes}
				series={[{ name: info.name, values: points.map((one) => one.bytes) }]} height={190} onPick={(i) => set({ mt: Math.round(points[i].time) })} />
			<Behind label="Table"><Table label="In use" file="memory_in_use" rows={points} columns={[
				{ title: ops ? "op" : "change", num: true, cell: (one) => String(one.x), raw: (one) => one.x },
				{ title: "name", cell: (one) => (ops ? format.short(look?.label(one.x) ?? "", 80) : "") },
				{ title: "time", num: true, cell: (one) => format.time(one.time), raw: (one) => one.time },
				{ title: "in use", num: true, cell: (one) => format.bytes(one.bytes), raw: (one) => one.bytes },
			]} /></Behind>
		</Card>
	);
}

const WIDE = 1000, TALL = 54;

// Where pieces lay at a moment, from the lowest address to the highest.
function Map(props: { run: Run; pieces: Pieces; pool: number; info: PoolInfo; time: number }) {
	const { run, pieces, pool, info, time } = props;
	const alive = useMemo(() => aliveAt(pieces, pool, time), [pieces, pool, time]), layout = useMemo(() => layoutOf(pieces, alive), [pieces, alive]);
	const span = Math.max(1, layout.high - layout.low), chosen = get("mp");
	return (
		<Card title={`At ${format.time(time)}`} hint={time === info.peak_ns ? "the peak" : ""} tools={<>
			{time !== info.peak_ns ? <button onClick={() => set({ mt: null })}>The peak</button> : null}
			{run.manifest.zones ? <button onClick={() => set({ t0: Math.max(0, time - 50000), t1: time + 50000, zone: null, sel: null }, "timeline")}>In the timeline</button> : null}</>}>
			<Figures list={[
				["in use", format.bytes(layout.used)], ["pieces", format.count(alive.length)], ["empty between them", format.bytes(layout.holes)], ["largest hole", format.bytes(layout.largestHole)],
				["fragmentation (1 − largest hole / all)", format.percent(100 * layout.fragmented)],
			]} />
			{alive.length ? <div style="overflow-x:auto">
				<svg class="addresses" viewBox={`0 0 ${WIDE} ${TALL}`} preserveAspectRatio="none" role="img" aria-label={`${alive.length} pieces from ${layout.low} to ${Math.round(layout.high)}; the table below has them`} onMouseLeave={() => (tip.value = null)}>
					<rect x={0} y={0} width={WIDE} height={TALL} fill="var(--raised)" />
					{alive.map((i, k) => <rect key={i} x={((pieces.address[i] - layout.low) / span) * WIDE} y={chosen === String(i) ? 0 : 4} width={Math.max(0.6, (pieces.bytes[i] / layout.banks / span) * WIDE - 0.4)} height={chosen === String(i) ? TALL : TALL - 8} fill={HUES[k % HUES.length]}
						onClick={() => set({ mp: i })} onMouseMove={(event) => (tip.value = { x: event.clientX, y: event.clientY, title: format.bytes(pieces.bytes[i]), lines: pieceLines(run, pieces, i) })} />)}
				</svg>
				<p class="small soft">{`addresses ${hex(layout.low)} … ${hex(layout.high)}`}{layout.banks > 1 ? `; a piece takes a ${layout.banks}th of its bytes at its address in each of ${layout.banks} banks, as its neighbours show` : ""}</p>
			</div> : <p class="soft">Nothing of this pool was in use then.</p>}
			{alive.length ? <PieceTable run={run} pieces={pieces} list={[...alive].sort((a, b) => pieces.bytes[b] - pieces.bytes[a])} label="In use then" /> : null}
		</Card>
	);
}

const hex = (value: number) => "0x" + Math.round(value).toString(16);

function pieceLines(run: Run, pieces: Pieces, i: number): string[] {
	const end = endOf(pieces, i), op = pieces.op[i];
	return [`at ${hex(pieces.address[i])}`, `from ${format.time(pieces.time[i])} ${end === Infinity ? "to the end" : `for ${format.time(end - pieces.time[i])}`}`, ...(op ? [`op ${op}: ${format.short(opLook(run)?.label(op) ?? "", 80)}`] : [])];
}

function PieceTable(props: { run: Run; pieces: Pieces; list: number[]; label: string }) {
	const { run, pieces } = props, look = opLook(run), ops = props.list.some((i) => pieces.op[i] > 0);
	return (
		<Table label={props.label} file="memory_pieces" most={15} rows={props.list} columns={[
			{ title: "bytes", num: true, cell: (i: number) => <button class="link" onClick={() => set({ mp: i, mt: pieces.time[i] })}>{format.bytes(pieces.bytes[i])}</button>, raw: (i: number) => pieces.bytes[i] },
			{ title: "address", num: true, cell: (i: number) => hex(pieces.address[i]), raw: (i: number) => pieces.address[i] },
			{ title: "taken", num: true, cell: (i: number) => format.time(pieces.time[i]), raw: (i: number) => pieces.time[i] },
			{ title: "held for", num: true, cell: (i: number) => (endOf(pieces, i) === Infinity ? "to the end" : format.time(endOf(pieces, i) - pieces.time[i])), raw: (i: number) => endOf(pieces, i) - pieces.time[i] },
			...(ops ? [{ title: "taken by", cell: (i: number) => (pieces.op[i] ? <button class="link" onClick={() => set({ op: pieces.op[i], f: null, g: null }, "ops")}>{pieces.op[i]}: {format.short(look?.label(pieces.op[i]) ?? "", 50)}</button> : ""), raw: (i: number) => pieces.op[i] }] : []),
		]} />
	);
}

function Sizes(props: { pieces: Pieces; pool: number }) {
	const { pieces, pool } = props;
	const list = useMemo(() => {
		const sizes = new globalThis.Map<number, { bytes: number; count: number }>();
		for (let i = 0; i < pieces.n; i++) {
			if (pieces.pool[i] !== pool) continue;
			const line = sizes.get(pieces.bytes[i]) ?? { bytes: pieces.bytes[i], count: 0 };
			line.count++;
			sizes.set(line.bytes, line);
		}
		return [...sizes.values()].sort((a, b) => b.bytes * b.count - a.bytes * a.count);
	}, [pieces, pool]);
	return (
		<Table label="Pieces by size" file="memory_sizes" most={15} rows={list} columns={[
			{ title: "bytes each", num: true, cell: (one) => format.bytes(one.bytes), raw: (one) => one.bytes },
			{ title: "pieces", num: true, cell: (one) => format.count(one.count), raw: (one) => one.count },
			{ title: "together, all taken", num: true, cell: (one) => format.bytes(one.bytes * one.count), raw: (one) => one.bytes * one.count },
		]} />
	);
}
