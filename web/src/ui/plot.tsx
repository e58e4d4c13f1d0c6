// SPDX-License-Identifier: Apache-2.0
// Series over a number, by uPlot, in the page's colours.
import uPlot from "uplot";
import { useLayoutEffect, useRef } from "preact/hooks";
import { dark } from "../state";
import { useSize } from "./size";

export interface Series {
	name: string;
	values: (number | null)[];
	colour?: string;
	points?: boolean; // points alone, no line
	bars?: boolean;
}

export interface PlotProps {
	label: string;
	x: number[];
	xText(value: number): string;
	xName: string;
	yText(value: number): string;
	series: Series[];
	height?: number;
	onPick?(index: number): void;
	log?: boolean;
}

function css(name: string): string {
	return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

const STRONG = ["#3f78bd", "#c8772a", "#3d9457", "#c2504a", "#8262b8", "#7d8794"];

export function Plot(props: PlotProps) {
	const box = useRef<HTMLDivElement>(null);
	const { width } = useSize(box);
	const height = props.height ?? 200;
	const isDark = dark.value;
	useLayoutEffect(() => {
		const element = box.current;
		if (!element || width < 40 || props.x.length === 0) return;
		const soft = css("--soft"), line = css("--line");
		const axis = { stroke: soft, grid: { stroke: line, width: 1 }, ticks: { stroke: line, width: 1 }, font: "11px system-ui, sans-serif" };
		const plot = new uPlot({
			width, height, legend: { show: props.series.length > 1, live: true },
			cursor: { points: { size: 7 }, drag: { x: true, y: false } },
			scales: { x: { time: false }, y: { range: (_, low, high) => [Math.min(0, low), high > 0 ? high * 1.08 : 1] } },
			axes: [
				{ ...axis, values: (_, ticks) => ticks.map(props.xText) },
				{ ...axis, size: 66, values: (_, ticks) => ticks.map(props.yText) },
			],
			series: [
				{ label: props.xName, value: (_, value) => (value === null || value === undefined ? "–" : props.xText(value)) },
				...props.series.map((series, i) => ({
					label: series.name, stroke: series.colour ?? STRONG[i % STRONG.length], width: series.points ? 0 : 1.5,
					fill: series.bars ? (series.colour ?? STRONG[i % STRONG.length]) + "aa" : undefined,
					paths: series.bars ? uPlot.paths.bars?.({ size: [1, Infinity], align: 1 }) : undefined,
					points: { show: !series.bars && (series.points || props.x.length < 400), size: series.points ? 6 : 4, fill: series.colour ?? STRONG[i % STRONG.length] },
					value: (_: uPlot, value: number | null) => (value === null || value === undefined ? "–" : props.yText(value)),
				})),
			],
		}, [props.x, ...props.series.map((series) => series.values)] as uPlot.AlignedData, element);
		const pick = () => {
			if (props.onPick && plot.cursor.idx !== null && plot.cursor.idx !== undefined) props.onPick(plot.cursor.idx);
		};
		plot.over.addEventListener("click", pick);
		return () => plot.destroy();
	}, [width, height, isDark, props.x, props.series]);
	return <div class="chart" ref={box} role="img" aria-label={props.label} style={{ minHeight: height + "px" }} />;
}
