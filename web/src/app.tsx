// SPDX-License-Identifier: Apache-2.0
// The frame: head, tabs, the screen, help; keys that work everywhere.
import { useSignalEffect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { nameOfRun, runs, shortNameOf, theEntry, theRun } from "./data/current";
import { accountOf, type Run } from "./data/run";
import * as format from "./logic/format";
import { chosenPart, choosePart, partsOf } from "./logic/parts";
import { chooseRun, chosenRun, COMPARES, dark, HISTORY_ALONE, screen, SCREENS, set, toggleTheme, type Screen } from "./state";
import { About, aboutOpen } from "./ui/about";
import { Tip, tip } from "./ui/tip";
import { Summary } from "./screens/summary";
import { Timeline } from "./screens/timeline";
import { OpsScreen } from "./screens/ops";
import { Cores } from "./screens/cores";
import { Memory } from "./screens/memory";
import { Counters } from "./screens/counters";
import { Roofline } from "./screens/roofline";
import { Model } from "./screens/model";
import { Capture, TIME_KINDS } from "./screens/capture";
import { Compare } from "./screens/compare";
import { HistoryScreen } from "./screens/history";
import { theHistory } from "./data/history";

const TITLES: { [name in Screen]: string } = {
	summary: "Summary", timeline: "Timeline", ops: "Ops", cores: "Cores", memory: "Memory", counters: "Counters", roofline: "Roofline", model: "Model", capture: "Capture", compare: "Compare", history: "History",
};
const PAGES = { summary: Summary, timeline: Timeline, ops: OpsScreen, cores: Cores, memory: Memory, counters: Counters, roofline: Roofline, model: Model, capture: Capture, compare: Compare, history: HistoryScreen };
const FIXED: Screen[] = ["timeline", "ops"];
// In the order of the tabs.  Compare is the first, where there is one, and the digits of the others stay.
const SHOWN: [Screen, string][] = HISTORY_ALONE ? [["history", "0"]] : [
	...(COMPARES ? [["compare", "0"] as [Screen, string]] : []),
	...SCREENS.filter((name) => name !== "compare" && name !== "history").map((name, i) => [name, String(i + 1)] as [Screen, string]),
];


function Chips(props: { run: Run }) {
	const { manifest } = props.run;
	const chip = manifest.report?.chip;
	const account = accountOf(manifest);
	const list: { text: string; kind?: string; says?: string }[] = [];
	if (chip?.name) list.push({ text: String(chip.name) });
	const devices = manifest.devices?.length ?? 0;
	if (devices) list.push({ text: format.plural(devices, "device") });
	const work = manifest.focus_ns ? manifest.focus_ns[1] - manifest.focus_ns[0] : 0;
	if (manifest.span_ns > 0)
		list.push({ text: work > 0 && work < manifest.span_ns * 0.9 ? `${format.time(work)} of work in ${format.time(manifest.span_ns)}` : format.time(manifest.span_ns) + " in all" });
	if (account) {
		const whole = account.timed === account.seen && !account.dropped;
		list.push({ text: `${format.count(account.timed)} of ${format.count(account.seen)} ops timed` + (account.dropped ? `, ${format.count(account.dropped)} dropped` : ""), kind: whole ? "good" : "warn" });
	}
	if (manifest.clock_note) list.push({ text: manifest.clock_note, kind: "warn", says: "times of its devices are not those of a card" });
	if (manifest.time_kind && manifest.time_kind !== "real")
		list.push({ text: manifest.time_kind.replace(/_/g, " ") + " host time", kind: "warn", says: "host time is " + TIME_KINDS[manifest.time_kind] });
	return <div class="chips">{list.map((chip) => <span key={chip.text} class={"chip " + (chip.kind ?? "")} title={chip.says}>{chip.text}</span>)}</div>;
}

function HistoryChips() {
	const history = theHistory.value!;
	return <div class="chips"><span class="chip">{format.plural(history.runs.length, "run")}</span><span class="chip">{format.plural(history.series.length, "series", "series")}</span></div>;
}

// One choice for all screens that are about ops or time.
function PartPicker(props: { run: Run }) {
	const { ops } = props.run;
	const parts = ops ? partsOf(ops) : [];
	if (!ops || parts.length === 0) return null;
	const now = chosenPart(ops);
	const choose = (key: string) => choosePart(parts.find((part) => part.key === key) ?? null);
	return (
		<select class={now ? "part chosen" : "part"} aria-label="Part of the run" title="Which part of the run Summary, Timeline, Ops, Cores, Roofline and Model show" value={now?.key ?? ""} onChange={(event) => choose((event.target as HTMLSelectElement).value)}>
			<option value="">whole run</option>
			{parts.map((part) => <option key={part.key} value={part.key}>{format.short(part.name, 40)}</option>)}
		</select>
	);
}

// Which run the screens show, where the page has several.
function RunPicker() {
	if (runs.value.length < 2) return null;
	return (
		<select class="part run" aria-label="Run" title="Which run all screens but Compare show" value={String(chosenRun.value)} onChange={(event) => chooseRun(Number((event.target as HTMLSelectElement).value))}>
			{runs.value.map((entry, i) => <option key={i} value={String(i)}>{format.short(nameOfRun(entry), 60)}</option>)}
		</select>
	);
}

let byKey = false; // the screen was chosen: what takes keys there gets them, else they would go to what is gone

function keys(event: KeyboardEvent): void {
	const target = event.target as HTMLElement;
	if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName)) return;
	const chosen = SHOWN.find(([, digit]) => digit === event.key);
	if (chosen) {
		byKey = true;
		set({}, chosen[0]);
	}
	else if (event.key === "?") aboutOpen.value = true;
	else if (event.key === "T") toggleTheme();
	else return;
	event.preventDefault();
}

