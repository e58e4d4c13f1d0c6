// SPDX-License-Identifier: Apache-2.0
// Phases of the training steps, and one step op by op.
import { useMemo } from "preact/hooks";
import type { Run } from "../data/run";
import * as format from "../logic/format";
import { PHASES, phases, type Iteration, type Phases, type Prepared } from "../logic/notebook";
import { quantile } from "../logic/stats";
import { iterationsOf, segments, stepOf, type Segment, type Step, type StepOp } from "../logic/zonetree";
import { get, number, set } from "../state";
import { Bars } from "../ui/bars";
import { Card } from "../ui/card";
import { nth, PHASE } from "../ui/colour";
import { Plot } from "../ui/plot";
import { Behind, Table } from "../ui/table";
import { tip } from "../ui/tip";

const STRONG: { [phase: string]: string } = { forward: "#2f74c0", backward: "#c8772a", gradient_sync: "#3d9457", optimizer: "#c2504a", other: "#8262b8" };
// Cells with their unit; the download in ms, as the notebook has it.
const time = <T,>(title: string, of: (line: T) => number) => ({ title, file: title + " [ms]", num: true, cell: (line: T) => format.time(of(line)), raw: (line: T) => of(line) / 1e6 });
const title = (phase: string) => phase.replace("_", " ");

export function useStep(run: Run): { step: Step | null; iterations: number[] } {
	const iterations = useMemo(() => (run.ops ? iterationsOf(run.ops) : []), [run]);
	const k = number("it", iterations.includes(2) ? 2 : iterations[0] ?? 0);
	const device = number("sd", 0);
	const step = useMemo(() => (run.ops ? stepOf(run.ops, k, device) : null), [run, k, device]);
	return { step, iterations };
}

export function StepPicker(props: { iterations: number[]; step: Step | null }) {
	return (
		<label class="row small">iteration <select value={props.step?.iteration ?? ""} onChange={(event) => set({ it: (event.target as HTMLSelectElement).value })}>
			{props.iterations.map((k) => <option key={k} value={k}>{k}</option>)}</select></label>
	);
}

