// SPDX-License-Identifier: Apache-2.0
// Help: keys, and whose work is in the page.
import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";

export const aboutOpen = signal(false);

const KEYS: [string, string][] = [
	["0 … 9", "screens, as their tabs say"], ["T", "light or dark"], ["/", "search or filter"], ["Tab, Enter", "all that a mouse can reach"],
	["W S", "timeline: zoom in, out"], ["A D, ← →", "timeline: move in time"], ["↑ ↓", "timeline: next lane; tables: next row"],
	[". ,", "timeline: next, previous zone of the same name"], ["[ ]", "timeline: previous, next zone of the lane"],
	["Enter", "timeline: open or close the lane; zoom to the chosen zone"], ["m", "timeline: measure between two places"],
	["f", "timeline: the chosen zone, or all that was recorded"], ["h, Home", "timeline: back to the first view: one step, or where the work is"],
	["i", "timeline: as time passed, idle folded, or by op"], ["b", "timeline: a note, kept in the address"], ["z", "timeline: zoom to the selection"], ["p", "timeline: pin the lane to the top"], ["Esc", "leave what is chosen"],
];

export function About(props: { tool: string; made: string }) {
	const dialog = useRef<HTMLDialogElement>(null);
	const open = aboutOpen.value;
	useEffect(() => {
		if (open && !dialog.current?.open) dialog.current?.showModal();
		if (!open && dialog.current?.open) dialog.current.close();
	}, [open]);
	return (
		<dialog ref={dialog} aria-label="Help" onClose={() => (aboutOpen.value = false)}>
			<h2>Keys</h2>
			<dl class="keys">{KEYS.map(([key, does]) => [<dt key={key}><kbd>{key}</kbd></dt>, <dd key={does}>{does}</dd>])}</dl>
			<p class="soft small">Mouse: wheel moves, Ctrl and wheel zoom, a drag chooses a span of time, with Shift (or one finger) it moves; a click on a step shows it alone.
				What is shown stands in the address: copy it to come back.</p>
			<p class="soft small">Made by {props.tool}, {props.made}. Nothing here asks another host for anything.
				In the page: Preact and Preact Signals (MIT, © Jason Miller and Preact Team).</p>
			<p><button onClick={() => (aboutOpen.value = false)}>Close</button></p>
		</dialog>
	);
}
