// SPDX-License-Identifier: Apache-2.0
// The picture of the timeline: two canvases, one for lanes, one above it for what follows the mouse.
import { outline, type Run } from "../data/run";
import type { LaneInfo } from "../data/types";
import type { Zones } from "../data/zones";
import * as format from "../logic/format";
import { INK } from "../ui/colour";
import type { Axis } from "./axis";
import { laneShape, type Band } from "./band";
import { arrows, folds, messages, posts, type Spot } from "./marks";
import { opLook, type OpLook } from "./oplook";
import { carve, densityOf, paintBand, paintDensity, thicken, type Label, type View } from "./paint";
import { zoneLabel, type LanePalette } from "./palette";
import { BAND_HEIGHT, paintRuler, type RulerBand } from "./ruler";
import { pinnedHeight, topOf, type Row } from "./tracks";

export const AXIS = 26;
export const STRIP = 30; // the whole run, above the axis
export const RULER = AXIS + STRIP; // where the ruler's bands begin
const BINS = 4096;

export interface Look {
	ground: string;
	ink: string;
	soft: string;
	line: string;
	accent: string;
	mark: string;
}

export interface Scene {
	axis: Axis;
	ruler: RulerBand[];
	view: View; // along the axis
	rows: Row[];
	scroll: number;
	palette: LanePalette;
	look: Look;
	chosen: number; // a zone
	chosenRow: number; // the keyboard's row
	hover: { x: number; y: number } | null;
	range: { t0: number; t1: number; y0: number; y1: number } | null;
	measure: { from: number; to: number } | null;
	arrows: boolean;
}

// Of the whole run, made with the first zones that come: later ones may be of a window.
const strips = new WeakMap<Axis, WeakMap<Run, Float32Array>>();

// Lanes begin below the axis and the ruler.
export function topOfLanes(scene: Scene): number {
	return RULER + scene.ruler.length * BAND_HEIGHT;
}

export class Stage {
	width = 0;
	height = 0;
	gutter = 210;
	private image: ImageData | null = null;
	private pixels = new Uint32Array(0);
	private readonly densities = new WeakMap<Axis, Map<number, Float32Array>>();
	private readonly talls = new Map<number, Uint8Array>();
	private readonly widths = new Map<string, number>();
	private axis: Axis | null = null;
	private look: OpLook | null;
	top = RULER;
	spots: Spot[] = []; // what small marks say, for the mouse
	lastPaint = 0;

	constructor(readonly run: Run, public zones: Zones, readonly main: HTMLCanvasElement, readonly over: HTMLCanvasElement) {
		this.look = opLook(run);
	}

	resize(width: number, height: number): void {
		const scale = window.devicePixelRatio || 1;
		this.width = width;
		this.height = height;
		for (const canvas of [this.main, this.over]) {
			canvas.width = Math.round(width * scale);
			canvas.height = Math.round(height * scale);
			canvas.style.width = width + "px";
			canvas.style.height = height + "px";
		}
		this.image = null;
	}

	get laneWidth(): number {
		return Math.max(10, this.width - this.gutter);
	}

	// Along the axis.
	placeAt(view: View, x: number): number {
		return view.t0 + ((x - this.gutter) / this.laneWidth) * (view.t1 - view.t0);
	}

	timeAt(view: View, x: number): number {
		const at = this.placeAt(view, x);
		return this.axis ? this.axis.from(at) : at;
	}

	xOf(view: View, time: number): number {
		const at = this.axis ? this.axis.to(time) : time;
		return this.gutter + ((at - view.t0) / (view.t1 - view.t0)) * this.laneWidth;
	}

	// The row and lane under a point.
	hit(scene: Scene, y: number): { row: Row; lane: LaneInfo | null } | null {
		const top = this.top;
		if (y < top) return null;
		const pinned = y - top < pinnedHeight(scene.rows), at = pinned ? y - top : y - top + scene.scroll;
		const row = scene.rows.find((one) => one.pinned === pinned && at >= one.y && at < one.y + one.height);
		if (!row) return null;
		const index = row.lanes.length > 1 ? Math.floor((at - row.y) / row.lane) : 0;
		return { row, lane: row.lanes[Math.min(index, row.lanes.length - 1)] ?? null };
	}

