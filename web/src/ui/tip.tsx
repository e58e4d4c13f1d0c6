// SPDX-License-Identifier: Apache-2.0
// What is under the mouse.
import { signal } from "@preact/signals";

interface TipText {
	x: number;
	y: number;
	title: string;
	lines: string[];
}

export const tip = signal<TipText | null>(null);

export function Tip() {
	const shown = tip.value;
	if (!shown) return null;
	const left = Math.min(shown.x + 14, window.innerWidth - 300);
	const up = shown.y > window.innerHeight - 160;
	return (
		<div class="tip" role="tooltip" style={{ left: left + "px", ...(up ? { bottom: window.innerHeight - shown.y + 10 + "px" } : { top: shown.y + 16 + "px" }) }}>
			<b>{shown.title}</b>
			{shown.lines.map((line, i) => <div key={i}>{line}</div>)}
		</div>
	);
}
