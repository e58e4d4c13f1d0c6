// SPDX-License-Identifier: Apache-2.0
// What is shown, in the address after #, so that a link or a bookmark brings it back:   #ops?f=op~matmul&sort=time
import { computed, signal } from "@preact/signals";

export const SCREENS = ["summary", "timeline", "ops", "cores", "memory", "counters", "roofline", "model", "capture", "compare", "history"] as const;
export type Screen = (typeof SCREENS)[number];

// Only a page of several runs has the comparison, and begins with it.
export const COMPARES = typeof document !== "undefined" && document.getElementById("ttp-compare") !== null;
// A page of a history has that alone.
export const HISTORY_ALONE = typeof document !== "undefined" && document.getElementById("ttp-history") !== null;
const HOME: Screen = HISTORY_ALONE ? "history" : COMPARES ? "compare" : "summary";

interface Place {
	screen: Screen;
	values: { [key: string]: string };
}

export function parseHash(hash: string): Place {
	const [name, query = ""] = hash.replace(/^#/, "").split("?", 2);
	const values: { [key: string]: string } = {};
	for (const [key, value] of new URLSearchParams(query)) values[key] = value;
	if (name === "device") return { screen: "cores", values }; // until 0.1 a screen of its own
	if (HISTORY_ALONE) return { screen: "history", values };
	return { screen: (SCREENS as readonly string[]).includes(name) ? (name as Screen) : HOME, values };
}

export function formatHash(place: Place): string {
	const query = new URLSearchParams(Object.entries(place.values).filter(([, value]) => value !== "")).toString();
	return "#" + place.screen + (query ? "?" + query : "");
}

const place = signal<Place>(parseHash(location.hash));
let pending = 0;

// Dragging changes the place with each move of the mouse, and browsers refuse to note it more often than some times a second.
function note(push: boolean): void {
	const hash = () => formatHash(place.value);
	if (push) {
		clearTimeout(pending);
		pending = 0;
		history.pushState(null, "", hash());
	} else if (!pending)
		pending = window.setTimeout(() => {
			pending = 0;
			history.replaceState(null, "", hash());
		}, 150);
}

window.addEventListener("hashchange", () => (place.value = parseHash(location.hash)));
window.addEventListener("popstate", () => (place.value = parseHash(location.hash)));

export const screen = computed(() => place.value.screen);

// Values of all screens are kept while the page is open; each screen has its own prefix-free keys.
export function get(key: string, otherwise = ""): string {
	return place.value.values[key] ?? otherwise;
}

export function number(key: string, otherwise: number): number {
	const text = place.value.values[key];
	const value = text === undefined ? NaN : Number(text);
	return Number.isFinite(value) ? value : otherwise;
}

export function set(changes: { [key: string]: string | number | null }, go?: Screen): void {
	const values = { ...place.value.values };
	for (const [key, value] of Object.entries(changes)) {
		if (value === null || value === "") delete values[key];
		else values[key] = String(value);
	}
	const push = go !== undefined && go !== place.value.screen;
	place.value = { screen: go ?? place.value.screen, values };
	note(push);
}

// What belongs to no run in particular: all else in the address is about ops, zones and times of the one that is shown.
const OF_ALL_RUNS = ["run", "line", "cmp", "csort", "cc", "g", "sort", "cols", "theme"];

// Which run of the page all screens but Compare show.
export const chosenRun = computed(() => Math.max(0, number("run", 0) | 0));

export function chooseRun(run: number, changes: { [key: string]: string | number | null } = {}, go?: Screen): void {
	const gone: { [key: string]: null } = {};
	if (run !== chosenRun.value) for (const key of Object.keys(place.value.values)) if (!OF_ALL_RUNS.includes(key)) gone[key] = null;
	set({ ...gone, run: run || null, ...changes }, go);
}

export const theme = signal(localTheme());

function localTheme(): string {
	try {
		return localStorage.getItem("ttprof-theme") ?? "";
	} catch {
		return ""; // a page from disk may not be allowed to keep anything
	}
}

const wantsDark = window.matchMedia("(prefers-color-scheme: dark)");
const systemDark = signal(wantsDark.matches);
wantsDark.addEventListener("change", () => (systemDark.value = wantsDark.matches));
// Paper is white, whatever the screen is.
const paper = window.matchMedia("print"), onPaper = signal(paper.matches);
paper.addEventListener("change", () => (onPaper.value = paper.matches));
export const dark = computed(() => !onPaper.value && (theme.value ? theme.value === "dark" : systemDark.value));

export function toggleTheme(): void {
	theme.value = dark.value ? "light" : "dark";
	try {
		localStorage.setItem("ttprof-theme", theme.value);
	} catch { /* then it holds while the page is open */ }
}
