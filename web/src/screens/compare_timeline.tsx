// SPDX-License-Identifier: Apache-2.0
// Both runs on one axis, so shifted that the chosen op begins at 0 in each: a lane of the host and one of the device per run.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Comparison } from "../data/comparison";
import { openEntryZones, type RunEntry } from "../data/current";
import type { Run } from "../data/run";
import * as format from "../logic/format";
import { opView } from "../logic/opview";
import { barsInSight, opsOfDevice, rowOfId, spanAround, type Bars, type Drawn } from "../logic/sidebyside";
import { set } from "../state";
import { Card } from "../ui/card";
import { hue } from "../ui/colour";
import { useSize } from "../ui/size";
import { tip } from "../ui/tip";
import type { Sides } from "./compare";

const LEFT = 62, AXIS = 20, LANE = 26, JOIN = 34; // pixels
const BESIDE = 3; // ops on either side of the chosen one, at first

interface Lane {
	bars: Bars;
	name(at: number): string;
	code(at: number): string;
	line(at: number): number; // of the comparison, + 1; 0: none, or no op
}

interface SideLanes {
	run: Run;
	zero: number; // when the chosen op begins, ns of the run
	row: number; // of the chosen op; −1: it is not there
	ops: Lane;
	host: Lane | null;
}

export function CompareTimeline(props: { compared: Comparison; sides: Sides; line: number }) {
	const { compared, sides } = props, line = compared.lines[props.line];
	const entries: [RunEntry, "base" | "new"][] = [[sides.base, "base"], [sides.new, "new"]];
	useEffect(() => {
		for (const [entry] of entries) openEntryZones(entry).catch(() => undefined);
	}, [sides.base, sides.new]);
	const ids = [line.base_id, line.new_id];
	const both = entries.map(([entry, side], i) => {
		const run = entry.run.value;
		return useMemo(() => (run?.ops ? lanesOf(run, compared, side, ids[i]) : null), [run, run?.zones.value, compared, ids[i]]);
	});
	const [a, b] = both;
	const hint = "shifted so that the chosen op begins at 0 in both; what stands side by side is joined";
	if (!a || !b) return <Card title="Timelines" hint={hint}><p class="soft">{sides.base.failed.value || sides.new.failed.value ? "A run could not be read." : "Reading the runs …"}</p></Card>;
	if (!a.ops.bars.row.length && !b.ops.bars.row.length) return <Card title="Timelines" hint={hint}><p class="soft">When ops ran is not known in either run: their reports have no times of day or cycles.</p></Card>;
	// An op of one side alone lies where the op before it ends on the other.
	alignMissing(compared, props.line + 1, a, b);
	return <Pair compared={compared} line={props.line} sides={[a, b]} key={props.line} />;
}

function lanesOf(run: Run, compared: Comparison, side: "base" | "new", id: number | undefined): SideLanes {
	const ops = run.ops!, view = opView(ops);
	const row = rowOfId(ops, id), first = row >= 0 ? row : rowOfId(ops, compared.pairs[side].find((one) => one > 0));
	const bars = opsOfDevice(ops, first >= 0 ? view.device?.text(first) ?? "" : "");
	const lineOf = new Map<number, number>();
	compared.pairs[side].forEach((one, i) => one && lineOf.set(rowOfId(ops, one), compared.pairs.line[i]));
	const start = row >= 0 ? view.start?.number(row) ?? NaN : NaN;
	return {
		run, row: Number.isFinite(start) ? row : -1, zero: Number.isFinite(start) ? start : bars.start[0] ?? 0,
		ops: { bars, name: (at) => view.name?.text(bars.row[at]) || "op " + (bars.row[at] + 1), code: (at) => view.code?.text(bars.row[at]) ?? "", line: (at) => lineOf.get(bars.row[at]) ?? 0 },
		host: hostLane(run),
	};
}

