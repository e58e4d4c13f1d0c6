// SPDX-License-Identifier: Apache-2.0
// The picture of the timeline: two canvases, one for lanes, one above it for what follows the mouse.
import { outline, type Run } from "../data/run";
import type { LaneInfo } from "../data/types";
import type { Zones } from "../data/zones";
import * as format from "../logic/format";
import { INK } from "../ui/colour";
import { densityOf, paintDensity, paintLane, thicken, type Label, type Palette, type View } from "./paint";
import { lowerBound } from "./search";
import { paintPlot } from "./plots";
import { pinnedHeight, topOf, type Row } from "./tracks";

export const AXIS = 26;
export const STRIP = 30; // the whole run, above the axis
export const TOP = AXIS + STRIP;
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
	view: View;
	rows: Row[];
	scroll: number;
	palette: Palette;
	look: Look;
	chosen: number; // a zone
	chosenRow: number; // the keyboard's row
	hover: { x: number; y: number } | null;
	range: { t0: number; t1: number; y0: number; y1: number } | null;
	measure: { from: number; to: number } | null;
	arrows: boolean;
}

// Of the whole run, made with the first zones that come: later ones may be of a window.
const strips = new WeakMap<Run, Float32Array>();

export class Stage {
	width = 0;
	height = 0;
	gutter = 210;
	private image: ImageData | null = null;
	private pixels = new Uint32Array(0);
	private readonly densities = new Map<number, Float32Array>();
	private readonly widths = new Map<number, number>();
	lastPaint = 0;

	constructor(private readonly run: Run, public zones: Zones, readonly main: HTMLCanvasElement, readonly over: HTMLCanvasElement) {}

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

	timeAt(view: View, x: number): number {
		return view.t0 + ((x - this.gutter) / this.laneWidth) * (view.t1 - view.t0);
	}

	xOf(view: View, time: number): number {
		return this.gutter + ((time - view.t0) / (view.t1 - view.t0)) * this.laneWidth;
	}

	// The row and lane under a point.
	hit(scene: Scene, y: number): { row: Row; lane: LaneInfo | null } | null {
		if (y < TOP) return null;
		const pinned = y - TOP < pinnedHeight(scene.rows), at = pinned ? y - TOP : y - TOP + scene.scroll;
		const row = scene.rows.find((one) => one.pinned === pinned && at >= one.y && at < one.y + one.height);
		if (!row) return null;
		const index = row.lanes.length > 1 ? Math.floor((at - row.y) / row.lane) : 0;
		return { row, lane: row.lanes[Math.min(index, row.lanes.length - 1)] ?? null };
	}

	// Where a lane is painted, or null when its row is closed or out of sight.
	laneY(scene: Scene, lane: LaneInfo): number | null {
		return this.place(scene, lane)?.y ?? null;
	}

	private place(scene: Scene, lane: LaneInfo): { y: number; tall: number } | null {
		for (const row of scene.rows) {
			const index = row.lanes.indexOf(lane);
			if (index >= 0) return { y: TOP + topOf(row, scene.scroll) + index * row.lane, tall: row.lanes.length === 1 ? row.height - 3 : row.lane - 1 };
		}
		return null;
	}

	paint(scene: Scene): void {
		const began = performance.now();
		const scale = window.devicePixelRatio || 1;
		const width = Math.round(this.laneWidth * scale), height = Math.round((this.height - TOP) * scale);
		const ctx = this.main.getContext("2d", { alpha: false })!;
		if (width < 1 || height < 1) return;
		if (!this.image || this.image.width !== width || this.image.height !== height) {
			this.image = new ImageData(width, height);
			this.pixels = new Uint32Array(this.image.data.buffer);
		}
		const { palette, look } = scene;
		this.pixels.fill(palette.ground);
		let labels: Label[] = [];
		const pinned = Math.round(pinnedHeight(scene.rows) * scale);
		for (const row of pinned ? [...scene.rows.filter((one) => !one.pinned), ...scene.rows.filter((one) => one.pinned)] : scene.rows) {
			const top = topOf(row, scene.scroll);
			if (row.pinned && row.y === 0) {
				// the others go on below them
				this.pixels.fill(palette.ground, 0, Math.min(pinned, height) * width);
				labels = labels.filter((label) => label.y > pinned);
			}
			if (top + row.height <= 0 || top >= this.height - TOP) continue;
			if (row.density && !this.run.windowed) this.paintGroup(scene, row, width, height, scale);
			row.lanes.forEach((lane, i) => {
				const y = Math.round((top + i * row.lane + 1) * scale);
				const tall = Math.round((row.lanes.length === 1 ? row.height - 3 : row.lane - 1) * scale);
				this.paintOne(y, tall, height, width, (at) => paintLane(this.pixels, at, width, this.zones, lane, scene.view, palette, labels, Math.max(0, y) + tall / 2));
			});
		}
		ctx.setTransform(1, 0, 0, 1, 0, 0);
		ctx.fillStyle = look.ground;
		ctx.fillRect(0, 0, this.main.width, this.main.height);
		ctx.putImageData(this.image, Math.round(this.gutter * scale), Math.round(TOP * scale));
		ctx.setTransform(scale, 0, 0, scale, 0, 0);
		this.drawLabels(ctx, labels.filter((label) => palette.colourOf(this.zones.name[label.zone]) > 0), scale);
		this.drawLines(ctx, scene);
		this.drawAxis(ctx, scene);
		this.drawStrip(ctx, scene);
		this.lastPaint = performance.now() - began;
	}

