// SPDX-License-Identifier: Apache-2.0
import { useMemo, useRef } from "preact/hooks";
import type { Run } from "../data/run";
import * as format from "../logic/format";
import { opView, reported } from "../logic/opview";
import { chosenPart, inPart } from "../logic/parts";
import { chipOf, FIDELITIES, placeLabels, roofPoints, type Chip, type Mover, type RoofPoint } from "../logic/roofline";
import { set } from "../state";
import { Card } from "../ui/card";
import { CATEGORY, FIDELITY, OTHERS } from "../ui/colour";
import { Empty } from "../ui/empty";
import { useSize } from "../ui/size";
import { Behind, Table } from "../ui/table";
import { tip } from "../ui/tip";

export function Roofline(props: { run: Run }) {
	const { run } = props;
	const chip = chipOf(run.manifest.report);
	const view = run.ops ? opView(run.ops) : null;
	const part = chosenPart(run.ops);
	const data = useMemo(() => (view ? roofPoints(view, inPart(reported(view), part), chip) : null), [run, part]);
	if (!view || !data) return <Empty title="No ops in this run" text="The roofline is made from an ops report." parts={["ops"]} />;
	if (!chip) return <Empty title="The chip's roofs are not known" text="Which chip it was is told from the ops report: DEVICE ARCH and AVAILABLE WORKER CORE COUNT." parts={["ops"]} />;
	return (
		<div class="grid">
			<Card title="Roofline" hint={`${chip.name}, ${chip.cores} worker cores, DRAM ${format.count(chip.dramGBps)} GB/s`}>
				{data.points.length === 0 ? <p class="soft">No op of this run has both arithmetic and bytes that are known; the list below says why.</p>
					: <Chart chip={chip} points={data.points} />}
				{data.points.length ? <Fidelities points={data.points} /> : null}
				<p class="small soft">Each circle is an op with its like calls, its area their share of the device time, its colour the fidelity, whose roof has the same name. A line leads up to the roof of the cores that it ran on: the longer, the more there is to gain. Dashed: half and a tenth of the chip's roof.</p>
				<Behind label="Table"><Table label="Ops on the roofline" file="roofline" rows={data.points} columns={[
					{ title: "op", cell: (p: RoofPoint) => <button class="link" onClick={() => show(p.row)}>{format.short(p.name, 60)}</button>, raw: (p: RoofPoint) => p.name },
					{ title: "calls", num: true, cell: (p: RoofPoint) => format.count(p.calls), raw: (p: RoofPoint) => p.calls },
					{ title: "FLOP per byte", num: true, cell: (p: RoofPoint) => p.intensity.toFixed(1), raw: (p: RoofPoint) => p.intensity },
					{ title: "TFLOP/s", num: true, cell: (p: RoofPoint) => p.tflops.toFixed(2), raw: (p: RoofPoint) => p.tflops },
					{ title: "fidelity", cell: (p: RoofPoint) => p.fidelity },
					{ title: "cores", num: true, cell: (p: RoofPoint) => format.count(p.cores), raw: (p: RoofPoint) => p.cores },
					{ title: "of its roof", num: true, cell: (p: RoofPoint) => format.percent(p.percent), raw: (p: RoofPoint) => p.percent },
					{ title: "device time", num: true, cell: (p: RoofPoint) => format.time(p.time), raw: (p: RoofPoint) => p.time },
					{ title: "share", num: true, cell: (p: RoofPoint) => format.percent(100 * p.share), raw: (p: RoofPoint) => 100 * p.share },
				]} /></Behind>
			</Card>
			{data.movers.length ? <Card title="Ops without arithmetic" hint="what bounds them is the memory: what they move, as a rate">
				<Strip chip={chip} movers={data.movers} />
				<Table label="Ops without arithmetic" file="bandwidth" most={8} rows={data.movers} columns={[
					{ title: "op", cell: (m: Mover) => <button class="link" onClick={() => show(m.row)}>{format.short(m.name, 60)}</button>, raw: (m: Mover) => m.name },
					{ title: "calls", num: true, cell: (m: Mover) => format.count(m.calls), raw: (m: Mover) => m.calls },
					{ title: "GB/s", num: true, cell: (m: Mover) => m.gbps.toFixed(1), raw: (m: Mover) => m.gbps },
					{ title: "of DRAM's", num: true, cell: (m: Mover) => format.percent((100 * m.gbps) / chip.dramGBps), raw: (m: Mover) => (100 * m.gbps) / chip.dramGBps },
					{ title: "device time", num: true, cell: (m: Mover) => format.time(m.time), raw: (m: Mover) => m.time },
					{ title: "share", num: true, cell: (m: Mover) => format.percent(100 * m.share), raw: (m: Mover) => 100 * m.share },
				]} />
			</Card> : null}
			{data.missing.length ? <Card title="Not on it" hint="what is not known is not guessed">
				<Table label="Ops without a place" file="not_on_roofline" most={12} rows={data.missing} columns={[
					{ title: "op", cell: (m) => format.short(m.name, 60) }, { title: "device time", num: true, cell: (m) => format.time(m.time), raw: (m) => m.time }, { title: "why", cell: (m) => m.why },
				]} />
			</Card> : null}
		</div>
	);
}

