// SPDX-License-Identifier: Apache-2.0
// One step by the zones that its markers name: table, tree, flame graph.
import { useMemo } from "preact/hooks";
import type { Run } from "../data/run";
import type { FlameNode } from "../logic/flame";
import * as format from "../logic/format";
import { occurrences, zoneTable, zoneTree, type ZoneLine, type ZoneNode } from "../logic/zonetree";
import { Card } from "../ui/card";
import { hue } from "../ui/colour";
import { Empty } from "../ui/empty";
import { Flame } from "../ui/flame";
import { Table } from "../ui/table";
import { StepPicker, useStep } from "./model_steps";

// Cells with their unit; the download in ms, as the notebook has it.
const time = <T,>(title: string, of: (line: T) => number) => ({ title, file: title + " [ms]", num: true, cell: (line: T) => format.time(of(line)), raw: (line: T) => of(line) / 1e6 });
const share = <T,>(of: (line: T) => number) => ({ title: "of the step", file: "% of step", num: true, cell: (line: T) => format.percent(of(line)), raw: of });

function colourOf(node: ZoneNode): string {
	if (node.kind === "root" || node.kind === "other") return "#b4bec9";
	if (node.name.startsWith("[FWD]")) return "#8fb4e3";
	if (node.name.startsWith("[BWD]")) return "#f2b880";
	if (node.name.startsWith("[RECOMP]")) return "#bba8e0";
	if (node.name.startsWith("Optimizer")) return "#e3a09a";
	return node.kind === "op" ? hue(node.name) : "#93cf9e";
}

function asFlame(node: ZoneNode): FlameNode {
	const children = node.children.map(asFlame);
	return { name: node.name, total: node.ns, self: node.ns - children.reduce((sum, child) => sum + child.total, 0), calls: node.count, children, colour: colourOf(node) };
}

interface TreeLine {
	node: ZoneNode;
	depth: number;
}

export function StepZones(props: { run: Run }) {
	const { step, iterations } = useStep(props.run);
	const table = useMemo(() => (step ? zoneTable(step) : []), [step]);
	const tree = useMemo(() => (step ? zoneTree(step) : null), [step]);
	const unpaired = useMemo(() => (step ? occurrences(step).unpaired : []), [step]);
	const flame = useMemo(() => (tree ? asFlame(tree) : null), [tree]);
	if (!step || !tree || !flame) return <Empty title="No steps in this run" text="These views need iteration_N markers of tt-train, and zones named [FWD] [START] name … [FWD] [END] name." parts={["ops"]} />;
	const lines: TreeLine[] = [];
	const walk = (node: ZoneNode, depth: number) => {
		lines.push({ node, depth });
		node.children.filter((child) => child.kind !== "op").forEach((child) => walk(child, depth + 1));
	};
	walk(tree, 0);
	return (
		<div class="grid">
			<Card title={`Flame graph of iteration ${step.iteration}`} hint={`device ${step.device}, kernel time; width by share of the step`} tools={<StepPicker iterations={iterations} step={step} />}>
				<Flame root={flame} label={`Iteration ${step.iteration}`} file={`flamegraph_dev${step.device}_iter${step.iteration}`} />
			</Card>
			<Card title="Zones" hint="phases count as zones" wide="half">
				{unpaired.length ? <p class="warnbox">Opened and never closed: {format.short(unpaired.join(", "), 300)}</p> : null}
				<Table label="Zones of the step" file="zones" most={40} rows={table} columns={[
					{ title: "zone", cell: (line: ZoneLine) => format.short(line.zone, 80) }, { title: "times", num: true, cell: (line: ZoneLine) => String(line.count) },
					time("total", (line: ZoneLine) => line.total), time("mean", (line: ZoneLine) => line.mean), time("min", (line: ZoneLine) => line.min), time("max", (line: ZoneLine) => line.max),
					{ title: "ops", num: true, cell: (line: ZoneLine) => String(line.ops) }, share((line: ZoneLine) => line.percent),
				]} />
			</Card>
			<Card title="Tree" wide="half">
				<Table label="Tree of zones" file="zone_tree" most={60} rows={lines} columns={[
					{ title: "zone", cell: (line: TreeLine) => <span style={{ paddingLeft: line.depth * 16 + "px" }}>{format.short(line.node.name, 80)}{line.node.count > 1 && line.node.kind === "zone" ? ` (×${line.node.count})` : ""}</span>, raw: (line: TreeLine) => "- ".repeat(line.depth) + line.node.name },
					time("device time", (line: TreeLine) => line.node.ns), share((line: TreeLine) => (step.total > 0 ? (100 * line.node.ns) / step.total : 0)),
				]} />
			</Card>
		</div>
	);
}