	// Rows that begin above the upper edge are painted in the first row that is seen.
	private paintOne(y: number, tall: number, height: number, width: number, paint: (at: number) => void): void {
		const from = Math.max(0, y);
		const rest = y + tall - from;
		if (rest <= 0 || from >= height) return;
		paint(from * width);
		thicken(this.pixels, width, from, rest, height);
	}

	private paintGroup(scene: Scene, row: Row, width: number, height: number, scale: number): void {
		let density = this.densities.get(row.track.id);
		const span = this.run.manifest.span_ns;
		if (!density) this.densities.set(row.track.id, (density = densityOf(this.zones, row.density!, span, BINS)));
		const y = Math.round((topOf(row, scene.scroll) + 1) * scale);
		this.paintOne(y, Math.round((row.height - 3) * scale), height, width, (at) => paintDensity(this.pixels, at, width, density!, span, scene.view, scene.palette, 1));
	}

	private drawLabels(ctx: CanvasRenderingContext2D, labels: Label[], scale: number): void {
		ctx.font = "11px system-ui, sans-serif";
		ctx.textBaseline = "middle";
		ctx.textAlign = "left";
		ctx.fillStyle = INK;
		const most = Math.min(labels.length, 1500);
		for (let i = 0; i < most; i++) {
			const label = labels[i];
			const id = this.zones.name[label.zone];
			const name = this.run.strings[id] ?? "";
			let wide = this.widths.get(id);
			if (wide === undefined) this.widths.set(id, (wide = ctx.measureText(name.slice(0, 300)).width));
			const room = label.w / scale - 8;
			const y = TOP + label.y / scale + 0.5;
			if (y < TOP + 4 || y > this.height) continue;
			const x = this.gutter + label.x / scale + 4;
			if (wide <= room) ctx.fillText(name.slice(0, 300), x, y);
			else {
				const fits = Math.floor((Math.min(name.length, 300) * room) / wide) - 1;
				if (fits >= 2) ctx.fillText(name.slice(0, fits) + "…", x, y, room);
			}
		}
	}

	private drawLines(ctx: CanvasRenderingContext2D, scene: Scene): void {
		const pinned = pinnedHeight(scene.rows);
		ctx.strokeStyle = scene.look.line;
		ctx.lineWidth = 1;
		ctx.beginPath();
		for (const row of scene.rows) {
			const y = TOP + topOf(row, scene.scroll) + row.height - 0.5;
			if (y < TOP || y > this.height || (!row.pinned && y < TOP + pinned)) continue;
			ctx.moveTo(this.gutter, y);
			ctx.lineTo(this.width, y);
		}
		ctx.stroke();
		this.drawPosts(ctx, scene);
		for (const row of scene.rows) {
			const y = TOP + topOf(row, scene.scroll);
			if (row.track.plot && y + row.height > TOP && y < this.height) paintPlot(ctx, row.track.plot, scene.view, { x: this.gutter, y, width: this.laneWidth, height: row.height }, scene.look, row.pinned ? TOP : TOP + pinned);
		}
		this.drawMessages(ctx, scene);
		if (scene.arrows) this.drawArrows(ctx, scene);
	}

	private drawAxis(ctx: CanvasRenderingContext2D, scene: Scene): void {
		const { view, look } = scene;
		ctx.fillStyle = look.ground;
		ctx.fillRect(0, STRIP, this.width, AXIS);
		ctx.strokeStyle = look.line;
		ctx.fillStyle = look.soft;
		ctx.font = "11px system-ui, sans-serif";
		ctx.textBaseline = "middle";
		const step = format.niceStep(view.t1 - view.t0, this.laneWidth / 110);
		ctx.beginPath();
		ctx.moveTo(0, TOP - 0.5);
		ctx.lineTo(this.width, TOP - 0.5);
		for (let t = Math.ceil(view.t0 / step) * step; t < view.t1; t += step) {
			const x = Math.round(this.xOf(view, t)) + 0.5;
			ctx.moveTo(x, TOP - 7);
			ctx.lineTo(x, TOP);
			const text = format.tick(Math.abs(t) < step / 1e6 ? 0 : t, step);
			if (x + 6 + ctx.measureText(text).width < this.width) ctx.fillText(text, x + 3, STRIP + 11);
		}
		ctx.stroke();
		ctx.fillText(format.time(view.t1 - view.t0) + " in sight", 8, STRIP + 12, this.gutter - 12);
	}

