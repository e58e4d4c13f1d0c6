// SPDX-License-Identifier: Apache-2.0
// What `ttprof report --id` has of one op: how near it comes to which limit, its processors and waits, counters, and the ops around it.
import { find, type Ops } from "../data/ops";
import * as format from "../logic/format";
import { opView, reported } from "../logic/opview";
import { set } from "../state";
import { Facts } from "../ui/card";
import { hue } from "../ui/colour";

interface Of {
	ops: Ops;
	row: number;
}

function value({ ops, row }: Of, ...keys: string[]): string {
	const field = find(ops, ...keys);
	return field && Number.isFinite(field.number(row)) ? format.withUnit(field.number(row), field.unit) : "";
}

function Bar(props: { name: string; share: number; text: string }) {
	return <>
		<span>{props.name}</span>
		<div class="bar"><i style={{ width: Math.max(0, Math.min(100, props.share)) + "%" }} /></div>
		<span>{props.text}</span>
	</>;
}

const ROOFS: [string, string, (of: Of) => string][] = [
	["DRAM", "dram_percent", (of) => [value(of, "bytes_mb"), value(of, "dram_gbps")].filter(Boolean).join(" of tensors, ")],
	["FLOP", "flop_percent", (of) => [value(of, "work_gflop"), value(of, "flops_tflops")].filter(Boolean).join(", ")],
	["L1", "l1_percent", () => ""],
	["ETH", "eth_percent", () => ""],
];

// What the word in the column means, for this op.
function boundSays(of: Of, bound: string): string {
	const near = ROOFS.map(([name, key]) => [name, find(of.ops, key)?.number(of.row) ?? NaN] as [string, number]).filter(([, percent]) => Number.isFinite(percent)).sort((a, b) => b[1] - a[1])[0];
	if (bound === "SLOW") return `SLOW: it is far from every limit that is known${near ? `; the nearest is ${near[0]}, at ${format.percent(near[1], 0)}` : ""}. It waits for something else: few cores, small work, its kernels.`;
	if (bound === "?") return "?: it seems faster than the chip allows: its tensors may be those of another call, or the chip is another one.";
	if (bound === "HOST") return "HOST: it ran on the host.";
	if (bound === "BOTH") return "BOTH: reading its tensors and its arithmetic are both near their limits.";
	return bound ? `${bound}: this is the limit that it is near to.` : "";
}

export function Limits(of: Of) {
	const { ops, row } = of, shown = ROOFS.filter(([, key]) => (find(ops, key)?.number(row) ?? NaN) > 0), bound = find(ops, "bound")?.text(row) ?? "";
	const ideal = value(of, "ideal_us"), says = boundSays(of, bound);
	if (!shown.length && !says) return null;
	return (
		<section aria-label="Limits">
			<h3>Limits</h3>
			<div class="limits">{shown.map(([name, key, more]) => {
				const percent = find(ops, key)!.number(row);
				return <Bar key={name} name={name} share={percent} text={[format.percent(percent, 0), more(of)].filter(Boolean).join(" · ")} />;
			})}</div>
			<p class="small soft">{says}{ideal ? ` At best it takes ${ideal} here.` : ""}</p>
		</section>
	);
}

const RISCS: [string, string][] = [["BRISC, writer", "BRISC"], ["NCRISC, reader", "NCRISC"], ["TRISC0, unpack", "TRISC0"], ["TRISC1, math", "TRISC1"], ["TRISC2, pack", "TRISC2"], ["ERISC, ethernet", "ERISC"]];

export function Processors(of: Of) {
	const { ops, row } = of, whole = opView(ops).time?.number(row) ?? NaN;
	const list = RISCS.map(([name, risc]) => [name, find(ops, `DEVICE ${risc} KERNEL DURATION [ns]`)?.number(row) ?? NaN] as [string, number]).filter(([, ns]) => ns > 0);
	const waits: [string, string][] = [["waited for tiles, a core on average", value(of, "DEVICE COMPUTE CB WAIT FRONT [ns]")], ["waited for free space", value(of, "DEVICE COMPUTE CB RESERVE BACK [ns]")],
		["fastest core", value(of, "DEVICE KERNEL DURATION PER CORE MIN [ns]")], ["mean of cores", value(of, "DEVICE KERNEL DURATION PER CORE AVG [ns]")], ["slowest core", value(of, "DEVICE KERNEL DURATION PER CORE MAX [ns]")],
		["first to last start", value(of, "DEVICE KERNEL FIRST TO LAST START [ns]")]];
	const known = waits.filter(([, text]) => text);
	if (!list.length && !known.length) return null;
	return (
		<section aria-label="Kernels by processor">
			<h3>Kernels by processor</h3>
			<div class="limits">{list.map(([name, ns]) => <Bar key={name} name={name} share={(100 * ns) / whole} text={format.time(ns)} />)}</div>
			{known.length ? <Facts list={known} /> : null}
		</section>
	);
}

// What the profiler's counters of the chip measured of this op.
const COUNTER = /UTIL|STALL|COUNTER|\bFPU\b|\bSFPU\b|NOC|DRAM BW|MULTICAST|CONGESTION|INSTRN|UNPACK|PACK(?!ET)/i;

export function Counters(of: Of) {
	const { ops, row } = of;
	const list = ops.fields.filter((field) => field.from === "csv" && COUNTER.test(field.key) && !/^PM |DURATION|KERNEL SIZE|INPUT_|OUTPUT_/.test(field.key) && field.text(row) !== "");
	if (!list.length) return null;
	return (
		<section aria-label="Counters">
			<h3>Counters</h3>
			<Facts list={list.slice(0, 40).map((field) => [field.key, field.kind === "number" ? format.withUnit(field.number(row), field.unit) : format.short(field.text(row), 100)])} />
		</section>
	);
}

const BESIDE = 2;

export function Around(of: Of) {
	const { ops, row } = of, view = opView(ops), rows = reported(view), at = rows.indexOf(row);
	if (at < 0 || rows.length < 2) return null;
	return (
		<section aria-label="Around it">
			<h3>Around it</h3>
			<ol class="advice">{rows.slice(Math.max(0, at - BESIDE), at + BESIDE + 1).map((other) => (
				<li key={other} style={other === row ? "font-weight:620" : undefined}>
					<div><i class="dot" style={{ background: hue(view.code?.text(other) ?? "") }} />{other === row ? format.short(view.name?.text(other) ?? "", 80) : <button class="link" onClick={() => set({ op: other + 1 })}>{format.short(view.name?.text(other) || "op " + (other + 1), 80)}</button>} <span class="soft small">op {other + 1}</span></div>
					<div>{format.time(view.time?.number(other) ?? NaN)}</div>
				</li>
			))}</ol>
		</section>
	);
}