	// Where a lane is painted, or null when its row is closed or out of sight.
	laneY(scene: Scene, lane: LaneInfo): number | null {
		return this.place(scene, lane)?.y ?? null;
	}

	place(scene: Scene, lane: LaneInfo): { y: number; tall: number } | null {
		for (const row of scene.rows) {
			const index = row.lanes.indexOf(lane);
			if (index >= 0) return { y: this.top + topOf(row, scene.scroll) + index * row.lane, tall: row.lanes.length === 1 ? row.height - 3 : row.lane - 1 };
		}
		return null;
	}

	labelOf(zone: number, lane: LaneInfo): string {
		return zoneLabel(this.run, this.zones, zone, lane);
	}

	private bandOf(scene: Scene, lane: LaneInfo): Band {
		const shape = laneShape(scene.axis, this.zones, lane);
		return { ...shape, colours: scene.palette.ofLane(this.zones, lane), tall: lane.kind === "ops" ? this.tallOf(lane) : null };
	}

	// Of 255, for each zone of a lane of ops: its share of the device's cores.
	private tallOf(lane: LaneInfo): Uint8Array | null {
		const { op } = this.zones, { look } = this;
		if (!op || !look || this.run.windowed) return null;
		let list = this.talls.get(lane.id);
		if (!list) {
			list = new Uint8Array(lane.count);
			for (let i = 0; i < lane.count; i++) {
				const share = op[lane.first + i] ? look.cores(op[lane.first + i]) : NaN;
				list[i] = share > 0 ? Math.max(20, Math.round(share * 255)) : 255;
			}
			this.talls.set(lane.id, list);
		}
		return list;
	}

	paint(scene: Scene): void {
		const began = performance.now();
		const scale = window.devicePixelRatio || 1;
		this.axis = scene.axis;
		const top = (this.top = topOfLanes(scene));
		const width = Math.round(this.laneWidth * scale), height = Math.round((this.height - top) * scale);
		const ctx = this.main.getContext("2d", { alpha: false })!;
		if (width < 1 || height < 1) return;
		if (!this.image || this.image.width !== width || this.image.height !== height) {
			this.image = new ImageData(width, height);
			this.pixels = new Uint32Array(this.image.data.buffer);
		}
		const { palette, look } = scene;
		this.pixels.fill(palette.ground);
		const columns = new Uint8Array(width);
		let labels: (Label & { text(i: number): string })[] = [];
		const pinned = Math.round(pinnedHeight(scene.rows) * scale);
		const band = (one: Band, text: (i: number) => string, y: number, tall: number) => {
			const from = Math.max(0, y), rest = y + tall - from;
			if (rest <= 0 || from >= height) return;
			const mine: Label[] = [];
			if (one.tall) columns.fill(0);
			paintBand(this.pixels, from * width, width, one, scene.view, palette, mine, one.tall ? y + tall - 9 * scale : from + rest / 2, one.tall ? columns : null);
			thicken(this.pixels, width, from, rest, height);
			if (one.tall && y >= 0) carve(this.pixels, width, from, rest, height, columns, palette.ground);
			for (const label of mine) if (one.colours[label.zone]) labels.push({ ...label, text });
		};
		for (const row of pinned ? [...scene.rows.filter((one) => !one.pinned), ...scene.rows.filter((one) => one.pinned)] : scene.rows) {
			const above = topOf(row, scene.scroll);
			if (row.pinned && row.y === 0) {
				// the others go on below them
				this.pixels.fill(palette.ground, 0, Math.min(pinned, height) * width);
				labels = labels.filter((label) => label.y > pinned);
			}
			if (above + row.height <= 0 || above >= this.height - top) continue;
			if (row.density && !this.run.windowed) this.paintGroup(scene, row, width, height, scale);
			const { layer } = row.track;
			if (layer?.band) band(layer.band(scene.axis, palette), (i) => layer.label?.(i) ?? "", Math.round((above + 1) * scale), Math.round((row.height - 3) * scale));
			row.lanes.forEach((lane, i) => {
				const y = Math.round((above + i * row.lane + 1) * scale);
				const tall = Math.round((row.lanes.length === 1 ? row.height - 3 : row.lane - 1) * scale);
				band(this.bandOf(scene, lane), (zone) => this.labelOf(lane.first + zone, lane), y, tall);
			});
		}
		ctx.setTransform(1, 0, 0, 1, 0, 0);
		ctx.fillStyle = look.ground;
		ctx.fillRect(0, 0, this.main.width, this.main.height);
		ctx.putImageData(this.image, Math.round(this.gutter * scale), Math.round(top * scale));
		ctx.setTransform(scale, 0, 0, scale, 0, 0);
		folds(ctx, this, scene);
		this.drawLabels(ctx, labels, scale);
		this.drawLines(ctx, scene);
		this.drawAxis(ctx, scene);
		paintRuler(ctx, scene.ruler, scene.axis, scene.view, this.gutter, this.laneWidth, RULER, look);
		this.drawStrip(ctx, scene);
		this.lastPaint = performance.now() - began;
	}