	private drawStrip(ctx: CanvasRenderingContext2D, scene: Scene): void {
		const span = this.run.manifest.span_ns;
		let strip = strips.get(this.run);
		if (!strip) strips.set(this.run, (strip = densityOf(this.zones, outline(this.run.lanes), span, 1024)));
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
		ctx.fillText("whole run " + format.time(span), 8, STRIP / 2 + 1, this.gutter - 12);
		ctx.strokeStyle = scene.look.line;
		ctx.beginPath();
		ctx.moveTo(0, STRIP - 0.5);
		ctx.lineTo(this.width, STRIP - 0.5);
		ctx.stroke();
	}

	// Signposts and frames as lines over all lanes, with their names at the top where they don't touch.
	private drawPosts(ctx: CanvasRenderingContext2D, scene: Scene): void {
		const { view, look } = scene;
		const last = scene.rows[scene.rows.length - 1];
		const floor = Math.min(this.height, TOP + (last ? last.y + last.height : 0) - scene.scroll + 18); // names stand below the last lane
		ctx.font = "11px system-ui, sans-serif";
		for (const [table, field, dash] of [[this.run.frames, "", [2, 3]], [this.run.signposts, "name", [5, 3]]] as const) {
			if (!table) continue;
			ctx.strokeStyle = look.accent;
			ctx.setLineDash([...dash]);
			let free = this.gutter;
			const from = lowerBound(table.time, view.t0, 0, table.n);
			for (let i = from; i < table.n && table.time[i] < view.t1 && i < from + 400; i++) {
				const x = Math.round(this.xOf(view, table.time[i])) + 0.5;
				ctx.globalAlpha = field ? 0.8 : 0.35;
				ctx.beginPath();
				ctx.moveTo(x, TOP);
				ctx.lineTo(x, floor);
				ctx.stroke();
				ctx.globalAlpha = 1;
				const name = field ? format.short(this.run.strings[table.name?.[i] ?? 0] ?? "", 28) : "";
				const wide = ctx.measureText(name).width + 10;
				if (!name || x < free || x + wide > this.width) continue;
				ctx.fillStyle = look.accent;
				ctx.fillRect(x, floor - 17, wide, 16);
				ctx.fillStyle = look.ground;
				ctx.textBaseline = "middle";
				ctx.fillText(name, x + 5, floor - 8.5);
				free = x + wide + 4;
			}
			ctx.setLineDash([]);
		}
	}

	// Messages as small marks at the upper edge of their thread.
	private drawMessages(ctx: CanvasRenderingContext2D, scene: Scene): void {
		const table = this.run.messages;
		if (!table) return;
		const { view, look } = scene;
		const places = new Map<number, number | null>();
		const from = lowerBound(table.time, view.t0, 0, table.n);
		let last = -10;
		for (let i = from; i < table.n && table.time[i] < view.t1; i++) {
			const x = this.xOf(view, table.time[i]);
			if (x - last < 7) continue;
			last = x;
			const id = table.lane?.[i] ?? -1;
			let y = places.get(id);
			if (y === undefined) {
				const lane = this.run.lanes.find((one) => one.id === id);
				places.set(id, (y = lane ? this.laneY(scene, lane) : null));
			}
			if (y === null || y < TOP) continue;
			const colour = table.colour?.[i] ?? 0;
			ctx.fillStyle = colour ? "#" + colour.toString(16).padStart(6, "0").slice(-6) : look.soft;
			ctx.beginPath();
			ctx.moveTo(x - 3, y);
			ctx.lineTo(x + 3, y);
			ctx.lineTo(x, y + 5);
			ctx.fill();
		}
	}

