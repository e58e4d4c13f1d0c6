// SPDX-License-Identifier: Apache-2.0
// Notes on the timeline: a time and a few words, kept in the address, so that a link has them.
import * as format from "../logic/format";
import { get, set } from "../state";
import { formatNotes, LONGEST, parseNotes, type Note } from "../timeline/notes";

export function addNote(time: number): void {
	const notes = parseNotes(get("notes"));
	set({ notes: formatNotes([...notes, { time, text: `note ${notes.length + 1}` }]), panel: "notes", zone: null, sel: null, gap: null });
}

export function NotesPanel(props: { show(time: number): void }) {
	const notes = parseNotes(get("notes"));
	const keep = (list: Note[]) => set({ notes: formatNotes(list) || null, panel: list.length ? "notes" : null });
	return (
		<section class="panel" aria-label="Notes">
			<button class="plain close" aria-label="Close panel" onClick={() => set({ panel: null })}>✕</button>
			<h2>Notes</h2>
			<p class="soft small">They are part of the address: copy it, and who opens this file with it has them.</p>
			<ul class="notes">
				{notes.map((note, i) => (
					<li key={i}>
						<button class="link" onClick={() => props.show(note.time)}>{format.time(note.time)}</button>{" "}
						<input value={note.text} aria-label={`Note at ${format.time(note.time)}`} maxLength={LONGEST} onChange={(event) => keep(notes.map((one, k) => (k === i ? { ...one, text: (event.target as HTMLInputElement).value } : one)))} />{" "}
						<button onClick={() => keep(notes.filter((_, k) => k !== i))}>Remove</button>
					</li>
				))}
			</ul>
		</section>
	);
}
