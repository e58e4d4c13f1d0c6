// SPDX-License-Identifier: Apache-2.0
// What mouse, pen and fingers do on the timeline: move, zoom, choose, measure, and what is told of the zone beneath them.
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import type { Run } from "../data/run";
import type { Zones } from "../data/zones";
import * as format from "../logic/format";
import { opView } from "../logic/opview";
import { set } from "../state";
import { tip } from "../ui/tip";
import { opLook, plainName } from "./oplook";
import { speaksOfOps } from "./palette";
import { BAND_HEIGHT, markAt, type Mark } from "./ruler";
import { RULER, STRIP, type Scene, type Stage } from "./stage";
import { pinnedHeight, topOf, type Row, type Track } from "./tracks";

export interface Span {
	t0: number;
	t1: number;
}

export type MouseTools = {
	box: { current: HTMLDivElement | null };
	stage: { current: Stage | null };
	now: { current: Scene };
	whole: number; // along the axis
	go(view: Span): void; // along the axis
	show(times: Span): void;
	near(): number; // ns that are within reach of the mouse
	zoom(factor: number, at: number): void;
	scrollTo(y: number): void;
	laneZone(x: number, y: number): { row: Row; zone: number } | null;
	snap(x: number, y: number): number;
	hover: { value: Scene["hover"] };
	drawn: { value: Scene["range"] };
	measuring: { value: { from: number; to: number; done: boolean } | null };
	run: Run;
	zones: Zones;
	size: { width: number; height: number };
	toggle(track: Track): void;
	chosenRow: { value: number };
};

interface Point {
	x: number;
	y: number;
}

interface Drag extends Point {
	kind: "pan" | "range" | "strip" | "measure" | "ruler";
	view: Span;
	scroll: number;
	moved: boolean;
}

