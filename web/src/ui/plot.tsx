// SPDX-License-Identifier: Apache-2.0
// Series over a number: lines or points, with the values under the mouse in the legend.
import { useRef, useState } from "preact/hooks";
import { path, scaleOf, ticks } from "../logic/chart";
import { useSize } from "./size";

export interface Series {
	name: string;
	values: (number | null)[];
	colour?: string;
	points?: boolean; // points alone, no line
}

export interface PlotProps {
	label: string;
	x: number[]; // rising
	xText(value: number): string;
	xName: string;
	yText(value: number): string;
	series: Series[];
	height?: number;
	onPick?(index: number): void;
}

const STRONG = ["#3f78bd", "#c8772a", "#3d9457", "#c2504a", "#8262b8", "#7d8794"];
const LEFT = 66, BELOW = 22, ABOVE = 6, RIGHT = 8;
const DOTS = 400; // points that a line shows

export function Plot(props: PlotProps) {
	const { x, series } = props;
	const box = useRef<HTMLDivElement>(null);
	const { width } = useSize(box);
	const [at, setAt] = useState(-1);
	const height = props.height ?? 200;
	const colour = (i: number) => series[i].colour ?? STRONG[i % STRONG.length];
	if (x.length === 0) return null;
	const xs = scaleOf([x[0], x[x.length - 1]], LEFT, Math.max(LEFT + 1, width - RIGHT), false);
	const ys = scaleOf(series.flatMap((one) => one.values.filter((value): value is number => value !== null)), height - BELOW, ABOVE, true);
	const nearest = (event: MouseEvent) => {
		const place = event.clientX - box.current!.getBoundingClientRect().left;
		let low = 0, high = x.length - 1;
		while (high - low > 1) {
			const middle = (low + high) >> 1;
			if (xs.at(x[middle]) < place) low = middle;
			else high = middle;
		}
		return Math.abs(xs.at(x[low]) - place) < Math.abs(xs.at(x[high]) - place) ? low : high;
	};
	const dots = series.flatMap((one, i) => (one.points || x.length < DOTS
		? one.values.flatMap((value, k) => (value === null ? [] : [<circle key={i + "." + k} cx={xs.at(x[k])} cy={ys.at(value)} r={one.points ? 3 : 2} fill={colour(i)} />])) : []));
	return (
		<div class="chart" ref={box} role="img" aria-label={props.label} style={{ minHeight: height + "px" }}>
			{width > LEFT + 40 ? <svg class="plot" width={width} height={height} onPointerMove={(event) => setAt(nearest(event))} onPointerLeave={() => setAt(-1)} onClick={(event) => props.onPick?.(nearest(event))}>
				{ticks(ys.low, ys.high, Math.max(2, height / 40)).map((value) => (
					<g key={value}><line x1={LEFT} x2={width - RIGHT} y1={ys.at(value)} y2={ys.at(value)} /><text x={LEFT - 6} y={ys.at(value) + 4} text-anchor="end">{props.yText(value)}</text></g>
				))}
				{ticks(xs.low, xs.high, Math.max(2, width / 90)).map((value) => (
					<text key={value} x={xs.at(value)} y={height - 6} text-anchor={xs.at(value) > width - 40 ? "end" : "middle"}>{props.xText(value)}</text>
				))}
				{series.map((one, i) => (one.points ? null : <path key={one.name} d={path(x, one.values, xs.at, ys.at)} stroke={colour(i)} />))}
				{dots}
				{at >= 0 ? <line class="cursor" x1={xs.at(x[at])} x2={xs.at(x[at])} y1={ABOVE} y2={height - BELOW} /> : null}
			</svg> : null}
			<p class="legend plotted" aria-hidden="true">
				<span>{props.xName} <b>{at >= 0 ? props.xText(x[at]) : "–"}</b></span>
				{series.map((one, i) => {
					const value = at >= 0 ? one.values[at] : null;
					return <span key={one.name}><i style={{ background: colour(i) }} />{one.name} <b>{value === null || value === undefined ? "–" : props.yText(value)}</b></span>;
				})}
			</p>
		</div>
	);
}
