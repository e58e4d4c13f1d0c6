// SPDX-License-Identifier: Apache-2.0
// One op in full, of BASE and of NEW beside each other, and every column of the reports in which they differ.
import type { ComponentChildren } from "preact";
import type { Comparison } from "../data/comparison";
import { chooseRun } from "../state";
import { runs, type RunEntry } from "../data/current";
import { find, type Field, type Ops } from "../data/ops";
import * as format from "../logic/format";
import { opView } from "../logic/opview";
import { differences, rowOfId } from "../logic/sidebyside";
import { tensorsOf } from "../logic/tensors";
import { Card } from "../ui/card";
import { Table } from "../ui/table";
import type { Sides } from "./compare";

// Fields by their names in reports: the first that there is.
const SHOWN: [string, ...string[]][] = [
	["device time of this call", "time_us", "DEVICE KERNEL DURATION [ns]"], ["gap before it", "gap_us", "OP TO OP LATENCY [ns]"], ["host time", "HOST DURATION [ns]"],
	["bound", "bound"], ["of its roof", "roof_percent"], ["ideal", "ideal_us"], ["DRAM", "dram_gbps"], ["of the DRAM roof", "dram_percent"],
	["arithmetic", "flops_tflops"], ["of the FLOP roof", "flop_percent"], ["cores", "CORE COUNT", "cores"], ["fidelity and types", "types", "MATH FIDELITY"], ["memory", "memory"],
	["BRISC", "DEVICE BRISC KERNEL DURATION [ns]"], ["NCRISC", "DEVICE NCRISC KERNEL DURATION [ns]"], ["TRISC0", "DEVICE TRISC0 KERNEL DURATION [ns]"],
	["TRISC1", "DEVICE TRISC1 KERNEL DURATION [ns]"], ["TRISC2", "DEVICE TRISC2 KERNEL DURATION [ns]"], ["ERISC", "DEVICE ERISC KERNEL DURATION [ns]"],
	["waits for tiles", "DEVICE COMPUTE CB WAIT FRONT [ns]"], ["waits for space", "DEVICE COMPUTE CB RESERVE BACK [ns]"],
];

interface Half {
	entry: RunEntry;
	at: number; // in the page's list of runs
	ops: Ops;
	row: number;
}

function half(entry: RunEntry, id: number | undefined): Half | null {
	const ops = entry.run.value?.ops;
	const row = ops ? rowOfId(ops, id) : -1;
	return ops && row >= 0 ? { entry, at: runs.value.indexOf(entry), ops, row } : null;
}

function said(one: Half | null, keys: string[]): string {
	const field: Field | null = one ? find(one.ops, ...keys) : null;
	if (!one || !field) return "";
	if (field.kind === "text") return field.text(one.row);
	return Number.isFinite(field.number(one.row)) ? format.withUnit(field.number(one.row), field.unit) : "";
}

export function CompareOp(props: { compared: Comparison; sides: Sides; line: number }) {
	const { compared, sides } = props, line = compared.lines[props.line];
	const base = half(sides.base, line.base_id), other = half(sides.new, line.new_id);
	const reading = !sides.base.run.value || !sides.new.run.value;
	const failed = sides.base.failed.value || sides.new.failed.value;
	const rows = SHOWN.map(([name, ...keys]) => ({ name, base: said(base, keys), new: said(other, keys) })).filter((one) => one.base || one.new);
	const tensors = (one: Half | null) => (one ? tensorsOf(one.ops, one.row).map((tensor) => `${tensor.name} ${tensor.shape} ${tensor.type} ${tensor.layout.toLowerCase()} ${tensor.memory}`) : []);
	const a = tensors(base), b = tensors(other);
	for (let i = 0; i < Math.max(a.length, b.length); i++) rows.push({ name: "tensor " + (i + 1), base: a[i] ?? "", new: b[i] ?? "" });
	const unlike = base && other ? differences(base.ops, base.row, other.ops, other.row) : [];
	const cell = (text: string) => (text ? format.short(text, 400) : <span class="soft">–</span>);
	return (
		<Card title="One op, side by side" hint={format.short(line.op, 120)} tools={<>{goes("BASE", base)}{goes("NEW", other)}</>}>
			{failed ? <p class="warnbox">A run could not be read: {format.short(failed, 300)}</p> : reading ? <p class="soft">Reading the other run …</p> : null}
			{line.cause ? <p>→ {format.short(line.cause, 600)}</p> : null}
			{line.change === "new" || line.change === "gone" ? <p>It is {line.change === "new" ? "in NEW alone" : "in BASE alone"}: there is no op on the other side that stands for it.</p> : null}
			<Table label="One op, side by side" fixed rows={rows} most={60} columns={[
				{ title: "figure", cell: (one) => one.name },
				{ title: "BASE", cell: (one) => cell(one.base), raw: (one) => one.base },
				{ title: "NEW", cell: (one) => (one.new !== one.base ? <b>{cell(one.new)}</b> : cell(one.new)), raw: (one) => one.new },
			]} />
			{unlike.length ? <>
				<h3 style="margin-top:14px">Other columns of the ops reports that differ</h3>
				<Table label="Other columns that differ" fixed rows={unlike} most={40} columns={[
					{ title: "column", cell: (one) => one.key }, { title: "BASE", cell: (one) => cell(one.base), raw: (one) => one.base }, { title: "NEW", cell: (one) => cell(one.new), raw: (one) => one.new },
				]} />
			</> : null}
		</Card>
	);
}

// All that a run has on the op.
function goes(side: string, one: Half | null): ComponentChildren {
	if (!one) return null;
	const view = opView(one.ops), start = view.start?.number(one.row) ?? NaN;
	const end = view.end?.number(one.row) ?? start;
	return (
		<>
			<button onClick={() => chooseRun(one.at, { op: one.row + 1 }, "ops")}>op {one.row + 1} of {side}</button>
			{Number.isFinite(start) ? <button onClick={() => chooseRun(one.at, { t0: Math.round(start - (end - start) * 2), t1: Math.round(end + (end - start) * 2) }, "timeline")}>its timeline</button> : null}
		</>
	);
}
