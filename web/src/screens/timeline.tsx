// SPDX-License-Identifier: Apache-2.0
// Host and devices on one time axis.
import { useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import type { Run } from "../data/run";
import { askWindow } from "../data/windows";
import type { Zones } from "../data/zones";
import * as format from "../logic/format";
import { dark, get, number, set } from "../state";
import { Empty } from "../ui/empty";
import { useSize } from "../ui/size";
import { AXES, axisOf, busyShare, workOf, type Axis, type AxisKind } from "../timeline/axis";
import { tracksOf } from "../timeline/layers";
import { selText, useMouse, type Span } from "../timeline/mouse";
import { bestColouring, COLOURINGS, opLook, type Colouring } from "../timeline/oplook";
import { openingOf } from "../timeline/opening";
import { noteBand } from "../timeline/notes";
import { makePalette, speaksOfOps, type Found } from "../timeline/palette";
import { findHits, hitOf, laneOf, nextHit, sameName, zoneAt } from "../timeline/pick";
import { rulerOf } from "../timeline/ruler";
import { Stage, topOfLanes, type Look, type Scene } from "../timeline/stage";
import { everyTrack, heightsFor, layRows, pinnedHeight, type Row, type Track } from "../timeline/tracks";
import { addNote } from "./timeline_notes";
import { Names } from "./timeline_names";
import { Panels } from "./timeline_panels";
import { AxisChoice, ColourChoice, Legend } from "./timeline_tools";

export function Timeline(props: { run: Run }) {
	const { run } = props;
	if (!run.manifest.zones || run.lanes.length === 0)
		return <div style="overflow:auto"><Empty title="No timeline in this run" text="A timeline needs a trace of the host or a device log." parts={["host", "device", "trace", "run", "zones"]} /></div>;
	const zones = run.windowed ? run.window.value : run.zones.value;
	if (!zones) return <p class="boot" role="status">{run.failed.value ? "" : format.readingZones(run.zonesRead.value, run.manifest.zones.n!)}</p>;
	if (!zones.n && !run.manifest.span_ns)
		return <div style="overflow:auto"><Empty title="No times in this run" text="Its ops have durations, but nothing says when each one began: Ops has them, by what they cost." parts={["host", "device", "trace", "run"]} /></div>;
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

const LEAST_SPAN = 4; // ns
const FOLD_BELOW = 0.4; // busy in less than this of the first view: idle is folded

// The axis that was chosen, or that fills the first view.
function useAxis(run: Run, whole: number, first: Span): { axis: Axis; kinds: AxisKind[] } {
	const asked = get("ax") as AxisKind;
	const { kinds, best } = useMemo(() => {
		const work = run.ops && !run.windowed ? workOf(run.ops) : [];
		return { kinds: AXES.filter((kind) => kind === "time" || work.length > 1), best: work.length > 1 && busyShare(work, first.t0, first.t1) < FOLD_BELOW ? "fold" as const : "time" as const };
	}, [run, first]);
	return { axis: useMemo(() => axisOf(kinds.includes(asked) ? asked : best, run.ops, whole), [run, kinds, asked, best, whole]), kinds };
}

function View(props: { run: Run; zones: Zones }) {
	const { run, zones } = props;
	const whole = Math.max(1, run.manifest.span_ns);
	const box = useRef<HTMLDivElement>(null);
	const main = useRef<HTMLCanvasElement>(null);
	const over = useRef<HTMLCanvasElement>(null);
	const search = useRef<HTMLInputElement>(null);
	const size = useSize(box);
	const { tops, gaps } = useMemo(() => tracksOf(run, zones), [run, run.plots.length, run.windowed ? null : zones]);
	const toggledText = get("open");
	// Panels come and go below: they shall not change the lanes.
	const tall = useMemo(() => heightsFor(tops, window.innerHeight - 310), [tops, window.innerHeight]);
	const pinText = get("pin");
	const pins = pinText ? pinText.split(".").map(Number) : [];
	const { rows, height } = useMemo(() => layRows(tops, new Set(toggledText ? toggledText.split(".").map(Number) : []), tall, pins), [tops, toggledText, tall, pinText]);
	const first = useMemo(() => openingOf(run, whole), [run, get("part")]);
	const { axis, kinds } = useAxis(run, whole, first);
	const home = useMemo(() => {
		const t0 = axis.to(first.t0), t1 = axis.to(first.t1), room = (t1 - t0) * 0.01;
		return { t0: Math.max(0, t0 - room), t1: Math.min(axis.span, t1 + room) };
	}, [axis, first]);
	const given = { t0: number("t0", NaN), t1: number("t1", NaN) };
	const view: Span = clampView({ t0: Number.isNaN(given.t0) ? home.t0 : axis.to(given.t0), t1: Number.isNaN(given.t1) ? home.t1 : axis.to(given.t1) }, axis.span);
	const times = { t0: axis.from(view.t0), t1: axis.from(view.t1) };
	// How busy lanes are is written once the view has come to rest: texts cost more than pixels.
	const rest = useSignal(times);
	useEffect(() => {
		if (rest.peek().t0 === times.t0 && rest.peek().t1 === times.t1) return;
		const timer = setTimeout(() => (rest.value = times), 120);
		return () => clearTimeout(timer);
	}, [times.t0, times.t1]);
	const notes = get("notes");
	const ruler = useMemo(() => [...rulerOf(run), ...noteBand(notes)], [run, notes]);
	const chosen = number("zone", -1) < zones.n ? number("zone", -1) : -1;
	const chosenRow = useSignal(-1);
	const hover = useSignal<{ x: number; y: number } | null>(null);
	const drawn = useSignal<Scene["range"]>(null);
	const measuring = useSignal<{ from: number; to: number; done: boolean } | null>(null);
	const rangeText = get("sel");
	const query = get("q");
	const panel = get("panel");
	const stage = useRef<Stage | null>(null);
	const sought = useRef({ lane: -1, until: 0 }); // a lane to bring into sight

	const found = useMemo<Found | null>(() => {
		if (!query) return null;
		const lower = query.toLowerCase(), look = opLook(run);
		const is = new Uint8Array(run.strings.length), ops = new Map<number, boolean>();
		run.strings.forEach((text, i) => (is[i] = text.toLowerCase().includes(lower) ? 1 : 0));
		const isOp = (op: number) => {
			let yes = ops.get(op);
			if (yes === undefined) ops.set(op, (yes = look!.label(op).toLowerCase().includes(lower)));
			return yes;
		};
		return (zones, lane, i) => is[zones.name[i]] === 1 || (look !== null && zones.op !== null && zones.op[i] > 0 && (speaksOfOps(lane) || lane.device === undefined) && isOp(zones.op[i]));
	}, [query, run]);
	// An op is found once, on its device: where the host launched it is the same op.
	const hits = useMemo(() => {
		if (!found) return null;
		const alone = { ...zones, op: null }, hasOps = run.lanes.some((lane) => lane.kind === "ops");
		return findHits(zones, run.lanes, (lane, i) => found(hasOps && lane.device === undefined ? alone : zones, lane, i), (lane) => lane.kind === "risc" || lane.kind === "core");
	}, [found, zones]);
	const isDark = dark.value;
	const look = useMemo(lookNow, [isDark]);
	const how = (COLOURINGS as readonly string[]).includes(get("col")) ? (get("col") as Colouring) : bestColouring(run);
	const palette = useMemo(() => makePalette(run, look.ground, isDark ? "#3a4452" : "#dfe3e8", how, found), [run, look, how, found]);

	const range = useMemo<Scene["range"]>(() => {
		const parts = rangeText.split("_").map(Number);
		if (!rangeText || parts.length !== 4 || !parts.every(Number.isFinite) || !rows.length) return null;
		// By the first and the last of its tracks, which are the same in any window; one that is closed away stands for the edge.
		const of = (id: number) => rows.find((row) => row.track.id === id);
		const from = of(parts[2]) ?? rows[0], to = of(parts[3]) ?? rows[rows.length - 1];
		return { t0: parts[0], t1: parts[1], y0: Math.min(from.y, to.y), y1: Math.max(from.y + from.height, to.y + to.height) };
	}, [rangeText, rows]);
	const scene: Scene = {
		axis, ruler, view, rows, scroll: 0, palette, look, chosen, chosenRow: chosenRow.value, hover: hover.value, range: drawn.value ?? range,
		measure: measuring.value, arrows: get("arrows", "on") === "on",
	};
	const top = topOfLanes(scene);
	const scroll = (scene.scroll = Math.max(0, Math.min(number("sy", 0), Math.max(0, height - (size.height - top)))));
	const now = useRef(scene);
	now.current = scene;
	const gutter = size.width < 700 ? 120 : 230;

	useLayoutEffect(() => {
		if (!main.current || !over.current || size.width < 50) return;
		if (!stage.current) stage.current = new Stage(run, zones, main.current, over.current);
		stage.current.gutter = gutter;
		stage.current.resize(size.width, size.height);
		stage.current.paint(now.current);
		stage.current.overlay(now.current);
		tell(stage.current.lastPaint);
	}, [size.width, size.height]);
	useLayoutEffect(() => {
		stage.current?.paint(now.current);
		tell(stage.current?.lastPaint ?? 0);
	}, [axis, view.t0, view.t1, rows, ruler, scroll, palette, chosen, scene.arrows]);
	useLayoutEffect(() => stage.current?.overlay(now.current));
	useLayoutEffect(() => {
		if (!stage.current || stage.current.zones === zones) return;
		stage.current.zones = zones;
		stage.current.paint(now.current);
	}, [zones]);
	useWindows(run, scene, times, size);

	const show = (next: Span) => set({ t0: Math.round(next.t0 * 100) / 100, t1: Math.round(next.t1 * 100) / 100 });
	const go = (next: Span) => {
		const clamped = clampView(next, axis.span);
		show({ t0: axis.from(clamped.t0), t1: axis.from(clamped.t1) });
	};
	const zoom = (factor: number, at: number) => {
		const { view } = now.current;
		go({ t0: at - (at - view.t0) * factor, t1: at + (view.t1 - at) * factor });
	};
	const pan = (share: number) => {
		const { view } = now.current;
		const by = (view.t1 - view.t0) * share;
		const t0 = Math.max(0, Math.min(axis.span - (view.t1 - view.t0), view.t0 + by));
		go({ t0, t1: t0 + view.t1 - view.t0 });
	};
	const reveal = (zone: number, zoomTo = false, stay = false) => {
		if (zone < 0) return;
		const from = axis.to(zones.start[zone]), dur = Math.max(LEAST_SPAN, axis.to(zones.start[zone] + zones.dur[zone]) - from);
		const { view } = now.current;
		const lane = laneOf(run.lanes, zone);
		const changes: { [key: string]: string | number | null } = { zone, gap: null };
		if (lane) {
			const closed = closedAbove(tops, lane.id, rows);
			sought.current = { lane: lane.id, until: performance.now() + 500 };
			if (closed.length) changes.open = [...new Set([...(toggledText ? toggledText.split(".").map(Number) : []), ...closed])].join(".");
		}
		const out = from < view.t0 || from + dur > view.t1;
		const span = view.t1 - view.t0;
		const to = (t0: number, t1: number) => Object.assign(changes, { t0: axis.from(Math.max(0, t0)), t1: axis.from(t1) });
		if (!stay && (zoomTo || dur > span)) to(from - dur * 0.2, from + dur * 1.2);
		else if (!stay && out) to(from + dur / 2 - span / 2, Math.max(0, from + dur / 2 - span / 2) + span);
		set(changes);
	};
	// A lane that was sought is in sight once the tracks around it are open and the panel below has its height.
	useLayoutEffect(() => {
		const { lane, until } = sought.current;
		const row = performance.now() < until && size.height > 0 ? rows.find((one) => one.lanes.some((mine) => mine.id === lane)) : undefined;
		if (row && !row.pinned && (row.y - pinnedHeight(rows) < scroll || row.y + row.height > scroll + size.height - top) && number("sy", 0) !== Math.max(0, row.y - 80)) set({ sy: Math.max(0, row.y - 80) });
	});
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
	const scrollTo = (y: number) => set({ sy: Math.round(Math.max(0, Math.min(y, Math.max(0, height - (size.height - top))))) || null });
	// What three pixels are, where the mouse is.
	const near = () => {
		const { view } = now.current, per = (view.t1 - view.t0) / Math.max(1, stage.current?.laneWidth ?? 1);
		const at = hover.value && stage.current ? stage.current.placeAt(view, hover.value.x) : (view.t0 + view.t1) / 2;
		return (axis.from(at + 1.5 * per) - axis.from(at - 1.5 * per));
	};
	const laneZone = (x: number, y: number) => {
		const hit = stage.current?.hit(now.current, y);
		return hit?.lane ? { ...hit, zone: zoneAt(zones, hit.lane, stage.current!.timeAt(now.current.view, x), near()) } : hit ? { ...hit, zone: -1 } : null;
	};
	// An edge of a zone near the mouse, else the time itself.
	const snap = (x: number, y: number): number => {
		const time = stage.current!.timeAt(now.current.view, x);
		const at = laneZone(x, y);
		if (!at || at.zone < 0) return time;
		const edges = [zones.start[at.zone], zones.start[at.zone] + zones.dur[at.zone]];
		const best = Math.abs(edges[0] - time) < Math.abs(edges[1] - time) ? edges[0] : edges[1];
		return Math.abs(best - time) < near() * 3 ? best : time;
	};

	useMouse({ box, stage, now, whole: axis.span, go, show, near, zoom, scrollTo, laneZone, snap, hover, drawn, measuring, run, zones, size, toggle, chosenRow });

	const toHit = (step: 1 | -1) => {
		if (hits) reveal(nextHit(zones, hits, chosen, times.t0, step));
	};
	const keys = (event: KeyboardEvent) => {
		if (event.ctrlKey || event.metaKey || event.altKey) return;
		const { view } = now.current;
		const middle = hover.value && stage.current ? stage.current.placeAt(view, hover.value.x) : (view.t0 + view.t1) / 2;
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
			if (to && !to.pinned && (to.y - pinnedHeight(rows) < scroll || to.y + to.height > scroll + size.height - top)) scrollTo(to.y - 60);
			break;
		}
		case "[": case "]": {
			const lane = chosen >= 0 ? laneOf(run.lanes, chosen) : row?.lanes[0] ?? null;
			if (!lane) break;
			const inRow = row && !row.lanes.includes(lane) ? row.lanes[0] : lane;
			if (!inRow) break;
			const next = inRow === lane && chosen >= 0 ? chosen + (event.key === "]" ? 1 : -1) : zoneAt(zones, inRow, axis.from(middle), Infinity);
			if (next >= inRow.first && next < inRow.first + inRow.count) reveal(next);
			break;
		}
		case ".": case ",": {
			const step = event.key === "." ? 1 : -1;
			if (hits) toHit(step);
			else if (chosen >= 0) reveal(sameName(run, zones, chosen, step));
			break;
		}
		case "Enter":
			if (row && row.group && (chosen < 0 || !row.lanes.some((lane) => lane === laneOf(run.lanes, chosen)))) toggle(row.track);
			else if (chosen >= 0) reveal(chosen, true);
			break;
		case "m":
			if (!measuring.value || measuring.value.done) measuring.value = { from: axis.from(middle), to: axis.from(middle), done: false };
			else measuring.value = { ...measuring.value, to: hover.value ? measuring.value.to : axis.from(middle), done: true };
			break;
		case "b": addNote(axis.from(middle)); break;
		case "i": set({ ax: kinds[(kinds.indexOf(axis.kind) + 1) % kinds.length] }); break;
		case "f": if (chosen >= 0) reveal(chosen, true); else go({ t0: 0, t1: axis.span }); break;
		case "h": case "Home": go(home); break;
		case "p": if (row) pin(row.track); break;
		case "z": if (range) show(range); break;
		case "/": search.current?.focus(); break;
		case "Escape":
			if (measuring.value) measuring.value = null;
			else if (get("zone") || get("gap") || rangeText || panel) set({ zone: null, sel: null, panel: null, gap: null });
			else set({ q: null });
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

	const status = chosen >= 0 ? `${format.short(run.strings[zones.name[chosen]] ?? "", 100)}, ${format.time(zones.dur[chosen])}` : rows[chosenRow.value]?.track.name ?? "";
	const place = hits && chosen >= 0 ? hitOf(hits, chosen) : -1;
	const opened = (what: string) => set({ panel: panel === what ? null : what, zone: null, sel: null, gap: null });
	return (
		<div class="tl">
			<div class="toolbar">
				<input ref={search} class="narrow" type="search" value={query} placeholder="Search ops and zones  ( / )" aria-label="Search zones" onInput={(event) => set({ q: (event.target as HTMLInputElement).value })}
					onKeyDown={(event) => {
						if (event.key === "Enter") toHit(event.shiftKey ? -1 : 1);
						if (event.key === "Escape") {
							set({ q: null });
							main.current?.focus();
						}
					}} />
				{run.windowed ? <span class="small soft" title="The trace is too large for a page: search and statistics know what is in sight">in windows</span> : null}
				{hits ? <span class="small soft" role="status">{place >= 0 ? `${format.count(place + 1)} of ` : ""}{hits.cut ? "over " : ""}{format.plural(hits.zones.length, "zone")} of {format.plural(hits.names, "name")} · Enter: next</span> : null}
				<button onClick={() => zoom(0.5, (view.t0 + view.t1) / 2)} aria-label="Zoom in">+</button>
				<button onClick={() => zoom(2, (view.t0 + view.t1) / 2)} aria-label="Zoom out">−</button>
				<button title="All that was recorded" onClick={() => go({ t0: 0, t1: axis.span })}>All <kbd>f</kbd></button>
				<button title={`Back to ${first.what}`} onClick={() => go(home)}>Home <kbd>h</kbd></button>
				{rows[chosenRow.value] ? <button aria-pressed={pins.includes(rows[chosenRow.value].track.id)} title="Keep this lane at the top while the others scroll" onClick={() => pin(rows[chosenRow.value].track)}>Pin <kbd>p</kbd></button> : null}
				<button aria-pressed={measuring.value !== null} onClick={() => (measuring.value = measuring.value ? null : { from: axis.from((view.t0 * 2 + view.t1) / 3), to: axis.from((view.t0 + view.t1 * 2) / 3), done: false })}>Measure <kbd>m</kbd></button>
				<button title="A note at this time, kept in the address" onClick={() => addNote(axis.from((view.t0 + view.t1) / 2))}>Note <kbd>b</kbd></button>
				{run.flows ? <button aria-pressed={scene.arrows} onClick={() => set({ arrows: scene.arrows ? "off" : null })}>Arrows</button> : null}
				<button aria-pressed={panel === "longest"} onClick={() => opened("longest")}>Longest</button>
				{run.messages || run.signposts || run.frames ? <button aria-pressed={panel === "events"} title="Messages, signposts and frames in sight" onClick={() => opened("events")}>Events</button> : null}
				<button onClick={() => set({ sel: selText({ t0: times.t0, t1: times.t1, y0: 0, y1: height }, rows), zone: null, panel: null, gap: null })}>Statistics</button>
			</div>
			<Legend run={run} how={how} gaps={gaps}>
				<AxisChoice kind={axis.kind} kinds={kinds} />
				{run.ops ? <ColourChoice how={how} /> : null}
			</Legend>
			<div class="stage" ref={box}>
				<canvas ref={main} tabIndex={0} role="application" aria-roledescription="timeline" aria-label={`Timeline of ${format.plural(zones.n, "zone")} on ${format.plural(run.lanes.length, "lane")}, ${format.time(whole)}. W and S zoom, A and D move, up and down choose a lane, brackets its zones.`} />
				<canvas ref={over} style="pointer-events:none" aria-hidden="true" />
				<Names rows={rows} zones={zones} times={rest.value} scroll={scroll} top={top} height={size.height} width={gutter} chosen={chosenRow.value} toggle={toggle} choose={(i) => (chosenRow.value = i)} scrollTo={scrollTo} />
				{height > size.height - top && size.height > 0 ? <div class="vbar" style={{ top: top + ((size.height - top) * scroll) / height + "px", height: Math.max(20, (size.height - top) ** 2 / height) + "px" }} /> : null}
			</div>
			<div class="unseen" role="status">{status}</div>
			<Panels run={run} zones={zones} chosen={chosen} range={range} rows={rows} gaps={gaps} times={times} reveal={reveal} show={show} />
		</div>
	);
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

// Asks for what is in sight, a moment after it has come to rest.
function useWindows(run: Run, scene: Scene, times: Span, size: { width: number; height: number }): void {
	useEffect(() => {
		if (!run.windowed || size.width < 50) return;
		const lanes = scene.rows.filter((row) => row.pinned || (row.y + row.height > scene.scroll && row.y < scene.scroll + size.height)).flatMap((row) => row.lanes);
		const timer = setTimeout(async () => {
			try {
				const zones = await askWindow(run, lanes, Math.max(0, times.t0), times.t1, size.width);
				if (!zones) return;
				run.window.value = zones;
				if (get("zone")) set({ zone: null }); // numbers of zones hold for one window
			} catch (error) {
				run.failed.value = String((error as Error).message);
			}
		}, 100);
		return () => clearTimeout(timer);
	}, [times.t0, times.t1, scene.rows, scene.scroll, size.width, size.height]);
}