// What the page is about: on Compare both sides, else the run.
function titleOf(run: Run | null, now: Screen): string {
	const base = runs.value.find((entry) => entry.side === "base"), other = runs.value.find((entry) => entry.side === "new");
	if (theHistory.value) return theHistory.value.db.replace(/^.*\//, "");
	return now === "compare" && base && other ? `${shortNameOf(base)} → ${shortNameOf(other)}` : run?.manifest.title ?? "ttprof";
}

export function App() {
	const run = theRun.value;
	const main = useRef<HTMLElement>(null);
	useSignalEffect(() => {
		document.documentElement.dataset.theme = dark.value ? "dark" : "light";
	});
	useEffect(() => {
		window.addEventListener("keydown", keys);
		return () => window.removeEventListener("keydown", keys);
	}, []);
	const now = screen.value;
	useEffect(() => {
		tip.value = null;
		main.current?.scrollTo(0, 0);
		if (byKey) (main.current?.querySelector<HTMLElement>("[role=grid], canvas[tabindex]") ?? main.current)?.focus({ preventScroll: true });
		byKey = false;
		document.title = `${TITLES[now]} · ${format.short(titleOf(run, now), 60)}`;
	}, [now, run]);
	const Page = PAGES[now], of = `${now} ${chosenRun.value}`;
	const made = theHistory.value ?? run?.manifest;
	if (!made) return <p class="boot">{theEntry.value?.failed.value ? "The run could not be read: " + theEntry.value.failed.value : "Reading the run …"}</p>;
	return (
		<>
			<a class="skip" href="#main" onClick={(event) => { event.preventDefault(); main.current?.focus(); }}>to the content</a>
			<header class="top">
				<span class="logo" aria-hidden="true">ttprof</span>
				<h1 title={format.short(titleOf(run, now), 300)}>{format.short(titleOf(run, now), 120)}</h1>
				{run ? <Chips run={run} /> : <HistoryChips />}
				<RunPicker />
				{now === "compare" || !run ? null : <PartPicker run={run} />}
				<button class="plain" onClick={toggleTheme}>{dark.value ? "Light" : "Dark"}</button>
				<button class="plain" onClick={() => (aboutOpen.value = true)}>Help <kbd>?</kbd></button>
			</header>
			<nav class="tabs" aria-label="Screens">
				{SHOWN.map(([name, digit]) => (
					<a key={name} href={"#" + name} aria-current={name === now ? "page" : undefined}
						onClick={(event) => { event.preventDefault(); set({}, name); }}>{TITLES[name]}<kbd aria-hidden="true">{digit}</kbd></a>
				))}
			</nav>
			<main ref={main} id="main" tabIndex={-1} class={FIXED.includes(now) ? "fixed" : ""} aria-label={TITLES[now]}>
				{run?.failed.value ? <p class="warnbox">A part of the data could not be read: {run.failed.value}</p> : null}
				<Page key={of} run={run!} />
			</main>
			<Tip />
			<About tool={made.tool} made={made.made} />
		</>
	);
}
