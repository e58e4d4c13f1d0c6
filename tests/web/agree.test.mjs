// SPDX-License-Identifier: Apache-2.0
// The figures that the page shows of a run, as text on the screen, are those of `ttprof report --json` of the same part, and those of libttprof, for the runs of the matrix.
// (tests/e2e/run_agree compares all of a page's data; here it is what a reader sees.)  TTP_MATRIX=all and TTP_PUBLIC_REPORTS as in matrix.test.mjs; TTP_BROWSER=firefox.
import test, { after, before } from "node:test";
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { go, launch, open } from "./browser.mjs";
import { digits, figures, near, us } from "./figures.mjs";
import { matrixRuns } from "./matrix_runs.mjs";

const { BUILD } = process.env;
const ttprof = join(BUILD, "ttprof"), folder = mkdtempSync(join(tmpdir(), "ttprof-web-agree."));
const all = process.env.TTP_MATRIX === "all", only = process.env.TTP_ONLY;
const PYTHON = existsSync("/usr/bin/python3") ? "/usr/bin/python3" : "python3";
let browser;

before(async () => { browser = await launch(); });
after(async () => {
	await browser?.close();
	rmSync(folder, { recursive: true, force: true });
});

function reportOf(run, ...words) {
	return JSON.parse(execFileSync(ttprof, ["report", "--json", ...words, run], { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"], maxBuffer: 1 << 28 }));
}

// The same by the library; null where it was built without Python.
function libraryOf(run, whole) {
	const said = spawnSync(PYTHON, ["-c", `import json, sys, ttprof
with ttprof.open(sys.argv[1]) as run:
    print(json.dumps(run.report(whole_run=sys.argv[2] == "whole").json))`, run, whole ? "whole" : "part"], { encoding: "utf8", env: { ...process.env, PYTHONPATH: join(BUILD, "python"), PYTHONDONTWRITEBYTECODE: "1" }, maxBuffer: 1 << 28 });
	if (/No module named|cannot open shared|libttprof/.test(said.stderr)) return null;
	assert.equal(said.status, 0, said.stderr);
	return JSON.parse(said.stdout);
}

const FIGURES = {
	ops: (report) => report.totals.ops, steps: (report) => report.totals.steps, "device time": (report) => report.totals.device_us, gaps: (report) => report.totals.gap_us,
	"the profiler itself": (report) => report.totals.profiler_us, "program cache misses": (report) => report.totals.program_cache_misses, "ops seen": (report) => report.account.seen, timed: (report) => report.account.timed,
};

async function summaryAgrees(page, report, where) {
	const shown = Object.fromEntries(Object.entries(await figures(page)).map(([what, value]) => [what.replace(/^ops of the program$/, "ops").replace(/^ops seen, .*/, "ops seen"), value]));
	let compared = 0;
	for (const [name, of] of Object.entries(FIGURES)) {
		if (shown[name] === undefined || of(report) === undefined) continue;
		near(/\d\s[mµn]?s$/.test(shown[name]) ? us(shown[name]) : digits(shown[name]), of(report), `${where} ${name}`);
		compared++;
	}
	assert.ok(compared >= 4, `${where}: ${JSON.stringify(shown)}`);
	assert.ok((await page.locator(".verdict").innerText()).toLowerCase().startsWith(report.headline.toLowerCase()), `${where}: headline`);
	const legend = await page.locator("section[aria-label=Verdict] .legend li").all();
	assert.equal(legend.length, report.time_parts.length, where);
	for (const [i, item] of legend.entries()) {
		const part = report.time_parts[i];
		near(us(await item.locator("b").innerText()), part.us, `${where} ${part.part}`);
		assert.equal(digits(await item.locator(".soft").innerText()), Number(part.percent.toFixed(1)), `${where} ${part.part}`);
	}
	const advice = await page.locator("ol.advice li").evaluateAll((list) => list.map((one) => [one.querySelector("button, .what, span")?.textContent ?? "", one.querySelector(".saves")?.textContent ?? ""]));
	const said = new Map(report.findings.map((one) => [one.text, one]));
	for (const [text, saves] of advice) {
		const finding = said.get(text);
		if (finding?.saves_us && saves) near(us(saves), finding.saves_us, `${where} ${text}`);
	}
}

async function opsAgree(page, report, where) {
	await go(page, `ops?cols=id|op|time_us|gap_us|bound|roof_percent|CORE+COUNT${where}`);
	const ops = new Map(report.ops.map((op) => [op.id, op])), rows = await page.locator(".vgrid .line").evaluateAll((list) => list.map((line) => [...line.querySelectorAll("[role=gridcell]")].map((cell) => cell.innerText)));
	assert.ok(rows.length > 0, where);
	for (const [row, name, time, gap, bound, roof] of rows) {
		const op = ops.get(Number(row));
		if (!op) continue; // of the devices of an op the slowest has its number
		assert.equal(name.slice(0, 200), op.op.slice(0, 200).replace(/[\u0000-\u001f]/g, "\ufffd"), `op ${row}`);
		if (op.time_us !== undefined && /\d/.test(time)) near(us(time), op.time_us, `time of op ${row}`);
		if (op.gap_us !== undefined && /\d/.test(gap)) near(us(gap), op.gap_us, `gap of op ${row}`);
		assert.equal(bound, op.bound ?? "", `bound of op ${row}`);
		if (op.roof_percent !== undefined && /\d/.test(roof)) assert.ok(Math.abs(digits(roof) - op.roof_percent) <= 0.051, `roof of op ${row}: ${roof}, ${op.roof_percent}`);
	}
	const status = await page.locator("[role=status]").first().innerText();
	near(us(/device (.*?) ·/.exec(status)[1]), report.totals.device_us, status);
}

for (const [name, make, quick, reports] of matrixRuns(folder)) {
	if (!reports || (!quick && !all && !only) || (only && !name.includes(only))) continue;
	test(`${name}: the page, the terminal and the library have the same figures`, { timeout: 600000 }, async (t) => {
		const made = make();
		if (!made) return t.skip("no RISC-V compiler, or no Python, when this was built");
		const usual = reportOf(made.run), whole = reportOf(made.run, "--ignore-signposts");
		for (const [part, report] of [[false, usual], [true, whole]]) {
			const library = libraryOf(made.run, part);
			if (!library) break;
			assert.deepEqual(library.totals, report.totals);
			assert.deepEqual(library.findings, report.findings);
			assert.deepEqual(library.account, report.account);
		}
		const page = await open(browser, "file://" + made.html + "#summary");
		await summaryAgrees(page, usual, "usual part");
		await opsAgree(page, usual, "");
		await go(page, "summary?part=all");
		await summaryAgrees(page, whole, "whole run");
		await opsAgree(page, whole, "&part=all");
		assert.deepEqual(page.trouble, []);
		await page.close();
	});
}
