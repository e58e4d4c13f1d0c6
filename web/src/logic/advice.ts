// SPDX-License-Identifier: Apache-2.0
// What a report advises is for people at a terminal, too: its clauses about options of a command are none here.

import type { Finding } from "../data/types";

const COMMAND = /--[a-z]|\bttprof [a-z]/;

export function withoutCommands(text: string): string {
	if (!COMMAND.test(text)) return text;
	const clauses = text.replace(/\s*\([^()]*\)/g, (aside) => (COMMAND.test(aside) ? "" : aside)).split("; ").flatMap((clause) => {
		if (!COMMAND.test(clause)) return [clause];
		const colon = clause.lastIndexOf(": ");
		if (colon > 0 && !COMMAND.test(clause.slice(0, colon))) return [clause.slice(0, colon)];
		const pieces = clause.split(", ").filter((piece) => !COMMAND.test(piece));
		return pieces.length ? [pieces.join(", ")] : [];
	});
	return clauses.join("; ");
}

// Findings of the report in its order, those of cores among them by what they save, and not behind the `first` ones.
export function withCores(findings: Finding[], ofCores: Finding[], first = 5): Finding[] {
	const list = [...findings];
	for (const finding of [...ofCores].reverse()) {
		const at = list.findIndex((one) => (one.saves_us ?? Infinity) < (finding.saves_us ?? 0));
		list.splice(Math.min(at < 0 ? list.length : at, first - 1), 0, finding);
	}
	return list;
}
