// SPDX-License-Identifier: Apache-2.0
// node bench.mjs FILE.html [ROUNDS]: how soon a page is usable and what a frame of its timeline costs, in headless Chromium.  Prints a JSON line.
//	usable_ms   from the navigation to the first timeline painted, median of the rounds
//	full, mixed frames of the whole range, and of a mix of zooms and pans: the painter's own time by the wall, and the
//	            processor time of all that the page's thread does for a frame (it does not suffer from a busy machine)
import { statSync } from "node:fs";
import { launch } from "./browser.mjs";

const [file, roundsText = "5"] = process.argv.slice(2);
const rounds = Number(roundsText);
const HEIGHT = 1930, WIDTH = 1600; // some 90 lanes in sight
const quantile = (list, q) => [...list].sort((a, b) => a - b)[Math.min(list.length - 1, Math.floor(q * list.length))];
const round = (value) => Number(value.toFixed(2));
const browser = await launch();
const result = { file_bytes: statSync(file).size };
const loads = [];
let page, client;
for (let i = 0; i < rounds; i++) {
	await page?.close();
	page = await browser.newPage({ viewport: { width: WIDTH, height: HEIGHT } });
	await page.goto("file://" + file + "#timeline?open=1", { waitUntil: "commit" });
	await page.waitForFunction(() => document.documentElement.dataset.ready === "yes" && window.ttpPaintMs > 0, null, { timeout: 120000 });
	loads.push(await page.evaluate(() => performance.getEntriesByName("ttp-painted")[0].startTime));
}
result.usable_ms = round(quantile(loads, 0.5));
result.usable_best_ms = round(Math.min(...loads));
client = await page.context().newCDPSession(page);
await client.send("Performance.enable", { timeDomain: "threadTicks" });
const cpu = async () => Object.fromEntries((await client.send("Performance.getMetrics")).metrics.map((one) => [one.name, one.value])).TaskDuration * 1000;
result.zones = await page.evaluate(() => JSON.parse(document.getElementById("ttp-manifest").textContent).zones.n);
result.span = await page.evaluate(() => JSON.parse(document.getElementById("ttp-manifest").textContent).span_ns);

// Frames one after another inside the page, each after a change of the address.
async function frames(list) {
	const before = await cpu();
	const wall = await page.evaluate(async (views) => {
		const out = [];
		for (const [t0, t1] of views) {
			window.ttpPaintMs = 0;
			window.ttpSet({ t0, t1 });
			await new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0)));
			if (window.ttpPaintMs) out.push(window.ttpPaintMs);
		}
		return out;
	}, list);
	return { wall, cpu: ((await cpu()) - before) / list.length };
}

let seed = 42;
const random = () => (seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff) / 0x7fffffff;
const span = result.span;
const full = (n) => Array.from({ length: n }, (_, i) => [i % 2 ? 0 : 1, span]);
const mixed = (n) => Array.from({ length: n }, () => {
	const wide = span * 10 ** (-3.5 * random());
	const t0 = random() * (span - wide);
	return [t0, t0 + wide];
});
await frames([...full(20), ...mixed(20)]);
for (const [name, views] of [["full", full(60)], ["mixed", mixed(180)]]) {
	const { wall, cpu } = await frames(views);
	result[name] = { frames: wall.length, p50_ms: round(quantile(wall, 0.5)), p95_ms: round(quantile(wall, 0.95)), cpu_ms: round(cpu) };
}
result.lanes_in_sight = await page.evaluate(() => document.querySelectorAll(".tl .lanes button").length);
delete result.span;
console.log(JSON.stringify(result));
await browser.close();
