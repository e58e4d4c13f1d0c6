// SPDX-License-Identifier: Apache-2.0
// What is drawn over lanes: folded stretches, signposts and frames, messages, arrows from the host to its ops.
import * as format from "../logic/format";
import { opView } from "../logic/opview";
import { zoneAt } from "./pick";
import { lowerBound } from "./search";
import type { Scene, Stage } from "./stage";
import { pinnedHeight } from "./tracks";

type Ctx = CanvasRenderingContext2D;

// A small mark and what it says.
export interface Spot {
	x: number;
	y: number; // −1: of any height
	title: string;
	lines: string[];
}

const MOST_FOLDS = 400;

// Idle stretches that are folded: hatched, with how long they last where there is room.
export function folds(ctx: Ctx, stage: Stage, scene: Scene): void {
	const { axis, view, look } = scene;
	if (!axis.folds.length) return;
	const per = stage.laneWidth / (view.t1 - view.t0), list = axis.folds;
	let low = 0, high = list.length;
	while (low < high) {
		const middle = (low + high) >>> 1;
		if (list[middle].at + list[middle].wide < view.t0) low = middle + 1;
		else high = middle;
	}
	ctx.save();
	ctx.beginPath();
	ctx.rect(stage.gutter, stage.top, stage.laneWidth, stage.height);
	ctx.clip();
	ctx.strokeStyle = look.line;
	ctx.font = "10px system-ui, sans-serif";
	ctx.textBaseline = "middle";
	for (let i = low, n = 0; i < list.length && n < MOST_FOLDS && list[i].at < view.t1; i++) {
		const x = stage.gutter + (list[i].at - view.t0) * per, wide = list[i].wide * per;
		if (wide < 3) continue;
		n++;
		ctx.globalAlpha = 0.8;
		ctx.beginPath();
		for (const edge of [x, x + wide]) {
			ctx.moveTo(Math.round(edge) + 0.5, stage.top);
			ctx.lineTo(Math.round(edge) + 0.5, stage.height);
		}
		ctx.setLineDash([2, 3]);
		ctx.stroke();
		ctx.setLineDash([]);
		ctx.globalAlpha = 1;
	}
	ctx.restore();
}

// Signposts and frames as lines over all lanes; their names are in the ruler.
export function posts(ctx: Ctx, stage: Stage, scene: Scene): void {
	const { axis, view, look } = scene, { run } = stage;
	const t0 = axis.from(view.t0), t1 = axis.from(view.t1);
	for (const [table, what, dash, alpha] of [[run.frames, "frame", [2, 3], 0.35], [run.signposts, "signpost", [5, 3], 0.7]] as const) {
		if (!table) continue;
		ctx.strokeStyle = look.accent;
		ctx.setLineDash([...dash]);
		ctx.globalAlpha = alpha;
		const from = lowerBound(table.time, t0, 0, table.n);
		ctx.beginPath();
		let last = -10;
		for (let i = from; i < table.n && table.time[i] < t1 && i < from + 4000; i++) {
			const x = Math.round(stage.xOf(view, table.time[i])) + 0.5;
			if (x - last < 2) continue;
			last = x;
			ctx.moveTo(x, stage.top);
			ctx.lineTo(x, stage.height);
			stage.spots.push({ x, y: -1, title: `${what}: ${format.short(run.strings[table.name?.[i] ?? 0] || (what === "frame" ? "frame" : ""), 200)}`, lines: [`at ${format.time(table.time[i])}`] });
		}
		ctx.stroke();
		ctx.globalAlpha = 1;
		ctx.setLineDash([]);
	}
}

// Messages as small marks at the upper edge of their thread.
export function messages(ctx: Ctx, stage: Stage, scene: Scene): void {
	const { run } = stage, table = run.messages;
	if (!table) return;
	const { view, look, axis } = scene;
	const places = new Map<number, number | null>();
	const t1 = axis.from(view.t1), floor = stage.top + pinnedHeight(scene.rows);
	let last = -10;
	for (let i = lowerBound(table.time, axis.from(view.t0), 0, table.n); i < table.n && table.time[i] < t1; i++) {
		const x = stage.xOf(view, table.time[i]);
		if (x - last < 7) continue;
		last = x;
		const id = table.lane?.[i] ?? -1;
		let y = places.get(id);
		if (y === undefined) {
			const lane = run.lanes.find((one) => one.id === id);
			places.set(id, (y = lane ? stage.laneY(scene, lane) : null));
		}
		if (y === null || y < floor) continue;
		const colour = table.colour?.[i] ?? 0;
		ctx.fillStyle = colour ? "#" + colour.toString(16).padStart(6, "0").slice(-6) : look.soft;
		ctx.beginPath();
		ctx.moveTo(x - 3, y);
		ctx.lineTo(x + 3, y);
		ctx.lineTo(x, y + 5);
		ctx.fill();
		stage.spots.push({ x, y, title: "message", lines: [format.short(run.strings[table.text[i]] ?? "", 400), `at ${format.time(table.time[i])}`] });
	}
}