export function useMouse(tools: MouseTools): void {
	const latest = useRef(tools);
	latest.current = tools;
	const pointer = useRef<{ clientX: number; clientY: number } | null>(null); // where a tip is shown
	useEffect(() => {
		const element = latest.current.stage.current?.main;
		if (!element) return;
		let drag: Drag | null = null;
		const fingers = new Map<number, Point>();
		let pinch: { apart: number; middle: number; view: Span } | null = null;
		const place = (event: MouseEvent) => {
			const rect = element.getBoundingClientRect();
			return { x: event.clientX - rect.left, y: event.clientY - rect.top };
		};
		const spread = () => {
			const [a, b] = [...fingers.values()];
			return { apart: Math.max(8, Math.hypot(a.x - b.x, a.y - b.y)), middle: (a.x + b.x) / 2 };
		};
		const down = (event: PointerEvent) => {
			if (event.button > 1) return;
			const { x, y } = place(event);
			const { now, stage, measuring, snap } = latest.current;
			fingers.set(event.pointerId, { x, y });
			element.setPointerCapture(event.pointerId);
			element.focus({ preventScroll: true });
			if (fingers.size === 2) {
				drag = null;
				latest.current.drawn.value = null;
				pinch = { ...spread(), view: { ...now.current.view } };
				return;
			}
			// As in other timelines: a drag chooses, with Shift, the middle button or a finger it moves.
			const moves = event.shiftKey || event.button === 1 || event.pointerType === "touch";
			const kind = y < STRIP ? "strip" : measuring.value && !measuring.value.done ? "measure" : moves ? "pan" : y < stage.current!.top ? "ruler" : "range";
			if (event.button === 1) event.preventDefault();
			drag = { kind, x, y, view: { ...now.current.view }, scroll: now.current.scroll, moved: false };
			if (kind === "strip") stripTo(x);
			if (kind === "measure") measuring.value = { ...measuring.value!, to: snap(x, y) };
		};
		const stripTo = (x: number) => {
			const { stage, now, whole, go } = latest.current;
			const at = ((x - stage.current!.gutter) / stage.current!.laneWidth) * whole;
			const half = (now.current.view.t1 - now.current.view.t0) / 2;
			const t0 = Math.max(0, Math.min(whole - 2 * half, at - half));
			go({ t0, t1: t0 + 2 * half });
		};
		// What was between two fingers stays between them.
		const pinchTo = () => {
			const { stage, go } = latest.current;
			const { apart, middle } = spread(), { view } = pinch!;
			const at = stage.current!.placeAt(view, pinch!.middle), span = ((view.t1 - view.t0) * pinch!.apart) / apart;
			const t0 = at - (span * (middle - stage.current!.gutter)) / stage.current!.laneWidth;
			go({ t0, t1: t0 + span });
		};
		const dragTo = (was: Drag, x: number, y: number) => {
			const t = latest.current, stage = t.stage.current!;
			if (Math.abs(x - was.x) + Math.abs(y - was.y) > 3) was.moved = true;
			if (was.kind === "strip") stripTo(x);
			else if (was.moved && was.kind === "range") t.drawn.value = rangeOf(stage, t.now.current, was.x, was.y, x, y);
			else if (was.moved && was.kind === "ruler") t.drawn.value = rangeOf(stage, t.now.current, was.x, 0, x, 1e9);
			else if (was.moved && was.kind === "measure") t.measuring.value = { from: t.snap(was.x, was.y), to: t.snap(x, y), done: false };
			else if (was.moved && was.kind === "pan") {
				const by = ((was.x - x) / stage.laneWidth) * (was.view.t1 - was.view.t0);
				t.go({ t0: was.view.t0 + by, t1: was.view.t1 + by });
				t.scrollTo(was.scroll + was.y - y);
			}
		};
		const move = (event: PointerEvent) => {
			const { x, y } = place(event);
			const t = latest.current;
			if (fingers.has(event.pointerId)) fingers.set(event.pointerId, { x, y });
			if (pinch || drag) {
				if (pinch) pinchTo();
				else dragTo(drag!, x, y);
				pointer.current = null;
				tip.value = null;
				return;
			}
			t.hover.value = x >= t.stage.current!.gutter ? { x, y } : null;
			if (t.measuring.value && !t.measuring.value.done) t.measuring.value = { ...t.measuring.value, to: t.snap(x, y) };
			pointer.current = { clientX: event.clientX, clientY: event.clientY };
			tip.value = tipFor(t, pointer.current, x, y);
		};
		const up = (event: PointerEvent) => {
			const t = latest.current;
			const { x, y } = place(event);
			const was = drag;
			drag = null;
			fingers.delete(event.pointerId);
			if (pinch) {
				if (fingers.size === 0) pinch = null; // the second finger's lifting is no click
				return;
			}
			if (!was) return;
			if (was.moved && (was.kind === "range" || was.kind === "ruler")) {
				const range = t.drawn.value;
				t.drawn.value = null;
				if (range) set({ sel: selText(range, t.now.current.rows), zone: null, panel: null, gap: null });
				return;
			}
			if (was.kind === "measure") {
				t.measuring.value = { from: was.moved ? t.snap(was.x, was.y) : t.measuring.value!.from, to: t.snap(x, y), done: true };
				return;
			}
			if (was.moved || was.kind === "strip") return;
			if (t.measuring.value) {
				t.measuring.value = null;
				return;
			}
			if (was.kind === "ruler") {
				const mark = rulerMark(t, x, y);
				if (mark && mark.t1 > mark.t0) t.show(mark);
				return;
			}
			const hit = t.laneZone(x, y);
			if (hit) t.chosenRow.value = t.now.current.rows.indexOf(hit.row);
			const thing = hit && hit.row.track.layer?.at(t.stage.current!.timeAt(t.now.current.view, x), t.near());
			set({ gap: null, zone: hit && hit.zone >= 0 ? hit.zone : null, sel: null, ...thing?.choose });
		};
		const lost = (event: PointerEvent) => {
			fingers.delete(event.pointerId);
			drag = null;
			if (fingers.size === 0) pinch = null;
		};
		const twice = (event: MouseEvent) => {
			const { x, y } = place(event);
			const t = latest.current;
			const hit = t.laneZone(x, y);
			if (hit && hit.zone >= 0) {
				const from = t.zones.start[hit.zone], dur = t.zones.dur[hit.zone];
				t.show({ t0: from - dur * 0.2, t1: from + dur * 1.2 });
			}
		};
		const wheel = (event: WheelEvent) => {
			event.preventDefault();
			const t = latest.current;
			const { x } = place(event);
			const { view, scroll } = t.now.current;
			if (event.ctrlKey || event.metaKey) t.zoom(Math.exp(Math.max(-60, Math.min(60, event.deltaY)) * 0.006), t.stage.current!.placeAt(view, x));
			else {
				const sideways = event.shiftKey ? event.deltaY : event.deltaX;
				if (sideways) {
					const by = (sideways / t.stage.current!.laneWidth) * (view.t1 - view.t0);
					t.go({ t0: view.t0 + by, t1: view.t1 + by });
				}
				if (!event.shiftKey && event.deltaY) t.scrollTo(scroll + event.deltaY);
			}
		};
		const leave = () => {
			latest.current.hover.value = null;
			pointer.current = null;
			tip.value = null;
		};
		element.addEventListener("pointerdown", down);
		element.addEventListener("pointermove", move);
		element.addEventListener("pointerup", up);
		element.addEventListener("pointercancel", lost);
		element.addEventListener("dblclick", twice);
		element.addEventListener("pointerleave", leave);
		const holder = latest.current.box.current!;
		holder.addEventListener("wheel", wheel, { passive: false });
		return () => {
			tip.value = null;
			holder.removeEventListener("wheel", wheel);
		};
	}, [tools.size.width > 0]);
	// Lanes and times move beneath a mouse that rests: by wheel, by keys, by buttons.
	const { view, scroll, rows } = tools.now.current;
	useLayoutEffect(() => {
		const t = latest.current, rect = t.stage.current?.main.getBoundingClientRect();
		if (pointer.current && rect) tip.value = tipFor(t, pointer.current, pointer.current.clientX - rect.left, pointer.current.clientY - rect.top);
	}, [view.t0, view.t1, scroll, rows]);
}