export function Steps(props: { run: Run; prepared: Prepared }) {
	const { run } = props;
	const all = useMemo(() => phases(run.ops!), [run]);
	const device = number("sd", all[0]?.device ?? 0);
	const mine = all.find((one) => one.device === device) ?? all[0] ?? null;
	const { step, iterations } = useStep(run);
	return (
		<div class="grid">
			{mine ? <PhaseCards all={all} mine={mine} /> : <Card title="Phases per iteration"><p class="soft">
				No phases: they need tt-train's markers ({props.prepared.compiled ? "" : "compilation_finished and "}dataloader_step_done, forward_pass_done, …, iteration_N), each written ten times.</p></Card>}
			{step ? <OneStep step={step} iterations={iterations} /> : <Card title="One step, op by op"><p class="soft">There is no iteration_N marker in this run.</p></Card>}
		</div>
	);
}

function PhaseCards(props: { all: Phases[]; mine: Phases }) {
	const { mine } = props;
	const used = PHASES.filter((phase) => mine.iterations.some((one) => one.phases[phase] > 0));
	const left = mine.iterations.length > 1 ? ` (without iteration ${mine.iterations[0].iteration})` : "";
	const x = useMemo(() => mine.iterations.map((one) => one.iteration), [mine]);
	const series = useMemo(() => used.map((phase) => ({ name: title(phase), colour: STRONG[phase], values: mine.iterations.map((one) => one.phases[phase] ?? 0) })), [mine]);
	const ccl = [...new Set(mine.iterations.flatMap((one) => Object.keys(one.ccl)))];
	return (
		<>
			<Card title={`Average phase, device ${mine.device}${left}`} hint="kernel time" wide="half" tools={props.all.length > 1
				? <select aria-label="Device" value={mine.device} onChange={(event) => set({ sd: (event.target as HTMLSelectElement).value })}>{props.all.map((one) => <option key={one.device} value={one.device}>device {one.device}</option>)}</select> : null}>
				<Bars label="Average phases" bars={used.map((phase) => ({ name: title(phase), value: mine.average[phase], text: format.time(mine.average[phase]), colour: PHASE[phase] }))} />
				<p class="small soft" style="margin-top:10px">whole step {format.time(mine.average.total)}, mean of {format.plural(mine.steady, "iteration")}</p>
			</Card>
			<Card title="Phases over iterations" wide="half">
				<Plot label="Phases over iterations" x={x} xName="iteration" xText={(value) => (Number.isInteger(value) ? String(value) : "")} yText={format.time} series={series} height={190} />
			</Card>
			<Card title="Phases per iteration" hint="kernel time">
				<Table label="Phases per iteration" file="phases" rows={mine.iterations} columns={[
					{ title: "iteration", num: true, cell: (one: Iteration) => String(one.iteration) },
					...used.map((phase) => time(title(phase), (one: Iteration) => one.phases[phase] ?? 0)),
					time("total", (one: Iteration) => one.total),
					...ccl.map((key) => time(key.replace("_", " "), (one: Iteration) => one.ccl[key] ?? 0)),
				]} total={["average", ...used.map((phase) => format.time(mine.average[phase])), format.time(mine.average.total), ...ccl.map(() => "")]} />
			</Card>
		</>
	);
}

const BAR = 13;

function OneStep(props: { step: Step; iterations: number[] }) {
	const { step } = props;
	const parts = useMemo(() => segments(step), [step]);
	const slow = useMemo(() => quantile(Float64Array.from(step.ops.map((op) => op.ns)).sort(), 0.95), [step]);
	const slowest = [...step.ops].sort((a, b) => b.ns - a.ns).slice(0, 10);
	return (
		<>
			<Card title={`Iteration ${step.iteration}, op by op`} hint={`device ${step.device}, in order of execution; marked: beyond the 95th percentile (${format.time(slow)})`} tools={<StepPicker iterations={props.iterations} step={step} />}>
				<StepBars step={step} parts={parts} slow={slow} />
				<Behind label="Table"><Table label="Ops of the step" file={`iteration_${step.iteration}`} rows={step.ops} columns={[
					{ title: "op", num: true, cell: (op: StepOp) => String(op.row + 1) }, { title: "name", cell: (op: StepOp) => format.short(op.name, 100) }, { title: "kernel time", num: true, cell: (op: StepOp) => format.time(op.ns), raw: (op: StepOp) => op.ns },
				]} /></Behind>
			</Card>
			<Card title="Phases of the step" wide="half">
				<Table label="Phases of the step" file="step_phases" rows={parts} total={["total", format.time(parts.reduce((sum, part) => sum + part.ns, 0)), String(parts.reduce((sum, part) => sum + part.ops.length, 0))]} columns={[
					{ title: "phase", cell: (part: Segment) => format.short(part.label, 80) }, time("device time", (part: Segment) => part.ns), { title: "ops", num: true, cell: (part: Segment) => String(part.ops.length) },
				]} />
			</Card>
			<Card title="Ten slowest ops" wide="half">
				<Table label="Slowest ops" file="slowest" rows={slowest} columns={[
					{ title: "op", cell: (op: StepOp) => <button class="link" onClick={() => set({ op: op.row + 1, f: null, g: null }, "ops")}>{format.short(op.name, 80)}</button>, raw: (op: StepOp) => op.name }, time("kernel time", (op: StepOp) => op.ns),
				]} />
			</Card>
		</>
	);
}

function StepBars(props: { step: Step; parts: Segment[]; slow: number }) {
	const { parts, slow } = props;
	const full = get("bars") === "all";
	const most = Math.max(1, ...props.step.ops.map((op) => op.ns));
	const limit = full ? 5000 : 120;
	let y = 0, drawn = 0;
	const boxes = parts.map((part, i) => {
		const ops = part.ops.slice(0, Math.max(0, limit - drawn));
		drawn += ops.length;
		const box = { part, ops, y, height: Math.max(16, ops.length * BAR) + 20, colour: PHASE[part.label.toLowerCase().replace(" ", "_")] ?? nth(i + 5) };
		y += box.height;
		return box;
	}).filter((box) => box.ops.length > 0);
	const total = props.step.ops.length;
	return (
		<>
			<div class="scroll" style="max-height:460px" tabIndex={0} role="group" aria-label="Ops of the step as bars">
				<svg width="100%" height={y} role="img" aria-label={`${drawn} ops as bars; the table has them all`} onMouseLeave={() => (tip.value = null)}>
					{boxes.map((box) => (
						<g key={box.y}>
							<rect x="0" y={box.y} width="100%" height={box.height} fill={box.colour} opacity="0.13" />
							<line x1="0" x2="100%" y1={box.y + 0.5} y2={box.y + 0.5} stroke="var(--bad)" stroke-dasharray="4 3" opacity="0.6" />
							<text x="8" y={box.y + 14} font-size="11.5" fill="var(--ink)">{format.short(box.part.label, 60)} · {format.time(box.part.ns)} ({format.plural(box.part.ops.length, "op")})</text>
							{box.ops.map((op, i) => (
								<g key={op.row} onMouseMove={(event) => (tip.value = { x: event.clientX, y: event.clientY, title: format.short(op.name, 100), lines: [format.time(op.ns), `op ${op.row + 1}`] })} onClick={() => set({ op: op.row + 1, f: null, g: null }, "ops")} style="cursor:pointer">
									<rect x="8" y={box.y + 19 + i * BAR} width={`${(78 * op.ns) / most}%`} height={BAR - 2} rx="2" fill={op.ns > slow ? "#c2504a" : "#5f8fc7"} />
									<text x={`${(78 * op.ns) / most + 1.2}%`} y={box.y + 28 + i * BAR} font-size="10" fill={op.ns > slow ? "var(--bad)" : "var(--soft)"}>{op.ns > slow ? "slow · " : ""}{format.short(op.name.replace("DeviceOperation", ""), 40)}</text>
								</g>
							))}
						</g>
					))}
				</svg>
			</div>
			{drawn < total || full ? <p class="small" style="margin-top:6px"><button onClick={() => set({ bars: full ? null : "all" })}>{full ? "fewer" : `all ${total} ops`}</button></p> : null}
		</>
	);
}
