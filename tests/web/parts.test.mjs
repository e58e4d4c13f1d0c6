// SPDX-License-Identifier: Apache-2.0
// A run with signposts and ops of the host: the page means by "whole run", and by each part, what `ttprof report` means with the same part.
import test, { after, before } from "node:test";
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { go, launch, open, settle } from "./browser.mjs";
import { digits, figures, near, us } from "./figures.mjs";

const ttprof = join(process.env.BUILD, "ttprof");
const folder = mkdtempSync(join(tmpdir(), "ttprof-web-parts."));
const run = join(folder, "run"), file = join(folder, "report.html");
const POSTS = ["warm-up", "step 0", "step 0", "step 1", "step 1", "done"];
let browser;

function call(...words) {
	return execFileSync(ttprof, words, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}

// Two ops before any signpost; after each but the last three ops of the device and one of the host.
function table() {
	const lines = [["OP CODE", "OP TYPE", "GLOBAL CALL COUNT", "DEVICE ID", "DEVICE ARCH", "HOST START TS", "HOST END TS", "HOST DURATION [ns]", "CORE COUNT", "AVAILABLE WORKER CORE COUNT", "OP TO OP LATENCY [ns]",
		"DEVICE FW START CYCLE", "DEVICE FW END CYCLE", "DEVICE FW DURATION [ns]", "DEVICE KERNEL DURATION [ns]", "PROGRAM CACHE HIT"]];
	let n = 0, host = 1000000, cycle = 5000000;
	const device = (code) => {
		const time = 4000 + 700 * n, gap = 900 + 130 * n;
		n++;
		host += 9000;
		cycle += gap;
		lines.push([code, "tt_dnn_device", 1024 * n, 0, "wormhole_b0", host, host + 3000, 3000, 8, 64, gap, cycle, cycle + time + 100, time + 100, time, "True"]);
		cycle += time + 100;
	};
	const onHost = () => {
		n++;
		host += 9000;
		lines.push(["torch.topk", "python_fallback", 1024 * n, "", "", host, host + 550000, 550000, "", "", "", "", "", "", "", ""]);
		host += 550000;
	};
	device("Unary");
	device("Matmul");
	for (const post of POSTS) {
		host += 1000;
		lines.push([post, "signpost", "", "", "", host, "", "", "", "", "", "", "", "", "", ""]);
		if (post === "done") break;
		device("Unary");
		onHost();
		device("Matmul");
		device("Softmax");
	}
	return lines.map((line) => line.join(",")).join("\n") + "\n";
}

before(async () => {
	mkdirSync(run);
	writeFileSync(join(run, "ops_perf_results.csv"), table());
	call("view", run, "-o", file);
	browser = await launch();
});
after(async () => {
	await browser?.close();
	rmSync(folder, { recursive: true, force: true });
});

async function same(page, report, where) {
	await go(page, "summary" + where);
	const shown = await figures(page);
	assert.equal(digits(shown.ops), report.totals.ops, where);
	near(us(shown["device time"]), report.totals.device_us, "device time " + where);
	near(us(shown.gaps), report.totals.gap_us, "gaps " + where);
	assert.equal(digits(shown["ops seen"]), report.account.seen, where);
	assert.ok((await page.locator(".verdict").innerText()).toLowerCase().startsWith(report.headline.toLowerCase()), where);
	await go(page, "ops" + where);
	const status = await page.locator("[role=status]").first().innerText();
	assert.equal(digits(/^(\S+) of/.exec(status)[1]), report.totals.ops, status);
	near(us(/device (.*?) ·/.exec(status)[1]), report.totals.device_us, status);
	near(us(/on the host (.*)$/.exec(status)[1]), report.totals.host_us, status);
	await go(page, "model" + where);
	assert.match(await page.locator("main").innerText(), new RegExp(`\\b${report.totals.ops} ops`));
}

test("the whole run is all ops, as the report has it without signposts, and the page says what the terminal shows", async () => {
	const page = await open(browser, "file://" + file + "#summary");
	const all = JSON.parse(call("report", run, "--json", "--ignore-signposts"));
	assert.equal(all.totals.ops, 22);
	await same(page, all, "?part=all");
	await go(page, "summary?part=all");
	assert.equal(await page.locator("select[aria-label='Part of the run'] option:checked").innerText(), "whole run");
	assert.match(await page.locator(".shown").innerText(), /whole run\. By itself ttprof report shows a part, after step 1/);
	await page.getByRole("button", { name: "choose it here" }).click();
	await settle(page);
	const usual = JSON.parse(call("report", run, "--json"));
	assert.equal(digits((await figures(page)).ops), usual.totals.ops);
	near(us((await figures(page))["device time"]), usual.totals.device_us, "the terminal's part");
	assert.ok((await page.locator(".shown").innerText()).includes(usual.source.part), usual.source.part);
	// without a choice it is the same
	await same(page, usual, "");
	assert.match(await page.locator("select[aria-label='Part of the run'] option:checked").innerText(), /^after step 1$/);
	await go(page, "summary");
	await page.getByRole("button", { name: "show the whole run" }).click();
	await settle(page);
	assert.match(await page.evaluate(() => location.hash), /part=all/);
	assert.equal(digits((await figures(page)).ops), all.totals.ops);
	assert.deepEqual(page.trouble, []);
	await page.close();
});

test("each part has the numbers of the report of that part", async () => {
	const page = await open(browser, "file://" + file + "#summary");
	const parts = await page.locator("select[aria-label='Part of the run'] option").evaluateAll((list) => list.map((one) => [one.value, one.textContent]));
	assert.deepEqual(parts.map(([, name]) => name), ["whole run", "after warm-up", "after step 0", "after step 0", "after step 1", "after step 1"]);
	for (const [i, from, to] of [[1, "warm-up", "step 0"], [2, "step 0", "step 0"], [4, "step 1", "step 1"]]) {
		const report = JSON.parse(call("report", run, "--json", "--start-signpost", from, "--end-signpost", to));
		assert.equal(report.totals.ops, 4);
		await same(page, report, "?part=" + parts[i][0]);
	}
	// a second signpost of the same name can't be asked for in the terminal, unless it is the last: sums of its own rows
	await same(page, JSON.parse(call("report", run, "--json")), "?part=" + parts[5][0]);
	await go(page, "summary?part=" + parts[3][0]);
	assert.equal(digits((await figures(page)).ops), 4);
	near(us((await figures(page))["device time"]), 3 * 4 + 0.7 * (10 + 12 + 13), "sum of its rows");
	assert.deepEqual(page.trouble, []);
	await page.close();
});

test("ops of the host have no device time", async () => {
	const page = await open(browser, "file://" + file + "#ops?cols=op|time_us|HOST+DURATION+[ns]&f=op~topk");
	const [, device, host] = await page.locator(".vgrid .line").first().locator("[role=gridcell]").allInnerTexts();
	assert.doesNotMatch(device, /\d/);
	near(us(host), 550, "host time");
	await go(page, "ops?g=op");
	assert.doesNotMatch((await page.locator(".vgrid .line", { hasText: "topk" }).innerText()), /2\.2 ms/);
	assert.equal(await page.locator(".vgrid .line", { hasText: "warm-up" }).count(), 0);
	await page.close();
});