export function selText(range: NonNullable<Scene["range"]>, rows: Row[]): string {
	const inside = rows.filter((row) => row.y + row.height > range.y0 && row.y < range.y1);
	return [Math.round(range.t0), Math.round(range.t1), inside[0]?.track.id ?? 0, inside[inside.length - 1]?.track.id ?? 0].join("_");
}

// From one corner to the other, rows whole; below all lanes it is a span of time, of all of them.
function rangeOf(stage: Stage, scene: Scene, x0: number, y0: number, x1: number, y1: number): Scene["range"] {
	const times = [stage.timeAt(scene.view, x0), stage.timeAt(scene.view, x1)].sort((a, b) => a - b);
	const [low, high] = [Math.min(y0, y1), Math.max(y0, y1)].map((y) => y - stage.top);
	const pinned = pinnedHeight(scene.rows);
	const hit = scene.rows.filter((row) => topOf(row, scene.scroll) + row.height > (row.pinned ? low : Math.max(low, pinned)) && topOf(row, scene.scroll) < high), inside = hit.length ? hit : scene.rows;
	return { t0: times[0], t1: times[1], y0: inside[0]?.y ?? Math.max(0, low + scene.scroll), y1: inside.length ? inside[inside.length - 1].y + inside[inside.length - 1].height : high + scene.scroll };
}

function rulerMark(t: MouseTools, x: number, y: number): Mark | null {
	const { stage, now } = t, band = now.current.ruler[Math.floor((y - RULER) / BAND_HEIGHT)];
	if (!band || y < RULER || x < stage.current!.gutter) return null;
	return markAt(band, now.current.axis, stage.current!.timeAt(now.current.view, x), ((now.current.view.t1 - now.current.view.t0) / stage.current!.laneWidth) * 3);
}

function tipFor(t: MouseTools, at: { clientX: number; clientY: number }, x: number, y: number): typeof tip.value {
	const stage = t.stage.current!, say = (title: string, lines: string[]) => ({ x: at.clientX, y: at.clientY, title, lines });
	if (x < stage.gutter) return null;
	const mark = y < stage.top ? rulerMark(t, x, y) : null;
	if (mark) return say(format.short(mark.text, 200), mark.t1 > mark.t0 ? [`${format.time(mark.t1 - mark.t0)} from ${format.time(mark.t0)}`, "click: show it alone"] : [`at ${format.time(mark.t0)}`]);
	const spot = stage.spots.find((one) => Math.abs(one.x - x) < 5 && one.y >= 0 && y >= one.y - 3 && y < one.y + 8);
	if (spot) return say(spot.title, spot.lines);
	const hit = t.laneZone(x, y);
	const post = stage.spots.find((one) => Math.abs(one.x - x) < 3 && one.y < 0);
	if (!hit) return post ? say(post.title, post.lines) : null;
	const thing = hit.row.track.layer?.at(stage.timeAt(t.now.current.view, x), t.near());
	if (thing) return say(thing.title, thing.lines);
	if (hit.zone < 0) return post ? say(post.title, post.lines) : hit.row.density ? say(hit.row.track.name, ["how busy its lanes are on average; open it to see them"]) : null;
	const { zones, run } = t;
	const lines = [`${format.time(zones.dur[hit.zone])} from ${format.time(zones.start[hit.zone])}`, format.short(hit.row.track.name, 80)];
	// An op's zones are called as its label says, with shapes; what the trace calls them stands below.
	const op = zones.op?.[hit.zone] ?? 0, name = plainName(run.strings[zones.name[hit.zone]] ?? "");
	const lane = hit.row.lanes.find((one) => hit.zone >= one.first && hit.zone < one.first + one.count), look = op && lane && speaksOfOps(lane) ? opLook(run) : null;
	lines.push(...opLines(run, op, look !== null));
	if (look && name && name !== look.label(op)) lines.push(format.short(name, 120));
	const text = zones.text ? run.strings[zones.text[hit.zone]] : "";
	if (text) lines.push(format.short(text, 200));
	return say(format.short(look ? look.label(op) : name, 200), lines);
}

// What an op is, for a tip: name and shape, unless they are said, cores, bound.
function opLines(run: Run, op: number, named: boolean): string[] {
	const { ops } = run;
	if (!op || !ops) return [];
	const view = opView(ops), row = op - 1, roof = ops.byKey.get("roof_percent")?.number(row) ?? NaN;
	const facts = [
		view.cores && Number.isFinite(view.cores.number(row)) ? format.plural(view.cores.number(row), "core") : "",
		view.category?.text(row) ?? "", view.bound?.text(row) ?? "", Number.isFinite(roof) ? `${format.percent(roof, 0)} of its roof` : "",
	].filter((text) => text);
	return [named ? `op ${op}` : `op ${op}: ${format.short(opLook(run)!.label(op), 100)}`, ...(facts.length ? [facts.join(" · ")] : [])];
}
