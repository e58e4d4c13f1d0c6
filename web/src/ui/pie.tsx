// SPDX-License-Identifier: Apache-2.0
// Slices from 140 degrees on, largest first, names and shares in the legend beside it.
import { percent, short } from "../logic/format";
import { hue, OTHERS } from "./colour";

export interface Slice {
	name: string;
	value: number;
	colour?: string;
}

const colourOf = (slice: Slice) => slice.colour ?? (slice.name === "Others" ? OTHERS : hue(slice.name));

const START = (140 * Math.PI) / 180;

function path(from: number, to: number): string {
	const at = (share: number, radius: number) => {
		const angle = START + share * 2 * Math.PI;
		return `${(50 + radius * Math.cos(angle)).toFixed(3)} ${(50 - radius * Math.sin(angle)).toFixed(3)}`;
	};
	const large = to - from > 0.5 ? 1 : 0;
	return `M ${at(from, 49)} A 49 49 0 ${large} 0 ${at(to, 49)} L ${at(to, 26)} A 26 26 0 ${large} 1 ${at(from, 26)} Z`;
}

export function Pie(props: { slices: Slice[]; label: string }) {
	const total = props.slices.reduce((sum, slice) => sum + slice.value, 0);
	let at = 0;
	return (
		<div class="pie">
			<svg viewBox="0 0 100 100" role="img" aria-label={props.label}>
				{props.slices.map((slice, i) => {
					const from = at;
					const share = total > 0 ? slice.value / total : 0;
					at += share;
					if (share <= 0) return null;
					const colour = colourOf(slice);
					if (share > 0.9999) return <circle key={i} cx="50" cy="50" r="37.5" fill="none" stroke={colour} stroke-width="23" />;
					return <path key={i} d={path(from, at)} fill={colour} stroke="var(--card)" stroke-width="0.6">
						<title>{`${short(slice.name, 200)} — ${percent(100 * share)}`}</title>
					</path>;
				})}
			</svg>
			<ol>
				{props.slices.map((slice, i) => (
					<li key={i} title={short(slice.name, 400)}>
						<i class="dot" style={{ background: colourOf(slice) }} />
						<span>{short(slice.name)}</span><b>{percent(total > 0 ? (100 * slice.value) / total : NaN)}</b>
					</li>
				))}
			</ol>
		</div>
	);
}
