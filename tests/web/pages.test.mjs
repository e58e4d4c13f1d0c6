// SPDX-License-Identifier: Apache-2.0
// The page in a real Chromium, opened from disk: every screen with every kind of run.
import test, { after, before } from "node:test";
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRequire } from "node:module";
import { go, launch, open, PLACES, SCREENS, settle } from "./browser.mjs";
import { makeData } from "./make_data.mjs";
import { splice } from "./pack.mjs";

const require = createRequire(import.meta.url);
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
const template = readFileSync(join(process.env.BUILD, "web/page.html"), "utf8");
const folder = mkdtempSync(join(tmpdir(), "ttprof-web."));
let browser;

before(async () => { browser = await launch(); });
after(async () => {
	await browser?.close();
	rmSync(folder, { recursive: true, force: true });
});

function fileOf(kind, data = makeData(kind)) {
	const path = join(folder, kind + ".html");
	writeFileSync(path, splice(template, data));
	return "file://" + path;
}

async function noAxe(page, where) {
	await page.evaluate(axe);
	const found = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
	const said = found.violations.map((one) => `${one.id}: ${one.nodes.slice(0, 3).map((node) => node.target.join(" ") + " " + (node.any[0]?.message ?? "")).join(" | ")}`);
	assert.deepEqual(said, [], where);
}