	private paintGroup(scene: Scene, row: Row, width: number, height: number, scale: number): void {
		const { axis } = scene;
		let of = this.densities.get(axis);
		if (!of) this.densities.set(axis, (of = new Map()));
		let density = of.get(row.track.id);
		if (!density) of.set(row.track.id, (density = densityOf(row.density!.map((lane) => laneShape(axis, this.zones, lane)), axis.span, BINS)));
		const y = Math.round((topOf(row, scene.scroll) + 1) * scale), from = Math.max(0, y), rest = y + Math.round((row.height - 3) * scale) - from;
		if (rest <= 0 || from >= height) return;
		paintDensity(this.pixels, from * width, width, density, axis.span, scene.view, scene.palette, 1);
		thicken(this.pixels, width, from, rest, height);
	}

	private drawLabels(ctx: CanvasRenderingContext2D, labels: (Label & { text(i: number): string })[], scale: number): void {
		ctx.font = "11px system-ui, sans-serif";
		ctx.textBaseline = "middle";
		ctx.textAlign = "left";
		ctx.fillStyle = INK;
		const most = Math.min(labels.length, 1500);
		for (let i = 0; i < most; i++) {
			const label = labels[i];
			const y = this.top + label.y / scale + 0.5;
			if (y < this.top + 4 || y > this.height) continue;
			const name = label.text(label.zone).slice(0, 300);
			let wide = this.widths.get(name);
			if (wide === undefined) this.widths.set(name, (wide = ctx.measureText(name).width));
			const room = label.w / scale - 8;
			const x = this.gutter + label.x / scale + 4;
			if (wide <= room) ctx.fillText(name, x, y);
			else {
				const fits = Math.floor((name.length * room) / wide) - 1;
				if (fits >= 2) ctx.fillText(name.slice(0, fits) + "…", x, y, room);
			}
		}
	}

	private drawLines(ctx: CanvasRenderingContext2D, scene: Scene): void {
		const pinned = pinnedHeight(scene.rows), { top } = this;
		ctx.strokeStyle = scene.look.line;
		ctx.lineWidth = 1;
		ctx.beginPath();
		for (const row of scene.rows) {
			const y = top + topOf(row, scene.scroll) + row.height - 0.5;
			if (y < top || y > this.height || (!row.pinned && y < top + pinned)) continue;
			ctx.moveTo(this.gutter, y);
			ctx.lineTo(this.width, y);
		}
		ctx.stroke();
		this.spots = [];
		posts(ctx, this, scene);
		for (const row of scene.rows) {
			const y = top + topOf(row, scene.scroll);
			if (row.track.layer?.draw && y + row.height > top && y < this.height)
				row.track.layer.draw(ctx, scene.axis, scene.view, { x: this.gutter, y, width: this.laneWidth, height: row.height }, scene.look, row.pinned ? top : top + pinned);
		}
		messages(ctx, this, scene);
		if (scene.arrows) arrows(ctx, this, scene);
	}

