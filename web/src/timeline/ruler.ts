// SPDX-License-Identifier: Apache-2.0
// What names stretches of time above all lanes: steps and phases of a training, parts between signposts, signposts, notes.
import { find, type Ops } from "../data/ops";
import type { Run } from "../data/run";
import * as format from "../logic/format";
import { phaseRows } from "../logic/notebook";
import { opView } from "../logic/opview";
import { partsOf, spanOf } from "../logic/parts";
import { PHASE, INK } from "../ui/colour";
import type { Axis } from "./axis";
import type { View } from "./paint";
import type { Ink } from "./tracks";

export interface Mark {
	t0: number;
	t1: number; // the same: a moment
	text: string;
	colour: string; // "": of the theme
}

export interface RulerBand {
	name: string;
	marks: Mark[]; // by time
}

export const BAND_HEIGHT = 18;

function phasesOf(ops: Ops): Mark[] {
	const view = opView(ops), start = view.start, end = view.end;
	if (!start || !end) return [];
	const list: Mark[] = [];
	for (const { phase, from, to } of phaseRows(ops)) {
		let t0 = Infinity, t1 = -Infinity;
		for (let row = from; phase !== "other" && row < to; row++) {
			const a = start.number(row), b = end.number(row);
			if (a < t0) t0 = a;
			if (b > t1) t1 = b;
		}
		if (t1 > t0) list.push({ t0, t1, text: phase.replace("_", " "), colour: PHASE[phase] });
	}
	return list;
}

function partMarks(ops: Ops, steps: boolean): Mark[] {
	const list: Mark[] = [];
	for (const part of partsOf(ops)) {
		if ((part.iteration !== null) !== steps) continue;
		const span = spanOf(ops, part);
		if (span) list.push({ t0: span[0], t1: span[1], text: part.name.replace(/^iteration /, "step ").replace(/^after /, ""), colour: "" });
	}
	return list;
}

// Parts overlap where devices differ: then they are cut where the next begins.
function apart(marks: Mark[]): Mark[] {
	marks.sort((a, b) => a.t0 - b.t0);
	return marks.map((mark, i) => (i + 1 < marks.length && marks[i + 1].t0 < mark.t1 ? { ...mark, t1: Math.max(mark.t0, marks[i + 1].t0) } : mark));
}

export function rulerOf(run: Run): RulerBand[] {
	const { ops, signposts, strings } = run;
	const bands: RulerBand[] = [];
	const add = (name: string, marks: Mark[]) => {
		if (marks.length) bands.push({ name, marks: apart(marks) });
	};
	if (ops && find(ops, "start_ns")) {
		add("steps", partMarks(ops, true));
		add("phases", phasesOf(ops));
		add("parts by signposts", partMarks(ops, false));
	}
	if (signposts)
		add("signposts", Array.from({ length: signposts.n }, (_, i) => ({ t0: signposts.time[i], t1: signposts.time[i], text: strings[signposts.name[i]] ?? "", colour: "" })));
	return bands;
}

export function markAt(band: RulerBand, axis: Axis, time: number, near: number): Mark | null {
	const at = axis.to(time);
	let best: Mark | null = null;
	for (const mark of band.marks) {
		const from = axis.to(mark.t0), to = axis.to(mark.t1);
		if (mark.t1 > mark.t0 ? at >= from && at <= to : at >= from - near && at <= from + near * 12) best = mark;
	}
	return best;
}

export function paintRuler(ctx: CanvasRenderingContext2D, bands: RulerBand[], axis: Axis, view: View, x: number, width: number, y: number, ink: Ink & { line: string }): void {
	ctx.save();
	ctx.beginPath();
	ctx.rect(x, y, width, bands.length * BAND_HEIGHT);
	ctx.clip();
	ctx.font = "11px system-ui, sans-serif";
	ctx.textBaseline = "middle";
	const per = width / (view.t1 - view.t0), xOf = (time: number) => x + (axis.to(time) - view.t0) * per;
	bands.forEach((band, k) => {
		const top = y + k * BAND_HEIGHT;
		const { marks } = band;
		let free = x, painted = -2;
		for (let i = 0; i < marks.length; i++) {
			const mark = marks[i], from = xOf(mark.t0), to = xOf(mark.t1);
			if (to < x) continue;
			if (from > x + width) break;
			const moment = mark.t1 <= mark.t0, left = Math.max(x, from), wide = moment ? 2 : Math.max(1, Math.min(x + width, to) - left);
			if (left + wide < painted + 1.5) continue; // nothing that could be seen
			painted = left + wide;
			ctx.fillStyle = mark.colour || ink.accent;
			ctx.globalAlpha = mark.colour ? 1 : moment ? 1 : i % 2 ? 0.22 : 0.34;
			ctx.fillRect(left, top + 1, wide, BAND_HEIGHT - 3);
			ctx.globalAlpha = 1;
			const next = i + 1 < marks.length ? xOf(marks[i + 1].t0) : x + width;
			const begin = Math.max(left + (moment ? 4 : 5), free), room = (moment ? Math.min(next, x + width) : left + wide) - begin - 4;
			if (room < 14) continue;
			let text = format.short(mark.text, 80);
			if (ctx.measureText(text).width > room) {
				let fits = Math.floor((text.length * room) / ctx.measureText(text).width) - 1;
				while (fits >= 2 && ctx.measureText(text.slice(0, fits) + "…").width > room) fits--; // letters differ
				if (fits < 2) continue;
				text = text.slice(0, fits) + "…";
			}
			ctx.fillStyle = mark.colour ? INK : ink.soft;
			ctx.fillText(text, begin, top + BAND_HEIGHT / 2);
			free = begin + ctx.measureText(text).width + 3;
		}
		ctx.strokeStyle = ink.line;
		ctx.beginPath();
		ctx.moveTo(x, top + BAND_HEIGHT - 0.5);
		ctx.lineTo(x + width, top + BAND_HEIGHT - 0.5);
		ctx.stroke();
	});
	ctx.restore();
}
