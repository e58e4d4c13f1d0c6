// SPDX-License-Identifier: Apache-2.0
import { short } from "../logic/format";

export interface Bar {
	name: string;
	value: number;
	text: string;
	colour?: string;
	go?: () => void;
}

export function Bars(props: { bars: Bar[]; label: string }) {
	const most = Math.max(0, ...props.bars.map((bar) => (Number.isFinite(bar.value) ? bar.value : 0)));
	return (
		<div class="bars" role="group" aria-label={props.label}>
			{props.bars.map((bar, i) => [
				<div class="name" key={"n" + i} title={short(bar.name, 400)}>
					{bar.go ? <button class="link" onClick={bar.go}>{short(bar.name)}</button> : short(bar.name)}
				</div>,
				<div class="bar" key={"b" + i}>
					<i style={{ width: (most > 0 && bar.value > 0 ? (100 * bar.value) / most : 0) + "%", background: bar.colour }} />
				</div>,
				<div class="value" key={"v" + i}>{bar.text}</div>,
			])}
		</div>
	);
}
