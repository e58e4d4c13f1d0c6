// SPDX-License-Identifier: Apache-2.0
import { render } from "preact";
import { effect } from "@preact/signals";
import { App } from "./app";
import { readComparison, theComparison } from "./data/comparison";
import { entryOf, openEntry, openEntryZones, runs, theEntry } from "./data/current";
import { readHistory, theHistory } from "./data/history";
import { findSources } from "./data/source";
import { codesByTime } from "./logic/opview";
import { dark } from "./state";
import { giveHues } from "./ui/colour";

const root = document.getElementById("app")!;

function say(text: string): void {
	const line = document.createElement("p");
	line.className = "boot";
	line.textContent = text;
	root.replaceChildren(line);
}

export async function start(): Promise<void> {
	document.documentElement.dataset.theme = dark.value ? "dark" : "light";
	theHistory.value = readHistory();
	if (theHistory.value) {
		root.replaceChildren();
		render(<App />, root);
		document.documentElement.dataset.ready = "yes";
		return;
	}
	const sources = findSources();
	if (!sources.length) {
		say("This page has no data: it is the template. `ttprof view RUN` makes a report from it.");
		return;
	}
	theComparison.value = readComparison();
	const named = theComparison.value?.runs ?? [];
	runs.value = sources.map((source, i) => entryOf(source, named[i]?.name, named[i]?.side));
	const first = theEntry.value!, run = await openEntry(first);
	if (!run) {
		say("The data of this page is empty: make it again with `ttprof view`.");
		return;
	}
	if (run.ops) giveHues(codesByTime(run.ops));
	root.replaceChildren();
	render(<App />, root);
	performance.mark("ttp-shown");
	await openEntryZones(first);
	performance.mark("ttp-zones");
	document.documentElement.dataset.ready = "yes";
	// Another run is read when it is chosen; what fails is said where it would stand.
	effect(() => void (theEntry.value && openEntryZones(theEntry.value).catch(() => undefined)));
}

start().catch((error) => say("The report could not be read: " + String(error?.message ?? error)));
