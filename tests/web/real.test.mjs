// SPDX-License-Identifier: Apache-2.0
// The page that `ttprof view` makes of a real run, from disk and served: its numbers are those of `ttprof report` and `ttprof ops`.
import test, { after, before } from "node:test";
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, mkdirSync, copyFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { smallPng } from "./small_png.mjs";
import { eventually, go, launch, open, PLACES, settle } from "./browser.mjs";
import { digits, figures, near, us } from "./figures.mjs";

const { SRC, BUILD } = process.env;
const ttprof = join(BUILD, "ttprof");
const folder = mkdtempSync(join(tmpdir(), "ttprof-web-real."));
const demo = join(folder, "demo");
const file = join(folder, "report.html");
const canRun = existsSync(join(BUILD, "examples/nano_gpt/nano_gpt"));
const skip = canRun ? false : "no RISC-V compiler when this was built";
let browser;

function call(...words) {
	return execFileSync(words[0], words.slice(1), { cwd: SRC, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"], maxBuffer: 1 << 28, env: { ...process.env, DEMO_STEPS: process.env.DEMO_STEPS ?? "3" } });
}

before(async () => {
	if (!canRun) return;
	call("scripts/demo", BUILD, demo);
	call(ttprof, "view", demo, "-o", file);
	browser = await launch();
});
after(async () => {
	await browser?.close();
	rmSync(folder, { recursive: true, force: true });
});

async function everyScreen(page, where) {
	for (const place of PLACES) {
		await go(page, place);
		const text = await page.evaluate(() => document.querySelector("main").innerText);
		assert.doesNotMatch(text, /\bNaN\b|\bundefined\b|\bInfinity\b|\[object /, `${where} ${place}`);
	}
	assert.deepEqual(page.trouble, [], where);
}

test("every screen of the demo's page renders", { skip }, async () => {
	const page = await open(browser, "file://" + file + "#summary");
	await everyScreen(page, "file");
	await page.close();
});

test("the summary's numbers are those of ttprof report --json", { skip }, async () => {
	const report = JSON.parse(call(ttprof, "report", demo, "--json"));
	const page = await open(browser, "file://" + file + "#summary");
	const shown = await figures(page);
	assert.equal(digits(shown.ops), report.totals.ops);
	assert.equal(digits(shown.steps), report.totals.steps);
	near(us(shown["device time"]), report.totals.device_us, "device time");
	near(us(shown.gaps), report.totals.gap_us, "gaps");
	assert.equal(digits(shown["program cache misses"]), report.totals.program_cache_misses);
	assert.equal(digits(shown["ops seen"]), report.account.seen);
	assert.equal(digits(shown.timed), report.account.timed);
	assert.ok((await page.locator(".verdict").innerText()).toLowerCase().startsWith(report.headline.toLowerCase()));
	const first = report.findings[0];
	assert.equal(await page.locator("ol.advice li").first().locator("button").innerText(), first.text);
	near(us(await page.locator("ol.advice .saves").first().innerText()), first.saves_us, "what the first could save");
	// Like calls summed up, from the report's own lines.
	const sums = new Map();
	for (const op of report.ops) {
		const key = [op.op, op.types, op.cores].join("|");
		sums.set(key, (sums.get(key) ?? 0) + (op.time_us ?? 0));
	}
	const [[key, most]] = [...sums].sort((a, b) => b[1] - a[1]);
	const cells = await page.locator("section[aria-label='Top ops'] tbody tr").first().locator("td").allInnerTexts();
	assert.equal(cells[0].trim(), key.split("|")[0]);
	near(us(cells[3]), most, "the largest op");
	await page.close();
});

test("the bar's shares are of one whole, the profiler's apart, and each leads to its evidence", { skip }, async () => {
	const report = JSON.parse(call(ttprof, "report", demo, "--json")), parts = report.time_parts;
	const all = parts.reduce((sum, one) => sum + one.us, 0), of = (...names) => parts.filter((one) => names.includes(one.part)).reduce((sum, one) => sum + one.us, 0);
	assert.ok(Math.abs(parts.reduce((sum, one) => sum + one.percent, 0) - 100) < 1e-6);
	assert.ok(Math.abs(of("compute", "shape changes", "data movement", "collectives", "other ops") - report.totals.device_us) < 1e-6 * all);
	assert.ok(Math.abs(of("launch", "host work", "gaps", "replay gaps") - report.totals.gap_us) < 1e-6 * all);
	assert.ok(report.totals.profiler_us > 0 && Math.abs(of("profiler") - report.totals.profiler_us) < 1e-6 * all);
	const page = await open(browser, "file://" + file + "#summary");
	const legend = await page.locator("section[aria-label=Verdict] .legend li").all();
	assert.equal(legend.length, parts.length);
	for (const [i, item] of legend.entries()) {
		assert.equal(await item.locator("button").innerText(), parts[i].part);
		near(us(await item.locator("b").innerText()), parts[i].us, parts[i].part);
		assert.equal(digits(await item.locator(".soft").innerText()), Number(parts[i].percent.toFixed(1)));
	}
	await legend[0].locator("button").click();
	await page.waitForSelector(".vgrid");
	assert.match(await page.locator("[role=status]").first().innerText(), /^\d+ of/);
	assert.equal(await page.locator("input[aria-label='Filter ops']").inputValue(), "category:compute");
	await go(page, "summary");
	await page.locator("section[aria-label=Verdict] .legend button", { hasText: "launch" }).click();
	await page.waitForSelector("section[aria-label=Zone]");
	// every figure that has evidence is a link
	await go(page, "summary");
	for (const name of ["ops", "steps", "device time", "gaps", "the profiler itself", "whole run"]) assert.equal(await page.locator(`.figures > div:has(span:text-is('${name}')) button`).count(), 1, name);
	await page.locator(".figures > div:has(span:text-is('gaps')) button").click();
	assert.match(await page.evaluate(() => location.hash), /^#timeline\?.*t0=/);
	assert.doesNotMatch(await page.evaluate(() => document.querySelector("section[aria-label='What to fix first']")?.innerText ?? ""), /--[a-z]/);
	assert.deepEqual(page.trouble, []);
	await page.close();
});

test("a bar per step, which add up to the run, and each leads to its step", { skip }, async () => {
	const report = JSON.parse(call(ttprof, "report", demo, "--json"));
	const page = await open(browser, "file://" + file + "#summary");
	const bars = page.locator("section[aria-label=Steps] g.step");
	const said = await bars.evaluateAll((all) => all.map((one) => one.getAttribute("aria-label")));
	const steps = said.filter((text) => text.startsWith("step "));
	assert.equal(steps.length, report.totals.steps);
	assert.deepEqual(steps.map((text) => text.split(":")[0]), Array.from({ length: report.totals.steps }, (_, i) => `step ${i + 1}`));
	near(said.reduce((sum, text) => sum + us(text.split(": ")[1]), 0), report.time_parts.reduce((sum, one) => sum + one.us, 0), "all steps");
	await bars.nth(1).click();
	await settle(page);
	assert.match(await page.evaluate(() => location.hash), /^#timeline\?.*part=i2/);
	await page.close();
});

test("ops stand by what they cost; an op has its limits, processors, neighbours and like calls as --id has them", { skip }, async () => {
	const report = JSON.parse(call(ttprof, "report", demo, "--json")), top = report.ops.filter((op) => !op.marker).sort((a, b) => b.time_us - a.time_us)[0];
	const page = await open(browser, "file://" + file + "#ops?cols=row|op|time_us");
	const [row, name, time] = await page.locator(".vgrid .line").first().locator("[role=gridcell]").allInnerTexts();
	near(us(time), top.time_us, name);
	await page.locator(".vgrid .line").first().click();
	await page.waitForSelector(".drawer");
	const op = report.ops.find((one) => one.id === Number(row));
	const limits = await page.locator(".drawer section[aria-label=Limits]").innerText();
	assert.ok(limits.includes(`${op.dram_percent.toFixed(0)} %`) && limits.includes(op.bound + ":"), limits);
	const said = call(ttprof, "report", demo, "--id", row);
	const calls = /All (\d+) calls like it/.exec(said)[1];
	assert.match(await page.locator(".drawer").innerText(), new RegExp(`All ${calls} calls`));
	const risc = await page.locator(".drawer section[aria-label='Kernels by processor']").innerText();
	for (const one of ["BRISC", "NCRISC", "TRISC1"]) assert.equal(risc.includes(one), said.includes(one), one);
	const around = await page.locator(".drawer section[aria-label='Around it'] li").allInnerTexts();
	assert.ok(around.length >= 3 && around.some((text) => text.includes(`op ${row}`)));
	// groups have what the terminal's have
	await go(page, "ops?g=category&op=");
	const compute = JSON.parse(call(ttprof, "report", demo, "--json", "--group-by", "category")).groups.find((one) => one.group === "compute");
	const cells = await page.locator(".vgrid .line", { hasText: "compute" }).first().locator("[role=gridcell]").allInnerTexts();
	near(us(cells[2]), compute.time_us, "time of a group");
	near(digits(cells[5]), compute.roof_percent, "roof of a group");
	near(us(cells[6]), compute.saves_us, "what a group could save");
	await page.click("button:has-text('Columns')");
	await page.fill("input[aria-label='Search columns']", "cb wait");
	assert.equal(await page.locator(".chooser label").count(), 0);
	await page.fill("input[aria-label='Search columns']", "fidelity");
	assert.ok((await page.locator(".chooser label").count()) >= 1);
	assert.deepEqual(page.trouble, []);
	await page.close();
});

test("a simulated chip has a badge, here and in the terminal, and the title is the program's name", { skip }, async () => {
	const page = await open(browser, "file://" + file + "#summary");
	assert.match(await page.locator(".chips").innerText(), /simulated chip, modelled time/);
	assert.match(call(ttprof, "report", demo), /modelled\s+time/);
	assert.match(await page.locator("h1").innerText(), /^nano_gpt /);
	await page.close();
});

test("in the dark, idle time is not the brightest of the bar", { skip }, async () => {
	const page = await open(browser, "file://" + file + "#summary", { theme: "dark" });
	const light = await page.locator(".split > span").evaluateAll((all) => all.map((one) => ({ idle: one.hasAttribute("data-idle"), sum: getComputedStyle(one).backgroundColor.match(/\d+/g).slice(0, 3).reduce((a, b) => a + Number(b), 0) })));
	const idle = light.filter((one) => one.idle), busy = light.filter((one) => !one.idle);
	assert.ok(idle.length && busy.length && Math.max(...idle.map((one) => one.sum)) < Math.min(...busy.map((one) => one.sum)));
	await page.close();
});

test("gaps and what the host did in them are those of ttprof top", { skip }, async () => {
	const top = JSON.parse(call(ttprof, "top", "--gaps", "--json", "-n", "10", demo)).gaps;
	const page = await open(browser, "file://" + file + "#summary");
	const rows = await page.locator("section[aria-label=Gaps] tbody tr").all();
	assert.ok(top.length === 10 && rows.length === 10);
	assert.ok(new Set(top.map((gap) => gap.host_zone)).size > 1);
	for (const [i, gap] of top.entries()) {
		const [op, times, longest, total, zone, covers] = await rows[i].locator("td").allInnerTexts();
		assert.equal(op, gap.op);
		assert.equal(digits(times), gap.count);
		near(us(longest), gap.max_ns / 1e3, "longest gap");
		near(us(total), gap.total_ns / 1e3, "sum of gaps");
		assert.equal(zone, gap.host_zone);
		if (gap.host_zone_ns) assert.equal(digits(covers), Math.round((100 * gap.host_zone_ns) / gap.host_ns));
	}
	await page.close();
});

test("a part of the run holds for all screens, and stands in the address", { skip }, async () => {
	const report = JSON.parse(call(ttprof, "report", demo, "--json"));
	const from = report.ops.findIndex((op) => op.op === "ProfilerNoop iteration_2"), to = report.ops.findIndex((op) => op.op === "ProfilerNoop iteration_3");
	assert.ok(from > 0 && to > from);
	const mine = report.ops.slice(from, to), real = mine.filter((op) => !op.op.startsWith("ProfilerNoop"));
	const sum = (list, key) => list.reduce((total, op) => total + (op[key] ?? 0), 0);
	const page = await open(browser, "file://" + file + "#summary");
	await page.locator("select[aria-label='Part of the run']").selectOption({ label: "iteration 2" });
	await settle(page);
	assert.match(await page.evaluate(() => location.hash), /part=i2/);
	const shown = await figures(page);
	assert.equal(digits(shown.ops), mine.length);
	near(us(shown["device time"]), sum(mine, "time_us"), "device time of the part");
	near(us(shown.gaps), sum(mine, "gap_us"), "gaps of the part");
	await page.keyboard.press("3");
	assert.match(await page.locator("[role=status]").first().innerText(), new RegExp(`^${real.length} of ${report.ops.length} ops`));
	await page.keyboard.press("8");
	assert.match(await page.locator("main").innerText(), new RegExp(`${real.length} ops of iteration 2`));
	await page.keyboard.press("4");
	assert.match(await page.locator("section[aria-label='Map of cores'] header").innerText(), /iteration 2/);
	await page.keyboard.press("2");
	await page.waitForFunction(() => /in sight|Timeline/.test(document.querySelector("main").innerText) || document.querySelector("canvas"));
	await page.reload();
	await page.waitForFunction(() => document.documentElement.dataset.ready === "yes");
	assert.equal(await page.locator("select[aria-label='Part of the run']").inputValue(), "i2");
	await page.locator("select[aria-label='Part of the run']").selectOption("");
	await page.keyboard.press("1");
	await page.locator("nav.tabs a").first().click();
	assert.equal(digits((await figures(page)).ops), report.totals.ops);
	assert.deepEqual(page.trouble, []);
	await page.close();
});

test("an operation has one colour in the pie and in the bars", { skip }, async () => {
	const page = await open(browser, "file://" + file + "#model");
	const colours = await page.evaluate(() => {
		const of = (element) => getComputedStyle(element).backgroundColor;
		const pies = [...document.querySelectorAll(".pie")].map((pie) => new Map([...pie.querySelectorAll("li")].map((li) => [li.querySelector("span").textContent, of(li.querySelector("i"))])));
		const bars = [...document.querySelectorAll(".bars")].map((list) => new Map([...list.querySelectorAll(".name")].map((name) => [name.textContent, of(name.nextElementSibling.firstElementChild)])));
		return { pies: pies.map((one) => [...one]), bars: bars.map((one) => [...one]) };
	});
	assert.equal(colours.pies.length, 3);
	const first = new Map(colours.bars[0]);
	for (const [name, colour] of [...colours.pies, ...colours.bars].flat()) if (name !== "Others" && first.has(name)) assert.equal(colour, first.get(name), name);
	assert.equal(new Set(colours.pies[0].slice(0, 8).map(([, colour]) => colour)).size, 8);
	await page.close();
});

test("the table has every op of the report, with its numbers", { skip }, async () => {
	const report = JSON.parse(call(ttprof, "report", demo, "--json"));
	const ops = JSON.parse(call(ttprof, "ops", demo, "--json"));
	const page = await open(browser, "file://" + file + "#ops?cols=row|op|time_us|gap_us|CORE+COUNT|bound");
	// tt-train's markers are left out at first, and told
	const marks = report.ops.filter((op) => op.op.startsWith("ProfilerNoop")).length;
	assert.ok(marks > 0);
	assert.match(await page.locator("[role=status]").first().innerText(), new RegExp(`^${ops.rows - marks} of ${ops.rows} ops`));
	assert.doesNotMatch(await page.locator(".vgrid .line").first().innerText(), /ProfilerNoop/);
	await page.getByRole("button", { name: `${marks} markers` }).click();
	assert.match(await page.locator("[role=status]").first().innerText(), new RegExp(`^${ops.rows} of ${ops.rows} ops`));
	for (const op of [report.ops[0], report.ops[25], report.ops[report.ops.length - 1], report.ops.reduce((a, b) => (b.time_us > a.time_us ? b : a))]) {
		await go(page, `ops?cols=row|op|time_us|gap_us|CORE+COUNT|bound&f=row:${op.id}`);
		const cells = await page.locator(".vgrid .line").first().locator("[role=gridcell]").allInnerTexts();
		assert.equal(cells[0], String(op.id));
		assert.equal(cells[1], op.op);
		near(us(cells[2]), op.time_us, `time of op ${op.id}`);
		if (op.gap_us !== undefined) near(us(cells[3]), op.gap_us, `gap of op ${op.id}`);
		assert.equal(cells[4], String(op.cores));
		assert.equal(cells[5], op.bound ?? "");
	}
	await page.close();
});

test("no table is cut at 1280 pixels, and legends keep words and numbers apart", { skip }, async () => {
	const page = await open(browser, "file://" + file + "#summary", { width: 1280, height: 900 });
	let legends = 0;
	for (const place of PLACES.filter((one) => !one.startsWith("timeline") && !one.startsWith("ops"))) {
		await go(page, place);
		assert.deepEqual(await page.evaluate(() => [...document.querySelectorAll(".scroll, .whole")].filter((box) => box.scrollWidth > box.clientWidth + 1).map((box) => box.getAttribute("aria-label"))), [], place);
		for (const room of await page.evaluate(() => [...document.querySelectorAll(".plotted span")].map((one) => {
			const words = document.createRange();
			words.selectNodeContents(one);
			words.setEndBefore(one.querySelector("b"));
			const trimmed = one.firstElementChild?.tagName === "I" ? one.childNodes[1] : one.firstChild;
			words.setStart(trimmed, 0);
			words.setEnd(trimmed, trimmed.data.trimEnd().length);
			return one.querySelector("b").getBoundingClientRect().left - words.getBoundingClientRect().right;
		}))) {
			legends++;
			assert.ok(room > 2, place);
		}
	}
	assert.ok(legends > 0);
	await page.close();
});

test("the device's numbers are those of ttprof device --json", { skip }, async () => {
	const device = JSON.parse(call(ttprof, "device", "--json", join(demo, ".logs/profile_log_device.csv")));
	const page = await open(browser, "file://" + file + "#device"); // as old links have it
	for (const analysis of device.devices[0].analyses) {
		const cells = await page.locator("section[aria-label=Statistics] tbody tr", { has: page.locator(`button:text-is("${analysis.name}")`) }).locator("td").allInnerTexts();
		assert.equal(digits(cells[1]), analysis.cycles.count, analysis.name);
		// at 1 GHz a cycle is 1 ns; the screen has three digits
		near(us(cells[4]), analysis.cycles.min / 1000, analysis.name);
		near(us(cells[5]), analysis.cycles.max / 1000, analysis.name);
		near(us(cells[6]), analysis.cycles.sum / 1000, analysis.name);
	}
	await page.close();
});

test("the slowest cores are those of ttprof heat --metric over", { skip }, async () => {
	const [device] = JSON.parse(call(ttprof, "heat", "--json", "--metric", "over", demo)).devices;
	const page = await open(browser, "file://" + file + "#cores");
	const rows = await page.locator("section[aria-label=Balance] tbody tr").all();
	for (const [i, [x, y]] of device.slowest.slice(0, 10).entries()) {
		const [core, over, slowest] = await rows[i].locator("td").allInnerTexts(), told = device.cores.find((one) => one.x === x && one.y === y);
		assert.equal(core, `${x},${y}`);
		near(us(over), told.over_ns / 1e3, core);
		assert.deepEqual(slowest.split(" of ").map(Number), [told.slowest, told.calls], core);
	}
	await page.close();
});

test("imbalance on the map of cores is max/mean − 1 of what the device log says that cores were busy", { skip }, async () => {
	// Per op and core the time in which at least one kernel ran, straight from the log (1 GHz).
	const [, head, ...lines] = readFileSync(join(demo, ".logs/profile_log_device.csv"), "utf8").trim().split("\n");
	const names = head.split(",").map((name) => name.trim());
	const at = (name) => names.indexOf(name);
	const [x, y, time, op, zone, type] = ["core_x", "core_y", "time[cycles since reset]", "run host ID", "zone name", "type"].map(at);
	const moments = new Map();
	for (const line of lines) {
		const cells = line.split(",");
		if (!cells[zone].endsWith("-KERNEL")) continue;
		const key = `${cells[x]},${cells[y]}|${cells[op]}`;
		if (!moments.has(key)) moments.set(key, []);
		moments.get(key).push([Number(cells[time]), cells[type] === "ZONE_START" ? 1 : -1]);
	}
	const busy = new Map();
	for (const [key, list] of moments) {
		let open = 0, last = 0, sum = 0;
		for (const [now, step] of list.sort((a, b) => a[0] - b[0] || b[1] - a[1])) {
			if (open > 0) sum += now - last;
			open += step;
			last = now;
		}
		const core = key.split("|")[0];
		busy.set(core, (busy.get(core) ?? 0) + sum);
	}
	const sums = [...busy.values()];
	const mean = sums.reduce((a, b) => a + b, 0) / sums.length, max = Math.max(...sums);
	const page = await open(browser, "file://" + file + "#cores?hm=busy");
	const shown = await figures(page);
	near(digits(shown["imbalance (max / mean − 1)"]), 100 * (max / mean - 1), "imbalance");
	near(us(shown["lost core-time"]), sums.reduce((total, one) => total + max - one, 0) / 1000, "lost core-time");
	await page.close();
});

// The page of `ttprof view --serve`, where this build has it.
async function serve() {
	const child = spawn(ttprof, ["view", "--serve", "--port", "0", demo], { cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
	let said = "";
	const url = await new Promise((done, fail) => {
		const timer = setTimeout(() => fail(new Error("no address after 30 s: " + said)), 30000);
		const hear = (chunk) => {
			said += chunk;
			const match = /http:\/\/[^\s]+/.exec(said);
			if (match) {
				clearTimeout(timer);
				done(match[0]);
			}
		};
		child.stdout.on("data", hear);
		child.stderr.on("data", hear);
		child.on("exit", (code) => {
			clearTimeout(timer);
			fail(new Error(`ended with ${code}: ${said}`));
		});
	});
	return { child, url };
}

const help = canRun ? call(ttprof, "view", "--help") : "";
const noServer = skip || (help.includes("--serve") ? false : "this build has no server");

test("the served page shows the same, and asks no one else", { skip: noServer }, async () => {
	const { child, url } = await serve();
	try {
		const page = await open(browser, url + "#summary");
		const served = await figures(page);
		const disk = await open(browser, "file://" + file + "#summary");
		assert.deepEqual(served, await figures(disk));
		await disk.close();
		await everyScreen(page, "served");
		await go(page, "capture");
		const [download] = await Promise.all([page.waitForEvent("download"), page.click("text=Download all (tar)")]);
		assert.ok(statSync(await download.path()).size > 1000);
		await page.click("button:has-text('Refresh')");
		await page.waitForFunction(() => document.documentElement.dataset.ready === "yes");
		await page.close();
	} finally {
		child.kill("SIGTERM");
	}
});

test("a served trace can be looked at in windows, without the whole of it", { skip: noServer }, async () => {
	const { child, url } = await serve();
	try {
		const place = "#timeline?t0=2660000&t1=2860000";
		// What the mouse finds along the ops lane, with all zones and with windows.
		const along = async (page) => {
			const box = await page.locator(".stage canvas").first().boundingBox(), ops = await page.locator(".lanes button", { hasText: /^ops/ }).boundingBox();
			const found = [];
			for (let x = box.x + 230; x < box.x + box.width; x += 60) {
				await page.mouse.move(x, ops.y + 9);
				found.push(await page.evaluate(() => document.querySelector(".tip b")?.textContent ?? ""));
			}
			return found;
		};
		const whole = await open(browser, url + place), part = await open(browser, url + "&windows=1" + place);
		const asked = [];
		part.on("request", (request) => asked.push(new URL(request.url()).pathname));
		const all = await along(whole);
		assert.ok(all.filter((name) => name.includes("Matmul")).length > 2);
		await eventually(async () => assert.deepEqual(await along(part), all));
		// gaps and series of ops are made of all zones, which a page in windows does not have
		const names = async (page) => (await page.locator(".lanes button .what").allInnerTexts()).filter((name) => !["gaps", "DRAM", "FLOP"].includes(name));
		assert.deepEqual(await names(part), await names(whole));
		await go(part, "summary");
		await go(part, "timeline");
		await eventually(async () => assert.deepEqual(await names(part), await names(whole)));
		await part.keyboard.press("w");
		await eventually(() => assert.ok(asked.includes("/w")));
		assert.ok(!asked.some((path) => path.startsWith("/c/")), "no more columns");
		assert.deepEqual(part.trouble, []);
		await whole.close();
		await part.close();
	} finally {
		child.kill("SIGTERM");
	}
});

// TTP_SHOTS=docs/guide/view: the pictures of docs/guide/view.md.
const SHOTS = [["summary", "summary"], ["timeline", "timeline?t0=2660000&t1=2860000&sel=2680000_2840000_0_400"], ["ops", "ops?op=386"], ["cores", "cores"], ["roofline", "roofline"], ["model", "model?mp=steps"]];
test("pictures of each screen", { skip: skip || (process.env.TTP_SHOTS ? false : "TTP_SHOTS=FOLDER makes them") }, async () => {
	mkdirSync(process.env.TTP_SHOTS, { recursive: true });
	for (const [name, place] of SHOTS) {
		const page = await open(browser, "file://" + file + "#" + place, { theme: name === "timeline" || name === "cores" ? "dark" : "light", width: 1280, height: 800 });
		await settle(page, 400);
		const path = join(process.env.TTP_SHOTS, name + ".png");
		writeFileSync(path, smallPng(await page.screenshot()));
		assert.ok(statSync(path).size <= 100 * 1024, `${name}.png is larger than 100 KB`);
		await page.close();
	}
	if (process.env.TTP_REPORT) copyFileSync(file, process.env.TTP_REPORT);
});