// The zones from which ops were enqueued, if the run has a trace.
function hostLane(run: Run): Lane | null {
	const zones = run.zones.value, flows = run.flows;
	const id = flows?.n ? flows.lane[0] : run.lanes.find((lane) => lane.kind === "thread" && lane.count > 0)?.id;
	const lane = id === undefined ? undefined : run.lanes.find((one) => one.id === id);
	if (!zones || !lane) return null;
	const { first, count } = lane;
	const start = new Float64Array(count), end = new Float64Array(count), row: number[] = [];
	for (let i = 0; i < count; i++) {
		start[i] = zones.start[first + i];
		end[i] = start[i] + zones.dur[first + i];
		row.push(-1 - i);
	}
	const zone = (at: number) => run.strings[zones.name[first + at]] ?? "", view = opView(run.ops!);
	// Zones of ops all have one name: which op it is says more.
	const opOf = (at: number) => (zones.op?.[first + at] ?? 0) - 1;
	return {
		bars: { start, end, row }, line: () => 0, name: (at) => (opOf(at) >= 0 && view.name?.text(opOf(at))) || zone(at), code: (at) => (opOf(at) >= 0 && view.code?.text(opOf(at))) || zone(at),
	};
}

function alignMissing(compared: Comparison, line: number, a: SideLanes, b: SideLanes): void {
	const at = compared.pairs.line.indexOf(line);
	for (const [side, key] of [[a, "base"], [b, "new"]] as const) {
		if (side.row >= 0) continue;
		for (let i = at; i >= 0; i--) {
			const before = rowOfId(side.run.ops!, compared.pairs[key][i] || undefined), bar = side.ops.bars.row.indexOf(before);
			if (before < 0 || bar < 0) continue;
			side.zero = side.ops.bars.end[bar];
			break;
		}
	}
}

function firstSpan(sides: SideLanes[]): [number, number] {
	const spans = sides.map((side) => spanAround(side.ops.bars, side.row, BESIDE)).filter((span): span is [number, number] => span !== null);
	const from = Math.min(0, ...spans.map((span) => span[0])), to = Math.max(1000, ...spans.map((span) => span[1]));
	// A long pause beside the op would make it a line.
	const own = Math.max(1, ...sides.map((side) => (side.row >= 0 ? lengthOf(side.ops.bars, side.ops.bars.row.indexOf(side.row)) : 0)));
	const left = Math.max(from, -12 * own), right = Math.min(to, 14 * own);
	const margin = (right - left) * 0.03;
	return [left - margin, right + margin];
}

const lengthOf = (bars: Bars, at: number) => (at < 0 ? 0 : bars.end[at] - bars.start[at]);

