// SPDX-License-Identifier: Apache-2.0
// Notes in the address: times and a few words.
import type { Mark, RulerBand } from "./ruler";

export interface Note {
	time: number;
	text: string;
}

const MOST = 40;
export const LONGEST = 200;

// "1200~slow here|5300~again"; what separates can't be part of a note.
export function parseNotes(text: string): Note[] {
	return text.split("|").map((one) => {
		const at = one.indexOf("~");
		return { time: at > 0 ? Number(one.slice(0, at)) : NaN, text: one.slice(at + 1).slice(0, LONGEST) };
	}).filter((note) => Number.isFinite(note.time)).slice(0, MOST).sort((a, b) => a.time - b.time);
}

export function formatNotes(notes: Note[]): string {
	return notes.map((note) => `${Math.round(note.time)}~${note.text.replace(/[|~]/g, " ").slice(0, LONGEST)}`).join("|");
}

export function noteBand(text: string): RulerBand[] {
	const marks: Mark[] = parseNotes(text).map((note) => ({ t0: note.time, t1: note.time, text: note.text || "note", colour: "" }));
	return marks.length ? [{ name: "notes", marks }] : [];
}