function show(row: number): void {
	set({ op: row + 1, f: null, g: null }, "ops");
}

// What the colours mean; each shows its ops.
function Fidelities(props: { points: RoofPoint[] }) {
	const names = [...new Set(props.points.map((point) => point.fidelity))].sort();
	return (
		<p class="row small" role="group" aria-label="Fidelities">{names.map((name) => {
			const ops = props.points.filter((point) => point.fidelity === name), share = ops.reduce((sum, point) => sum + point.share, 0);
			const text = <><i class="dot" style={{ background: FIDELITY[name] ?? OTHERS }} />{name || "fidelity not known"} {format.percent(100 * share, 0)} of the time</>;
			return name ? <button key={name} class="link" onClick={() => set({ f: `types~${name}`, g: null, op: null }, "ops")}>{text}</button> : <span key="none">{text}</span>;
		})}</p>
	);
}

// Rates on a line from nothing to what the DRAM gives.
function Strip(props: { chip: Chip; movers: Mover[] }) {
	const { chip } = props;
	const box = useRef<HTMLDivElement>(null);
	const { width } = useSize(box);
	const height = 96, left = 36, right = 70, middle = 40;
	const movers = [...props.movers].sort((a, b) => b.share - a.share), most = Math.max(chip.dramGBps * 1.05, ...movers.map((one) => one.gbps));
	const px = (gbps: number) => left + (gbps / most) * (width - left - right);
	const circles = movers.map((one) => ({ x: px(one.gbps), y: middle, r: 3 + Math.sqrt(one.share) * 30 }));
	return (
		<div ref={box} class="chart">
			{width > 50 ? <svg width={width} height={height} role="img" aria-label={`Rates of ${movers.length} ops; the table below has their numbers`} onMouseLeave={() => (tip.value = null)}>
				{[0, 0.1, 0.25, 0.5, 0.75].map((share) => <g key={share}><line x1={px(share * chip.dramGBps)} x2={px(share * chip.dramGBps)} y1="6" y2={height - 22} stroke="var(--line)" />
					<text x={px(share * chip.dramGBps)} y={height - 8} font-size="11" fill="var(--soft)" text-anchor={share ? "middle" : "start"}>{share ? format.percent(100 * share, 0) : "0"}</text></g>)}
				<line x1={px(chip.dramGBps)} x2={px(chip.dramGBps)} y1="6" y2={height - 22} stroke="var(--accent)" stroke-width="2" />
				<text x={px(chip.dramGBps)} y={height - 8} font-size="11" fill="var(--accent)" text-anchor="middle">DRAM {format.count(chip.dramGBps)} GB/s</text>
				{movers.map((one, i) => <circle key={i} cx={circles[i].x} cy={middle} r={circles[i].r} fill={CATEGORY[one.category] ?? OTHERS} fill-opacity="0.75" stroke="var(--ink)" stroke-opacity="0.5" style="cursor:pointer" onClick={() => show(one.row)}
					onMouseMove={(event) => (tip.value = { x: event.clientX, y: event.clientY, title: format.short(one.name, 200), lines: [`${one.gbps.toFixed(1)} GB/s, ${format.percent((100 * one.gbps) / chip.dramGBps)} of what the DRAM gives`, `${format.time(one.time)} · ${format.percent(100 * one.share)} of the device time`] })} />)}
			</svg> : <div style={{ height: height + "px" }} />}
		</div>
	);
}

