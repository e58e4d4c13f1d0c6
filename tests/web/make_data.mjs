// SPDX-License-Identifier: Apache-2.0
// node make_data.mjs KIND PAGE OUT: a run that nobody made, as a report page: for tests and benchmarks of the page alone.
//	full        a training run: host, Python, one device, ops, cores
//	no-host     ops and device, no trace of the host
//	no-device   the host alone
//	one-op      an ops report with a single row
//	empty       nothing but the manifest
//	devices-32  32 devices
//	hostile     markup in names, texts of 1 MB, NaN, negative times
//	zones-1m, zones-10m   a device timeline of that many zones
import { readFileSync, writeFileSync } from "node:fs";
import { Pack, splice } from "./pack.mjs";

// The same numbers at each run.
function generator(seed) {
	let state = seed >>> 0;
	return () => {
		state = (state + 0x6d2b79f5) >>> 0;
		let t = state;
		t = Math.imul(t ^ (t >>> 15), t | 1);
		t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
		return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
	};
}

const KINDS = [
	["MatmulDeviceOperation", "matmul", "compute", 64, 24000], ["LayerNormDeviceOperation", "reduction", "compute", 32, 9000],
	["BinaryNgDeviceOperation", "eltwise", "compute", 64, 5000], ["SoftmaxDeviceOperation", "reduction", "compute", 48, 7000],
	["TransposeDeviceOperation", "reshape", "TM", 16, 6000], ["UntilizeDeviceOperation", "layout", "TM", 8, 12000],
	["EmbeddingsDeviceOperation", "look-up", "DM", 24, 4000], ["MorehAdamWDeviceOperation", "optimizer", "compute", 4, 6500],
	["AllGatherAsyncDeviceOperation", "collective", "collective", 8, 9000],
];
const RISCS = ["brisc", "ncrisc", "trisc0", "trisc1", "trisc2"];
const PHASES = ["dataloader_step_done", "forward_pass_done", "backward_pass_done", "gradient_sync_done", "optimizer_step_done"];

export function wormholeCells() {
	const cells = [];
	for (let y = 0; y < 12; y++)
		for (let x = 0; x < 10; x++) {
			let kind = "tensix";
			if (x === 0 || x === 5) kind = [0, 1, 5, 6, 7, 11].includes(y) || x === 5 ? "dram" : "router";
			if (x === 0 && y === 10) kind = "arc";
			if (x === 0 && y === 3) kind = "pcie";
			if (kind === "tensix" && (y === 0 || y === 6)) kind = "eth";
			if (kind === "tensix" && (y === 10 || y === 11)) kind = "harvested";
			cells.push([x, y, kind]);
		}
	return cells;
}

class Lanes {
	list = [];
	start = [];
	dur = [];
	name = [];
	op = [];
	add(parent, kind, name, zones, more = {}) {
		const id = this.list.length;
		const first = this.start.length;
		const t0 = zones.length ? zones[0].start : 0;
		let busy = 0;
		for (const zone of zones) {
			this.start.push(zone.start - t0);
			this.dur.push(zone.dur);
			this.name.push(zone.name);
			this.op.push(zone.op ?? 0);
			busy += zone.dur;
		}
		this.list.push({ id, parent, kind, name, track: more.track ?? id, depth: more.depth ?? 0, ...more, first, count: zones.length, t0, busy_ns: busy });
		return id;
	}
}

