// SPDX-License-Identifier: Apache-2.0
// One page of each kind of run that the page is made for: [name, make, quick, has a report].  `make` gives the path of a page and what it was made of (null: of nothing that has a report), or null where this machine can't make it.
// Quick ones are a part of `make test`; the others record a run first.
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, truncateSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { makeData } from "./make_data.mjs";
import { splice } from "./pack.mjs";

const { SRC, BUILD } = process.env;
const ttprof = join(BUILD, "ttprof"), planted = join(BUILD, "examples/device/planted"), gpt = join(BUILD, "examples/nano_gpt/nano_gpt");
const PYTHON = existsSync("/usr/bin/python3") ? "/usr/bin/python3" : "python3";
const EXAMPLE = join(SRC, "examples/data/nano_gpt_ops.csv");

export function matrixRuns(folder) {
	const clean = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(TTP_|TTPROF_|TT_METAL_|TRACY_)/.test(name)));
	const env = { ...clean, PYTHONPATH: join(BUILD, "python"), PYTHONDONTWRITEBYTECODE: "1", TTP_EXIT_WAIT: "10" };
	const call = (words, more = {}) => execFileSync(words[0], words.slice(1), { cwd: SRC, stdio: "pipe", env: { ...env, ...more }, maxBuffer: 1 << 28, timeout: 600000 });
	const done = new Map();
	const once = (name, make) => () => {
		if (!done.has(name)) done.set(name, make());
		return done.get(name);
	};
	const page = (name, ...words) => {
		const html = join(folder, name + ".html");
		const said = spawnSync(ttprof, ["view", "-o", html, ...words], { cwd: SRC, encoding: "utf8", env });
		if (said.status !== 0) throw new Error(`ttprof view ${words.join(" ")}: ${said.stderr}`);
		return { html, run: words.length === 1 ? words[0] : null };
	};
	const run = (name, words, more = {}, options = []) => {
		const to = join(folder, "run-" + name);
		call([ttprof, "run", "-q", "-r", "-o", to, ...options, ...words], more);
		return to;
	};
	const spliced = (kind) => {
		const html = join(folder, kind + ".html");
		writeFileSync(html, splice(readFileSync(join(BUILD, "web/page.html"), "utf8"), makeData(kind)));
		return { html, run: null };
	};
	const withDevice = (make) => (existsSync(planted) ? make : () => null);
	const withPython = (make) => (readdirSync(join(BUILD, "python/ttprof"), { withFileTypes: true }).some((one) => one.name.startsWith("_client")) ? withDevice(make) : () => null);
	const demo = once("demo", () => {
		call(["scripts/demo", BUILD, join(folder, "demo")], { DEMO_STEPS: "3" });
		return join(folder, "demo");
	});
	const slower = once("slower", () => {
		const to = join(folder, "slower.csv"), [head, ...rows] = readFileSync(EXAMPLE, "utf8").trimEnd().split("\n");
		const at = head.split(",").indexOf("DEVICE KERNEL DURATION [ns]");
		writeFileSync(to, [head, ...rows.slice(0, -4).map((row, i) => {
			const cells = row.match(/("([^"]|"")*"|[^,]*)(,|$)/g);
			if (i % 3 === 0 && /^\d+,$/.test(cells[at] ?? "")) cells[at] = Math.round(parseInt(cells[at]) * 1.2) + ",";
			return cells.join("");
		})].join("\n") + "\n");
		return to;
	});
	const history = () => {
		const db = join(folder, "history.db");
		for (let i = 0; i < 16; i++) call([ttprof, "history", "add", "--db", db, "--no-git", "--name", "nano_gpt", "--commit", (i * 7919 + 1000003).toString(16).repeat(6).slice(0, 40), "--commit-time", String(1700000000 + 86400 * i), "--time", String(1700000100 + 86400 * i), noisy(i, i < 9 ? 1 : 1.06)]);
		return page("history", db);
	};
	const noisy = (seed, factor) => {
		const to = join(folder, `h${seed}.csv`), [head, ...rows] = readFileSync(EXAMPLE, "utf8").trimEnd().split("\n"), at = head.split(",").indexOf("DEVICE KERNEL DURATION [ns]");
		let n = seed * 7919 + 1;
		writeFileSync(to, [head, ...rows.map((row) => {
			const cells = row.match(/("([^"]|"")*"|[^,]*)(,|$)/g);
			n = (n * 16807) % 2147483647;
			if (/^\d+,$/.test(cells[at] ?? "")) cells[at] = Math.round(parseInt(cells[at]) * factor * (1 + (n / 2147483647 - 0.5) / 100)) + ",";
			return cells.join("");
		})].join("\n") + "\n");
		return to;
	};
	const damaged = () => {
		const from = demo(), to = join(folder, "damaged");
		cpSync(from, to, { recursive: true });
		const halve = (path) => truncateSync(path, Math.floor(statSync(path).size * 0.6));
		for (const at of readdirSync(to, { recursive: true })) if (/(profile_log_device\.csv|\.ttpr|ops_perf_results.*\.csv)$/.test(at)) halve(join(to, at));
		return page("damaged-page", to);
	};
	const mesh = () => {
		const program = join(folder, "mesh.py");
		writeFileSync(program, `import ttnn
with ttnn.open_mesh_device(ttnn.MeshShape(1, 4)) as mesh:
    x = ttnn.from_torch([[float(i % 7) for i in range(128)]] * 64, layout=ttnn.TILE_LAYOUT, device=mesh, mesh_mapper=ttnn.ReplicateTensorToMesh(mesh))
    for _ in range(6):
        y = ttnn.matmul(x, x, transpose_b=True)
        y = ttnn.relu(y)
        y = ttnn.softmax(y, dim=-1)
    ttnn.synchronize_device(mesh)
`);
		return page("mesh-page", run("mesh", [program]));
	};
	const everything = () => page("all-page", run("all", [gpt, "--steps", "2", "--layers", "1"], {}, ["--collect-noc-traces", "--device-memory-profiler", "--profiler-capture-perf-counters", "all"]));
	const slow = () => {
		const to = join(folder, "run-slow");
		mkdirSync(to);
		call([planted, "none", "12"], { TT_METAL_DEVICE_PROFILER: "1", TRACY_NO_BROADCAST: "1", TT_METAL_PROFILER_DIR: to, TTP_FILE: join(to, "run.ttpr"), TT_METAL_WATCHER_DEBUG_DELAY: "400", TT_METAL_READ_DEBUG_DELAY_CORES: "3,3", TTP_CLOCK: "scripted" });
		call([ttprof, "ops", to]);
		return page("slow-page", to);
	};
	const eight = () => page("eight-page", run("eight", ["sh", "-c", `for i in 1 2 3 4 5 6 7 8; do ${join(BUILD, "examples/steps")} 5 & done; wait`]));
	const reports = process.env.TTP_PUBLIC_REPORTS;
	return [
		["an ops report", () => page("report", EXAMPLE), true, true],
		["all kinds of data", () => spliced("full"), true],
		["hostile names", () => spliced("hostile"), true],
		["32 devices", () => spliced("devices-32"), true],
		["compare of two", () => page("compare", EXAMPLE, slower()), true],
		["a history", history, true],
		["no device", () => spliced("no-device"), true],
		["the demo", withDevice(() => page("demo-page", demo())), false, true],
		["a damaged run", withDevice(damaged), false, true],
		["counters, memory and NoC", withDevice(everything), false, true],
		["a slow core", withDevice(slow), false, true],
		["Python", withPython(() => page("python-page", run("python", [join(SRC, "examples/python/training.py"), "3"], {}, ["--python", PYTHON]))), false, true],
		["four chips", withPython(mesh), false, true],
		["without ops", () => page("host-page", run("host", [join(BUILD, "examples/steps"), "20"])), false],
		["8 processes", eight, false],
		...(reports ? readdirSync(reports).filter((name) => name.endsWith(".csv")).map((name) => ["public: " + name, () => page("public-" + basename(name, ".csv"), join(reports, name)), false, true]) : []),
	];
}