	// From the end of the host's zone to the op on the device: all that are in sight while they are few, else the chosen op's.
	private drawArrows(ctx: CanvasRenderingContext2D, scene: Scene): void {
		const flows = this.run.flows;
		const start = this.run.ops?.byKey.get("start_ns");
		if (!flows || !start || !flows.lane) return;
		const { view } = scene;
		const chosenOp = scene.chosen >= 0 && this.zones.op ? this.zones.op[scene.chosen] : 0;
		const begin = lowerBound(flows.time, view.t0, 0, flows.n);
		const inSight: number[] = [];
		for (let i = begin; i < flows.n && flows.time[i] < view.t1 && inSight.length <= 120; i++) inSight.push(i);
		let list = inSight.length <= 120 ? inSight : [];
		if (chosenOp) {
			list = list.filter((i) => flows.op[i] !== chosenOp);
			for (let i = 0; i < flows.n; i++) if (flows.op[i] === chosenOp) list.push(i);
		}
		for (const i of list) {
			const lane = this.run.lanes.find((one) => one.id === flows.lane[i]);
			const row = flows.op[i] - 1;
			const to = start.number(row);
			const from = lane ? this.place(scene, lane) : null;
			const toY = this.opLaneY(scene, row);
			if (from === null || toY === null || !Number.isFinite(to)) continue;
			const x0 = this.xOf(view, flows.time[i]), x1 = this.xOf(view, to);
			const mine = flows.op[i] === chosenOp;
			// Arrows that leave the picture say little, and many of them are a smear.
			if (!mine && (x0 < this.gutter || x1 < this.gutter || x0 > this.width || x1 > this.width)) continue;
			ctx.strokeStyle = scene.look.accent;
			ctx.globalAlpha = mine ? 1 : 0.35;
			ctx.lineWidth = mine ? 1.8 : 1;
			const y0 = from.y + from.tall - 1, y1 = toY + 1;
			ctx.save();
			ctx.beginPath();
			ctx.rect(this.gutter, TOP, this.laneWidth, this.height);
			ctx.clip();
			ctx.beginPath();
			ctx.moveTo(x0, y0);
			ctx.bezierCurveTo(x0, (y0 + y1) / 2, x1, (y0 + y1) / 2, x1, y1);
			ctx.moveTo(x1 - 3, y1 - 5);
			ctx.lineTo(x1, y1);
			ctx.lineTo(x1 + 3, y1 - 5);
			ctx.stroke();
			ctx.restore();
		}
		ctx.globalAlpha = 1;
		ctx.lineWidth = 1;
	}

	private opLaneY(scene: Scene, row: number): number | null {
		const device = this.run.ops?.byKey.get("DEVICE ID")?.number(row) ?? 0;
		const lane = this.run.lanes.find((one) => one.kind === "ops" && (one.device ?? 0) === device && one.count > 0);
		return lane ? this.laneY(scene, lane) : null;
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
			ctx.fillRect(this.gutter, TOP + topOf(row, scene.scroll), 3, row.height - 1);
		}
		if (scene.range) {
			const x0 = this.xOf(view, scene.range.t0), x1 = this.xOf(view, scene.range.t1);
			ctx.fillStyle = look.accent;
			ctx.globalAlpha = 0.13;
			ctx.fillRect(x0, TOP + scene.range.y0 - scene.scroll, x1 - x0, scene.range.y1 - scene.range.y0);
			ctx.globalAlpha = 1;
			ctx.strokeStyle = look.accent;
			ctx.strokeRect(x0 + 0.5, TOP + scene.range.y0 - scene.scroll + 0.5, x1 - x0, scene.range.y1 - scene.range.y0);
		}
		if (scene.chosen >= 0) this.outline(ctx, scene);
		if (scene.measure) this.drawMeasure(ctx, scene, scene.measure);
		if (scene.hover && scene.hover.y > STRIP) {
			ctx.strokeStyle = look.soft;
			ctx.globalAlpha = 0.6;
			ctx.beginPath();
			ctx.moveTo(Math.round(scene.hover.x) + 0.5, TOP);
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
		if (y + tall > TOP) ctx.strokeRect(Math.max(x0, this.gutter - 4), Math.max(TOP, y) + 1, Math.max(3, Math.min(x1, this.width + 4) - Math.max(x0, this.gutter - 4)), tall);
		ctx.lineWidth = 1;
	}

	private drawMeasure(ctx: CanvasRenderingContext2D, scene: Scene, measure: { from: number; to: number }): void {
		const x0 = this.xOf(scene.view, measure.from), x1 = this.xOf(scene.view, measure.to);
		ctx.strokeStyle = ctx.fillStyle = scene.look.mark;
		ctx.beginPath();
		for (const x of [x0, x1]) {
			ctx.moveTo(x, TOP);
			ctx.lineTo(x, this.height);
		}
		ctx.moveTo(x0, TOP + 14);
		ctx.lineTo(x1, TOP + 14);
		ctx.stroke();
		const text = format.time(Math.abs(measure.to - measure.from));
		ctx.font = "600 12px system-ui, sans-serif";
		const wide = ctx.measureText(text).width + 12;
		const x = Math.max(this.gutter, Math.min(this.width - wide, (x0 + x1) / 2 - wide / 2));
		ctx.fillRect(x, TOP + 4, wide, 20);
		ctx.fillStyle = scene.look.ground;
		ctx.textBaseline = "middle";
		ctx.fillText(text, x + 6, TOP + 14.5);
	}
}
