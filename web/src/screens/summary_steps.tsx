// SPDX-License-Identifier: Apache-2.0
// A bar per step: what each was made of, as C has it; what is no step (warm-up, what lies between) stands aside.
import { useRef } from "preact/hooks";
import type { Run } from "../data/run";
import type { Step } from "../data/types";
import * as format from "../logic/format";
import { opView } from "../logic/opview";
import { partsOf, type Part } from "../logic/parts";
import { rowOfId } from "../logic/sidebyside";
import { set } from "../state";
import { Card } from "../ui/card";
import { OTHERS, PART } from "../ui/colour";
import { useSize } from "../ui/size";
import { Behind, Table } from "../ui/table";
import { tip } from "../ui/tip";

const HIGH = 110, BELOW = 18;

// Those that lie in the part; all without one.
export function stepsIn(run: Run, part: Part | null): Step[] {
	const all = run.manifest.steps?.steps ?? [], ops = run.ops!;
	// A step of C ends behind its marks, a part before them.
	if (part && part.iteration !== null) return all.filter((step) => step.name === "step " + part.iteration);
	return part ? all.filter((step) => rowOfId(ops, step.first_id) >= part.from && rowOfId(ops, step.last_id) < part.to) : all;
}

export function Steps(props: { run: Run; part: Part | null }) {
	const { run, part } = props, steps = run.manifest.steps?.steps ?? [];
	const box = useRef<HTMLDivElement>(null);
	const { width } = useSize(box);
	if (steps.length < 2) return null;
	// Warm-up can be a thousand times as long: it is cut, and says so.
	const real = steps.filter((step) => !step.aside), most = Math.max(...(real.length ? real : steps).map((step) => step.us));
	const least = format.time(Math.min(...real.map((step) => step.us)) * 1e3), longest = format.time(most * 1e3);
	const hint = real.length ? `${format.plural(real.length, "step")}, ${least === longest ? longest : `${least} to ${longest}`}; a click shows one in the timeline` : "what lies between signposts; a click shows it in the timeline";
	const inside = new Set(stepsIn(run, part));
	const wide = Math.max(7, Math.min(96, (width || 600) / steps.length)), names = wide > 46;
	return (
		<Card title="Steps" hint={hint}>
			<div class="steps" ref={box}>
				<svg width={Math.max(1, wide * steps.length)} height={HIGH + BELOW} role="group" aria-label="A bar per step">
					{steps.map((step, i) => <Bar key={i} step={step} x={i * wide} wide={wide} most={most} name={names} faded={part !== null && !inside.has(step)} go={() => goToStep(run, step)} />)}
				</svg>
			</div>
			<Behind label="Table"><Table label="Steps" file="steps" rows={steps} columns={[
				{ title: "step", cell: (step) => <button class="link" onClick={() => goToStep(run, step)}>{format.short(step.name, 60)}</button>, raw: (step) => step.name },
				{ title: "ops", num: true, cell: (step) => format.count(step.ops), raw: (step) => step.ops },
				{ title: "time", file: "time [us]", num: true, cell: (step) => format.time(step.us * 1e3), raw: (step) => step.us },
				...[...new Set(steps.flatMap((step) => step.parts.map((one) => one.part)))].map((name) => {
					const us = (step: Step) => step.parts.find((one) => one.part === name)?.us ?? NaN;
					return { title: name, file: name + " [us]", num: true, cell: (step: Step) => format.time(us(step) * 1e3), raw: us };
				}),
			]} /></Behind>
		</Card>
	);
}

function Bar(props: { step: Step; x: number; wide: number; most: number; name: boolean; faded: boolean; go(): void }) {
	const { step, x, wide } = props, cut = step.us > props.most * 1.001;
	const scale = cut ? (HIGH - 8) / step.us : (HIGH - 8) / props.most;
	let y = HIGH;
	const show = (event: PointerEvent) => {
		tip.value = { x: event.clientX, y: event.clientY, title: `${format.short(step.name, 100)}: ${format.time(step.us * 1e3)}`, lines: [format.plural(step.ops, "op"), ...step.parts.map((one) => `${one.part} ${format.time(one.us * 1e3)}`), ...(cut ? ["higher than the picture: its shares alone"] : [])] };
	};
	const key = (event: KeyboardEvent) => {
		if (event.key !== "Enter" && event.key !== " ") return;
		event.preventDefault();
		props.go();
	};
	return (
		<g class="step" role="button" tabIndex={0} aria-label={`${step.name}: ${format.time(step.us * 1e3)}`} opacity={props.faded ? 0.4 : 1} onClick={props.go} onKeyDown={key} onPointerMove={show} onPointerLeave={() => (tip.value = null)}>
			<rect class="ground" x={x} y={0} width={wide} height={HIGH + BELOW} />
			{step.parts.map((one) => {
				const high = one.us * scale;
				y -= high;
				return <rect key={one.part} x={x + 2} y={y} width={Math.max(2, wide - 4)} height={high} style={{ fill: PART[one.part] ?? OTHERS }} />;
			})}
			{cut ? <path d={`M${x} 14l${wide / 4} -6l${wide / 2} 6l${wide / 4} -6`} fill="none" style="stroke:var(--card);stroke-width:3" /> : null}
			{props.name ? <text x={x + wide / 2} y={HIGH + 13} text-anchor="middle">{format.short(step.aside ? step.name.replace(/ the .*/, "") : step.name, Math.floor(wide / 6.4))}</text> : null}
		</g>
	);
}

function goToStep(run: Run, step: Step): void {
	const ops = run.ops!, view = opView(ops), from = rowOfId(ops, step.first_id), to = rowOfId(ops, step.last_id);
	const t0 = view.start?.number(from) ?? NaN, t1 = view.end?.number(to) ?? NaN;
	const part = partsOf(ops).find((one) => one.iteration !== null && step.name === "step " + one.iteration);
	if (t1 > t0) set({ t0: Math.round(t0), t1: Math.round(t1), zone: null, sel: null, ...(part ? { part: part.key, it: part.iteration } : {}) }, "timeline");
	else set({ op: step.first_id }, "ops");
}
