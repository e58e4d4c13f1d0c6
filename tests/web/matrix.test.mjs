// SPDX-License-Identifier: Apache-2.0
// Every screen of every kind of run, light and dark, narrow and wide: no text over another, none cut that can't be read, no screen that opens on nothing (look.mjs).
// TTP_MATRIX=all: those runs, too, that have to be recorded first (make test-matrix); TTP_PUBLIC_REPORTS=FOLDER adds the CSVs of a folder.  TTP_SHOTS=FOLDER keeps pictures of all.
import test, { after, before } from "node:test";
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { go, launch, open, settle } from "./browser.mjs";
import { faultsOf, filledOf, watch } from "./look.mjs";
import { matrixRuns } from "./matrix_runs.mjs";

const folder = mkdtempSync(join(tmpdir(), "ttprof-web-matrix."));
const all = process.env.TTP_MATRIX === "all", only = process.env.TTP_ONLY, shots = process.env.TTP_SHOTS;
const SIZES = all ? ["light", "dark"].flatMap((theme) => [800, 1280, 2560].map((width) => [theme, width])) : [["dark", 800], ["light", 1280], ["light", 2560]];
const MORE = ["ops?op=1", "ops?g=op", "model?mp=calls", "model?mp=steps", "model?mp=zones", "model?mp=host"];
let browser;

before(async () => { browser = await launch(); });
after(async () => {
	await browser?.close();
	rmSync(folder, { recursive: true, force: true });
});

async function look(html, name, theme, width) {
	const page = await open(browser, "file://" + html, { theme, width, height: width > 2000 ? 1300 : 900, prepare: watch }), found = [];
	const tabs = await page.locator("nav.tabs a").evaluateAll((list) => list.map((one) => one.getAttribute("href").slice(1)));
	for (const place of [...tabs, ...MORE.filter((one) => tabs.includes(one.split("?")[0]))]) {
		await go(page, place);
		await settle(page, 60);
		found.push(...(await faultsOf(page)).map((one) => `${place}: ${one}`));
		if (place === "timeline") {
			const filled = await filledOf(page);
			if (filled && (filled.share < 0.15 || filled.labels < 1)) found.push(`timeline: opens on nothing: ${JSON.stringify(filled)}`);
		}
		if (shots) {
			mkdirSync(shots, { recursive: true });
			await page.screenshot({ path: join(shots, `${name}_${place}_${theme}_${width}`.replace(/\W+/g, "-") + ".png") });
		}
	}
	found.push(...page.trouble);
	await page.close();
	return found;
}

for (const [name, make, quick] of matrixRuns(folder)) {
	if ((!quick && !all && !only) || (only && !name.includes(only))) continue;
	test(`${name}: every screen can be read`, { timeout: 1200000 }, async (t) => {
		const made = make();
		if (!made) return t.skip("no RISC-V compiler, or no Python, when this was built");
		const found = [];
		for (const [theme, width] of SIZES) found.push(...(await look(made.html, name, theme, width)).map((one) => `${theme} ${width} ${one}`));
		assert.ok(!found.length, `${found.length} faults\n${found.join("\n")}`);
	});
}