// What a broken number looks like.
async function noNonsense(page, where) {
	const text = await page.evaluate(() => document.querySelector("main").innerText);
	assert.ok(text.trim().length > 0, `${where} is empty`);
	assert.doesNotMatch(text, /\bNaN\b|\bundefined\b|\bInfinity\b|\[object /, where);
}

test("the template holds the line for data once, and is at most 310 KB", () => {
	assert.equal(template.split("\n").filter((line) => line === "<!--TTPROF_DATA-->").length, 1);
	assert.ok(Buffer.byteLength(template) <= 310 * 1024);
	assert.match(template, /Content-Security-Policy/);
});

test("a template without data says so", async () => {
	const path = join(folder, "bare.html");
	writeFileSync(path, template);
	const page = await browser.newPage();
	await page.goto("file://" + path);
	await page.waitForSelector("text=This page has no data");
	await page.close();
});

test("a program's protocol is that of run.json where the trace has none, and the host's clock is told in words", async () => {
	const page = await open(browser, fileOf("full") + "#capture");
	const protocol = (one) => one.locator("section[aria-label=Programs] tbody tr").first().locator("td").nth(3).innerText();
	assert.equal(await protocol(page), "TT66");
	await page.close();
	const empty = await open(browser, fileOf("empty") + "#capture");
	assert.doesNotMatch(await protocol(empty), /TT/);
	assert.match(await empty.locator("section[aria-label=Run]").innerText(), /clock of the host\s+the machine's, as far as is known/);
	await empty.close();
});

for (const kind of ["full", "no-host", "no-device", "one-op", "empty", "devices-32", "hostile"])
	test(`every screen renders: ${kind}`, async () => {
		const page = await open(browser, fileOf(kind) + "#summary");
		for (const place of PLACES) {
			await go(page, place);
			await noNonsense(page, `${kind} ${place}`);
		}
		assert.deepEqual(page.trouble, []);
		if (kind === "hostile") {
			assert.equal(await page.evaluate(() => window.hacked), undefined);
			assert.equal(await page.evaluate(() => document.querySelectorAll("#app img, #app script, #app b > b").length), 0);
		}
		await page.close();
	});

test("what a run lacks is explained on each screen, with what to do", async () => {
	const page = await open(browser, fileOf("empty") + "#summary");
	for (const place of SCREENS) {
		await go(page, place);
		if (place === "capture") continue;
		assert.ok(await page.locator(".empty").count() > 0, place);
	}
	await go(page, "timeline");
	await page.waitForSelector("text=run it under `ttprof run`");
	await page.close();
});

test("names of a hostile run are shown as they are", async () => {
	const page = await open(browser, fileOf("hostile") + "#ops");
	assert.ok((await page.locator(".vgrid").innerText()).includes("<img src=x onerror="));
	assert.equal(await page.locator("h1").innerText(), '<b>run</b> & "co"');
	await page.close();
});

test("a file that was cut short says what to do", async () => {
	const data = makeData("full");
	const page = await browser.newPage();
	const path = join(folder, "cut.html");
	writeFileSync(path, splice(template, data.slice(0, data.lastIndexOf("<script"))));
	await page.goto("file://" + path);
	await page.waitForSelector("text=/missing: the file was cut short/");
	await page.close();
});

test("axe finds nothing, light and dark", async () => {
	const url = fileOf("full");
	for (const theme of ["light", "dark"]) {
		const page = await open(browser, url + "#summary", { theme, reduced: true });
		// Both themes have the same elements; in the dark one only colours can be wrong.
		for (const place of theme === "light" ? [...PLACES, "timeline?zone=5", "timeline?sel=0_900000_0_300", "ops?f=nosuch>1"] : SCREENS) {
			await go(page, place);
			await noAxe(page, `${theme} ${place}`);
		}
		await page.keyboard.press("?");
		await page.waitForSelector("dialog[open]");
		await noAxe(page, `${theme} help`);
		await page.close();
	}
});

test("a tour by keyboard alone", async () => {
	const page = await open(browser, fileOf("full") + "#summary");
	const hash = () => page.evaluate(() => location.hash);
	for (let i = 0; i < SCREENS.length; i++) {
		await page.keyboard.press(String(i + 1));
		await page.waitForFunction((name) => location.hash.startsWith("#" + name), SCREENS[i]);
	}
	await page.keyboard.press("3");
	await page.waitForSelector(".vgrid");
	await page.keyboard.press("/");
	await page.keyboard.type("op~matmul cores>=64");
	await settle(page);
	assert.match(await hash(), /f=op%7Ematmul/);
	await page.waitForFunction(() => /^\d+ of 532 ops/.test(document.querySelector("[role=status]").textContent));
	await page.locator(".vgrid").focus();
	await page.keyboard.press("ArrowDown");
	await page.keyboard.press("ArrowDown");
	await page.waitForSelector(".drawer");
	await page.keyboard.press("Escape");
	await page.waitForSelector(".drawer", { state: "detached" });

	await page.keyboard.press("2");
	await page.waitForSelector(".tl canvas");
	await page.click("button:has-text('Time')"); // on a folded axis as wide a part lasts another time
	await page.locator(".tl canvas").first().focus();
	const view = () => page.evaluate(() => ["t0", "t1"].map((key) => Number(new URLSearchParams(location.hash.split("?")[1]).get(key))));
	await page.keyboard.press("w");
	await page.keyboard.press("w");
	await settle(page);
	const [a0, a1] = await view();
	assert.ok(a1 > a0 && a0 > 0, "w zooms in");
	await page.keyboard.press("d");
	await settle(page);
	const [b0, b1] = await view();
	assert.ok(b0 > a0 && Math.abs(b1 - b0 - (a1 - a0)) < 1, "d moves");
	await page.keyboard.press("s");
	await settle(page);
	const [c0, c1] = await view();
	assert.ok(c1 - c0 > b1 - b0, "s zooms out");
	for (let i = 0; i < 3; i++) await page.keyboard.press("ArrowDown");
	await page.keyboard.press("]");
	await page.waitForSelector("section[aria-label=Zone]");
	await settle(page);
	const chosen = await hash();
	await page.keyboard.press(".");
	await settle(page);
	assert.notEqual(await hash(), chosen, "the next zone of the same name");
	await page.keyboard.press(",");
	await page.keyboard.press("Enter");
	await page.keyboard.press("m");
	await page.waitForSelector("button[aria-pressed=true]:has-text('Measure')");
	await page.keyboard.press("Escape");
	await page.keyboard.press("f");
	await page.keyboard.press("/");
	await page.keyboard.type("matmul");
	await page.waitForSelector("text=/zones? of 1 name/");
	await page.keyboard.press("Enter");
	await page.keyboard.press("Escape");
	await page.keyboard.press("?");
	await page.waitForSelector("dialog[open]");
	await page.keyboard.press("Escape");
	const before = await page.evaluate(() => document.documentElement.dataset.theme);
	await page.keyboard.press("T");
	await page.waitForFunction((was) => document.documentElement.dataset.theme !== was, before);
	assert.deepEqual(page.trouble, []);
	await page.close();
});

test("everything that takes a click can be reached by Tab, and shows where it is", async () => {
	const page = await open(browser, fileOf("full") + "#cores");
	const seen = new Set();
	for (let i = 0; i < 60; i++) {
		await page.keyboard.press("Tab");
		seen.add(await page.evaluate(() => {
			const element = document.activeElement;
			const style = getComputedStyle(element);
			return `${element.tagName} ${(element.getAttribute("aria-label") ?? element.textContent).slice(0, 30)} ${style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0}`;
		}));
	}
	const list = [...seen];
	for (const what of ["A Summary", "BUTTON Dark", "svg "]) assert.ok(list.some((one) => one.startsWith(what)), what);
	assert.deepEqual(list.filter((one) => /^(A|BUTTON|SELECT|svg)/.test(one) && one.endsWith("false")), []);
	await page.close();
});

test("the address brings back what was shown", async () => {
	const url = fileOf("full");
	const places = ["ops?f=op%7Ematmul&g=bound", "ops?op=12&sort=-time_us", "timeline?t0=100000&t1=200000&zone=10", "cores?hm=tail&hname=Matmul+256+x+512", "model?mp=steps&it=3", "cores?da=device_kernel_duration"];
	for (const place of places) {
		const page = await open(browser, url + "#" + place);
		await settle(page);
		const first = await page.evaluate(() => [location.hash, document.querySelector("main").innerText]);
		const given = new URLSearchParams(place.split("?")[1]), got = new URLSearchParams(first[0].split("?")[1]);
		for (const [key, value] of given) assert.equal(got.get(key), value, place);
		await page.reload();
		await page.waitForFunction(() => document.documentElement.dataset.ready === "yes");
		await settle(page);
		assert.deepEqual(await page.evaluate(() => [location.hash, document.querySelector("main").innerText]), first, place);
		await page.close();
	}
	const page = await open(browser, url + "#summary");
	await page.click("nav.tabs a:has-text('Cores')");
	await page.click("nav.tabs a:has-text('Capture')");
	await page.goBack();
	await page.waitForFunction(() => location.hash.startsWith("#cores"));
	assert.equal(await page.locator("nav.tabs a[aria-current=page]").innerText().then((text) => text.split("\n")[0].replace(/\d/, "")), "Cores");
	await page.close();
});

test("zones are where they are painted: hover, click, drag, wheel, selection", async () => {
	const page = await open(browser, fileOf("full") + "#timeline");
	const box = await page.locator(".stage canvas").first().boundingBox();
	const ops = await page.locator(".lanes button", { hasText: /^ops/ }).boundingBox();
	let found = null;
	for (let x = box.x + 215; x < box.x + box.width && !found; x += 3) {
		await page.mouse.move(x, ops.y + 9);
		if (await page.locator(".tip:has-text('MatmulDeviceOperation')").count()) found = x;
	}
	assert.ok(found, "a matmul on the ops lane");
	await page.mouse.click(found, ops.y + 9);
	await page.waitForSelector("section[aria-label=Zone] h2:has-text('MatmulDeviceOperation')");
	const hash = () => page.evaluate(() => location.hash);
	let before = await hash();
	await page.keyboard.down("Control");
	await page.mouse.wheel(0, -300);
	await page.keyboard.up("Control");
	await settle(page);
	assert.notEqual(await hash(), before, "Ctrl and wheel zoom");
	before = await hash();
	await page.keyboard.down("Shift");
	await page.mouse.move(found, ops.y + 60);
	await page.mouse.down();
	await page.mouse.move(found - 120, ops.y + 60, { steps: 4 });
	await page.mouse.up();
	await page.keyboard.up("Shift");
	await settle(page);
	assert.notEqual(await hash(), before, "Shift and drag moves");
	await page.keyboard.press("Escape");
	await page.mouse.move(box.x + 300, ops.y - 40);
	await page.mouse.down();
	await page.mouse.move(box.x + 900, ops.y + 40, { steps: 4 });
	await page.mouse.up();
	await page.waitForSelector("section[aria-label='Statistics of the selection'] table");
	assert.ok(await page.locator("section[aria-label='Statistics of the selection'] svg rect").count() > 0);
	assert.deepEqual(page.trouble, []);
	await page.close();
});

test("a choice below the lanes, or where nothing ran, says what it has; h goes back to the work", async () => {
	const page = await open(browser, fileOf("full") + "#timeline");
	const stage = await page.locator(".stage").boundingBox();
	const first = await page.evaluate(() => document.querySelector(".unseen[role=status]") && location.hash);
	const drag = async (x0, y0, x1, y1) => {
		await page.mouse.move(stage.x + x0, stage.y + y0);
		await page.mouse.down();
		await page.mouse.move(stage.x + x1, stage.y + y1, { steps: 4 });
		await page.mouse.up();
		await settle(page);
	};
	await drag(400, stage.height - 8, 700, stage.height - 6);
	const panel = page.locator("section[aria-label='Statistics of the selection']");
	assert.match(await panel.innerText(), /[1-9]\d* lanes? · /);
	const sel = await page.evaluate(() => new URLSearchParams(location.hash.split("?")[1]).get("sel"));
	// the same lanes in a window of another height
	const shown = await panel.locator(".soft").first().innerText();
	const other = await open(browser, fileOf("full") + "#timeline?sel=" + sel, { height: 520 });
	assert.equal(await other.locator("section[aria-label='Statistics of the selection'] .soft").first().innerText(), shown);
	await other.close();
	// before all zones: nothing ran
	await go(page, "timeline?sel=-20_-10_0_0");
	assert.match(await panel.innerText(), /Nothing ran in it|no zones of their own/);
	const inSight = () => page.evaluate(() => { const v = new URLSearchParams(location.hash.split("?")[1]); return [Number(v.get("t0")), Number(v.get("t1"))]; });
	await go(page, "timeline");
	await page.keyboard.press("w");
	await page.keyboard.press("w");
	await settle(page);
	const near = await inSight();
	await page.keyboard.press("h");
	await settle(page);
	const work = await inSight();
	const focus = await page.evaluate(() => JSON.parse(document.getElementById("ttp-manifest").textContent).focus_ns ?? null);
	assert.ok(work[1] - work[0] > (near[1] - near[0]) * 1.5, `${first}`);
	if (focus) assert.ok(work[0] <= focus[0] && work[1] >= focus[1]);
	await page.keyboard.press("?");
	assert.match(await page.locator("dialog").innerText(), /where the work is/);
	assert.deepEqual(page.trouble, []);
	await page.close();
});

test("a pinned lane stays at the top while the others scroll, and counts once", async () => {
	const page = await open(browser, fileOf("devices-32") + "#timeline", { height: 600 });
	const names = () => page.evaluate(() => [...document.querySelectorAll(".lanes button")].map((one) => ({ name: (one.querySelector(".what") ?? one).textContent, pinned: one.classList.contains("pinned"), top: Math.round(one.getBoundingClientRect().top - document.querySelector(".stage").getBoundingClientRect().top) })));
	await page.locator(".stage canvas").first().focus();
	for (let i = 0; i < 2; i++) await page.keyboard.press("ArrowDown"); // a thread
	const chosen = (await names())[1].name;
	await page.keyboard.press("p");
	await settle(page);
	assert.match(await page.evaluate(() => location.hash), /pin=\d+/);
	const pinned = (await names()).filter((one) => one.pinned);
	assert.equal(pinned.length, 1);
	assert.ok(pinned[0].name.endsWith(chosen), pinned[0].name);
	const stage = await page.locator(".stage").boundingBox();
	await page.mouse.move(stage.x + 600, stage.y + 300);
	await page.mouse.wheel(0, 400);
	await settle(page);
	assert.match(await page.evaluate(() => location.hash), /sy=\d+/);
	const after = (await names()).filter((one) => one.pinned);
	assert.deepEqual(after, pinned);
	// what is painted there is the lane's: a click on it chooses one of its zones
	await page.mouse.click(stage.x + 700, stage.y + pinned[0].top + 6);
	await settle(page);
	assert.match(await page.locator("section[aria-label=Zone]").innerText(), new RegExp(chosen.trim()));
	await go(page, "timeline");
	const whole = async () => { await page.getByRole("button", { name: "Statistics" }).click(); return page.locator("section[aria-label='Statistics of the selection'] .soft").first().innerText(); };
	const plain = await whole();
	await go(page, "timeline?pin=1");
	assert.equal(await whole(), plain);
	assert.deepEqual(page.trouble, []);
	await page.close();
});

test("the first view is busy; a selection by address has names, counts an op once, and says how the time was spent", async () => {
	const url = fileOf("full");
	const page = await open(browser, url + "#timeline");
	// the ops lane, in pixels: how many of its columns have something
	const busy = await page.evaluate(() => {
		const canvas = document.querySelector(".stage canvas"), ctx = canvas.getContext("2d"), lane = [...document.querySelectorAll(".lanes button")].find((one) => one.textContent.startsWith("ops")).getBoundingClientRect();
		const y = Math.round(lane.bottom - document.querySelector(".stage").getBoundingClientRect().top - 6), { data } = ctx.getImageData(230, y, canvas.width - 230, 1);
		let n = 0;
		for (let i = 0; i < data.length; i += 4) if (data[i] !== 255 || data[i + 1] !== 255 || data[i + 2] !== 255) n++;
		return n / (data.length / 4);
	});
	assert.ok(busy > 0.6, `busy in ${busy}`);
	assert.match(await page.locator(".tl .legend").innerText(), /matmul\s*\d+ %/);
	await go(page, "timeline?t0=3200000&t1=3800000&sel=3200000_3800000_0_400");
	const panel = page.locator("section[aria-label='Statistics of the selection']");
	const names = await panel.locator("tbody tr td:first-child").allInnerTexts();
	assert.ok(names.length > 2 && names.every((name) => name.trim()) && names.some((name) => /256x512/.test(name)), names.join());
	assert.match(await panel.innerText(), /busy [\d.]+ %[^]*gap/);
	assert.match(await panel.innerText(), /not counted again/);
	const shares = [...(await panel.locator(".spent").innerText()).matchAll(/([\d.]+) %/g)].map(([, share]) => Number(share));
	assert.ok(Math.abs(shares.reduce((sum, one) => sum + one, 0) - 100) < 0.5, shares.join());
	await page.locator(".tl canvas").first().focus();
	await page.keyboard.press("Escape");
	await page.keyboard.press("b");
	await page.waitForSelector("section[aria-label=Notes] input");
	await settle(page);
	assert.match(await page.evaluate(() => location.hash), /notes=\d+%7Enote\+1/);
	for (const axis of ["ops", "fold", "time"]) await go(page, `timeline?ax=${axis}&gap=20`);
	assert.match(await page.locator("section[aria-label=Gap]").innerText(), /before\s+20:/);
	await go(page, "timeline?panel=events&q=matmul");
	assert.ok(await page.locator("section[aria-label=Events] tbody tr").count() > 1);
	assert.deepEqual(page.trouble, []);
	await page.close();
});

test("a tip has the op's name with its shape, and follows keys and the wheel", async () => {
	const page = await open(browser, fileOf("full") + "#timeline");
	const row = await page.locator(".lanes button", { hasText: /^ops/ }).first().boundingBox(), stage = await page.locator(".stage").boundingBox();
	const tip = () => page.evaluate(() => document.querySelector(".tip")?.innerText ?? "");
	let x = stage.x + 240;
	for (; x < stage.x + stage.width && !/^Matmul \d+x\d+/.test(await tip()); x += 7) await page.mouse.move(x, row.y + row.height / 2);
	assert.match(await tip(), /^Matmul \d+x\d+[^]*\nMatmulDeviceOperation/);
	for (const change of [() => page.keyboard.press("d"), () => page.keyboard.press("w"), () => page.mouse.wheel(0, 40), () => page.keyboard.press("s")]) {
		await change();
		await settle(page, 120);
		const now = await tip();
		await page.mouse.move(x + 1, row.y + row.height / 2);
		await page.mouse.move(x, row.y + row.height / 2);
		await settle(page, 60);
		assert.equal(now, await tip());
	}
	await page.close();
});

test("plots stand among the lanes, with their value under the mouse", async () => {
	const page = await open(browser, fileOf("full") + "#timeline");
	const names = await page.locator(".lanes button .what").allInnerTexts();
	const at = names.findIndex((name) => /plot/.test(name));
	assert.ok(at >= 0 && at + 1 < names.length, names.join());
	const row = await page.locator(".lanes button").nth(at + 1).boundingBox();
	const stage = await page.locator(".stage").boundingBox();
	await page.mouse.move(stage.x + 800, row.y + row.height / 2);
	await page.waitForSelector(".tip");
	const tip = await page.locator(".tip").innerText();
	assert.ok(tip.startsWith(names[at + 1]), tip);
	assert.match(tip, / at [\d.]+ [µmn]?s/);
	await page.close();
});

test("a run without ops is summed up by its zones", async () => {
	const page = await open(browser, fileOf("no-device") + "#summary");
	// What they say is worked out by the program, which `ttprof report` prints as well.
	const rows = await page.locator("section[aria-label='What takes the time'] tbody tr").all();
	const cells = await Promise.all(rows.map((row) => row.locator("td").allInnerTexts()));
	assert.deepEqual(cells.map((row) => row.map((text) => text.trim())), [["Trainer.step", "train.py:12", "3", "6.00 ms", "60.0 %", "9.00 ms"], ["load", "data.py:4", "1", "4.00 ms", "40.0 %", "4.00 ms"]]);
	assert.match(await page.locator("section[aria-label=Verdict]").innerText(), /^No op was run: a profile of the host; Trainer.step train.py:12 takes most/);
	const busy = await page.locator("section[aria-label='Threads and devices'] tbody tr td:last-child").allInnerTexts();
	assert.ok(busy.length && busy.every((text) => parseFloat(text) > 0 && parseFloat(text) <= 100.05), busy.join());
	await page.close();
});

test("the head keeps to two lines of its own at 420 pixels", async () => {
	const page = await open(browser, fileOf("full") + "#summary", { width: 420, height: 800 });
	const places = await page.evaluate(() => {
		const of = (selector) => document.querySelector(selector).getBoundingClientRect();
		const [title, help] = [of("header.top h1"), of("header.top button:last-of-type")];
		return { same: Math.abs(title.top + title.bottom - help.top - help.bottom) / 2, chips: of(".chips").top - title.bottom, cut: [...document.querySelectorAll(".chip")].filter((chip) => chip.scrollWidth > chip.clientWidth + 1).length, head: of("header.top").height };
	});
	assert.ok(places.same < 6 && places.chips >= 0 && places.cut === 0 && places.head < 160, JSON.stringify(places));
	await page.close();
});

test("the map of cores says what the data says", async () => {
	const page = await open(browser, fileOf("full") + "#cores?hop=1");
	// Op 1 is a matmul on 64 cores whose fourth core takes half as long again.
	await page.waitForSelector("text=64 of 64");
	const first = await page.locator("section[aria-label=Balance] tbody tr").first().innerText();
	assert.match(first, /^4,1/);
	await page.close();
});

test("the core that is done last is the slowest, by tail too, and leads to its own zone of this op", async () => {
	const page = await open(browser, fileOf("full") + "#cores?hop=3&hm=tail");
	await page.waitForSelector("section[aria-label=Balance] tbody tr");
	const tails = await page.locator("section[aria-label=Balance] tbody tr td:nth-child(3)").allInnerTexts();
	assert.deepEqual(tails.map(Number), tails.map(Number).sort((a, b) => a - b));
	const core = await page.locator("section[aria-label=Balance] tbody tr td").first().innerText();
	await page.locator("section[aria-label=Balance] tbody tr button:has-text('timeline')").first().click();
	const zone = await page.waitForSelector("section[aria-label=Zone]");
	const text = await zone.innerText();
	assert.match(text, /\bop\s+3: /);
	assert.ok(text.includes(core), `${core}: ${text}`);
	await page.close();
});

test("an op and a gap lead to the op's zone; keys go to the screen that a key chose; Esc ends a search", async () => {
	const page = await open(browser, fileOf("full") + "#ops?op=5");
	await page.click(".drawer button:has-text('In the timeline')");
	assert.match(await (await page.waitForSelector("section[aria-label=Zone]")).innerText(), /\bop\s+5: /);
	await go(page, "summary");
	await page.locator("section[aria-label=Gaps] tbody button.link").first().click();
	await page.waitForSelector("section[aria-label=Zone]");
	await page.keyboard.press("3");
	await page.waitForSelector(".vgrid");
	await page.keyboard.press("ArrowDown");
	await page.waitForSelector(".drawer");
	await page.keyboard.press("Escape");
	await page.keyboard.press("2");
	await page.waitForSelector(".tl canvas");
	await page.keyboard.press("/");
	await page.keyboard.type("atmul");
	await page.waitForSelector("[role=status]:has-text('zones')");
	await page.keyboard.press("Escape");
	await page.waitForFunction(() => document.querySelector("input[type=search]").value === "");
	await page.close();
});

test("tabs stay where they are, whichever is chosen; a drag in Measure measures", async () => {
	const page = await open(browser, fileOf("full") + "#summary");
	const lefts = () => page.evaluate(() => [...document.querySelectorAll("nav.tabs a")].map((tab) => tab.getBoundingClientRect().left));
	const first = await lefts();
	for (const screen of SCREENS) {
		await go(page, screen);
		assert.deepEqual(await lefts(), first, screen);
	}
	await go(page, "timeline");
	const view = () => page.evaluate(() => location.hash.replace(/[?&](t0|t1)=[^&]*/g, (all) => all));
	const before = await view();
	const box = await page.locator(".stage canvas").first().boundingBox();
	await page.locator(".tl canvas").first().focus();
	await page.keyboard.press("m");
	await page.mouse.move(box.x + 400, box.y + 200);
	await page.mouse.down();
	await page.mouse.move(box.x + 600, box.y + 200, { steps: 3 });
	await page.mouse.up();
	await settle(page);
	assert.equal(await view(), before, "nothing moved");
	assert.deepEqual(page.trouble, []);
	await page.close();
});

test("every chart has a table behind it", async () => {
	const page = await open(browser, fileOf("full") + "#model");
	for (const place of ["model", "model?agg=mean", "model?mp=calls", "model?mp=zones", "model?mp=host", "roofline"]) {
		await go(page, place);
		for (const card of await page.locator("section.card:has(.chart), section.card:has(.pie), section.card:has(.bars), section.card:has(canvas)").all()) {
			const tables = await card.locator("table, details.behind").count();
			assert.ok(tables > 0, `${place}: ${await card.getAttribute("aria-label")}`);
		}
	}
	await page.locator("details.behind summary").first().click();
	await page.waitForSelector("details.behind table");
	await page.close();
});

// What a browser can't be asked for in this way.
const driven = process.env.TTP_BROWSER === "firefox" ? { skip: "Firefox has no such command in the protocol" } : {};

test("on paper there is what can be read, and no buttons", driven, async () => {
	const page = await open(browser, fileOf("full") + "#summary", { theme: "dark" });
	await page.emulateMedia({ media: "print", colorScheme: "dark" });
	assert.equal(await page.locator("nav.tabs").isVisible(), false);
	assert.equal(await page.locator(".verdict").isVisible(), true);
	assert.equal(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), "rgb(255, 255, 255)");
	await page.waitForFunction(() => document.documentElement.dataset.theme === "light"); // by an event
	assert.equal(await page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue("--accent").trim()), "#0b5fb8");
	await go(page, "timeline");
	await settle(page);
	const stage = await page.evaluate(() => {
		const canvas = document.querySelector(".tl .stage canvas"), { width, height } = canvas;
		return { tall: canvas.clientHeight, ground: [...canvas.getContext("2d").getImageData(width - 2, height - 2, 1, 1).data].slice(0, 3) };
	});
	assert.ok(stage.tall >= 500, `the timeline is ${stage.tall} pixels high on paper`);
	// A pale zone may lie there; the dark theme's ground has less than 50.
	assert.ok(stage.ground.every((one) => one > 200), `its ground is ${stage.ground}`);
	await page.emulateMedia({ media: "screen", colorScheme: "dark" });
	await page.waitForFunction(() => document.documentElement.dataset.theme === "dark"); // by an event
	await page.close();
});

test("without JavaScript the page says so, and nothing else", driven, async () => {
	const context = await browser.newContext({ javaScriptEnabled: false });
	const page = await context.newPage();
	await page.goto(fileOf("full"));
	assert.match(await page.locator("body").innerText(), /^\s*This report draws itself with JavaScript, which is switched off here\.\s*$/);
	await context.close();
});

test("labels don't run out of the page, from narrow to wide", async () => {
	for (const width of [600, 1280, 2560]) {
		const page = await open(browser, fileOf("full") + "#summary", { width });
		for (const place of PLACES) {
			await go(page, place);
			const over = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
			assert.ok(over <= 0, `${place} at ${width}: ${over} pixels too wide`);
		}
		await page.close();
	}
});