function Pair(props: { compared: Comparison; line: number; sides: [SideLanes, SideLanes] }) {
	const { sides, line } = props, [a, b] = sides;
	const box = useRef<HTMLDivElement>(null);
	const { width } = useSize(box);
	const home = useMemo(() => firstSpan(sides), [a, b]);
	const [[t0, t1], setSpan] = useState<[number, number]>(home);
	const drag = useRef<{ x: number; t0: number; t1: number; moved: boolean } | null>(null);
	useEffect(() => setSpan(home), [home]);
	const pixels = Math.max(10, width - LEFT - 4), scale = pixels / (t1 - t0);
	const zoom = (factor: number, at = 0.5) => setSpan(([from, to]) => {
		const middle = from + (to - from) * at, half = Math.min(1e13, Math.max(10, (to - from) * factor));
		return [middle - half * at, middle + half * (1 - at)];
	});
	const move = (share: number) => setSpan(([from, to]) => [from + (to - from) * share, to + (to - from) * share]);
	useEffect(() => {
		const element = box.current;
		// Not passive: the wheel with Ctrl would zoom the whole page.
		const wheel = (event: WheelEvent) => {
			if (!event.ctrlKey && !event.shiftKey) return;
			event.preventDefault();
			const at = (event.clientX - element!.getBoundingClientRect().left - LEFT) / pixels;
			if (event.ctrlKey) zoom(Math.exp(event.deltaY * 0.002), at);
			else move((event.deltaY || event.deltaX) / 800);
		};
		element?.addEventListener("wheel", wheel, { passive: false });
		return () => element?.removeEventListener("wheel", wheel);
	}, [pixels]);
	const rows: { y: number; name: string; side: SideLanes; lane: Lane; isOps: boolean }[] = [];
	let y = AXIS + 4;
	const add = (name: string, side: SideLanes, lane: Lane | null, isOps: boolean) => {
		if (!lane) return;
		rows.push({ y, name, side, lane, isOps });
		y += LANE + 4;
	};
	add("host", a, a.host, false);
	add("BASE", a, a.ops, true);
	const joinFrom = y - 4;
	y += JOIN - 4;
	const joinTo = y;
	add("NEW", b, b.ops, true);
	add("host", b, b.host, false);
	const inSight = rows.map((row) => barsInSight(row.lane.bars, t0 + row.side.zero, t1 + row.side.zero, pixels));
	const key = (event: KeyboardEvent) => {
		const does: { [key: string]: () => void } = { "+": () => zoom(0.6), w: () => zoom(0.6), "-": () => zoom(1.6), s: () => zoom(1.6), ArrowLeft: () => move(-0.2), a: () => move(-0.2), ArrowRight: () => move(0.2), d: () => move(0.2), h: () => setSpan(home) };
		if (!does[event.key] || event.ctrlKey || event.metaKey) return;
		does[event.key]();
		event.preventDefault();
	};
	const showTip = (event: PointerEvent, lane: Lane, side: SideLanes, bar: Drawn) => {
		if (drag.current?.moved) return;
		tip.value = {
			x: event.clientX, y: event.clientY, title: bar.count > 1 ? `${bar.count} together` : format.short(lane.name(bar.at), 200),
			lines: bar.count > 1 ? ["zoom in to see them"] : [format.time(lengthOf(lane.bars, bar.at)), `at ${format.signed(lane.bars.start[bar.at] - side.zero, format.time)} of the chosen op`],
		};
	};
	return (
		<Card title="Timelines" hint="the chosen op begins at 0 in both; what stands side by side is joined" tools={<>
			<button aria-label="Zoom in" onClick={() => zoom(0.6)}>+</button><button aria-label="Zoom out" onClick={() => zoom(1.6)}>−</button>
			<button aria-label="Earlier" onClick={() => move(-0.3)}>←</button><button aria-label="Later" onClick={() => move(0.3)}>→</button><button onClick={() => setSpan(home)}>back</button></>}>
			<div class="pair" ref={box} tabIndex={0} role="group" aria-label="Timelines of both runs" onKeyDown={key} style={{ minHeight: y + "px" }}>
				{width > LEFT + 40 ? <svg width={width} height={y}
					onPointerDown={(event) => (drag.current = { x: event.clientX, t0, t1, moved: false })}
					onPointerMove={(event) => {
						const from = drag.current;
						if (!from) return;
						if (Math.abs(event.clientX - from.x) > 3) from.moved = true;
						const by = (event.clientX - from.x) / scale;
						if (from.moved) setSpan([from.t0 - by, from.t1 - by]);
					}}
					onPointerUp={() => setTimeout(() => (drag.current = null))} onPointerLeave={() => { drag.current = null; tip.value = null; }}>
					<Ticks t0={t0} t1={t1} pixels={pixels} height={y} />
					<Joins compared={props.compared} line={line} sides={sides} inSight={[inSight[rows.findIndex((row) => row.name === "BASE")], inSight[rows.findIndex((row) => row.name === "NEW")]]} from={joinFrom} to={joinTo} />
					{rows.map((row, i) => (
						<g key={row.y}>
							<text class="side" x={0} y={row.y + 17}>{row.name}</text>
							<rect class="ground" x={LEFT} y={row.y} width={pixels} height={LANE} />
							{inSight[i].map((bar) => {
								const of = bar.count === 1 ? row.lane.line(bar.at) : 0;
								const chosen = row.isOps && row.lane.bars.row[bar.at] === row.side.row;
								const alone = of > 0 && ["new", "gone"].includes(props.compared.lines[of - 1].change);
								return (
									<g key={bar.at}>
										<rect class={"op" + (chosen ? " chosen" : "") + (alone ? " alone" : "") + (bar.count > 1 ? " many" : "")} x={LEFT + bar.x} y={row.y + 2} width={bar.width} height={LANE - 4} fill={hue(row.lane.code(bar.at))}
											onPointerMove={(event) => showTip(event, row.lane, row.side, bar)} onPointerOut={() => (tip.value = null)}
											onClick={() => { if (of && !drag.current?.moved) set({ line: of }); }} />
										{bar.width > 46 && bar.count === 1 ? <text x={LEFT + Math.max(0, bar.x) + 5} y={row.y + 17} fill="#10151c">{format.short(row.lane.name(bar.at), Math.max(3, Math.floor((bar.width - 8) / 6.6)))}</text> : null}
									</g>
								);
							})}
						</g>
					))}
				</svg> : null}
			</div>
			<p class="small soft">Drag or ← → moves, + − or Ctrl and wheel zooms, a click on an op compares it. {rows.length < 4 ? "A run without a trace has no lane of its host. " : ""}Dashed: on one side alone.</p>
		</Card>
	);
}

