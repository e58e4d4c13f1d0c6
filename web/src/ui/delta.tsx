// SPDX-License-Identifier: Apache-2.0
// A change as a bar from the middle, with its interval: left is faster, right is slower.

export interface Delta {
	by: number;
	low: number | null; // no interval: too few samples
	high: number | null;
}

// What half of the width stands for.
export function deltaScale(all: Delta[]): number {
	return Math.max(1, ...all.map((one) => Math.max(Math.abs(one.by), Math.min(Math.abs(one.low ?? 0), 3 * Math.abs(one.by)), Math.min(Math.abs(one.high ?? 0), 3 * Math.abs(one.by)))));
}

const WIDE = 160, MIDDLE = WIDE / 2;

export function DeltaBar(props: { delta: Delta; scale: number }) {
	const { by, low, high } = props.delta;
	const at = (ns: number) => MIDDLE + Math.max(-1, Math.min(1, ns / props.scale)) * (MIDDLE - 3);
	const from = Math.min(MIDDLE, at(by)), wide = Math.max(1, Math.abs(at(by) - MIDDLE));
	return (
		<svg class="delta" width={WIDE} height={16} viewBox={`0 0 ${WIDE} 16`} aria-hidden="true">
			<line class="zero" x1={MIDDLE} x2={MIDDLE} y1={0} y2={16} />
			<rect class={by > 0 ? "slower" : "faster"} x={from} y={3} width={wide} height={10} rx={2} />
			{low !== null && high !== null ? <path class="between" d={`M${at(low)} 4v8M${at(low)} 8H${at(high)}M${at(high)} 4v8`} /> : null}
		</svg>
	);
}