function trainingRun(pack, { devices = 1, host = true, device = true, steps = 4, seed = 7, hostile = false, single = false } = {}) {
	const random = generator(seed);
	const cells = wormholeCells();
	const workers = cells.filter(([, , kind]) => kind === "tensix");
	const bad = "<img src=x onerror=\"window.hacked=1\"></script><script>window.hacked=1</script>\u202etrap";
	const rows = [];
	const cores = { op: [], device: [], x: [], y: [], start: [], dur: [], busy: [], brisc: [], ncrisc: [], trisc0: [], trisc1: [], trisc2: [], erisc: [], wait: [] };
	const lanes = new Lanes();
	const hostZones = [[], [], []];
	const python = [];
	const messages = { time: [], text: [], lane: [], colour: [] };
	const signposts = { time: [], name: [] };
	const flows = { lane: [], time: [], op: [] };
	const deviceOps = Array.from({ length: devices }, () => []);
	const riscZones = Array.from({ length: devices }, () => new Map());
	let hostTime = 20000;
	const deviceEnd = new Array(devices).fill(30000);

	const enqueue = (code, family, category, coreCount, ns, attributes = "{}") => {
		const title = code.replace("DeviceOperation", "") + " 256 x 512";
		const began = hostTime;
		const row0 = rows.length;
		for (let d = 0; d < devices; d++) {
			const from = Math.max(deviceEnd[d] + 900 + random() * 800, began + 4000);
			const gap = from - deviceEnd[d];
			let longest = 0, busy = 0, busiest = 0;
			const used = Math.min(coreCount, workers.length);
			const row = rows.length;
			for (let c = 0; c < used; c++) {
				const [x, y] = workers[c];
				const start = Math.round(c * 2 + random() * 60);
				const took = Math.round(ns * (0.8 + 0.2 * random() + (c === 3 && family === "matmul" ? 0.5 : 0)));
				longest = Math.max(longest, start + took);
				cores.op.push(row + 1); cores.device.push(d); cores.x.push(x); cores.y.push(y); cores.start.push(start); cores.dur.push(took); cores.busy.push(took);
				busy += took; busiest = Math.max(busiest, took);
				RISCS.forEach((risc, r) => {
					const part = Math.round(took * (0.95 - 0.12 * ((r + row) % 4)));
					cores[risc].push(part);
					const key = `${risc} ${x},${y}`;
					if (!riscZones[d].has(key)) riscZones[d].set(key, { x, y, risc, fw: [], kernel: [] });
					const lane = riscZones[d].get(key);
					const at = Math.round(from) + start;
					lane.fw.push({ start: at - 40, dur: part + 80, name: pack.text(risc.toUpperCase() + "-FW"), op: row + 1 });
					lane.kernel.push({ start: at, dur: part, name: pack.text(risc.toUpperCase() + "-KERNEL"), op: row + 1 });
				});
				cores.erisc.push(0);
				cores.wait.push(Math.round(took * random() * 0.4));
			}
			const start = Math.round(from), end = start + longest;
			deviceOps[d].push({ start, dur: longest, name: pack.text(code), op: row + 1 });
			const bytes = 262144 * (1 + (row % 4)), dram = bytes / longest;
			const flop = family === "matmul" ? 2 * 256 * 512 * 128 : NaN;
			rows.push({
				"OP CODE": hostile && row % 3 === 0 ? bad : code, "OP TYPE": "tt_dnn_device", "GLOBAL CALL COUNT": (row0 + 1) * 1024 + d, "DEVICE ID": d,
				"DEVICE ARCH": "wormhole_b0", ATTRIBUTES: attributes, "MATH FIDELITY": family === "matmul" ? "HiFi4" : "",
				"CORE COUNT": used, "HOST START TS": began, "HOST END TS": began + 6000, "HOST DURATION [ns]": hostile && row % 5 === 0 ? -5 : 6000,
				"OP TO OP LATENCY [ns]": Math.round(gap), "DEVICE FW DURATION [ns]": longest + 300, "DEVICE KERNEL DURATION [ns]": hostile && row % 7 === 0 ? NaN : longest,
				"INPUT_0_Y_PAD[LOGICAL]": "256[256]", "INPUT_0_X_PAD[LOGICAL]": "512[512]", "INPUT_0_LAYOUT": "TILE", "INPUT_0_DATATYPE": "BFLOAT16",
				"INPUT_0_MEMORY": "DEV_0_DRAM_INTERLEAVED", "OUTPUT_0_Y_PAD[LOGICAL]": "256[256]", "OUTPUT_0_X_PAD[LOGICAL]": "128[128]",
				"COMPUTE KERNEL SOURCE": `['kernels/${family}.c']`, "PROGRAM CACHE HIT": row < 8 ? "False" : "True",
				id: d === 0 ? row + 1 : NaN, op: hostile && row % 3 === 0 ? bad : title, calls: 1, bound: flop > 0 ? "FLOP" : "DRAM",
				roof_percent: Math.min(99, dram * 10), time_us: d === 0 ? longest / 1000 : NaN, gap_us: gap / 1000, cores: used,
				dram_gbps: dram, dram_percent: dram / 2.88, flops_tflops: flop / longest / 1000, flop_percent: flop / longest / 1000,
				bytes_mb: bytes / 1e6, work_gflop: flop / 1e9, ideal_us: longest / 4000, save_us: longest / 2000, family, category,
				memory: "dram interleaved", code, advice: "use more cores", start_ns: start, end_ns: end, row: row + 1,
				gap_line: hostile && row % 3 === 0 ? bad : title, core_time_ns: busy, lost_core_ns: busiest * used - busy,
			});
			deviceEnd[d] = end;
			flows.lane.push(2); flows.time.push(began + 6000); flows.op.push(row + 1);
		}
		hostZones[0].push({ start: began, dur: 6000, name: pack.text("TT_DNN_DEVICE_OP"), op: row0 + 1 });
		hostZones[1].push({ start: began + 500, dur: 1500, name: pack.text("CompileProgram") });
		hostZones[1].push({ start: began + 2100, dur: 3000, name: pack.text("LaunchProgram") });
		messages.time.push(began + 100); messages.text.push(pack.text(hostile ? bad : "`TT_DNN_DEVICE_OP: " + code)); messages.lane.push(2); messages.colour.push(0);
		hostTime = began + 7000 + Math.round(random() * 2000);
		if (family === "matmul" && random() < 0.1) {
			hostZones[0].push({ start: hostTime, dur: 40000, name: pack.text("ReadFromDevice") });
			hostTime += 41000;
		}
	};
	const marker = (ident) => {
		for (let i = 0; i < 10; i++) enqueue("ProfilerNoopOperation", "other", "other", 1, 300, `{'identifier': '${ident}'}`);
	};

	if (single) enqueue(...KINDS[0]);
	else {
		for (let i = 0; i < 12; i++) enqueue(...KINDS[i % 5]);
		marker("compilation_finished");
		for (let step = 1; step <= steps; step++) {
			const began = hostTime;
			signposts.time.push(hostTime); signposts.name.push(pack.text(`step ${step}`));
			marker(`iteration_${step}`);
			PHASES.forEach((phase, p) => {
				const tag = p === 2 ? "[BWD]" : "[FWD]";
				if (p === 1) marker(`${tag} [START] block`);
				if (p === 2) marker(`${tag} [END] block`);
				for (let i = 0; i < 3 + p; i++) {
					const kind = KINDS[p === 3 ? 8 : p === 4 ? 7 : (i + p + step) % 7];
					enqueue(kind[0], kind[1], kind[2], kind[3], kind[4] * (1 + 0.05 * random()) * (step === 3 && i === 0 && p === 1 ? 3 : 1));
				}
				if (p === 1) marker(`${tag} [END] block`);
				if (p === 2) marker(`${tag} [START] block`);
				marker(phase);
			});
			python.push({ start: began, dur: hostTime - began - 10, name: pack.text("train_step") });
		}
		marker(`iteration_${steps + 1}`);
	}

	const span = Math.max(hostTime, ...deviceEnd) + 5000;
	if (host) {
		const process = lanes.add(-1, "process", hostile ? bad : "python3 train.py", []);
		lanes.add(process, "python", "Python", python);
		const t = lanes.add(process, "thread", hostile ? "T".repeat(1 << 20) : "main", hostZones[0], { depth: 0 });
		lanes.add(process, "thread", "main", hostZones[1], { depth: 1, track: t });
	}
	if (device)
		for (let d = 0; d < devices; d++) {
			const parent = lanes.add(-1, "device", `Device ${d}`, [], { device: d });
			lanes.add(parent, "ops", "ops", deviceOps[d], { device: d });
			for (const risc of RISCS) {
				const mine = lanes.add(parent, "risc", risc.toUpperCase(), deviceOps[d], { device: d, risc });
				for (const lane of riscZones[d].values()) {
					if (lane.risc !== risc) continue;
					const more = { device: d, x: lane.x, y: lane.y, risc };
					const t = lanes.add(mine, "core", `${lane.x},${lane.y}`, lane.fw, more);
					lanes.add(mine, "core", `${lane.x},${lane.y}`, lane.kernel, { ...more, depth: 1, track: t });
				}
			}
		}
	const firsts = lanes.list.map((lane) => lane.first);
	const zones = host || device ? {
		n: lanes.start.length, start: pack.uint(lanes.start, 4, { delta: true, starts: firsts }),
		dur: pack.uint(lanes.dur, 4), name: pack.uint(lanes.name, 2), op: pack.uint(lanes.op, 4), text: null,
	} : null;
	const order = Array.from(lanes.dur.keys()).sort((a, b) => lanes.dur[b] - lanes.dur[a]).slice(0, 10000);
	const keys = rows.length ? Object.keys(rows[0]) : [];
	const reportKeys = keys.indexOf("id");
	const fields = keys.map((key, i) => {
		const text = typeof rows[0][key] === "string";
		return {
			key, kind: text ? "text" : "number", unit: /_us$/.test(key) ? "us" : /\[ns\]|_ns$/.test(key) ? "ns" : "",
			column: text ? pack.uint(rows.map((row) => pack.text(row[key])), 4) : pack.f64(rows.map((row) => row[key])),
			from: i < reportKeys ? "csv" : ["start_ns", "end_ns", "row"].includes(key) ? "page" : "report", says: "",
		};
	});
	const table = (columns, w = 4, wide = []) => {
		const made = { n: Object.values(columns)[0].length };
		for (const [key, values] of Object.entries(columns)) made[key] = pack.uint(values, wide.includes(key) ? 8 : w, { delta: key === "time" });
		return made;
	};
	const deviceUs = rows.reduce((sum, row) => sum + (row.time_us || 0), 0);
	const gapUs = rows.reduce((sum, row) => sum + (row.gap_us || 0), 0);
	return {
		span_ns: span, time_kind: "modelled",
		lanes: lanes.list.length ? lanes.list : null, zones, order: zones ? { by_duration: pack.uint(order, 4) } : null,
		devices: device ? Array.from({ length: devices }, (_, id) => ({ id, arch: "wormhole_b0", mhz: 1000, width: 10, height: 12, cells })) : null,
		ops: device ? { n: rows.length, fields } : null,
		op_cores: device && !single ? table(cores) : null,
		messages: host ? table(messages, 4, ["time"]) : null,
		signposts: host && signposts.time.length ? table(signposts, 4, ["time"]) : null,
		flows: host && device ? table(flows, 4, ["time"]) : null,
		flame: host ? table({ parent: [0, 0, 2, 2, 0], name: ["train_step", "TT_DNN_DEVICE_OP", "CompileProgram", "LaunchProgram", "ReadFromDevice"].map((text) => pack.text(text)),
			calls: [4, 200, 200, 200, 3], total: [900000, 500000, 60000, 90000, 120000], self: [900000, 350000, 60000, 90000, 120000] }, 8) : null,
		plots: host ? [{ name: "L1 used", unit: "B", n: 100, time: pack.uint(Array.from({ length: 100 }, (_, i) => Math.floor(span * i / 100)), 8), value: pack.f64(Array.from({ length: 100 }, (_, i) => 1e6 + 4e5 * Math.sin(i / 9))) }] : null,
		host: device ? null : {
			schema: "ttprof.host/1", source: "run.ttpr", verdict: "host-only", headline: "no op was run: a profile of the host; Trainer.step train.py:12 takes most, 60 % of the time in zones by itself",
			span_us: 20000, functions: [
				{ name: "PY_FUNC_step", function: "Trainer.step", at: "train.py:12", calls: 3, self_us: 6000, total_us: 9000, percent: 60 },
				{ name: "load", function: "load", at: "data.py:4", calls: 1, self_us: 4000, total_us: 4000, percent: 40 },
			],
		},
		report: device ? {
			schema: "ttprof.report/1", source: { files: ["ops_perf_results.csv"], rows: rows.length },
			chip: { id: "n150", name: "Wormhole n150", arch: "wormhole_b0", devices, worker_cores: 64, dram_gbps: 288, clock_mhz: 1000, flop_per_clock_per_core: 4096, roofs: [{ of: "DRAM", gbps: 288 }, { of: "NoC", gbps: 4096 }, { of: "L1", gbps: 4096 }, ...["LoFi", "HiFi2", "HiFi3", "HiFi4"].map((of, i) => ({ of, tflops: 262.144 / (i + 1) }))] },
			account: { seen: rows.length, timed: rows.length, partial: 0, dropped: 0, causes: [] }, verdict: gapUs > deviceUs / 2 ? "host-bound" : "device-bound",
			totals: { ops: rows.length, steps, device_us: deviceUs, gap_us: gapUs, build_gap_us: 12, host_us: 0, long_gaps: 3, program_cache_misses: 8 },
			findings: [
				{ what: "slow-op", saves_us: 512.5, calls: 20, time_us: 900.25, example_id: 1, text: (hostile ? bad : "Matmul 256 x 512 (20 calls) at 6 % of its DRAM roof"), advice: "use more cores (32 of 64); put input 0 into L1" },
				{ what: "gaps", saves_us: 99.5, text: "3 gaps longer than 6.5 µs", advice: "trace the loop" },
			],
		} : null,
		account: device ? { seen: rows.length, timed: rows.length, partial: 0, dropped: 0, causes: [] } : null,
		device_analysis: device ? { arch: "wormhole_b0", freq_mhz: 1000, markers: 1000, devices: [{ device: 0, cores: 64, ops: rows.length, analyses: [
			{ name: "device_kernel_duration", cycles: { count: 3, average: 10.5, median: 9, min: 4, max: 18.5, sum: 31.5 }, cores: [{ x: 1, y: 1, cycles: { count: 3, average: 10.5, median: 9, min: 4, max: 18.5, sum: 31.5 } }] }] }] } : null,
	};
}

