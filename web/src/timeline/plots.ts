// SPDX-License-Identifier: Apache-2.0
// A plot of the program as a lane of the timeline: per pixel from its lowest to its highest value.
import * as format from "../logic/format";
import type { View } from "./paint";
import { lowerBound } from "./search";
import type { PlotLine } from "./tracks";

interface Box {
	x: number;
	y: number;
	width: number;
	height: number;
}

export function plotText(plot: PlotLine, value: number): string {
	return plot.unit === "B" ? format.bytes(value) : plot.unit === "%" ? format.percent(value) : format.count(Math.abs(value) < 1000 ? Math.round(value * 1000) / 1000 : Math.round(value));
}

// The value at a time: that of the last point before it.
export function plotAt(plot: PlotLine, time: number): number {
	const i = lowerBound(plot.time, time, 0, plot.time.length);
	return i < plot.time.length && plot.time[i] === time ? plot.value[i] : i > 0 ? plot.value[i - 1] : NaN;
}

export function plotRange(plot: PlotLine): [number, number] {
	let low = 0, high = -Infinity;
	for (let i = 0; i < plot.value.length; i++) {
		if (plot.value[i] < low) low = plot.value[i];
		if (plot.value[i] > high) high = plot.value[i];
	}
	return [low, high > low ? high : low + 1];
}

const ranges = new WeakMap<PlotLine, [number, number]>();

export function paintPlot(ctx: CanvasRenderingContext2D, plot: PlotLine, view: View, box: Box, look: { accent: string; soft: string; ground: string }, top: number): void {
	let range = ranges.get(plot);
	if (!range) ranges.set(plot, (range = plotRange(plot)));
	const [low, high] = range;
	const yOf = (value: number) => box.y + box.height - 4 - ((value - low) / (high - low)) * (box.height - 8);
	ctx.save();
	ctx.beginPath();
	ctx.rect(box.x, Math.max(top, box.y), box.width, box.height);
	ctx.clip();
	ctx.beginPath();
	const per = (view.t1 - view.t0) / box.width, n = plot.time.length;
	let last = plotAt(plot, view.t0);
	for (let x = 0; x < box.width; x++) {
		const from = lowerBound(plot.time, view.t0 + x * per, 0, n), to = lowerBound(plot.time, view.t0 + (x + 1) * per, from, n);
		let a = last, b = last;
		for (let i = from; i < to; i += to - from > 64 ? Math.ceil((to - from) / 64) : 1) {
			if (!(plot.value[i] >= a)) a = plot.value[i];
			if (!(plot.value[i] <= b)) b = plot.value[i];
		}
		if (to > from) last = plot.value[to - 1];
		if (!Number.isFinite(a) || !Number.isFinite(b)) continue;
		ctx.moveTo(box.x + x + 0.5, yOf(b) - 0.75);
		ctx.lineTo(box.x + x + 0.5, yOf(a) + 0.75);
	}
	ctx.strokeStyle = look.accent;
	ctx.stroke();
	ctx.font = "10px system-ui, sans-serif";
	ctx.textBaseline = "top";
	const text = plotText(plot, high);
	ctx.fillStyle = look.ground;
	ctx.globalAlpha = 0.75;
	ctx.fillRect(box.x + 2, box.y + 2, ctx.measureText(text).width + 4, 12);
	ctx.globalAlpha = 1;
	ctx.fillStyle = look.soft;
	ctx.fillText(text, box.x + 4, box.y + 3);
	ctx.restore();
}
