// SPDX-License-Identifier: Apache-2.0
// Above the timeline: search, the kind of axis, colours with what they mean, and what else can be done.
import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";
import type { Run } from "../data/run";
import * as format from "../logic/format";
import { set } from "../state";
import type { AxisKind } from "../timeline/axis";
import { CAUSES, type Gaps } from "../timeline/gaps";
import { COLOURINGS, type Colouring } from "../timeline/oplook";
import { legendOf } from "../timeline/palette";

const WORDS: { [how in Colouring]: string } = { family: "kind of work", category: "category", bound: "what bounds it", roof: "share of its roof", fidelity: "fidelity", name: "name" };
const AXIS_WORDS: { [kind in AxisKind]: [string, string] } = {
	time: ["Time", "Time as it passed"], fold: ["Idle folded", "Stretches in which no device ran an op are narrow, so that ops have the room"], ops: ["By op", "Each op as wide as the next"],
};

export function AxisChoice(props: { kind: AxisKind; kinds: AxisKind[] }) {
	if (props.kinds.length < 2) return null;
	return (
		<span class="segments" role="group" aria-label="Axis">
			{props.kinds.map((kind) => <button key={kind} aria-pressed={kind === props.kind} title={AXIS_WORDS[kind][1] + " (i)"} onClick={() => set({ ax: kind })}>{AXIS_WORDS[kind][0]}</button>)}
		</span>
	);
}

export function ColourChoice(props: { how: Colouring }) {
	return (
		<label class="small">colour{" "}
			<select value={props.how} aria-label="Colour of ops" onChange={(event) => set({ col: (event.target as HTMLSelectElement).value })}>
				{COLOURINGS.map((how) => <option key={how} value={how}>{WORDS[how]}</option>)}
			</select>
		</label>
	);
}

const MOST = 9;

export function Legend(props: { run: Run; how: Colouring; gaps: Map<number, Gaps>; children?: ComponentChildren }) {
	const { run, how } = props;
	const list = useMemo(() => legendOf(run, how), [run, how]);
	const causes = useMemo(() => {
		const seen = new Set<number>();
		for (const gaps of props.gaps.values()) for (const cause of gaps.cause) seen.add(cause);
		return CAUSES.filter((_, i) => seen.has(i));
	}, [props.gaps]);
	if (!list.length) return null;
	return (
		<div class="legend" aria-label="What colours mean" role="group">
			{props.children}
			{list.slice(0, MOST).map((line) => <span key={line.text}><i style={{ background: line.colour }} />{format.short(line.text, 34)}{Number.isFinite(line.share) ? <b>{line.share > 0 && line.share < 0.005 ? "<1" : Math.round(line.share * 100)} %</b> : null}</span>)}
			{list.length > MOST ? <span class="soft">and {list.length - MOST} more</span> : null}
			{causes.length ? <span class="soft">gaps:</span> : null}
			{causes.map((cause) => <span key={cause.key} title={cause.says}><i style={{ background: cause.colour }} />{cause.text}</span>)}
		</div>
	);
}