// A device of 140 cores with five RISCs and zones of two depths, on 1400 lanes.
function manyZones(pack, count) {
	const random = generator(3);
	const lanes = new Lanes();
	const names = Array.from({ length: 24 }, (_, i) => pack.text(`zone ${i}`));
	const top = lanes.add(-1, "device", "Device 0", [], { device: 0 });
	const start = new Float64Array(count), dur = new Uint32Array(count), name = new Uint16Array(count);
	let at = 0, span = 0;
	const rows = 1400, per = Math.ceil(count / rows);
	const list = lanes.list;
	for (let r = 0; r < 5; r++) {
		const risc = list.length;
		list.push({ id: risc, parent: top, kind: "risc", name: RISCS[r].toUpperCase(), track: risc, depth: 0, device: 0, risc: RISCS[r], first: at, count: 0, t0: 0, busy_ns: 0 });
		for (let c = 0; c < 280; c++) {
			const n = Math.min(per, count - at);
			const first = at;
			let t = 0, busy = 0;
			for (let i = 0; i < n; i++, at++) {
				t += 20 + Math.floor(random() * 400);
				dur[at] = 30 + Math.floor(random() * random() * 900);
				start[at] = t;
				name[at] = names[(random() * 24) | 0];
				t += dur[at];
				busy += dur[at];
			}
			span = Math.max(span, t);
			const core = c >> 1;
			list.push({ id: list.length, parent: risc, kind: "core", name: `${1 + core % 14},${1 + Math.floor(core / 14)}`, track: c & 1 ? list.length - 1 : list.length, depth: c & 1, device: 0,
				x: 1 + core % 14, y: 1 + Math.floor(core / 14), risc: RISCS[r], first, count: n, t0: 0, busy_ns: busy });
		}
	}
	const starts = list.map((lane) => lane.first);
	return {
		span_ns: span, time_kind: "real", lanes: list, report: null, account: null, ops: null, op_cores: null, flows: null, messages: null, signposts: null, flame: null, plots: null, order: null,
		devices: [{ id: 0, arch: "blackhole", mhz: 1000, width: 0, height: 0, cells: [] }],
		zones: { n: count, start: pack.uint(start, 4, { delta: true, starts }), dur: pack.uint(dur, 4), name: pack.uint(name, 2), op: null, text: null },
	};
}

