// SPDX-License-Identifier: Apache-2.0
import { useMemo, useRef } from "preact/hooks";
import type { Run } from "../data/run";
import * as format from "../logic/format";
import { opView, reported } from "../logic/opview";
import { chosenPart, inPart } from "../logic/parts";
import { chipOf, placeLabels, roofPoints, type Chip, type Mover, type RoofPoint } from "../logic/roofline";
import { set } from "../state";
import { Card } from "../ui/card";
import { CATEGORY, FIDELITY, OTHERS } from "../ui/colour";
import { ticks } from "../logic/chart";
import { Empty } from "../ui/empty";
import { useSize } from "../ui/size";
import { Behind, Table } from "../ui/table";
import { tip } from "../ui/tip";

export function Roofline(props: { run: Run }) {
	const { run } = props;
	const chip = chipOf(run.manifest.report);
	const view = run.ops ? opView(run.ops) : null;
	const part = chosenPart(run.ops);
	const data = useMemo(() => (view ? roofPoints(view, inPart(reported(view), part)) : null), [run, part]);
	if (!view || !data) return <Empty title="No ops in this run" text="The roofline is made from an ops report." parts={["ops"]} />;
	if (!chip) return <Empty title="The chip's roofs are not known" text="Which chip it was is read off the ops report: DEVICE ARCH and AVAILABLE WORKER CORE COUNT." parts={["ops"]} />;
	return (
		<div class="grid">
			<Card title="Roofline" hint={`${chip.name}, ${chip.cores} worker cores, DRAM ${format.count(chip.dramGBps)} GB/s`}>
				{data.points.length === 0 ? <p class="soft">No op of this run has both arithmetic and bytes that are known; the list below says why.</p>
					: <Chart chip={chip} points={data.points} />}
				{data.points.length ? <Fidelities points={data.points} /> : null}
				{data.points.length ? <p class="small soft">Each circle is an op with its like calls, its area their share of the device time, its colour the fidelity, whose roof has the same name. A line leads up to what its limits allow it, on the cores that it ran on: the longer, the more there is to gain. Slopes are what memory and network give to all cores. Dashed: half and a tenth of the chip's roof.</p> : null}
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
					{ title: "of its roof", says: "of DRAM, or of L1 where its tensors lie there", num: true, cell: (m: Mover) => format.percent(m.percent), raw: (m: Mover) => m.percent },
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
	const height = 108, left = 36, right = 40, middle = 52;
	const movers = [...props.movers].sort((a, b) => b.share - a.share), most = Math.max(chip.dramGBps * 1.05, ...movers.map((one) => one.gbps));
	const px = (gbps: number) => left + (gbps / most) * (width - left - right);
	const circles = movers.map((one) => ({ x: px(one.gbps), y: middle, r: 3 + Math.sqrt(one.share) * 30 }));
	return (
		<div ref={box} class="chart">
			{width > 50 ? <svg width={width} height={height} role="img" aria-label={`Rates of ${movers.length} ops; the table below has their numbers`} onMouseLeave={() => (tip.value = null)}>
				{ticks(0, most, Math.max(2, (width - left - right) / 90)).map((rate) => <g key={rate}><line x1={px(rate)} x2={px(rate)} y1="18" y2={height - 22} stroke="var(--line)" />
					<text x={px(rate)} y={height - 8} font-size="11" fill="var(--soft)" text-anchor="middle">{format.count(rate)} GB/s</text></g>)}
				<line x1={px(chip.dramGBps)} x2={px(chip.dramGBps)} y1="16" y2={height - 22} stroke="var(--accent)" stroke-width="2" />
				<text x={px(chip.dramGBps)} y="12" font-size="11" fill="var(--accent)" text-anchor={px(chip.dramGBps) > width - 70 ? "end" : "middle"}>DRAM {format.count(chip.dramGBps)} GB/s</text>
				{movers.map((one, i) => <circle key={i} cx={circles[i].x} cy={middle} r={circles[i].r} fill={CATEGORY[one.category] ?? OTHERS} fill-opacity="0.75" stroke="var(--ink)" stroke-opacity="0.5" style="cursor:pointer" onClick={() => show(one.row)}
					onMouseMove={(event) => (tip.value = { x: event.clientX, y: event.clientY, title: format.short(one.name, 200), lines: [`${one.gbps.toFixed(1)} GB/s, ${format.percent(one.percent)} of its roof`, `${format.time(one.time)} · ${format.percent(100 * one.share)} of the device time`] })} />)}
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
	const peak = chip.roofs[0].tflops;
	const xs = points.map((point) => point.intensity), ys = points.map((point) => point.tflops);
	const x0 = 10 ** Math.floor(Math.log10(Math.min(10, ...xs) * 0.7)), x1 = 10 ** Math.ceil(Math.log10(Math.max((peak * 1000) / chip.dramGBps, ...xs) * 1.1));
	const y1 = peak * 2, y0 = 10 ** Math.floor(Math.log10(Math.min(peak / 1000, ...ys) * 0.8));
	const px = (value: number) => left + ((Math.log10(value) - Math.log10(x0)) / (Math.log10(x1) - Math.log10(x0))) * (width - left - right);
	const py = (value: number) => top + (1 - (Math.log10(value) - Math.log10(y0)) / (Math.log10(y1) - Math.log10(y0))) * (height - top - bottom);
	const powers = (from: number, to: number) => Array.from({ length: Math.round(Math.log10(to / from)) + 2 }, (_, i) => 10 ** (Math.ceil(Math.log10(from) - 1e-9) + i)).filter((value) => value <= to * 1.001);
	const line = (gbps: number, flat: number) => {
		const from = Math.max(x0, Math.min(x1, (y0 * 1000) / gbps)), knee = Math.min(x1, (flat * 1000) / gbps);
		return knee <= from ? `M ${px(from)} ${py(flat)} L ${px(x1)} ${py(flat)}` : `M ${px(from)} ${py((gbps * from) / 1000)} L ${px(knee)} ${py((gbps * knee) / 1000)} L ${px(x1)} ${py(flat)}`;
	};
	// Names of roofs that lie close together move apart.
	const names = chip.roofs.map((one) => py(one.tflops) + 4);
	for (let i = 1; i < names.length; i++) names[i] = Math.max(names[i], names[i - 1] + 13);
	// Where a slope leaves the picture, at its floor or its left edge, stands its name, as steep as it is.
	const tilt = (Math.atan2(py(1) - py(10), px(10) - px(1)) * 180) / Math.PI, turned = (tilt * Math.PI) / 180;
	let along = 0, before = 0;
	const slopes = chip.slopes.map((one) => {
		const from = Math.max(x0, (y0 * 1000) / one.gbps), to = Math.min(x1, (peak * 1000) / one.gbps), text = `${one.of} ${format.count(one.gbps)} GB/s`, w = text.length * 6;
		const room = Math.hypot(px(to) - px(from), py((one.gbps * to) / 1000) - py((one.gbps * from) / 1000));
		// Slopes close together: the name of the second begins where that of the first ends.
		along = before > 0 && (py(1) - py(one.gbps / before)) * Math.cos(turned) < 22 ? along + w + 24 : 12;
		before = one.gbps;
		const x = px(from) + along * Math.cos(turned) - 7 * Math.sin(turned), y = py((one.gbps * from) / 1000) - along * Math.sin(turned) - 7 * Math.cos(turned);
		// its box in pieces, since it is slanted
		const taken = Array.from({ length: Math.ceil(w / 12) }, (_, i) => ({ x: x + i * 12 * Math.cos(turned) - 8, y: y - i * 12 * Math.sin(turned) - 4, w: 24 }));
		return { ...one, text, x, y, taken, shown: to > from && room > along + w + 12 };
	});
	const sorted = [...points].sort((a, b) => b.share - a.share);
	const circles = sorted.map((point) => ({ x: px(point.intensity), y: py(point.tflops), r: 4 + Math.sqrt(point.share) * 34 }));
	const dots = (ax: number, ay: number, bx: number, by: number) => Array.from({ length: 1 + Math.ceil(Math.hypot(bx - ax, by - ay) / 6) }, (_, i, all = Math.ceil(Math.hypot(bx - ax, by - ay) / 6) || 1) => ({ x: ax + ((bx - ax) * i) / all, y: ay + ((by - ay) * i) / all, r: 1 }));
	const lines = [
		...chip.slopes.flatMap((one) => dots(px(Math.max(x0, (y0 * 1000) / one.gbps)), py((one.gbps * Math.max(x0, (y0 * 1000) / one.gbps)) / 1000), px(Math.min(x1, (peak * 1000) / one.gbps)), py(Math.min(peak, (one.gbps * x1) / 1000)))),
		...chip.roofs.flatMap((one) => dots(px(Math.min(x1, (one.tflops * 1000) / chip.dramGBps)), py(one.tflops), width - right, py(one.tflops))),
		...sorted.flatMap((point, i) => (point.roof > point.tflops ? dots(circles[i].x, circles[i].y - circles[i].r, circles[i].x, py(point.roof)) : [])),
	];
	const labels = placeLabels(circles, sorted.map((point, i) => (point.share < 0.015 && i >= 6 ? 0 : format.short(point.name, 34).length * 6.4)), left, width - right - 4, 14, slopes.filter((one) => one.shown).flatMap((one) => one.taken), lines);
	return (
		<div ref={box} class="chart">
			{width > 50 ? <svg width={width} height={height} role="img" aria-label={`Roofline of ${points.length} ops; the table below has their numbers`} onMouseLeave={() => (tip.value = null)}>
				{powers(x0, x1).map((value) => <g key={"x" + value}><line x1={px(value)} x2={px(value)} y1={top} y2={height - bottom} stroke="var(--line)" /><text x={px(value)} y={height - bottom + 16} font-size="11" fill="var(--soft)" text-anchor="middle">{String(Number(value.toPrecision(3)))}</text></g>)}
				{powers(y0, y1).map((value) => <g key={"y" + value}><line x1={left} x2={width - right} y1={py(value)} y2={py(value)} stroke="var(--line)" /><text x={left - 8} y={py(value) + 4} font-size="11" fill="var(--soft)" text-anchor="end">{String(Number(value.toPrecision(3)))}</text></g>)}
				<text x={(left + width - right) / 2} y={height - 6} font-size="12" fill="var(--soft)" text-anchor="middle">FLOP per byte moved</text>
				<text transform={`translate(14 ${(top + height - bottom) / 2}) rotate(-90)`} font-size="12" fill="var(--soft)" text-anchor="middle">TFLOP/s</text>
				{[0.5, 0.1].map((scale) => <path key={scale} d={line(chip.dramGBps * scale, peak * scale)} fill="none" stroke="var(--strong-line)" stroke-dasharray="3 4" />)}
				{slopes.filter((one) => one.gbps !== chip.dramGBps && one.shown).map((one) => <path key={one.of} d={line(one.gbps, peak)} fill="none" stroke="var(--accent)" stroke-width="1.2" stroke-dasharray="7 3" opacity="0.8" />)}
				{chip.roofs.map((one, i) => <g key={one.of}>
					<path d={line(chip.dramGBps, one.tflops)} fill="none" stroke="var(--accent)" stroke-width={i ? 1.2 : 2} opacity={i ? 0.75 : 1} />
					<path d={`M ${px(Math.min(x1, (one.tflops * 1000) / chip.dramGBps))} ${py(one.tflops)} H ${width - right}`} stroke={FIDELITY[one.of]} stroke-width="4" opacity="0.85" />
					<text x={width - right + 6} y={names[i]} font-size="11" fill="var(--accent)">{one.of} {one.tflops.toFixed(0)} TFLOP/s</text>
				</g>)}
				{sorted.map((point, i) => {
					return <g key={i} style="cursor:pointer" onClick={() => show(point.row)}
						onMouseMove={(event) => (tip.value = { x: event.clientX, y: event.clientY, title: format.short(point.name, 200), lines: [`${point.tflops.toFixed(2)} TFLOP/s at ${point.intensity.toFixed(1)} FLOP per byte`, ...(point.roof > 0 ? [`its limits allow ${point.roof.toFixed(2)} TFLOP/s on ${format.count(point.cores)} cores${point.fidelity ? " at " + point.fidelity : ""}`] : []), `${format.percent(point.percent)} of its roof · ${format.time(point.time)} · ${format.percent(100 * point.share)} of the device time`] })}>
						{point.roof > point.tflops ? <path d={`M ${circles[i].x} ${circles[i].y} V ${py(point.roof)} m -5 0 h 10`} fill="none" stroke="var(--soft)" opacity="0.7" /> : null}
						<circle cx={circles[i].x} cy={circles[i].y} r={circles[i].r} fill={FIDELITY[point.fidelity] ?? OTHERS} fill-opacity="0.75" stroke="var(--ink)" stroke-opacity="0.5" />
					</g>;
				})}
				{labels.map(({ x, y, which }) => <text key={"l" + which} x={x} y={y + 4} font-size="11.5" fill="var(--ink)" stroke="var(--card)" stroke-width="3" style="pointer-events:none;paint-order:stroke">{format.short(sorted[which].name, 34)}</text>)}
				{slopes.filter((one) => one.shown).map((one) => <text key={one.of} transform={`translate(${one.x} ${one.y}) rotate(${-tilt})`} font-size="11" fill="var(--accent)">{one.text}</text>)}
			</svg> : <div style={{ height: height + "px" }} />}
		</div>
	);
}