function Chart(props: { chip: Chip; points: RoofPoint[] }) {
	const { chip, points } = props;
	const box = useRef<HTMLDivElement>(null);
	const { width } = useSize(box);
	const height = Math.max(320, Math.min(620, width * 0.46));
	const left = 64, right = 150, top = 14, bottom = 40;
	const peak = chip.tflopsPerCore * chip.cores;
	const xs = points.map((point) => point.intensity), ys = points.map((point) => point.tflops);
	const x0 = 10 ** Math.floor(Math.log10(Math.min(10, ...xs) * 0.7)), x1 = 10 ** Math.ceil(Math.log10(Math.max((peak * 1000) / chip.dramGBps, ...xs) * 1.1));
	const y1 = peak * 2, y0 = 10 ** Math.floor(Math.log10(Math.min(peak / 1000, ...ys) * 0.8));
	const px = (value: number) => left + ((Math.log10(value) - Math.log10(x0)) / (Math.log10(x1) - Math.log10(x0))) * (width - left - right);
	const py = (value: number) => top + (1 - (Math.log10(value) - Math.log10(y0)) / (Math.log10(y1) - Math.log10(y0))) * (height - top - bottom);
	const powers = (from: number, to: number) => Array.from({ length: Math.round(Math.log10(to / from)) + 2 }, (_, i) => 10 ** (Math.ceil(Math.log10(from) - 1e-9) + i)).filter((value) => value <= to * 1.001);
	const roof = (scale: number, passes = 1) => {
		const flat = (peak / passes) * scale, knee = (flat * 1000) / (chip.dramGBps * scale);
		const at = Math.max(x0, Math.min(x1, (y0 * 1000) / (chip.dramGBps * scale)));
		return `M ${px(at)} ${py((chip.dramGBps * scale * at) / 1000)} L ${px(Math.min(knee, x1))} ${py(Math.min(flat, (chip.dramGBps * scale * x1) / 1000))} L ${px(x1)} ${py(flat)}`;
	};
	// Names of roofs that lie close together move apart.
	const names = FIDELITIES.map(([, passes]) => py(peak / passes) + 4);
	for (let i = 1; i < names.length; i++) names[i] = Math.max(names[i], names[i - 1] + 13);
	// Where the slope's name stands, and how steep it is on the screen.
	const slope = Math.sqrt(Math.max(x0, (y0 * 1000) / chip.dramGBps) * ((peak * 1000) / chip.dramGBps));
	const tilt = (Math.atan2(py(1) - py(10), px(10) - px(1)) * 180) / Math.PI;
	const sorted = [...points].sort((a, b) => b.share - a.share);
	const circles = sorted.map((point) => ({ x: px(point.intensity), y: py(point.tflops), r: 4 + Math.sqrt(point.share) * 34 }));
	const labels = placeLabels(circles, sorted.map((point) => (point.share < 0.015 ? 0 : format.short(point.name, 34).length * 6.4)), left, width);
	return (
		<div ref={box} class="chart">
			{width > 50 ? <svg width={width} height={height} role="img" aria-label={`Roofline of ${points.length} ops; the table below has their numbers`} onMouseLeave={() => (tip.value = null)}>
				{powers(x0, x1).map((value) => <g key={"x" + value}><line x1={px(value)} x2={px(value)} y1={top} y2={height - bottom} stroke="var(--line)" /><text x={px(value)} y={height - bottom + 16} font-size="11" fill="var(--soft)" text-anchor="middle">{String(Number(value.toPrecision(3)))}</text></g>)}
				{powers(y0, y1).map((value) => <g key={"y" + value}><line x1={left} x2={width - right} y1={py(value)} y2={py(value)} stroke="var(--line)" /><text x={left - 8} y={py(value) + 4} font-size="11" fill="var(--soft)" text-anchor="end">{String(Number(value.toPrecision(3)))}</text></g>)}
				<text x={(left + width - right) / 2} y={height - 6} font-size="12" fill="var(--soft)" text-anchor="middle">FLOP per byte moved</text>
				<text transform={`translate(14 ${(top + height - bottom) / 2}) rotate(-90)`} font-size="12" fill="var(--soft)" text-anchor="middle">TFLOP/s</text>
				{[0.5, 0.1].map((scale) => <path key={scale} d={roof(scale)} fill="none" stroke="var(--strong-line)" stroke-dasharray="3 4" />)}
				{FIDELITIES.map(([name, passes], i) => <g key={name}>
					<path d={roof(1, passes)} fill="none" stroke="var(--accent)" stroke-width={passes === 1 ? 2 : 1.2} opacity={passes === 1 ? 1 : 0.75} />
					<path d={`M ${px(Math.min(x1, (peak * 1000) / passes / chip.dramGBps))} ${py(peak / passes)} H ${width - right}`} stroke={FIDELITY[name]} stroke-width="4" opacity="0.85" />
					<text x={width - right + 6} y={names[i]} font-size="11" fill="var(--accent)">{name} {(peak / passes).toFixed(0)} TFLOP/s</text>
				</g>)}
				{sorted.map((point, i) => {
					return <g key={i} style="cursor:pointer" onClick={() => show(point.row)}
						onMouseMove={(event) => (tip.value = { x: event.clientX, y: event.clientY, title: format.short(point.name, 200), lines: [`${point.tflops.toFixed(2)} TFLOP/s at ${point.intensity.toFixed(1)} FLOP per byte`, ...(point.roof > 0 ? [`${format.count(point.cores)} cores at ${point.fidelity} could do ${point.roof.toFixed(2)} TFLOP/s`] : []), `${format.percent(point.percent)} of its roof · ${format.time(point.time)} · ${format.percent(100 * point.share)} of the device time`] })}>
						{point.roof > point.tflops ? <path d={`M ${circles[i].x} ${circles[i].y} V ${py(point.roof)} m -5 0 h 10`} fill="none" stroke="var(--soft)" opacity="0.7" /> : null}
						<circle cx={circles[i].x} cy={circles[i].y} r={circles[i].r} fill={FIDELITY[point.fidelity] ?? OTHERS} fill-opacity="0.75" stroke="var(--ink)" stroke-opacity="0.5" />
					</g>;
				})}
				{labels.map(({ x, y, which }) => <text key={"l" + which} x={x} y={y + 4} font-size="11.5" fill="var(--ink)" style="pointer-events:none">{format.short(sorted[which].name, 34)}</text>)}
				<text transform={`translate(${px(slope) - 8} ${py((chip.dramGBps * slope) / 1000) - 8}) rotate(${-tilt})`} font-size="11" fill="var(--accent)" text-anchor="middle">DRAM {format.count(chip.dramGBps)} GB/s</text>
			</svg> : <div style={{ height: height + "px" }} />}
		</div>
	);
}