function Ticks(props: { t0: number; t1: number; pixels: number; height: number }) {
	const { t0, t1, pixels } = props, step = format.niceStep(t1 - t0, pixels / 110);
	const list: number[] = [];
	for (let t = Math.ceil(t0 / step) * step; t <= t1; t += step) list.push(Math.abs(t) < step / 1000 ? 0 : t);
	const x = (t: number) => LEFT + ((t - t0) / (t1 - t0)) * pixels;
	return (
		<g>{list.map((t) => (
			<g key={t}><line class={t === 0 ? "start" : ""} x1={x(t)} x2={x(t)} y1={AXIS} y2={props.height} />
				<text class="tick" x={x(t)} y={13} text-anchor={x(t) < LEFT + 24 ? "start" : x(t) > LEFT + pixels - 30 ? "end" : "middle"}>{t < 0 ? "−" : ""}{format.tick(Math.abs(t), step)}</text></g>
		))}</g>
	);
}

// A ribbon from each op of BASE in sight to its op of NEW.
function Joins(props: { compared: Comparison; line: number; sides: [SideLanes, SideLanes]; inSight: Drawn[][]; from: number; to: number }) {
	const { compared, sides: [a, b] } = props;
	const mates = useMemo(() => {
		const map = new Map<number, { row: number; line: number }>();
		compared.pairs.base.forEach((id, i) => {
			const other = compared.pairs.new[i];
			if (id && other) map.set(rowOfId(a.run.ops!, id), { row: rowOfId(b.run.ops!, other), line: compared.pairs.line[i] });
		});
		return map;
	}, [compared, a.run, b.run]);
	const there = new Map(props.inSight[1]?.filter((bar) => bar.count === 1).map((bar) => [b.ops.bars.row[bar.at], bar]) ?? []);
	return (
		<g>{props.inSight[0]?.flatMap((bar) => {
			const mate = bar.count === 1 ? mates.get(a.ops.bars.row[bar.at]) : undefined, other = mate && there.get(mate.row);
			if (!other) return [];
			const [x0, x1, u0, u1] = [LEFT + bar.x, LEFT + bar.x + bar.width, LEFT + other.x, LEFT + other.x + other.width];
			return [<path key={bar.at} class={"join" + (mate!.line === props.line + 1 ? " chosen" : "")} d={`M${x0} ${props.from}L${x1} ${props.from}L${u1} ${props.to}L${u0} ${props.to}Z`} />];
		})}</g>
	);
}