const NONE = { time_kind: null, lanes: null, zones: null, order: null, devices: null, ops: null, op_cores: null, messages: null, signposts: null, flows: null, flame: null, plots: null, report: null, account: null, device_analysis: null };

export function makeData(kind) {
	const pack = new Pack(kind.startsWith("zones") ? 1 << 20 : 1 << 14);
	const parts = {
		full: () => trainingRun(pack),
		"no-host": () => trainingRun(pack, { host: false }),
		"no-device": () => trainingRun(pack, { device: false }),
		"one-op": () => ({ ...trainingRun(pack, { host: false, single: true }), lanes: null, zones: null, order: null }),
		empty: () => ({ ...NONE, span_ns: 0 }),
		"devices-32": () => trainingRun(pack, { devices: 32, steps: 1 }),
		hostile: () => trainingRun(pack, { hostile: true, steps: 2 }),
		"zones-1m": () => manyZones(pack, 1e6),
		"zones-10m": () => manyZones(pack, 1e7),
	}[kind]();
	const notes = [];
	if (!parts.messages) notes.push({ part: "host", text: "no trace of the host: run it under `ttprof run`, or give a .tracy or .ttpr file" });
	if (!parts.ops) notes.push({ part: "ops", text: "no ops report: make one with `ttprof ops`" });
	if (!parts.op_cores) notes.push({ part: "device", text: "no device log: set TT_METAL_DEVICE_PROFILER=1" });
	return pack.html({
		schema: 1, tool: "ttprof 0.2.0", title: kind === "hostile" ? "<b>run</b> & \"co\"" : `a made-up run: ${kind}`, made: "2026-01-31T23:59:59Z", served: false, origin_ns: "0",
		run: kind === "empty" ? null : { command: ["python3", "train.py"], environment: { TT_METAL_DEVICE_PROFILER: "1" }, exit: 0, programs: [{ program: "python3", pid: 11, protocol: "TT42" }, { program: "python3", pid: 12, protocol: "TT66" }] },
		programs: [{ program: "python3", host: "a host", pid: 12, protocol: "", ns_per_tick: 1, delay_ns: 20, error_ns: 5, ended: true, zones: 100, dropped: {} }],
		facts: ["device 0 is not synced with the host"], cost: null, frames: null, notes, files: [{ name: "ops_perf_results.csv", bytes: 569134 }],
		...parts,
	});
}

if (process.argv[1]?.endsWith("make_data.mjs")) {
	const [kind, page, out] = process.argv.slice(2);
	writeFileSync(out, splice(readFileSync(page, "utf8"), makeData(kind)));
}
