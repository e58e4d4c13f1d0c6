// SPDX-License-Identifier: Apache-2.0
import type { Histogram as Data } from "../logic/stats";
import { useSize } from "./size";
import { useRef } from "preact/hooks";

export function Histogram(props: { data: Data; label: string; text(value: number): string; height?: number }) {
	const box = useRef<HTMLDivElement>(null);
	const { width } = useSize(box);
	const { from, step, counts } = props.data;
	const height = props.height ?? 90;
	const most = Math.max(1, ...counts);
	const wide = counts.length ? width / counts.length : 0;
	return (
		<div ref={box} class="chart">
			<svg width={width} height={height + 18} role="img" aria-label={`${props.label}: ${counts.length} bins from ${props.text(from)} to ${props.text(from + step * counts.length)}, at most ${most} in one`}>
				{counts.map((n, i) => n ? (
					<rect key={i} x={i * wide + 0.5} width={Math.max(1, wide - 1)} y={height - (height * n) / most} height={Math.max(1, (height * n) / most)} fill="var(--bar)">
						<title>{`${props.text(from + i * step)} … ${props.text(from + (i + 1) * step)}: ${n}`}</title>
					</rect>
				) : null)}
				<line x1="0" x2={width} y1={height + 0.5} y2={height + 0.5} stroke="var(--strong-line)" />
				<text x="0" y={height + 14} font-size="11" fill="var(--soft)">{props.text(from)}</text>
				<text x={width} y={height + 14} font-size="11" fill="var(--soft)" text-anchor="end">{props.text(from + step * counts.length)}</text>
			</svg>
		</div>
	);
}
