// SPDX-License-Identifier: Apache-2.0
// Host and devices on one time axis.
import { useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import type { Run } from "../data/run";
import { askWindow } from "../data/windows";
import type { Zones } from "../data/zones";
import * as format from "../logic/format";
import { chosenPart, spanOf } from "../logic/parts";
import { dark, get, number, set } from "../state";
import { Empty } from "../ui/empty";
import { useSize } from "../ui/size";
import { tip } from "../ui/tip";
import { makePalette } from "../timeline/palette";
import { countFound, laneOf, nextFound, sameName, zoneAt } from "../timeline/pick";
import { plotAt, plotText } from "../timeline/plots";
import { Stage, STRIP, TOP, type Look, type Scene } from "../timeline/stage";
import { everyTrack, laneHeight, layRows, makeTracks, pinnedHeight, plotTracks, topOf, type Row, type Track } from "../timeline/tracks";
import { LongestPanel, RangePanel, ZonePanel } from "./timeline_panels";

export function Timeline(props: { run: Run }) {
	const { run } = props;
	if (!run.manifest.zones || run.lanes.length === 0)
		return <div style="overflow:auto"><Empty title="No timeline in this run" text="A timeline needs a trace of the host or a device log." parts={["host", "device", "trace", "run", "zones"]} /></div>;
	const zones = run.windowed ? run.window.value : run.zones.value;
	if (!zones) return <p class="boot">{run.failed.value ? "" : "Reading zones …"}</p>;
	return <View run={run} zones={zones} />;
}

function css(name: string): string {
	return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

function lookNow(): Look {
	return { ground: css("--card"), ink: css("--ink"), soft: css("--soft"), line: css("--line"), accent: css("--accent"), mark: css("--bad") };
}

// For bench/web: what the last frame took, when the first one was there, and a way to the next.
function tell(ms: number): void {
	if (!(ms > 0)) return;
	const told = window as unknown as { ttpPaintMs?: number; ttpSet?: typeof set };
	if (told.ttpPaintMs === undefined) performance.mark("ttp-painted");
	told.ttpPaintMs = ms;
	told.ttpSet = set;
}

interface Span {
	t0: number;
	t1: number;
}

const LEAST_SPAN = 4; // ns

function View(props: { run: Run; zones: Zones }) {
	const { run, zones } = props;
	const whole = Math.max(1, run.manifest.span_ns);
	const box = useRef<HTMLDivElement>(null);
	const main = useRef<HTMLCanvasElement>(null);
	const over = useRef<HTMLCanvasElement>(null);
	const search = useRef<HTMLInputElement>(null);
	const size = useSize(box);
	const tops = useMemo(() => [...makeTracks(run.lanes), ...plotTracks(run.plots)], [run, run.plots.length]);
	const toggledText = get("open");
	// Panels come and go below: they shall not change the lanes.
	const tall = useMemo(() => laneHeight(tops, window.innerHeight - 260), [tops, window.innerHeight]);
	const pinText = get("pin");
	const pins = pinText ? pinText.split(".").map(Number) : [];
	const { rows, height } = useMemo(() => layRows(tops, new Set(toggledText ? toggledText.split(".").map(Number) : []), tall, pins), [tops, toggledText, tall, pinText]);
	const first = useMemo(() => focusOf(run, whole), [run, get("part")]);
	const view: Span = clampView({ t0: number("t0", first.t0), t1: number("t1", first.t1) }, whole);
	const scroll = Math.max(0, Math.min(number("sy", 0), Math.max(0, height - (size.height - TOP))));
	const chosen = number("zone", -1) < zones.n ? number("zone", -1) : -1;
	const chosenRow = useSignal(-1);
	const hover = useSignal<{ x: number; y: number } | null>(null);
	const drawn = useSignal<Scene["range"]>(null);
	const measuring = useSignal<{ from: number; to: number; done: boolean } | null>(null);
	const rangeText = get("sel");
	const query = get("q");
	const panel = get("panel");
	const stage = useRef<Stage | null>(null);

	const found = useMemo(() => {
		if (!query) return null;
		const lower = query.toLowerCase();
		const is = new Uint8Array(run.strings.length);
		run.strings.forEach((text, i) => (is[i] = text.toLowerCase().includes(lower) ? 1 : 0));
		return (name: number) => is[name] === 1;
	}, [query, run]);
	const counted = useMemo(() => (found ? countFound(zones, found, run.strings.length) : null), [found]);
	const isDark = dark.value;
	const look = useMemo(lookNow, [isDark]);
	const palette = useMemo(() => makePalette(run.strings, look.ground, isDark ? "#3a4452" : "#dfe3e8", found), [run, look, found]);

	const range = useMemo<Scene["range"]>(() => {
		const parts = rangeText.split("_").map(Number);
		if (!rangeText || parts.length !== 4 || !parts.every(Number.isFinite) || !rows.length) return null;
		// By the first and the last of its tracks, which are the same in any window; one that is closed away stands for the edge.
		const of = (id: number) => rows.find((row) => row.track.id === id);
		const from = of(parts[2]) ?? rows[0], to = of(parts[3]) ?? rows[rows.length - 1];
		return { t0: parts[0], t1: parts[1], y0: Math.min(from.y, to.y), y1: Math.max(from.y + from.height, to.y + to.height) };
	}, [rangeText, rows]);
	const scene: Scene = {
		view, rows, scroll, palette, look, chosen, chosenRow: chosenRow.value, hover: hover.value, range: drawn.value ?? range,
		measure: measuring.value, arrows: get("arrows", "on") === "on",
	};
	const now = useRef(scene);
	now.current = scene;

	useLayoutEffect(() => {
		if (!main.current || !over.current || size.width < 50) return;
		if (!stage.current) stage.current = new Stage(run, zones, main.current, over.current);
		stage.current.gutter = size.width < 700 ? 110 : 210;
		stage.current.resize(size.width, size.height);
		stage.current.paint(now.current);
		stage.current.overlay(now.current);
		tell(stage.current.lastPaint);
	}, [size.width, size.height]);
	useLayoutEffect(() => {
		stage.current?.paint(now.current);
		tell(stage.current?.lastPaint ?? 0);
	}, [view.t0, view.t1, rows, scroll, palette, chosen, scene.arrows]);
	useLayoutEffect(() => stage.current?.overlay(now.current));
	useLayoutEffect(() => {
		if (!stage.current || stage.current.zones === zones) return;
		stage.current.zones = zones;
		stage.current.paint(now.current);
	}, [zones]);
	useWindows(run, scene, size);

	const go = (next: Span) => {
		const clamped = clampView(next, whole);
		set({ t0: Math.round(clamped.t0 * 100) / 100, t1: Math.round(clamped.t1 * 100) / 100 });
	};
	const zoom = (factor: number, at: number) => {
		const { view } = now.current;
		go({ t0: at - (at - view.t0) * factor, t1: at + (view.t1 - at) * factor });
	};
	const pan = (share: number) => {
		const { view } = now.current;
		const by = (view.t1 - view.t0) * share;
		const t0 = Math.max(0, Math.min(whole - (view.t1 - view.t0), view.t0 + by));
		go({ t0, t1: t0 + view.t1 - view.t0 });
	};
	const reveal = (zone: number, zoomTo = false, stay = false) => {
		if (zone < 0) return;
		const from = zones.start[zone], dur = Math.max(LEAST_SPAN, zones.dur[zone]);
		const { view } = now.current;
		const lane = laneOf(run.lanes, zone);
		const changes: { [key: string]: string | number | null } = { zone };
		if (lane) {
			const closed = closedAbove(tops, lane.id, rows);
			if (closed.length) changes.open = [...new Set([...(toggledText ? toggledText.split(".").map(Number) : []), ...closed])].join(".");
			else {
				const row = rows.find((one) => one.lanes.includes(lane));
				if (row && !row.pinned && (row.y - pinnedHeight(rows) < scroll || row.y + row.height > scroll + size.height - TOP)) changes.sy = Math.max(0, row.y - 80);
			}
		}
		const out = from < view.t0 || from + dur > view.t1;
		const span = view.t1 - view.t0;
		if (!stay && (zoomTo || dur > span)) Object.assign(changes, { t0: from - dur * 0.2, t1: from + dur * 1.2 });
		else if (!stay && out) Object.assign(changes, { t0: Math.max(0, from + dur / 2 - span / 2), t1: Math.max(0, from + dur / 2 - span / 2) + span });
		set(changes);
	};
	const toggle = (track: Track) => {
		const toggled = new Set(toggledText ? toggledText.split(".").map(Number) : []);
		if (toggled.has(track.id)) toggled.delete(track.id);
		else toggled.add(track.id);
		set({ open: [...toggled].join(".") });
	};
	const pin = (track: Track) => {
		const left = pins.filter((id) => id !== track.id);
		set({ pin: (left.length < pins.length ? left : [...pins, track.id]).join(".") });
		chosenRow.value = -1;
	};
	const scrollTo = (y: number) => set({ sy: Math.round(Math.max(0, Math.min(y, Math.max(0, height - (size.height - TOP))))) || null });
	const near = () => ((now.current.view.t1 - now.current.view.t0) / Math.max(1, stage.current?.laneWidth ?? 1)) * 3;
	const laneZone = (x: number, y: number) => {
		const hit = stage.current?.hit(now.current, y);
		return hit?.lane ? { ...hit, zone: zoneAt(zones, hit.lane, stage.current!.timeAt(now.current.view, x), near()) } : hit ? { ...hit, zone: -1 } : null;
	};
	// An edge of a zone near the mouse, else the place itself.
	const snap = (x: number, y: number): number => {
		const time = stage.current!.timeAt(now.current.view, x);
		const at = laneZone(x, y);
		if (!at || at.zone < 0) return time;
		const edges = [zones.start[at.zone], zones.start[at.zone] + zones.dur[at.zone]];
		const best = Math.abs(edges[0] - time) < Math.abs(edges[1] - time) ? edges[0] : edges[1];
		return Math.abs(best - time) < near() * 3 ? best : time;
	};

	useMouse({ box, stage, now, whole, go, zoom, scrollTo, laneZone, snap, hover, drawn, measuring, run, zones, size, toggle, chosenRow });

	const keys = (event: KeyboardEvent) => {
		if (event.ctrlKey || event.metaKey || event.altKey) return;
		const { view } = now.current;
		const middle = hover.value && stage.current ? stage.current.timeAt(view, hover.value.x) : (view.t0 + view.t1) / 2;
		const row = rows[chosenRow.value];
		switch (event.key) {
		case "w": case "W": case "+": zoom(0.7, middle); break;
		case "s": case "S": case "-": zoom(1 / 0.7, middle); break;
		case "a": case "A": case "ArrowLeft": pan(-0.15); break;
		case "d": case "D": case "ArrowRight": pan(0.15); break;
		case "ArrowDown": case "ArrowUp": {
			const next = Math.max(0, Math.min(rows.length - 1, chosenRow.value + (event.key === "ArrowDown" ? 1 : -1)));
			chosenRow.value = next;
			const to = rows[next];
			if (to && !to.pinned && (to.y - pinnedHeight(rows) < scroll || to.y + to.height > scroll + size.height - TOP)) scrollTo(to.y - 60);
			break;
		}
		case "[": case "]": {
			const lane = chosen >= 0 ? laneOf(run.lanes, chosen) : row?.lanes[0] ?? null;
			if (!lane) break;
			const inRow = row && !row.lanes.includes(lane) ? row.lanes[0] : lane;
			if (!inRow) break;
			const next = inRow === lane && chosen >= 0 ? chosen + (event.key === "]" ? 1 : -1) : zoneAt(zones, inRow, middle, Infinity);
			if (next >= inRow.first && next < inRow.first + inRow.count) reveal(next);
			break;
		}
		case ".": case ",": {
			if (chosen >= 0 && !found) reveal(sameName(run, zones, chosen, event.key === "." ? 1 : -1));
			else if (found) reveal(nextFound(zones, run.lanes, chosen >= 0 ? zones.start[chosen] : view.t0, event.key === "." ? 1 : -1, found));
			break;
		}
		case "Enter":
			if (row && row.group && (chosen < 0 || !row.lanes.some((lane) => lane === laneOf(run.lanes, chosen)))) toggle(row.track);
			else if (chosen >= 0) reveal(chosen, true);
			break;
		case "m":
			if (!measuring.value || measuring.value.done) measuring.value = { from: middle, to: middle, done: false };
			else measuring.value = { ...measuring.value, to: hover.value ? measuring.value.to : middle, done: true };
			break;
		case "f": go({ t0: 0, t1: whole }); break;
		case "h": case "Home": go(first); break;
		case "p": if (row) pin(row.track); break;
		case "z": if (range) go(range); break;
		case "/": search.current?.focus(); break;
		case "Escape":
			if (measuring.value) measuring.value = null;
			else set({ zone: null, sel: null, panel: null });
			break;
		default: return;
		}
		event.preventDefault();
		event.stopPropagation();
	};
	useEffect(() => {
		const anywhere = (event: KeyboardEvent) => {
			const target = event.target as HTMLElement;
			if (/^(INPUT|SELECT|TEXTAREA|SUMMARY)$/.test(target.tagName) || target.closest("dialog")) return;
			if ((target.tagName === "BUTTON" || target.closest(".panel")) && /^(Enter| |Arrow)/.test(event.key)) return;
			latest.current(event);
		};
		window.addEventListener("keydown", anywhere);
		return () => window.removeEventListener("keydown", anywhere);
	}, []);
	const latest = useRef(keys);
	latest.current = keys;

	// Another screen may have chosen a zone whose lane is closed.
	useEffect(() => {
		if (chosen >= 0 && size.height > 0) reveal(chosen, false, get("t0") !== "");
	}, [size.height > 0]);

	const status = chosen >= 0 ? `${format.short(run.strings[zones.name[chosen]] ?? "", 100)}, ${format.time(zones.dur[chosen])} at ${format.time(zones.start[chosen])}` : rows[chosenRow.value]?.track.name ?? "";
	return (
		<div class="tl">
			<div class="toolbar">
				<input ref={search} class="grow" type="search" value={query} placeholder="Search zones    ( / )" aria-label="Search zones" onInput={(event) => set({ q: (event.target as HTMLInputElement).value })}
					onKeyDown={(event) => {
						if (event.key === "Enter" && found) reveal(nextFound(zones, run.lanes, chosen >= 0 ? zones.start[chosen] : -1, event.shiftKey ? -1 : 1, found));
						if (event.key === "Escape") main.current?.focus();
					}} />
				{run.windowed ? <span class="small soft" title="The trace is too large for a page: search and statistics know what is in sight">in windows</span> : null}
				{counted ? <span class="small soft" role="status">{format.plural(counted.zones, "zone")} of {format.plural(counted.names, "name")} · Enter: next</span> : null}
				<button onClick={() => zoom(0.5, (view.t0 + view.t1) / 2)} aria-label="Zoom in">+</button>
				<button onClick={() => zoom(2, (view.t0 + view.t1) / 2)} aria-label="Zoom out">−</button>
				<button title="All that was recorded" onClick={() => go({ t0: 0, t1: whole })}>All <kbd>f</kbd></button>
				<button title={run.ops ? "Where devices worked" : "From the first zone to the last"} onClick={() => go(first)}>Work <kbd>h</kbd></button>
				{rows[chosenRow.value] ? <button aria-pressed={pins.includes(rows[chosenRow.value].track.id)} title="Keep this lane at the top while the others scroll" onClick={() => pin(rows[chosenRow.value].track)}>Pin <kbd>p</kbd></button> : null}
				<button aria-pressed={measuring.value !== null} onClick={() => (measuring.value = measuring.value ? null : { from: (view.t0 * 2 + view.t1) / 3, to: (view.t0 + view.t1 * 2) / 3, done: false })}>Measure <kbd>m</kbd></button>
				{run.flows ? <button aria-pressed={scene.arrows} onClick={() => set({ arrows: scene.arrows ? "off" : null })}>Arrows</button> : null}
				<button aria-pressed={panel === "longest"} onClick={() => set({ panel: panel === "longest" ? null : "longest" })}>Longest</button>
				<button onClick={() => set({ sel: selText({ t0: view.t0, t1: view.t1, y0: 0, y1: height }, rows), zone: null, panel: null })}>Statistics</button>
			</div>
			<div class="stage" ref={box}>
				<canvas ref={main} tabIndex={0} role="application" aria-roledescription="timeline" aria-label={`Timeline of ${format.plural(zones.n, "zone")} on ${format.plural(run.lanes.length, "lane")}, ${format.time(whole)}. W and S zoom, A and D move, up and down choose a lane, brackets its zones.`} />
				<canvas ref={over} style="pointer-events:none" aria-hidden="true" />
				<Names rows={rows} scroll={scroll} top={TOP} height={size.height} width={size.width < 700 ? 110 : 210} chosen={chosenRow.value} toggle={toggle} choose={(i) => (chosenRow.value = i)} />
				{height > size.height - TOP && size.height > 0 ? <div class="vbar" style={{ top: TOP + ((size.height - TOP) * scroll) / height + "px", height: Math.max(20, (size.height - TOP) ** 2 / height) + "px" }} /> : null}
			</div>
			<div class="unseen" role="status">{status}</div>
			{chosen >= 0 ? <ZonePanel run={run} zones={zones} zone={chosen} reveal={reveal} />
				: range ? <RangePanel run={run} zones={zones} range={range} rows={rows} zoom={() => go(range)} />
				: panel === "longest" ? <LongestPanel run={run} zones={zones} reveal={reveal} /> : null}
		</div>
	);
}

// Where devices worked: reading their buffers afterwards can take longer than all the rest.
function focusOf(run: Run, whole: number): Span {
	const part = chosenPart(run.ops);
	const [t0, t1] = (part && spanOf(run.ops!, part)) || (run.manifest.focus_ns ?? [0, whole]);
	if (!(t1 > t0) || t1 - t0 > whole * 0.9) return { t0: 0, t1: whole };
	const room = (t1 - t0) * 0.02;
	return { t0: Math.max(0, t0 - room), t1: Math.min(whole, t1 + room) };
}

function clampView(view: Span, whole: number): Span {
	let span = Math.max(LEAST_SPAN, Math.min(view.t1 - view.t0, whole * 1.02));
	if (!Number.isFinite(span)) span = whole;
	const t0 = Math.max(-whole * 0.01, Math.min(view.t0, whole * 1.01 - span));
	return { t0, t1: t0 + span };
}

// Tracks that must be opened for a lane to be seen.
function closedAbove(tops: Track[], lane: number, rows: Row[]): number[] {
	const track = everyTrack(tops).find((one) => one.lanes.some((mine) => mine.id === lane));
	const row = rows.find((one) => one.track === track);
	const out: number[] = track && row?.hidden && !row.lanes.some((mine) => mine.id === lane) ? [track.id] : [];
	for (let up = track?.parent ?? null; up; up = up.parent) {
		const row = rows.find((one) => one.track === up);
		if (!row || !row.open) out.push(up.id);
	}
	return out;
}

function Names(props: { rows: Row[]; scroll: number; top: number; height: number; width: number; chosen: number; toggle(track: Track): void; choose(row: number): void }) {
	const pinned = pinnedHeight(props.rows);
	const shown = props.rows.map((row, i) => ({ row, i })).filter(({ row }) => topOf(row, props.scroll) + row.height > (row.pinned ? 0 : pinned) && topOf(row, props.scroll) < props.height - props.top);
	return (
		<div class="lanes" style={{ top: props.top + "px", width: props.width + "px" }}>
			{shown.map(({ row, i }) => {
				const { group } = row;
				return (
					<button key={(row.pinned ? "p" : "") + row.track.id} tabIndex={group ? 0 : -1} class={(group ? "parent" : "") + (row.pinned ? " pinned" : "")} aria-expanded={group ? row.open : undefined} title={format.short(row.track.name, 300)}
						style={{ top: topOf(row, props.scroll) + "px", height: row.height + "px", paddingLeft: 6 + row.track.level * 12 + "px", lineHeight: Math.min(row.height, 22) + "px" }}
						onClick={() => { props.choose(i); if (group && !row.pinned) props.toggle(row.track); }}>
						{row.pinned ? "⚲ " : group ? (row.open ? "▾ " : "▸ ") : ""}{format.short(row.track.name.replace(/^QUASAR_/, ""), 60)}{row.hidden && !row.pinned ? <span class="soft"> +{row.hidden} deeper</span> : null}
					</button>
				);
			})}
		</div>
	);
}

// Asks for what is in sight, a moment after it has come to rest.
function useWindows(run: Run, scene: Scene, size: { width: number; height: number }): void {
	useEffect(() => {
		if (!run.windowed || size.width < 50) return;
		const lanes = scene.rows.filter((row) => row.pinned || (row.y + row.height > scene.scroll && row.y < scene.scroll + size.height)).flatMap((row) => row.lanes);
		const timer = setTimeout(async () => {
			try {
				const zones = await askWindow(run, lanes, Math.max(0, scene.view.t0), scene.view.t1, size.width);
				if (!zones) return;
				run.window.value = zones;
				if (get("zone")) set({ zone: null }); // numbers of zones hold for one window
			} catch (error) {
				run.failed.value = String((error as Error).message);
			}
		}, 100);
		return () => clearTimeout(timer);
	}, [scene.view.t0, scene.view.t1, scene.rows, scene.scroll, size.width, size.height]);
}

type MouseTools = {
	box: { current: HTMLDivElement | null };
	stage: { current: Stage | null };
	now: { current: Scene };
	whole: number;
	go(view: Span): void;
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

function useMouse(tools: MouseTools): void {
	const latest = useRef(tools);
	latest.current = tools;
	useEffect(() => {
		const element = latest.current.stage.current?.main;
		if (!element) return;
		let drag: { kind: "pan" | "range" | "strip"; x: number; y: number; view: Span; scroll: number; moved: boolean } | null = null;
		const place = (event: MouseEvent) => {
			const rect = element.getBoundingClientRect();
			return { x: event.clientX - rect.left, y: event.clientY - rect.top };
		};
		const down = (event: PointerEvent) => {
			if (event.button !== 0) return;
			const { x, y } = place(event);
			const { now, stage } = latest.current;
			const kind = y < STRIP ? "strip" : event.shiftKey ? "range" : "pan";
			drag = { kind, x, y, view: { ...now.current.view }, scroll: now.current.scroll, moved: false };
			element.setPointerCapture(event.pointerId);
			element.focus({ preventScroll: true });
			if (kind === "strip") stripTo(x);
			if (kind === "range") latest.current.drawn.value = rangeOf(stage.current!, now.current, x, y, x, y);
		};
		const stripTo = (x: number) => {
			const { stage, now, whole, go } = latest.current;
			const at = ((x - stage.current!.gutter) / stage.current!.laneWidth) * whole;
			const half = (now.current.view.t1 - now.current.view.t0) / 2;
			const t0 = Math.max(0, Math.min(whole - 2 * half, at - half));
			go({ t0, t1: t0 + 2 * half });
		};
		const move = (event: PointerEvent) => {
			const { x, y } = place(event);
			const t = latest.current;
			const stage = t.stage.current!;
			if (drag) {
				if (Math.abs(x - drag.x) + Math.abs(y - drag.y) > 3) drag.moved = true;
				if (drag.kind === "strip") stripTo(x);
				else if (drag.kind === "range") t.drawn.value = rangeOf(stage, t.now.current, drag.x, drag.y, x, y);
				else if (drag.moved) {
					const by = ((drag.x - x) / stage.laneWidth) * (drag.view.t1 - drag.view.t0);
					t.go({ t0: drag.view.t0 + by, t1: drag.view.t1 + by });
					t.scrollTo(drag.scroll + drag.y - y);
				}
				tip.value = null;
				return;
			}
			t.hover.value = x >= stage.gutter ? { x, y } : null;
			if (t.measuring.value && !t.measuring.value.done) t.measuring.value = { ...t.measuring.value, to: t.snap(x, y) };
			tip.value = tipFor(t, event, x, y);
		};
		const up = (event: PointerEvent) => {
			const t = latest.current;
			const { x, y } = place(event);
			const was = drag;
			drag = null;
			if (!was) return;
			if (was.kind === "range") {
				const range = t.drawn.value;
				t.drawn.value = null;
				if (range && was.moved) set({ sel: selText(range, t.now.current.rows), zone: null, panel: null });
				return;
			}
			if (was.moved || was.kind === "strip") return;
			if (t.measuring.value) {
				t.measuring.value = t.measuring.value.done ? null : { ...t.measuring.value, to: t.snap(x, y), done: true };
				return;
			}
			const hit = t.laneZone(x, y);
			if (hit) t.chosenRow.value = t.now.current.rows.indexOf(hit.row);
			set({ zone: hit && hit.zone >= 0 ? hit.zone : null, sel: null });
		};
		const twice = (event: MouseEvent) => {
			const { x, y } = place(event);
			const t = latest.current;
			const hit = t.laneZone(x, y);
			if (hit && hit.zone >= 0) {
				const from = t.zones.start[hit.zone], dur = t.zones.dur[hit.zone];
				t.go({ t0: from - dur * 0.2, t1: from + dur * 1.2 });
			}
		};
		const wheel = (event: WheelEvent) => {
			event.preventDefault();
			const t = latest.current;
			const { x } = place(event);
			const { view, scroll } = t.now.current;
			if (event.ctrlKey || event.metaKey) t.zoom(Math.exp(Math.max(-60, Math.min(60, event.deltaY)) * 0.006), t.stage.current!.timeAt(view, x));
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
			tip.value = null;
		};
		element.addEventListener("pointerdown", down);
		element.addEventListener("pointermove", move);
		element.addEventListener("pointerup", up);
		element.addEventListener("dblclick", twice);
		element.addEventListener("pointerleave", leave);
		const holder = latest.current.box.current!;
		holder.addEventListener("wheel", wheel, { passive: false });
		return () => {
			tip.value = null;
			holder.removeEventListener("wheel", wheel);
		};
	}, [tools.size.width > 0]);
}

function selText(range: NonNullable<Scene["range"]>, rows: Row[]): string {
	const inside = rows.filter((row) => row.y + row.height > range.y0 && row.y < range.y1);
	return [Math.round(range.t0), Math.round(range.t1), inside[0]?.track.id ?? 0, inside[inside.length - 1]?.track.id ?? 0].join("_");
}

// From one corner to the other, rows whole; below all lanes it is a span of time, of all of them.
function rangeOf(stage: Stage, scene: Scene, x0: number, y0: number, x1: number, y1: number): Scene["range"] {
	const times = [stage.timeAt(scene.view, x0), stage.timeAt(scene.view, x1)].sort((a, b) => a - b);
	const [low, high] = [Math.min(y0, y1), Math.max(y0, y1)].map((y) => y - TOP);
	const pinned = pinnedHeight(scene.rows);
	const hit = scene.rows.filter((row) => topOf(row, scene.scroll) + row.height > (row.pinned ? low : Math.max(low, pinned)) && topOf(row, scene.scroll) < high), inside = hit.length ? hit : scene.rows;
	return { t0: times[0], t1: times[1], y0: inside[0]?.y ?? Math.max(0, low + scene.scroll), y1: inside.length ? inside[inside.length - 1].y + inside[inside.length - 1].height : high + scene.scroll };
}

function tipFor(t: MouseTools, event: MouseEvent, x: number, y: number): typeof tip.value {
	const hit = t.laneZone(x, y);
	if (!hit || x < t.stage.current!.gutter) return null;
	const { plot } = hit.row.track;
	if (plot) {
		const time = t.stage.current!.timeAt(t.now.current.view, x), value = plotAt(plot, time);
		return { x: event.clientX, y: event.clientY, title: format.short(plot.name, 200), lines: [`${Number.isNaN(value) ? "no value yet" : plotText(plot, value)} at ${format.time(time)}`] };
	}
	if (hit.zone < 0) return hit.row.density ? { x: event.clientX, y: event.clientY, title: hit.row.track.name, lines: ["how busy its lanes are on average; open it to see them"] } : null;
	const { zones, run } = t;
	const lines = [`${format.time(zones.dur[hit.zone])} from ${format.time(zones.start[hit.zone])}`, format.short(hit.row.track.name, 80)];
	const op = zones.op?.[hit.zone] ?? 0;
	if (op && run.ops) lines.push(`op ${op}: ${format.short(run.ops.byKey.get("op")?.text(op - 1) || run.ops.byKey.get("OP CODE")?.text(op - 1) || "", 100)}`);
	const text = zones.text ? run.strings[zones.text[hit.zone]] : "";
	if (text) lines.push(format.short(text, 200));
	return { x: event.clientX, y: event.clientY, title: format.short(run.strings[zones.name[hit.zone]] ?? "", 200), lines };
}
