// SPDX-License-Identifier: Apache-2.0
// A table of any length: only the rows in sight are elements.  Arrow keys, Home, End and Page keys move the choice, Enter opens it.
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { useSize } from "./size";

export const LINE = 28;
const SPARE = 8;

export interface GridColumn {
	key: string;
	title: string;
	says?: string;
	num: boolean;
	width: number;
	cell(line: number): ComponentChildren;
}

export interface GridProps {
	label: string;
	columns: GridColumn[];
	lines: number;
	chosen: number; // a line, −1: none
	fit?: string; // columns that find no room are left out, and this one takes what is over
	onFit?(shown: number): void;
	sort: string; // key, with − before it when largest first
	section?(line: number): string | null; // a heading instead of a row
	onChoose(line: number): void;
	onSort(key: string): void;
}

// As many as there is room for, the first ones first, at least two: half a column at the edge is read as a whole one.
export function fitting(columns: GridColumn[], wide: string, width: number): GridColumn[] {
	if (width < 600) columns = columns.map((column) => (column.key === wide ? { ...column, width: Math.round(column.width * 0.6) } : column));
	let sum = 0, n = 0;
	while (n < columns.length && (n < 2 || sum + columns[n].width <= width)) sum += columns[n++].width;
	const over = Math.max(0, width - sum);
	return columns.slice(0, n).map((column) => (column.key === wide ? { ...column, width: column.width + Math.min(over, 260) } : column));
}

const FITS = 8; // letters that every column has room for

export function Grid(props: GridProps) {
	const box = useRef<HTMLDivElement>(null);
	const { width, height } = useSize(box);
	const [top, setTop] = useState(0);
	const columns = props.fit && width > 0 ? fitting(props.columns, props.fit, width) : props.columns;
	useLayoutEffect(() => props.onFit?.(columns.length), [columns.length]);
	const template = columns.map((column) => column.width + "px").join(" ");
	// Browsers lose their count above some millions of pixels: then a pixel of the scroll bar is more than one of the table.
	const whole = props.lines * LINE;
	const shown = Math.min(whole, 8e6);
	const scale = shown > height && whole > shown ? (whole - height) / (shown - height) : 1;
	const first = Math.max(0, Math.floor((top * scale) / LINE) - SPARE);
	const last = Math.min(props.lines, Math.ceil((top * scale + height) / LINE) + SPARE);
	const shift = top - top * scale;
	const lines: number[] = [];
	for (let line = first; line < last; line++) lines.push(line);

	const reveal = (line: number) => {
		const element = box.current;
		if (!element) return;
		const at = line * LINE, head = 32;
		if (at < element.scrollTop * scale) element.scrollTop = at / scale;
		else if (at + LINE + head > element.scrollTop * scale + height) element.scrollTop = (at + LINE + head - height) / scale;
	};
	// A row that was chosen elsewhere is brought into sight.
	useLayoutEffect(() => {
		if (props.chosen >= 0 && height > 0) reveal(props.chosen);
	}, [height > 0]);
	const keys = (event: KeyboardEvent) => {
		const page = Math.max(1, Math.floor(height / LINE) - 2);
		const moves: { [key: string]: number } = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity };
		const move = moves[event.key];
		if (move === undefined || props.lines === 0 || (event.target as HTMLElement).tagName === "BUTTON") return;
		event.preventDefault();
		const from = props.chosen < 0 ? (move > 0 ? -1 : props.lines) : props.chosen;
		const to = Math.max(0, Math.min(props.lines - 1, from + move));
		props.onChoose(to);
		reveal(to);
	};
	return (
		<div class="vgrid" ref={box} role="grid" tabIndex={0} aria-label={props.label} aria-rowcount={props.lines + 1} aria-colcount={columns.length}
			onScroll={(event) => setTop((event.target as HTMLElement).scrollTop)} onKeyDown={keys}>
			<div class="head" role="row" aria-rowindex={1} style={{ gridTemplateColumns: template }}>
				{columns.map((column, i) => {
					const up = props.sort === column.key, down = props.sort === "-" + column.key;
					return (
						<div key={column.key} role="columnheader" class={column.num ? "num" : ""} aria-colindex={i + 1} aria-sort={up ? "ascending" : down ? "descending" : "none"}>
							<button title={column.says || column.key} onClick={() => props.onSort(column.key)}>{column.title}{up ? " ↑" : down ? " ↓" : ""}</button>
						</div>
					);
				})}
			</div>
			<div class="body" style={{ height: shown + "px" }} role="rowgroup">
				{lines.map((line) => {
					const section = props.section?.(line);
					return (
						<div key={line} class={"line" + (section ? " section" : "")} role="row" aria-rowindex={line + 2} aria-selected={line === props.chosen}
							style={{ top: line * LINE + shift + "px", gridTemplateColumns: section ? "1fr" : template }} onClick={() => props.onChoose(line)}>
							{section
								? <div role="gridcell">{section}</div>
								: columns.map((column, i) => {
									const cell = column.cell(line);
									return <div key={column.key} role="gridcell" aria-colindex={i + 1} class={column.num ? "num" : ""} title={typeof cell === "string" && cell.length > FITS ? cell : undefined}>{cell}</div>;
								})}
						</div>
					);
				})}
			</div>
		</div>
	);
}
