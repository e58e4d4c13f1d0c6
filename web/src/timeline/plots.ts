// SPDX-License-Identifier: Apache-2.0
// A value over time as a track: plots of the program, counters, memory.  Per pixel from its lowest to its highest value.
import * as format from "../logic/format";
import type { Axis } from "./axis";
import type { View } from "./paint";
import { lowerBound } from "./search";
import type { Box, Ink, Layer } from "./tracks";

export interface PlotLine {
	name: string;
	unit: string;
	time: ArrayLike<number>;
	value: ArrayLike<number>;
	says?: string;
	most?: number; // what the upper edge stands for, where that is known
}

export const PLOT_HEIGHT = 46;

export function plotText(plot: PlotLine, value: number): string {
	return plot.unit === "B" ? format.bytes(value) : plot.unit === "%" ? format.percent(value) : plot.unit ? format.withUnit(value, plot.unit) : format.count(Math.abs(value) < 1000 ? Math.round(value * 1000) / 1000 : Math.round(value));
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

export function paintPlot(ctx: CanvasRenderingContext2D, plot: PlotLine, axis: Axis, view: View, box: Box, ink: Ink, top: number): void {
	let range = ranges.get(plot);
	if (!range) ranges.set(plot, (range = plotRange(plot)));
	const low = range[0], high = Math.max(range[1], plot.most ?? -Infinity);
	const yOf = (value: number) => box.y + box.height - 4 - ((value - low) / (high - low)) * (box.height - 8);
	ctx.save();
	ctx.beginPath();
	ctx.rect(box.x, Math.max(top, box.y), box.width, box.height);
	ctx.clip();
	ctx.beginPath();
	const per = (view.t1 - view.t0) / box.width, n = plot.time.length, floor = yOf(low);
	let last = plotAt(plot, axis.from(view.t0));
	const area = new Path2D();
	let at = axis.from(view.t0);
	for (let x = 0; x < box.width; x++) {
		const next = axis.from(view.t0 + (x + 1) * per);
		const from = lowerBound(plot.time, at, 0, n), to = lowerBound(plot.time, next, from, n);
		at = next;
		let a = last, b = last;
		for (let i = from; i < to; i += to - from > 64 ? Math.ceil((to - from) / 64) : 1) {
			if (!(plot.value[i] >= a)) a = plot.value[i];
			if (!(plot.value[i] <= b)) b = plot.value[i];
		}
		if (to > from) last = plot.value[to - 1];
		if (!Number.isFinite(a) || !Number.isFinite(b)) continue;
		ctx.moveTo(box.x + x + 0.5, yOf(b) - 0.75);
		ctx.lineTo(box.x + x + 0.5, yOf(a) + 0.75);
		area.rect(box.x + x, yOf(b), 1, floor - yOf(b));
	}
	ctx.fillStyle = ink.accent;
	ctx.globalAlpha = 0.2;
	ctx.fill(area);
	ctx.globalAlpha = 1;
	ctx.strokeStyle = ink.accent;
	ctx.stroke();
	ctx.font = "10px system-ui, sans-serif";
	ctx.textBaseline = "top";
	const text = plotText(plot, high);
	ctx.fillStyle = ink.ground;
	ctx.globalAlpha = 0.75;
	ctx.fillRect(box.x + 2, box.y + 2, ctx.measureText(text).width + 4, 12);
	ctx.globalAlpha = 1;
	ctx.fillStyle = ink.soft;
	ctx.fillText(text, box.x + 4, box.y + 3);
	ctx.restore();
}

export function plotLayer(plot: PlotLine): Layer {
	return {
		height: PLOT_HEIGHT,
		draw: (ctx, axis, view, box, ink, top) => paintPlot(ctx, plot, axis, view, box, ink, top),
		at: (time) => {
			const value = plotAt(plot, time);
			return { title: format.short(plot.name, 200), lines: [`${Number.isNaN(value) ? "no value yet" : plotText(plot, value)} at ${format.time(time)}`, ...(plot.says ? [plot.says] : [])], t0: time, t1: time };
		},
	};
}
