// SPDX-License-Identifier: Apache-2.0
// What stands where there is nothing to show: why, and what to do about it.
import { theRun } from "../data/current";

export function notesOn(parts: string[]): string[] {
	return (theRun.value?.manifest.notes ?? []).flatMap((note) => {
		if (typeof note === "string") return [note];
		return parts.length === 0 || !note.part || parts.includes(note.part) ? [note.text] : [];
	});
}

export function Empty(props: { title: string; text?: string; parts: string[] }) {
	const notes = notesOn(props.parts);
	return (
		<div class="empty">
			<h2>{props.title}</h2>
			{props.text ? <p>{props.text}</p> : null}
			{notes.length ? <ul>{notes.map((note, i) => <li key={i}>{note}</li>)}</ul> : null}
		</div>
	);
}
