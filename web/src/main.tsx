// SPDX-License-Identifier: Apache-2.0
import { render } from "preact";
import { App } from "./app";
import { theRun } from "./data/current";
import { openRun, openZones } from "./data/run";
import { findSource } from "./data/source";
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
	const source = findSource();
	if (!source) {
		say("This page has no data: it is the template. `ttprof view RUN` makes a report from it.");
		return;
	}
	const run = await openRun(source);
	if (!run) {
		say("The data of this page is empty: make it again with `ttprof view`.");
		return;
	}
	if (run.ops) giveHues(codesByTime(run.ops));
	root.replaceChildren();
	theRun.value = run;
	render(<App />, root);
	performance.mark("ttp-shown");
	await openZones(run);
	performance.mark("ttp-zones");
	document.documentElement.dataset.ready = "yes";
}

start().catch((error) => say("The report could not be read: " + String(error?.message ?? error)));