	private drawAxis(ctx: CanvasRenderingContext2D, scene: Scene): void {
		const { view, look, axis } = scene;
		ctx.fillStyle = look.ground;
		ctx.fillRect(0, STRIP, this.width, this.top - STRIP);
		ctx.strokeStyle = look.line;
		ctx.fillStyle = look.soft;
		ctx.font = "11px system-ui, sans-serif";
		ctx.textBaseline = "middle";
		const span = view.t1 - view.t0, step = format.niceStep(span, this.laneWidth / 110);
		ctx.beginPath();
		ctx.moveTo(0, RULER - 0.5);
		ctx.lineTo(this.width, RULER - 0.5);
		for (let at = Math.ceil(view.t0 / step) * step; at < view.t1; at += step) {
			const x = Math.round(this.gutter + ((at - view.t0) / span) * this.laneWidth) + 0.5, time = axis.from(at);
			ctx.moveTo(x, RULER - 7);
			ctx.lineTo(x, RULER);
			const text = axis.kind === "time" ? format.tick(Math.abs(time) < step / 1e6 ? 0 : time, step) : format.exact(time, Math.max(1, Math.abs(axis.from(at + step) - time) / 3));
			if (x + 6 + ctx.measureText(text).width < this.width) ctx.fillText(text, x + 3, STRIP + 11);
		}
		ctx.stroke();
		const whole = axis.from(view.t1) - axis.from(view.t0);
		ctx.fillText(format.time(whole) + " in sight" + (axis.kind === "fold" ? ", idle folded" : axis.kind === "ops" ? ", by op" : ""), 8, STRIP + 12, this.gutter - 12);
		scene.ruler.forEach((one, i) => ctx.fillText(one.name, 8, RULER + (i + 0.5) * BAND_HEIGHT, this.gutter - 12));
	}

	private drawStrip(ctx: CanvasRenderingContext2D, scene: Scene): void {
		const { span } = scene.axis;
		let of = strips.get(scene.axis);
		if (!of) strips.set(scene.axis, (of = new WeakMap()));
		let strip = of.get(this.run);
		if (!strip) of.set(this.run, (strip = densityOf(outline(this.run.lanes).map((lane) => laneShape(scene.axis, this.zones, lane)), span, 1024)));
		ctx.fillStyle = scene.look.ground;
		ctx.fillRect(0, 0, this.width, STRIP);
		ctx.fillStyle = scene.look.accent;
		ctx.globalAlpha = 0.45;
		for (let x = 0; x < this.laneWidth; x++) {
			const a = Math.floor((x / this.laneWidth) * strip.length), b = Math.max(a + 1, Math.floor(((x + 1) / this.laneWidth) * strip.length));
			let most = 0;
			for (let i = a; i < b; i++) most = Math.max(most, strip[i]);
			if (most > 0) ctx.fillRect(this.gutter + x, STRIP - 4 - most * (STRIP - 8), 1, most * (STRIP - 8));
		}
		const x0 = this.gutter + (scene.view.t0 / span) * this.laneWidth, x1 = this.gutter + (scene.view.t1 / span) * this.laneWidth;
		ctx.globalAlpha = 0.14;
		const left = Math.max(this.gutter, x0), wide = Math.max(3, Math.min(this.width, x1) - left);
		ctx.fillRect(left, 1, wide, STRIP - 3);
		ctx.globalAlpha = 1;
		ctx.strokeStyle = scene.look.accent;
		ctx.strokeRect(left + 0.5, 1.5, wide - 1, STRIP - 4);
		ctx.fillStyle = scene.look.soft;
		ctx.fillText("whole run " + format.time(this.run.manifest.span_ns), 8, STRIP / 2 + 1, this.gutter - 12);
		ctx.strokeStyle = scene.look.line;
		ctx.beginPath();
		ctx.moveTo(0, STRIP - 0.5);
		ctx.lineTo(this.width, STRIP - 0.5);
		ctx.stroke();
	}