const MOST_ARROWS = 120;

// From where the host launched an op to its start on the device: all that are in sight while they are few, else the chosen op's.  Dashed
// where the two clocks were never compared; none where it would run backwards.
export function arrows(ctx: Ctx, stage: Stage, scene: Scene): void {
	const { run, zones } = stage, { flows, ops } = run;
	const view = ops && opView(ops), start = view?.start;
	if (!flows || !flows.lane || !view || !start) return;
	const t0 = scene.axis.from(scene.view.t0), t1 = scene.axis.from(scene.view.t1);
	const chosenOp = scene.chosen >= 0 && zones.op ? zones.op[scene.chosen] : 0;
	const inSight: number[] = [];
	for (let i = lowerBound(flows.time, t0, 0, flows.n); i < flows.n && flows.time[i] < t1 && inSight.length <= MOST_ARROWS; i++) inSight.push(i);
	let list = inSight.length <= MOST_ARROWS ? inSight : [];
	if (chosenOp) {
		list = list.filter((i) => flows.op[i] !== chosenOp);
		for (let i = 0; i < flows.n; i++) if (flows.op[i] === chosenOp) list.push(i);
	}
	const opsLane = new Map<number, number | null>();
	const laneOfOps = (device: number) => {
		let y = opsLane.get(device);
		if (y === undefined) {
			const lane = run.lanes.find((one) => one.kind === "ops" && (one.device ?? 0) === device && one.count > 0);
			opsLane.set(device, (y = lane ? stage.laneY(scene, lane) : null));
		}
		return y;
	};
	const synced = new Map((run.manifest.devices ?? []).map((device) => [device.id, device.synced !== false]));
	ctx.save();
	ctx.beginPath();
	ctx.rect(stage.gutter, stage.top, stage.laneWidth, stage.height);
	ctx.clip();
	for (const i of list) {
		const lane = run.lanes.find((one) => one.id === flows.lane[i]);
		const row = flows.op[i] - 1, to = start.number(row), device = view.device?.number(row) ?? 0;
		const from = lane ? stage.place(scene, lane) : null, toY = laneOfOps(Number.isFinite(device) ? device : 0);
		if (!lane || from === null || toY === null || !Number.isFinite(to)) continue;
		// The op may begin before the host's call returns: then the arrow leaves from within its zone.
		const time = Math.min(flows.time[i], to), zone = zoneAt(zones, lane, time, 0);
		if (time < flows.time[i] && (zone < 0 || zones.start[zone] + zones.dur[zone] < flows.time[i])) continue;
		const x0 = stage.xOf(scene.view, time), x1 = stage.xOf(scene.view, to), mine = flows.op[i] === chosenOp;
		// Arrows that leave the picture say little, and many of them are a smear.
		if (!mine && (x0 < stage.gutter || x1 < stage.gutter || x0 > stage.width || x1 > stage.width)) continue;
		const y0 = from.y + from.tall - 1, y1 = toY + 1;
		ctx.strokeStyle = scene.look.accent;
		ctx.globalAlpha = mine ? 1 : 0.35;
		ctx.lineWidth = mine ? 1.8 : 1;
		ctx.setLineDash(synced.get(device) === false ? [4, 3] : []);
		ctx.beginPath();
		ctx.moveTo(x0, y0);
		ctx.bezierCurveTo(x0, (y0 + y1) / 2, x1, (y0 + y1) / 2, x1, y1);
		ctx.moveTo(x1 - 3, y1 - 5);
		ctx.lineTo(x1, y1);
		ctx.lineTo(x1 + 3, y1 - 5);
		ctx.stroke();
	}
	ctx.restore();
}
