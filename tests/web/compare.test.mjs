// SPDX-License-Identifier: Apache-2.0
// Pages of several runs in a real Chromium: Compare shows what `ttprof compare --json` says, all else the run that is chosen.
import test, { after, before } from "node:test";
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRequire } from "node:module";
import { eventually, go, launch, open, PLACES, settle } from "./browser.mjs";
import { digits, near, us } from "./figures.mjs";

const { SRC, BUILD } = process.env;
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const ttprof = join(BUILD, "ttprof");
const folder = mkdtempSync(join(tmpdir(), "ttprof-web-compare."));
let browser;

function call(...words) {
	return execFileSync(ttprof, words, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"], maxBuffer: 1 << 28 });
}

const [head, ...example] = readFileSync(join(SRC, "examples/data/nano_gpt_ops.csv"), "utf8").trimEnd().split("\n");
const names = head.split(",");
const TIME = names.indexOf("DEVICE KERNEL DURATION [ns]"), CODE = names.indexOf("OP CODE"), START = names.indexOf("DEVICE FW START CYCLE"), END = names.indexOf("DEVICE FW END CYCLE"), FW = names.indexOf("DEVICE FW DURATION [ns]");

// Fields with a comma stand in quotes.
function cells(row) {
	return row.match(/("([^"]|"")*"|[^,]*)(,|$)/g).map((cell) => cell.replace(/,$/, "")).slice(0, names.length);
}

function report(name, change) {
	const rows = example.flatMap((row, i) => {
		const list = change(cells(row), i);
		return list ? [list.join(",")] : [];
	});
	mkdirSync(join(folder, name), { recursive: true });
	writeFileSync(join(folder, name, "ops_perf_results.csv"), [head, ...rows].join("\n") + "\n");
	return join(folder, name);
}

const slower = (factor, code, last = 0) => (row, i) => {
	if (i >= example.length - last) return null;
	if (!row[TIME] || !row[CODE].startsWith(code)) return row;
	row[TIME] = String(Math.round(row[TIME] * factor));
	row[FW] = String(Math.round(row[FW] * factor));
	row[END] = String(Number(row[START]) + Math.round((row[END] - row[START]) * factor)); // where its bar ends
	return row;
};

function pageOf(name, ...words) {
	const path = join(folder, name + ".html");
	call("view", ...words, "-o", path);
	return "file://" + path;
}

before(async () => { browser = await launch(); });
after(async () => {
	await browser?.close();
	rmSync(folder, { recursive: true, force: true });
});

const a = report("a", slower(1, "-")), b = report("b", slower(1.3, "Matmul", 6));
const words = { "−": -1, "+": 1 };
const signed = (text) => words[text.trim()[0]] * us(text.trim().slice(1)) * 1e3;
const tableOf = (page, name) => page.locator(`section[aria-label='${name}'] tbody tr`);

async function clean(page, where) {
	await page.evaluate(axe);
	const found = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
	assert.deepEqual(found.violations.map((one) => `${one.id}: ${one.nodes.slice(0, 3).map((node) => node.target.join(" ") + " " + (node.any[0]?.message ?? "")).join(" | ")}`), [], where);
	assert.deepEqual(page.trouble, [], where);
}

async function ready(page) {
	await page.waitForSelector("section[aria-label=Timelines] svg rect.chosen");
}

test("a page of two runs begins with Compare, and its figures are those of ttprof compare --json", async () => {
	const said = JSON.parse(call("compare", "--json", a, b));
	const page = await open(browser, pageOf("two", a, b));
	assert.match(await page.locator("nav.tabs a[aria-current=page]").innerText(), /Compare/);
	assert.equal(await page.locator(".verdict").innerText(), said.finding);
	assert.equal(await page.locator("h1").innerText(), "a → b");
	const under = await page.locator("section[aria-label=Verdict] > p").nth(1).innerText();
	assert.ok(under.includes(said.ground) && under.includes(said.wish) && said.wish, under);
	assert.doesNotMatch(await page.locator("main").innerText(), /--[a-z]/);
	for (const [i, total] of said.totals.entries()) {
		const [, base, other, change, percent] = await tableOf(page, "Verdict").nth(i).locator("td").allInnerTexts();
		near(us(base) * 1e3, total.base_ns, total.of);
		near(us(other) * 1e3, total.new_ns, total.of);
		near(signed(change), total.by_ns, total.of);
		near(words[percent[0]] * digits(percent), total.percent, total.of);
	}
	const rows = await tableOf(page, "What explains it").all();
	assert.equal(rows.length, Math.min(100, said.explaining));
	for (const [i, row] of rows.entries()) {
		const one = said.contributions[i], line = said.lines[one.line];
		const [what, change, , percent, between, verdict, ops, cause] = await row.locator("td").allInnerTexts();
		assert.equal(what, (one.of === "gap" ? "gap before " : "") + line.op);
		near(signed(change), one.by_ns, what);
		if (one.percent === null) assert.equal(percent, "–");
		else near(words[percent[0]] * digits(percent), one.percent, what);
		assert.equal(verdict, one.of === "gap" ? "" : line.verdict ?? line.change);
		assert.equal(digits(ops), line.count);
		assert.equal(cause ?? "", one.of === "gap" ? line.gap_cause ?? "" : line.cause);
		if (one.of === "time" && line.low_ns !== undefined && line.low_ns !== null) {
			const [low, high] = between.split(" … ");
			near(signed(low), line.low_ns, "from of " + what);
			near(signed(high), line.high_ns, "to of " + what);
		} else assert.equal(between, "");
	}
	await page.click("section[aria-label='What explains it'] button:has-text('All differences')");
	await eventually(async () => assert.equal(await tableOf(page, "What explains it").count(), Math.min(100, said.contributions.length)));
	// every kind of op, on both sides
	const all = page.locator("section[aria-label='All ops'] button:has-text('all')").last();
	if (said.lines.length > 50) await all.click();
	const lines = await tableOf(page, "All ops").all();
	assert.equal(lines.length, said.lines.length);
	for (const [i, row] of lines.entries()) {
		const line = said.lines[i], [op, is, ops, base, other] = await row.locator("td").allInnerTexts();
		assert.equal(op, line.op);
		assert.equal(is, line.change === "kept" ? "" : line.change);
		assert.equal(digits(ops), line.count);
		if (line.change === "new") assert.equal(base, "none");
		else near(us(base) * 1e3, line.base_ns, op);
		if (line.change === "gone") assert.equal(other, "none");
		else near(us(other) * 1e3, line.new_ns, op);
	}
	assert.deepEqual(page.trouble, []);
	await page.close();
});

test("the chosen op is shown of both runs, and leads into each of them", async () => {
	const said = JSON.parse(call("compare", "--json", a, b));
	const page = await open(browser, pageOf("chosen", a, b));
	await ready(page);
	const at = said.contributions.find((one) => said.lines[one.line].change === "kept" && one.of === "time" && /^Matmul/.test(said.lines[one.line].op)).line, line = said.lines[at];
	await page.locator("section[aria-label='What explains it'] tbody button", { hasText: line.op }).first().click();
	await settle(page);
	assert.match(await page.evaluate(() => location.hash), new RegExp(`line=${at + 1}\\b`));
	const reported = [a, b].map((run, i) => JSON.parse(call("report", "--json", "--each", "--ignore-signposts", run)).ops.find((op) => op.id === [line.base_id, line.new_id][i]));
	const [name, base, other] = await tableOf(page, "One op, side by side").first().locator("td").allInnerTexts();
	assert.equal(name, "device time of this call");
	near(us(base), reported[0].time_us, "BASE");
	near(us(other), reported[1].time_us, "NEW");
	// Both bars begin at the same x.
	const x = await page.locator("section[aria-label=Timelines] rect.chosen").evaluateAll((all) => all.map((rect) => Number(rect.getAttribute("x"))));
	assert.equal(x.length, 2);
	assert.ok(Math.abs(x[0] - x[1]) < 0.6, x.join(" "));
	const widths = await page.locator("section[aria-label=Timelines] rect.chosen").evaluateAll((all) => all.map((rect) => Number(rect.getAttribute("width"))));
	assert.ok(Math.abs(widths[1] / widths[0] - 1.3) < 0.01, widths.join(" "));
	await page.click(`section[aria-label='One op, side by side'] button:has-text('of NEW')`);
	await page.waitForSelector(".drawer");
	const hash = await page.evaluate(() => location.hash);
	assert.match(hash, /^#ops\?/);
	assert.match(hash, new RegExp(`\\bop=${line.new_id}\\b`));
	assert.equal(await page.locator("select[aria-label=Run]").inputValue(), "1");
	assert.ok((await page.locator(".drawer h2").innerText()).startsWith(line.op));
	// What is of one run is not carried into another.
	await page.locator("select[aria-label=Run]").selectOption("0");
	await settle(page);
	assert.doesNotMatch(await page.evaluate(() => location.hash), /\bop=/);
	await page.keyboard.press("0");
	await page.waitForSelector("section[aria-label=Verdict]");
	assert.deepEqual(page.trouble, []);
	await page.close();
});

test("every screen shows the chosen run", async () => {
	const page = await open(browser, pageOf("screens", a, b));
	for (const run of ["0", "1"]) {
		await page.locator("select[aria-label=Run]").selectOption(run);
		for (const place of PLACES) {
			await go(page, place + (place.includes("?") ? "&" : "?") + "run=" + run);
			const text = await page.evaluate(() => document.querySelector("main").innerText);
			assert.doesNotMatch(text, /\bNaN\b|\bundefined\b|\bInfinity\b|\[object /, place);
		}
		await go(page, "summary?run=" + run);
		const ops = JSON.parse(call("report", "--json", [a, b][Number(run)])).totals.ops;
		await eventually(async () => assert.ok((await page.locator(".figures").first().innerText()).includes(String(ops))));
	}
	assert.deepEqual(page.trouble, []);
	await page.close();
});

test("a page of one run has no comparison", async () => {
	const page = await open(browser, pageOf("one", a) + "#compare");
	assert.equal(await page.locator("nav.tabs a", { hasText: "Compare" }).count(), 0);
	assert.equal(await page.locator("select[aria-label=Run]").count(), 0);
	await page.close();
});

for (const [theme, width] of [["light", 1280], ["dark", 800], ["dark", 2560]])
	test(`Compare is clean and fits: ${theme}, ${width} pixels`, async () => {
		const page = await open(browser, pageOf("fits", a, b), { theme, width });
		await ready(page);
		await clean(page, theme);
		const wide = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth, document.querySelector("main").scrollWidth, document.querySelector("main").clientWidth]);
		assert.ok(wide[0] <= wide[1] && wide[2] <= wide[3], wide.join(" "));
		const drawn = await page.locator("section[aria-label=Timelines] svg rect.op").count();
		assert.ok(drawn >= 6, `${drawn} ops in sight at first`);
		await page.close();
	});

test("the timelines move and zoom by keys and by buttons", async () => {
	const page = await open(browser, pageOf("keys", a, b));
	await ready(page);
	const wide = () => page.locator("section[aria-label=Timelines] rect.chosen").first().evaluate((rect) => Number(rect.getAttribute("width")));
	const from = () => page.locator("section[aria-label=Timelines] rect.chosen").first().evaluate((rect) => Number(rect.getAttribute("x")));
	const [w, x] = [await wide(), await from()];
	await page.focus("[aria-label='Timelines of both runs']");
	await page.keyboard.press("s");
	await eventually(async () => assert.ok((await wide()) < w * 0.8));
	await page.keyboard.press("h");
	await eventually(async () => assert.ok(Math.abs((await wide()) - w) < 0.01));
	await page.keyboard.press("ArrowLeft");
	await eventually(async () => assert.ok((await from()) > x + 50));
	await page.click("section[aria-label=Timelines] button:has-text('back')");
	await eventually(async () => assert.ok(Math.abs((await from()) - x) < 0.01));
	assert.deepEqual(page.trouble, []);
	await page.close();
});

test("runs without common ops, and a side alone", async () => {
	const other = report("other", (row, i) => {
		if (i > 20) return null;
		row[CODE] = "Nobody" + i;
		return row;
	});
	const page = await open(browser, pageOf("apart", a, other));
	await ready(page).catch(() => undefined);
	assert.match(await page.locator(".verdict").innerText(), /not settled/);
	assert.match(await page.locator("section[aria-label='One op, side by side']").innerText(), /alone/);
	const is = await tableOf(page, "All ops").locator("td:nth-child(2)").allInnerTexts();
	assert.ok(is.includes("gone"));
	await page.click("section[aria-label='All ops'] button:has-text('new')");
	await eventually(async () => assert.deepEqual([...new Set(await tableOf(page, "All ops").locator("td:nth-child(2)").allInnerTexts())], ["new"]));
	assert.deepEqual(page.trouble, []);
	await page.close();
});

test("the same run twice: nothing differs, and that is said", async () => {
	const page = await open(browser, pageOf("same", a, a));
	assert.match(await page.locator("section[aria-label='What explains it']").innerText(), /Nothing differs/);
	await ready(page);
	await page.close();
});

test("hostile names are shown as text", async () => {
	const bad = ['"</script><img src=x onerror=window.hacked=1>"', "\u202egnp.exe", "<b>bold", "x".repeat(600)];
	const evil = (more) => (row, i) => {
		if (i > 12) return null;
		row[CODE] = bad[i % bad.length];
		if (row[TIME] && more) row[TIME] = String(row[TIME] * 2);
		return row;
	};
	const page = await open(browser, pageOf("bad", report("<b>bad", evil(false)), report("bad\u202e", evil(true))), { width: 800 });
	await ready(page);
	assert.equal(await page.evaluate(() => window.hacked), undefined);
	const wide = await page.evaluate(() => [document.querySelector("main").scrollWidth, document.querySelector("main").clientWidth]);
	assert.ok(wide[0] <= wide[1], wide.join(" "));
	assert.doesNotMatch(await page.locator("body").innerText(), /\u202e/);
	await clean(page, "hostile");
	await page.close();
});

const planted = join(BUILD, "examples/device/planted");

test("a core that became slow is the first of the cores, for one op and for all", { skip: existsSync(planted) ? false : "no RISC-V compiler when this was built" }, async () => {
	const clean = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(TTP_|TT_METAL_|TRACY_)/.test(name)));
	const run = (name, env) => {
		const to = join(folder, name);
		mkdirSync(to);
		execFileSync(planted, ["none", "5"], { cwd: SRC, stdio: "pipe", env: { ...clean, TT_METAL_DEVICE_PROFILER: "1", TRACY_NO_BROADCAST: "1", TTP_EXIT_WAIT: "10", TTP_CLOCK: "scripted", TT_METAL_PROFILER_DIR: to, TTP_FILE: join(to, "run.ttpr"), ...env } });
		call("ops", to);
		return to;
	};
	const page = await open(browser, pageOf("cores", run("even", {}), run("slow", { TT_METAL_WATCHER_DEBUG_DELAY: "400", TT_METAL_READ_DEBUG_DELAY_CORES: "3,3" })));
	await page.waitForSelector("section[aria-label=Cores]");
	for (const of of ["this op", "all ops"]) {
		await page.click(`section[aria-label=Cores] button:text-is('${of}')`);
		await settle(page, 60);
		const [core, base, other, change] = await tableOf(page, "Cores").first().locator("td").allInnerTexts();
		assert.equal(core, "4,4");
		near(signed(change), (us(other) - us(base)) * 1e3, "change");
		assert.ok(us(other) > 3 * us(base), `${base} ${other}`);
	}
	assert.ok((await page.locator("section[aria-label=Cores] rect.core").count()) >= 60);
	assert.deepEqual(page.trouble, []);
	await page.close();
});