	// What follows the mouse and the choice, on the canvas above.
	overlay(scene: Scene): void {
		const scale = window.devicePixelRatio || 1;
		const ctx = this.over.getContext("2d")!;
		ctx.setTransform(scale, 0, 0, scale, 0, 0);
		ctx.clearRect(0, 0, this.width, this.height);
		const { view, look } = scene;
		ctx.save();
		ctx.beginPath();
		ctx.rect(this.gutter, STRIP, this.laneWidth, this.height);
		ctx.clip();
		const row = scene.rows[scene.chosenRow];
		if (row) {
			ctx.fillStyle = look.accent;
			ctx.fillRect(this.gutter, this.top + topOf(row, scene.scroll), 3, row.height - 1);
		}
		if (scene.range) {
			const x0 = this.xOf(view, scene.range.t0), x1 = this.xOf(view, scene.range.t1);
			ctx.fillStyle = look.accent;
			ctx.globalAlpha = 0.13;
			ctx.fillRect(x0, this.top + scene.range.y0 - scene.scroll, x1 - x0, scene.range.y1 - scene.range.y0);
			ctx.globalAlpha = 1;
			ctx.strokeStyle = look.accent;
			ctx.strokeRect(x0 + 0.5, this.top + scene.range.y0 - scene.scroll + 0.5, x1 - x0, scene.range.y1 - scene.range.y0);
		}
		if (scene.chosen >= 0) this.outline(ctx, scene);
		if (scene.measure) this.drawMeasure(ctx, scene, scene.measure);
		if (scene.hover && scene.hover.y > STRIP) {
			ctx.strokeStyle = look.soft;
			ctx.globalAlpha = 0.6;
			ctx.beginPath();
			ctx.moveTo(Math.round(scene.hover.x) + 0.5, this.top);
			ctx.lineTo(Math.round(scene.hover.x) + 0.5, this.height);
			ctx.stroke();
			ctx.globalAlpha = 1;
		}
		ctx.restore();
	}

	private outline(ctx: CanvasRenderingContext2D, scene: Scene): void {
		const zone = scene.chosen;
		const lane = this.run.lanes.find((one) => zone >= one.first && zone < one.first + one.count);
		const place = lane ? this.place(scene, lane) : null;
		if (place === null) return;
		const { y, tall } = place;
		const x0 = this.xOf(scene.view, this.zones.start[zone]), x1 = this.xOf(scene.view, this.zones.start[zone] + this.zones.dur[zone]);
		ctx.strokeStyle = scene.look.ink;
		ctx.lineWidth = 2;
		if (y + tall > this.top) ctx.strokeRect(Math.max(x0, this.gutter - 4), Math.max(this.top, y) + 1, Math.max(3, Math.min(x1, this.width + 4) - Math.max(x0, this.gutter - 4)), tall);
		ctx.lineWidth = 1;
	}

	private drawMeasure(ctx: CanvasRenderingContext2D, scene: Scene, measure: { from: number; to: number }): void {
		const x0 = this.xOf(scene.view, measure.from), x1 = this.xOf(scene.view, measure.to);
		ctx.strokeStyle = ctx.fillStyle = scene.look.mark;
		ctx.beginPath();
		for (const x of [x0, x1]) {
			ctx.moveTo(x, this.top);
			ctx.lineTo(x, this.height);
		}
		ctx.moveTo(x0, this.top + 14);
		ctx.lineTo(x1, this.top + 14);
		ctx.stroke();
		const text = format.time(Math.abs(measure.to - measure.from));
		ctx.font = "600 12px system-ui, sans-serif";
		const wide = ctx.measureText(text).width + 12;
		const x = Math.max(this.gutter, Math.min(this.width - wide, (x0 + x1) / 2 - wide / 2));
		ctx.fillRect(x, this.top + 4, wide, 20);
		ctx.fillStyle = scene.look.ground;
		ctx.textBaseline = "middle";
		ctx.fillText(text, x + 6, this.top + 14.5);
	}
}
