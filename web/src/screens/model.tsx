// SPDX-License-Identifier: Apache-2.0
// What tt-train's notebooks show of a run: operations, calls, steps, zones, and the host.
import { useMemo } from "preact/hooks";
import type { Run } from "../data/run";
import { flameTree, type FlameTable } from "../logic/flame";
import * as format from "../logic/format";
import { prepare, type Prepared } from "../logic/notebook";
import { chosenPart, inPart } from "../logic/parts";
import { zonesBySelf } from "../logic/zonesum";
import { get, set } from "../state";
import { Card } from "../ui/card";
import { Empty } from "../ui/empty";
import { Flame } from "../ui/flame";
import { Calls } from "./model_calls";
import { Operations } from "./model_operations";
import { Steps } from "./model_steps";
import { StepZones } from "./model_zones";
import { TopZones } from "./summary_zones";

const PARTS: [string, string][] = [["operations", "Operations"], ["calls", "Calls"], ["steps", "Steps"], ["zones", "Zones"], ["host", "Host"]];

export function Model(props: { run: Run }) {
	const { run } = props;
	const chosen = chosenPart(run.ops);
	const prepared = useMemo(() => {
		if (!run.ops || run.ops.n === 0) return null;
		const all = prepare(run.ops);
		return chosen ? { ...all, rows: inPart(all.rows, chosen), steps: 1, stepsKnown: true } : all;
	}, [run, chosen]);
	const part = get("mp", prepared || !run.flame?.n ? "operations" : "host");
	return (
		<>
			<div class="row" style="margin:0 auto 14px;max-width:2200px" role="group" aria-label="Parts of the model view">
				{PARTS.map(([key, name]) => <button key={key} aria-pressed={part === key} onClick={() => set({ mp: key })}>{name}</button>)}
				{prepared ? <Basis prepared={prepared} part={chosen?.name ?? ""} /> : null}
			</div>
			{part === "host" ? <Host run={run} />
				: !prepared ? <Empty title="No ops in this run" text="These views are made from an ops report." parts={["ops"]} />
				: part === "calls" ? <Calls run={run} prepared={prepared} />
				: part === "steps" ? <Steps run={run} prepared={prepared} />
				: part === "zones" ? <StepZones run={run} />
				: <Operations prepared={prepared} />}
		</>
	);
}

function Basis(props: { prepared: Prepared; part: string }) {
	const { rows, steps, stepsKnown, compiled } = props.prepared;
	if (props.part) return <span class="small soft">{format.plural(rows.length, "op")} of {props.part}, markers left out; sums are of this part</span>;
	return (
		<span class="small soft">
			{rows.length} ops {compiled ? "after the last compilation_finished marker" : "(no compilation_finished marker: all are taken)"}, markers left out ·
			{stepsKnown ? ` ${steps} steps, by iteration markers` : " no iteration markers: taken as 3 steps, as the notebook does"}
		</span>
	);
}

function Host(props: { run: Run }) {
	const { run } = props;
	const tree = useMemo(() => (run.flame && run.flame.n > 0 ? flameTree(run.flame as unknown as FlameTable, (id) => run.strings[id] ?? "", "host") : null), [run]);
	const lines = useMemo(() => (run.flame ? zonesBySelf(run.flame) : []), [run]);
	if (!tree) return <Empty title="No zones of the host in this run" parts={["host", "trace", "run"]} />;
	return <div class="grid"><Card title="Host zones" hint="all threads, by who called whom; click a box to look into it"><Flame root={tree} label="Host zones" file="host_flame" /></Card><TopZones run={run} lines={lines} /></div>;
}
