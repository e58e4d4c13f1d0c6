// SPDX-License-Identifier: Apache-2.0
// Runs in which one thing is wrong: what it is can be read on the page's first screen, without a click or a turn of the wheel.
import test, { after, before } from "node:test";
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { launch, open } from "./browser.mjs";

const { SRC, BUILD } = process.env;
const ttprof = join(BUILD, "ttprof"), planted = join(BUILD, "examples/device/planted");
const folder = mkdtempSync(join(tmpdir(), "ttprof-web-planted."));
const skip = existsSync(planted) ? false : "no RISC-V compiler when this was built";
let browser, made = 0;

before(async () => {
	browser = await launch();
});
after(async () => {
	await browser?.close();
	rmSync(folder, { recursive: true, force: true });
});

// What stands in the window of 1280 × 900 that opens.
async function firstScreen(run) {
	const html = join(folder, `${++made}.html`);
	execFileSync(ttprof, ["view", "-o", html, run], { stdio: "pipe" });
	const page = await open(browser, "file://" + html);
	const text = await page.evaluate(() => [...document.querySelectorAll("main h2, main p, main li > div, main .figure, main td, main .legend, main .figures > *")]
		.filter((one) => one.getBoundingClientRect().bottom <= window.innerHeight).map((one) => one.innerText).join("\n"));
	assert.deepEqual(page.trouble, []);
	await page.close();
	return text;
}

const KERNELS = { TT_METAL_DEVICE_PROFILER: "1", TRACY_NO_BROADCAST: "1", TTP_EXIT_WAIT: "10" };

function runOf(cause, count, env = {}) {
	const run = join(folder, `run${++made}`);
	mkdirSync(run);
	const clean = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(TTP_|TT_METAL_|TRACY_)/.test(name)));
	execFileSync(planted, [cause, String(count)], { cwd: SRC, stdio: "pipe", env: { ...clean, ...KERNELS, TT_METAL_PROFILER_DIR: run, TTP_FILE: join(run, "run.ttpr"), ...env } });
	execFileSync(ttprof, ["ops", run], { stdio: "pipe" });
	return run;
}

// A product of y × x and x × out, BF16 in DRAM, on a Wormhole of 64 cores, near its roof.
function op({ code = "MatmulDeviceOperation", y = 4096, x = 4096, out = 4096, ns = 1_300_000, gap = 1500, cores = 64, fidelity = "HiFi2", type = "BFLOAT16", ...more } = {}) {
	const row = {
		"OP CODE": code, "OP TYPE": "tt_dnn_device", "DEVICE ID": 0, "DEVICE ARCH": "wormhole_b0", "MATH FIDELITY": fidelity, "CORE COUNT": cores, "AVAILABLE WORKER CORE COUNT": 64,
		"DEVICE KERNEL DURATION [ns]": ns, "OP TO OP LATENCY [ns]": gap, "PROGRAM HASH": `${y}${x}${out}`, "ATTRIBUTES": "{}",
	};
	for (const [name, sides] of Object.entries({ INPUT_0: [1, 1, y, x], INPUT_1: [1, 1, x, out], OUTPUT_0: [1, 1, y, out] })) {
		sides.forEach((side, i) => (row[`${name}_${"WZYX"[i]}_PAD[LOGICAL]`] = `${side}[${side}]`));
		Object.assign(row, { [`${name}_LAYOUT`]: "TILE", [`${name}_DATATYPE`]: type, [`${name}_MEMORY`]: "DEV_0_DRAM_INTERLEAVED" });
	}
	return { ...row, ...more };
}

function reportOf(rows) {
	const path = join(folder, `ops${++made}.csv`);
	rows.forEach((row, i) => (row["GLOBAL CALL COUNT"] = 1024 * (i + 1)));
	const keys = Object.keys(rows[0]);
	writeFileSync(path, [keys.join(","), ...rows.map((row) => keys.map((key) => row[key]).join(","))].join("\n") + "\n");
	return path;
}

const times = (n, make) => Array.from({ length: n }, (_, i) => make(i));
const CASES = [
	["a slow core", () => runOf("none", 12, { TT_METAL_WATCHER_DEBUG_DELAY: "400", TT_METAL_READ_DEBUG_DELAY_CORES: "3,3", TTP_CLOCK: "scripted" }), /core 4,4 is slow whatever it runs: .* the slowest in 11 of 11 calls/, planted],
	["a slow bank of DRAM", () => runOf("dram", 4, { TT_METAL_DEVICE_PROFILER_NOC_EVENTS: "1", TTP_SIM_SLOW_BANK: "3", TTP_CLOCK: "scripted" }), /the DRAM bank at 0-5 is slow: reads that wait for it take \d/, planted],
	["work that is divided unevenly", () => runOf("imbalance", 6, { TTP_CLOCK: "scripted" }), /cores are not equally loaded, the slowest takes \d/, planted],
	["a gap that the host makes", () => runOf("hidden", 14), /Host-bound: [^]*(tokenize|write_log)/, planted],
	["the profiler's own time", () => runOf("readout", 12), /the profiler itself took .* more than the ops/, planted],
	["memory in use", () => runOf("dram", 4, { TT_METAL_MEM_PROFILER: "1" }), /most in use of .*DRAM/, planted],
	["a build storm", () => reportOf(times(20, (i) => op({ out: 1024 + 32 * i, ns: 400_000, gap: 200_000_000 }))), /Programs were being built: 19 ops waited 3\.80 s/],
	["one slow step", () => reportOf(times(100, (i) => op({ out: 1024 + 32 * (i % 10), ns: i < 90 ? 400_000 : 1_200_000 }))), /the last 10 ops \(91 to 100\) take 3\.0 times as long as like ops before/],
	["a fidelity that costs more than the types need", () => reportOf(times(8, () => op({ fidelity: "HiFi4", type: "BFLOAT8_B", ns: 2_900_000 }))), /HiFi2 is enough for BFP8 weights: twice the rate of HiFi4/],
	["small ops", () => reportOf(times(40, () => op({ y: 32, x: 32, out: 32, ns: 4000, gap: 1000, cores: 1 }))), /only 1 tile/],
	["one slow device of eight", () => reportOf(times(6, (i) => i).flatMap((i) => times(8, (d) => op({ "DEVICE ID": d, ns: d === 5 ? 2_600_000 : 1_300_000 })))), /device 5 takes 2\.0 times/],
];

for (const [name, make, wanted, program] of CASES)
	test(`the first screen says: ${name}`, { skip: program ? skip : false }, async () => {
		const text = await firstScreen(make());
		if (process.env.TTP_TEXT) console.error(text);
		assert.match(text, wanted);
	});
