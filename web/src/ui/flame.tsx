// SPDX-License-Identifier: Apache-2.0
// Flame graph on a canvas: click zooms into a box, its first row leads back out.  Arrow keys move between boxes.
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { inverted, layFlame, timeFound, type Box, type FlameNode } from "../logic/flame";
import * as format from "../logic/format";
import { dark } from "../state";
import { hue, INK } from "./colour";
import { useSize } from "./size";
import { Behind, Table } from "./table";
import { tip } from "./tip";

const ROW = 22;

export function Flame(props: { root: FlameNode; label: string; file: string; most?: number }) {
	const box = useRef<HTMLDivElement>(null);
	const canvas = useRef<HTMLCanvasElement>(null);
	const { width } = useSize(box);
	const [path, setPath] = useState<FlameNode[]>([]);
	const [chosen, setChosen] = useState<number>(-1);
	const [upside, setUpside] = useState(false);
	const [query, setQuery] = useState("");
	const root = useMemo(() => (upside ? inverted(props.root) : props.root), [props.root, upside]);
	const sought = query.trim().toLowerCase();
	const found = (name: string) => sought !== "" && name.toLowerCase().includes(sought);
	const share = useMemo(() => (sought ? timeFound(root, found) / root.total : 0), [root, sought]);
	useEffect(() => setPath([]), [root]);
	const top = path[path.length - 1] ?? root;
	const boxes = useMemo(() => layFlame(top, width > 0 ? 0.6 / width : 0.001), [top, width]);
	const depth = Math.min(props.most ?? 40, 1 + boxes.reduce((most, one) => Math.max(most, one.depth), 0));
	const height = depth * ROW;
	const isDark = dark.value;
	useLayoutEffect(() => {
		const element = canvas.current;
		if (!element || width < 10) return;
		const scale = window.devicePixelRatio || 1;
		element.width = Math.round(width * scale);
		element.height = Math.round(height * scale);
		const ctx = element.getContext("2d")!;
		ctx.scale(scale, scale);
		ctx.clearRect(0, 0, width, height);
		ctx.font = "11px system-ui, sans-serif";
		ctx.textBaseline = "middle";
		boxes.forEach((one, i) => {
			const x = one.x * width, w = one.w * width;
			ctx.globalAlpha = sought && !found(one.node.name) ? 0.3 : 1;
			ctx.fillStyle = one.depth === 0 ? "#b4bec9" : one.node.colour ?? hue(one.node.name);
			ctx.fillRect(x, one.depth * ROW, Math.max(0.6, w - 0.6), ROW - 1);
			if (i === chosen) {
				ctx.strokeStyle = isDark ? "#fff" : "#000";
				ctx.lineWidth = 2;
				ctx.strokeRect(x + 1, one.depth * ROW + 1, Math.max(1, w - 3), ROW - 3);
			}
			if (w > 40) {
				ctx.fillStyle = INK;
				const room = Math.floor((w - 8) / 6.2);
				const name = one.node.name;
				let text = name.length > room ? name.slice(0, Math.max(1, room - 1)) + "…" : name;
				for (let n = text.length - 2; n > 0 && ctx.measureText(text).width > w - 6; n--) text = name.slice(0, n) + "…"; // letters differ
				ctx.fillText(text, x + 4, one.depth * ROW + ROW / 2, w - 6);
			}
		});
		ctx.globalAlpha = 1;
	}, [boxes, width, height, isDark, chosen, sought]);
	const at = (event: MouseEvent): Box | null => {
		const rect = canvas.current!.getBoundingClientRect();
		const x = (event.clientX - rect.left) / width, row = Math.floor((event.clientY - rect.top) / ROW);
		return boxes.find((one) => one.depth === row && x >= one.x && x < one.x + one.w) ?? null;
	};
	const told = (one: Box): string[] => [
		`${format.time(one.node.total)} · ${format.percent((100 * one.node.total) / root.total)} of all`,
		one.node.calls > 1 ? `${format.plural(one.node.calls, "call")}, ${format.time(one.node.total / one.node.calls)} each` : `self ${format.time(one.node.self)}`,
	];
	const enter = (one: Box | null) => {
		if (!one) return;
		if (one.depth === 0) setPath(path.slice(0, -1));
		else setPath([...path, one.node]);
		setChosen(-1);
	};
	const keys = (event: KeyboardEvent) => {
		const now = boxes[chosen];
		let next = -1;
		if (event.key === "Enter") enter(now ?? null);
		else if (event.key === "Escape" || event.key === "Backspace") setPath(path.slice(0, -1));
		else if (event.key === "ArrowDown") next = now ? boxes.findIndex((one) => one.depth === now.depth + 1 && one.x >= now.x - 1e-9 && one.x < now.x + now.w) : 0;
		else if (event.key === "ArrowUp" && now) next = boxes.findIndex((one) => one.depth === now.depth - 1 && now.x >= one.x - 1e-9 && now.x < one.x + one.w);
		else if (event.key === "ArrowRight" && now) next = boxes.findIndex((one) => one.depth === now.depth && one.x > now.x);
		else if (event.key === "ArrowLeft" && now) for (let i = 0; i < boxes.length && boxes[i] !== now; i++) if (boxes[i].depth === now.depth && boxes[i].x < now.x) next = i;
		if (next >= 0) setChosen(next);
		if (/^(Arrow|Enter|Backspace)/.test(event.key)) event.preventDefault();
	};
	const lines = useMemo(() => {
		const out: { path: string; node: FlameNode; depth: number }[] = [];
		const walk = (node: FlameNode, depth: number) => {
			if (out.length > 2000) return;
			out.push({ path: "\u2003".repeat(depth) + node.name, node, depth });
			node.children.forEach((child) => walk(child, depth + 1));
		};
		walk(root, 0);
		return out;
	}, [root]);
	return (
		<div ref={box}>
			<div class="row tools" style="margin-bottom:8px">
				<input type="search" aria-label={`Search in ${props.label}`} placeholder="Search" value={query} onInput={(event) => setQuery((event.target as HTMLInputElement).value)} />
				<button aria-pressed={upside} onClick={() => setUpside(!upside)}>Callers below</button>
				<span class="small soft" role="status">{sought ? (share > 0 ? `${format.percent(100 * share)} of the time is in what has “${format.short(sought, 40)}” in its name` : `no name has “${format.short(sought, 40)}”`) : upside ? "What takes the time itself is above, who called it below." : ""}</span>
			</div>
			<canvas ref={canvas} style={{ width: width + "px", height: height + "px" }} role="img" tabIndex={0} aria-label={`${props.label}: flame graph, ${format.time(props.root.total)} in all; the table below has it all`}
				onClick={(event) => enter(at(event))} onKeyDown={keys}
				onMouseMove={(event) => {
					const one = at(event);
					tip.value = one ? { x: event.clientX, y: event.clientY, title: format.short(one.node.name, 300), lines: told(one) } : null;
				}} onMouseLeave={() => (tip.value = null)} />
			<p class="small soft" role="status">{chosen >= 0 && boxes[chosen] ? `${format.short(boxes[chosen].node.name, 120)}: ${told(boxes[chosen]).join(", ")}` : path.length ? "Click the top row to go back." : ""}</p>
			<Behind label="Table"><Table label={props.label} file={props.file} rows={lines} columns={[
				{ title: "name", cell: (line) => format.short(line.path, 160), raw: (line) => line.node.name },
				{ title: "calls", num: true, cell: (line) => format.count(line.node.calls), raw: (line) => line.node.calls },
				{ title: "total", num: true, cell: (line) => format.time(line.node.total), raw: (line) => line.node.total },
				{ title: "share", num: true, cell: (line) => format.percent((100 * line.node.total) / root.total), raw: (line) => (100 * line.node.total) / root.total },
				{ title: "self", num: true, cell: (line) => format.time(line.node.self), raw: (line) => line.node.self },
			]} /></Behind>
		</div>
	);
}
