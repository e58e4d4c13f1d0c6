// SPDX-License-Identifier: Apache-2.0
// The page of a history in a real Chromium: it shows what `ttprof history show --json` says.
import test, { after, before } from "node:test";
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRequire } from "node:module";
import { launch, open, settle } from "./browser.mjs";
import { digits, near, us } from "./figures.mjs";
import { smallPng } from "./small_png.mjs";

const { SRC, BUILD } = process.env;
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const folder = mkdtempSync(join(tmpdir(), "ttprof-web-history."));
const env = { ...process.env, HOME: folder, TTPROF_HISTORY: "" };
let browser;

function call(...words) {
	return execFileSync(join(BUILD, "ttprof"), words.map(String), { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"], maxBuffer: 1 << 28, env, cwd: folder });
}

const [head, ...example] = readFileSync(join(SRC, "examples/data/nano_gpt_ops.csv"), "utf8").trimEnd().split("\n");
const names = head.split(","), TIME = names.indexOf("DEVICE KERNEL DURATION [ns]"), CODE = names.indexOf("OP CODE"), CORES = names.indexOf("CORE COUNT");
const cells = (row) => row.match(/("([^"]|"")*"|[^,]*)(,|$)/g).map((cell) => cell.replace(/,$/, "")).slice(0, names.length);

// The same numbers in every run of the test.
let seed = 1;
const dice = () => ((seed = (seed * 16807) % 2147483647) / 2147483647 - 0.5);

const commitOf = (i) => createHash("sha1").update(String(i)).digest("hex");
const startsAs = (i) => new RegExp("^" + commitOf(i).slice(0, 10));

// A run per factor of the planted op, each of a commit of its own.
function grow(db, name, factors, more = [], rename = (code) => code) {
	factors.forEach((factor, i) => {
		const path = join(folder, `${i}.csv`);
		writeFileSync(path, [head, ...example.map((row) => {
			const list = cells(row);
			if (list[TIME]) list[TIME] = String(Math.round(list[TIME] * (1 + dice() / 100) * (list[CODE].startsWith("Matmul") && list[CORES] === "24" ? factor : 1)));
			list[CODE] = rename(list[CODE]);
			return list.join(",");
		})].join("\n") + "\n");
		call("history", "add", path, "--db", db, "--name", name, "--no-git", "--commit", commitOf(i), "--commit-time", 1700000000 + 86400 * i, "--time", 1700000000 + 86400 * i + 30, "--machine", "box7", ...more);
	});
}

const db = join(folder, "team.db"), url = "file://" + join(folder, "history.html");
const evil = "</script><img src=x onerror=alert(1)>\u202e" + "long".repeat(150);

before(async () => {
	grow(db, "quiet", Array(9).fill(1));
	grow(db, "nano", [...Array(10).fill(1), ...Array(9).fill(1.1)]);
	grow(db, evil, [...Array(8).fill(1), ...Array(8).fill(1.3), ...Array(8).fill(1)], ["--branch", evil], (code) => `"${evil} ${code}"`);
	call("view", db);
	browser = await launch();
});
after(async () => {
	await browser?.close();
	rmSync(folder, { recursive: true, force: true });
});

const rowsOf = (page, name) => page.locator(`section[aria-label='${name}'] tbody tr`);
const words = { "−": -1, "+": 1 };
const commit = (run) => run.commit_id.slice(0, 10);

async function choose(page, name) {
	const select = page.locator("select.series");
	const at = (await select.locator("option").allInnerTexts()).findIndex((text) => text.includes(name));
	await select.selectOption(String(at));
	await settle(page, 50);
}

test("a page of a history begins with what is slower, and its figures are those of ttprof history", async () => {
	const said = JSON.parse(call("history", "show", " ", "--json", "--db", db)), page = await open(browser, url);
	assert.match(await page.locator("nav.tabs a[aria-current=page]").innerText(), /History/);
	assert.equal(await page.locator("nav.tabs a").count(), 1);
	const whole = JSON.parse(readFileSync(join(folder, "history.html"), "utf8").match(/id="ttp-history">(.*?)<\/script>/s)[1]);
	const first = whole.series.find((one) => one.status === 1);
	assert.equal(first.name, "nano");
	assert.equal(await page.locator(".verdict").innerText(), first.finding);
	assert.match(first.finding, /^The step is slower: /);
	assert.ok(first.finding.includes(commit(whole.runs.find((run) => run.id === first.runs[10]))), first.finding);
	// what the page has is what the terminal says
	for (const series of said.series)
		assert.deepEqual(whole.series.find((one) => one.name === series.name).trends.slice(2), series.trends); // step and gaps have no space in their names
	for (const [i, row] of (await rowsOf(page, "Changes").all()).entries()) {
		const [is, what, was, now, percent, between, commits] = await row.locator("td").allInnerTexts();
		const trend = first.trends.filter((one) => one.changes.length)[i], [change] = trend.changes;
		assert.equal(what.toLowerCase(), trend.label.toLowerCase());
		assert.equal(is, change.verdict);
		near(us(was) * 1e3, change.before_ns, what);
		near(us(now) * 1e3, change.after_ns, what);
		near(words[percent[0]] * digits(percent), change.percent, what);
		assert.deepEqual(between.split(" … ").map((text) => (words[text[0]] * digits(text)).toFixed(1)), [change.low_percent, change.high_percent].map((value) => value.toFixed(1)));
		assert.equal(commits, `${change.last_good_commit.slice(0, 10)} .. ${change.first_bad_commit.slice(0, 10)}`);
	}
	for (const [i, row] of (await rowsOf(page, "Ops over time").all()).entries()) {
		const [what, , from, to, ops] = await row.locator("td").allInnerTexts(), trend = first.trends[i];
		assert.equal(what.toLowerCase(), trend.label.toLowerCase());
		near(us(from) * 1e3, trend.ns[0], what);
		near(us(to) * 1e3, trend.ns[18], what);
		assert.equal(ops, i < 2 ? "" : String(trend.count));
	}
	for (const [i, row] of (await rowsOf(page, "Runs").all()).entries()) {
		const [id, , name, step, gaps, ops] = await row.locator("td").allInnerTexts(), run = whole.runs.find((one) => one.id === first.runs[18 - i]);
		assert.equal(id, String(run.id));
		assert.equal(name, commit(run));
		near(us(step) * 1e3, run.total_ns, "step");
		near(us(gaps) * 1e3, run.gap_ns, "gaps");
		assert.equal(ops, String(run.ops));
	}
	assert.deepEqual(page.trouble, []);
	await page.close();
});

test("an op's chart has its runs, and the change between its commits; keys and the address choose a run", async () => {
	const page = await open(browser, url);
	await rowsOf(page, "Changes").nth(1).locator("button").click();
	const chart = page.locator(".trend svg");
	assert.match(await page.locator("section:has(> .trend) h2").innerText(), /^Matmul 4096 x 384 x 1536/);
	assert.equal(await chart.locator("circle").count(), 19);
	const band = chart.locator("rect.change");
	assert.equal(await band.count(), 1);
	const [x, wide] = await band.evaluate((rect) => [Number(rect.getAttribute("x")), Number(rect.getAttribute("width"))]);
	const points = await chart.locator("circle").evaluateAll((all) => all.map((one) => Number(one.getAttribute("cx"))));
	assert.ok(Math.abs(points[9] - x) < 1 && Math.abs(points[10] - x - wide) < 1, `${points[9]} ${points[10]} ${x} ${wide}`);
	assert.match(await page.locator("section[aria-label=Run] h3").innerText(), startsAs(10)); // the first one after it
	await page.locator(".trend").focus();
	await page.keyboard.press("ArrowLeft");
	await settle(page);
	assert.match(await page.locator("section[aria-label=Run] h3").innerText(), startsAs(9));
	const again = await open(browser, url + (await page.evaluate(() => location.hash)));
	assert.match(await again.locator("section[aria-label=Run] h3").innerText(), startsAs(9));
	assert.match(await again.locator("section:has(> .trend) h2").innerText(), /^Matmul 4096/);
	await again.close();
	await chart.hover({ position: { x: points[3], y: 60 } });
	assert.match(await page.locator(".tip").innerText(), startsAs(3));
	await page.fill("input[type=search]", "softmax");
	await settle(page, 50);
	const left = await rowsOf(page, "Ops over time").locator("td:first-child").allInnerTexts();
	assert.ok(left.length && left.every((text) => /softmax/i.test(text)), left.join());
	await choose(page, "quiet");
	assert.match(await page.locator(".verdict").innerText(), /Can't tell|Nothing is slower/);
	assert.equal(await page.locator("section[aria-label=Changes] table").count(), 0);
	assert.deepEqual(page.trouble, []);
	await page.close();
});

for (const [theme, width] of [["light", 800], ["dark", 800], ["light", 1280], ["dark", 2560]])
	test(`History is clean and fits, whatever things are called: ${theme}, ${width} pixels`, async () => {
		const page = await open(browser, url, { theme, width });
		for (const name of ["nano", "img"]) {
			await choose(page, name);
			await page.evaluate(axe);
			const found = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
			assert.deepEqual(found.violations.map((one) => `${one.id}: ${one.nodes.slice(0, 3).map((node) => node.target.join(" ") + " " + (node.any[0]?.message ?? "")).join(" | ")}`), []);
			const wide = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth, document.querySelector("main").scrollWidth, document.querySelector("main").clientWidth]);
			assert.ok(wide[0] <= wide[1] && wide[2] <= wide[3], wide.join(" "));
			const text = await page.evaluate(() => document.querySelector("main").innerText);
			assert.doesNotMatch(text, /\bNaN\b|\bundefined\b|\bInfinity\b|\[object |\u202e/);
			// names of commits beside each other, not over each other
			const boxes = await page.locator(".trend svg text.mono").evaluateAll((all) => all.map((one) => one.getBoundingClientRect()).map((box) => [box.left, box.right]));
			boxes.sort((a, b) => a[0] - b[0]).forEach((box, i) => assert.ok(i === 0 || box[0] >= boxes[i - 1][1] + 2, JSON.stringify(boxes)));
		}
		assert.deepEqual(page.trouble, []);
		await page.close();
	});

test("what is asked for is refused where a history can't do it, and a page can have a part of one", () => {
	const tried = (...words) => spawnSync(join(BUILD, "ttprof"), words, { encoding: "utf8", env, cwd: folder });
	for (const words of [["--serve"], ["--svg", "heat"], ["--from", "1"], ["-o", db]]) {
		const done = tried("view", db, ...words);
		assert.deepEqual([done.status, done.stdout], [2, ""], words.join(" "));
		assert.match(done.stderr, /error: /);
	}
	call("history", "show", "Softmax", "--db", db, "--name", "nano", "--html", join(folder, "part.html"));
	const part = JSON.parse(readFileSync(join(folder, "part.html"), "utf8").match(/id="ttp-history">(.*?)<\/script>/s)[1]);
	assert.equal(part.series.length, 1);
	assert.ok(part.series[0].trends.length && part.series[0].trends.every((one) => /softmax/i.test(one.label)));
	writeFileSync(join(folder, "other.db"), readFileSync(db).subarray(0, 3000));
	const cut = tried("view", join(folder, "other.db"));
	assert.equal(cut.status, 1);
	assert.match(cut.stderr, /error: other.db: |error: .*other\.db: /);
});

test("a picture of the screen", { skip: process.env.TTP_SHOTS ? false : "TTP_SHOTS=FOLDER makes it" }, async () => {
	const page = await open(browser, url, { height: 800 }), path = join(process.env.TTP_SHOTS, "history.png");
	mkdirSync(process.env.TTP_SHOTS, { recursive: true });
	await page.screenshot({ path });
	writeFileSync(path, smallPng(readFileSync(path)));
	await page.close();
});
