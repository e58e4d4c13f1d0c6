// SPDX-License-Identifier: Apache-2.0
// Shares of one whole as a bar, with what each is below it.
import { useRef } from "preact/hooks";
import type { TimePart } from "../data/types";
import * as format from "../logic/format";
import { OTHERS, PART } from "./colour";
import { useSize } from "./size";

const isIdle = (name: string) => (PART[name] ?? "").startsWith("var");

export function Split(props: { parts: TimePart[]; go?(part: TimePart): void }) {
	const { parts, go } = props;
	const whole = parts.reduce((sum, part) => sum + part.us, 0);
	const box = useRef<HTMLDivElement>(null);
	const { width } = useSize(box);
	const fits = (part: TimePart, text: string) => (part.us / whole) * width > text.length * 7 + 14;
	const percent = (part: TimePart) => part.percent ?? (100 * part.us) / whole;
	const label = (part: TimePart) => `${part.part} ${format.percent(percent(part), 0)}`;
	if (!(whole > 0)) return null;
	return (
		<>
			<div class="split" ref={box} role="img" aria-label={"Split of the time: " + parts.map((part) => `${part.part} ${format.percent(percent(part))}`).join(", ")}>
				{parts.map((part) => (
					<span key={part.part} data-idle={isIdle(part.part) || undefined} style={{ flex: part.us / whole, background: PART[part.part] ?? OTHERS, padding: percent(part) < 2 ? "0" : undefined }}>
						{fits(part, label(part)) ? label(part) : ""}
					</span>
				))}
			</div>
			<ul class="legend">
				{parts.map((part) => (
					<li key={part.part}><i style={{ background: PART[part.part] ?? OTHERS }} />{go ? <button class="link" onClick={() => go(part)}>{part.part}</button> : part.part} <b>{format.time(part.us * 1e3)}</b> <span class="soft">{format.percent(percent(part))}</span></li>
				))}
			</ul>
		</>
	);
}
