// SPDX-License-Identifier: Apache-2.0
// What the timeline shows first: one step that is no warm-up, else one round of what repeats, else where devices worked.
import { find, type Ops } from "../data/ops";
import type { Run } from "../data/run";
import { lastRound, LEAST_ROUND } from "../logic/rounds";
import { NOOP } from "../logic/notebook";
import { opView } from "../logic/opview";
import { chosenPart, partsOf, spanOf } from "../logic/parts";

export interface Opening {
	t0: number;
	t1: number;
	what: string;
}

function roundOf(ops: Ops): Opening | null {
	const { start, end, code, device } = opView(ops), like = find(ops, "like") ?? opView(ops).name;
	if (!start || !end || !like) return null;
	const rows: number[] = [];
	let first = NaN;
	for (let row = 0; row < ops.n; row++) {
		if (!Number.isFinite(start.number(row)) || code?.text(row) === NOOP) continue;
		const on = device?.number(row) ?? 0;
		if (Number.isNaN(first)) first = on;
		if (on === first || !Number.isFinite(on)) rows.push(row);
	}
	rows.sort((a, b) => start.number(a) - start.number(b));
	const round = rows.length > 2 * LEAST_ROUND ? lastRound(rows.map((row) => like.text(row))) : null;
	if (!round) return null;
	return { t0: start.number(rows[round[0]]), t1: end.number(rows[round[1] - 1]), what: `the last ${round[1] - round[0]} ops that repeat` };
}

const made = new WeakMap<Ops, Opening | null>();

// Of the whole run; the same at each visit.
function steady(ops: Ops): Opening | null {
	let found = made.get(ops);
	if (found !== undefined) return found;
	const parts = partsOf(ops), steps = parts.filter((part) => part.iteration !== null);
	found = null;
	// The last one may be cut short, the first ones warm up.
	const { code, start } = opView(ops);
	const counted = (steps.length ? steps : parts).map((part) => {
		let n = 0;
		for (let row = part.from; row < part.to; row++) if (code?.text(row) !== NOOP && Number.isFinite(start?.number(row) ?? NaN)) n++;
		return { part, n };
	});
	const most = Math.max(0, ...counted.map(({ n }) => n));
	const last = counted.filter(({ n }) => n > 0 && n * 2 >= most).pop(), span = last && spanOf(ops, last.part);
	if (last && span) found = { t0: span[0], t1: span[1], what: last.part.name };
	const round = steps.length ? null : roundOf(ops);
	if (round && (!found || round.t1 - round.t0 < found.t1 - found.t0)) found = round;
	made.set(ops, found);
	return found;
}

export function openingOf(run: Run, whole: number): Opening {
	const part = chosenPart(run.ops), span = part && spanOf(run.ops!, part);
	if (part && span) return { t0: span[0], t1: span[1], what: part.name };
	const found = run.ops && !run.windowed ? steady(run.ops) : null;
	if (found && found.t1 > found.t0) return found;
	const [t0, t1] = run.manifest.focus_ns ?? [0, whole];
	return t1 > t0 && t1 - t0 < whole * 0.9 ? { t0, t1, what: "where the work is" } : { t0: 0, t1: whole, what: "all that was recorded" };
}
