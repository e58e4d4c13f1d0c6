// SPDX-License-Identifier: Apache-2.0
// The chip as it lies: a cell per place, coloured by a value; what is no worker says what it is.
import type { DeviceInfo } from "../data/types";
import type { Core } from "../logic/heat";
import { heat as heatColour, inkOn } from "./colour";
import { tip } from "./tip";

const LETTERS: { [kind: string]: string } = { dram: "D", eth: "E", arc: "ARC", pcie: "PCIe", router: "·", harvested: "✕" };
export const KIND_NAMES: { [kind: string]: string } = { tensix: "worker", dram: "DRAM", eth: "ethernet", arc: "ARC", pcie: "PCIe", router: "router only", harvested: "harvested" };

export interface ChipGridProps {
	device: DeviceInfo | null;
	cores: Core[];
	max: number;
	text(value: number): string;
	label: string;
	size: number; // width of a cell
	tall?: number; // its height, where it is another
	logical: boolean;
	chosen: string; // "x,y"
	choose(core: string): void;
}

// Without a map of the chip: the smallest rectangle around the cores that have a value.
function cellsOf(device: DeviceInfo | null, cores: Core[]): { width: number; height: number; x0: number; y0: number; cells: [number, number, string][] } {
	if (device && device.width > 0 && device.cells.length) return { width: device.width, height: device.height, x0: 0, y0: 0, cells: device.cells };
	const xs = cores.map((core) => core.x), ys = cores.map((core) => core.y);
	const x0 = Math.min(...xs), y0 = Math.min(...ys);
	return { x0, y0, width: Math.max(...xs) - x0 + 1, height: Math.max(...ys) - y0 + 1, cells: cores.map((core) => [core.x, core.y, "tensix"]) };
}

// Workers counted without the columns and rows that hold none: how programs name them.
function ranks(cells: [number, number, string][], axis: 0 | 1): Map<number, number> {
	const used = [...new Set(cells.filter(([, , kind]) => kind === "tensix").map((cell) => cell[axis]))].sort((a, b) => a - b);
	return new Map(used.map((value, i) => [value, i]));
}

export function ChipGrid(props: ChipGridProps) {
	const { width, height, x0, y0, cells } = cellsOf(props.device, props.cores);
	const values = new Map(props.cores.map((core) => [`${core.x},${core.y}`, core]));
	const { size } = props, tall = props.tall ?? size;
	const columns = ranks(cells, 0), rows = ranks(cells, 1);
	const head = 20;
	const name = (x: number, y: number) => (props.logical ? `${columns.get(x) ?? "–"},${rows.get(y) ?? "–"}` : `${x},${y}`);
	const keys = (event: KeyboardEvent) => {
		const moves: { [key: string]: [number, number] } = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
		const move = moves[event.key];
		if (!move || !props.cores.length) return;
		event.preventDefault();
		let [x, y] = values.has(props.chosen) ? props.chosen.split(",").map(Number) : [props.cores[0].x - move[0], props.cores[0].y - move[1]];
		for (let steps = 0; steps < 40; steps++) {
			x += move[0];
			y += move[1];
			if (values.has(`${x},${y}`)) return props.choose(`${x},${y}`);
		}
	};
	const axis = (n: number, rank: Map<number, number>, at: number) => (props.logical ? (rank.has(n + at) ? String(rank.get(n + at)) : "") : String(n + at));
	return (
		<svg width={width * size + head} height={height * tall + head} role="application" aria-roledescription="chip" tabindex={0} aria-label={props.label + ". Arrow keys choose a core; the table below has all."} onKeyDown={keys}
			onMouseLeave={() => (tip.value = null)} style="max-width:100%">
			{Array.from({ length: width }, (_, i) => <text key={"x" + i} x={head + i * size + size / 2} y={13} font-size="11" fill="var(--soft)" text-anchor="middle">{axis(i, columns, x0)}</text>)}
			{Array.from({ length: height }, (_, i) => <text key={"y" + i} x={head - 6} y={head + i * tall + tall / 2 + 4} font-size="11" fill="var(--soft)" text-anchor="end">{axis(i, rows, y0)}</text>)}
			{cells.map(([x, y, kind]) => {
				const core = values.get(`${x},${y}`);
				const px = head + (x - x0) * size, py = head + (y - y0) * tall;
				const fill = core ? heatColour(props.max > 0 ? core.value / props.max : 0) : kind === "tensix" ? "var(--card)" : "var(--raised)";
				const ink = core ? inkOn(heatColour(props.max > 0 ? core.value / props.max : 0)) : "var(--soft)";
				const label = core ? props.text(core.value) : LETTERS[kind] ?? "";
				const told = core ? `${props.text(core.value)}, ${core.count} times` : kind === "tensix" ? "not used in this choice" : KIND_NAMES[kind] ?? kind;
				return (
					<g key={`${x},${y}`} onClick={() => core && props.choose(`${x},${y}`)} style={core ? "cursor:pointer" : ""}
						onMouseMove={(event) => (tip.value = { x: event.clientX, y: event.clientY, title: `core ${name(x, y)}`, lines: [told] })}>
						<rect x={px + 1} y={py + 1} width={size - 2} height={tall - 2} rx="3" fill={fill} stroke={props.chosen === `${x},${y}` ? "var(--ink)" : kind === "tensix" && !core ? "var(--line)" : "none"} stroke-width={props.chosen === `${x},${y}` ? 2.5 : 1} />
						{size > 28 || !core ? <text x={px + size / 2} y={py + tall / 2 + 4} font-size={size > 70 ? 12 : label.length > 7 ? 9 : 10.5} fill={ink} text-anchor="middle">{core && size < 44 ? label.replace(/ .*/, "") : label}</text> : null}
					</g>
				);
			})}
		</svg>
	);
}
