// SPDX-License-Identifier: Apache-2.0
// A plain table that sorts by any of its columns, its download, and the table behind a chart.
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { csvText, download } from "./download";

const FEW = 15; // rows that need no box to scroll in

export interface Column<T> {
	title: string;
	num?: boolean;
	says?: string;
	file?: string; // its head in the download, where that has a unit of its own
	cell(row: T): ComponentChildren;
	raw?(row: T): string | number; // for the download and for sorting, when the cell is not a text
}

function rawOf<T>(column: Column<T>, row: T): string | number {
	if (column.raw) return column.raw(row);
	const cell = column.cell(row);
	return typeof cell === "string" || typeof cell === "number" ? cell : "";
}

// What is missing comes last both ways; equal ones stay as they were.
export function sortedBy<T>(rows: T[], value: (row: T) => string | number, down: boolean): T[] {
	const keyed = rows.map((row, at) => ({ row, at, value: value(row) }));
	const missing = (one: string | number) => one === "" || (typeof one === "number" && Number.isNaN(one));
	keyed.sort((a, b) => {
		const gone = Number(missing(a.value)) - Number(missing(b.value));
		if (gone || missing(a.value)) return gone || a.at - b.at;
		const order = typeof a.value === "number" && typeof b.value === "number" ? a.value - b.value : String(a.value).localeCompare(String(b.value));
		return (down ? -order : order) || a.at - b.at;
	});
	return keyed.map((one) => one.row);
}

interface TableProps<T> {
	label: string;
	columns: Column<T>[];
	rows: T[];
	total?: ComponentChildren[];
	most?: number;
	file?: string;
	chosen?(row: T): boolean;
	fixed?: boolean; // the order says something of its own
}

export function Table<T>(props: TableProps<T>) {
	const [all, setAll] = useState(false);
	const [order, setOrder] = useState<{ at: number; down: boolean } | null>(null);
	const most = props.most ?? 200;
	const by = order ? props.columns[order.at] : undefined;
	const sorted = by && order ? sortedBy(props.rows, (row) => rawOf(by, row), order.down) : props.rows;
	const rows = all || sorted.length <= most ? sorted : sorted.slice(0, most);
	// Numbers the largest first, texts from a on; then the other way; then as it was.
	const turn = (at: number, num: boolean) => setOrder(order?.at !== at ? { at, down: num } : order.down === num ? { at, down: !num } : null);
	const sortable = !props.fixed && props.rows.length > 1;
	return (
		<>
			<div class={rows.length <= FEW ? "whole" : "scroll"} role="group" aria-label={props.label} tabIndex={0}>
				<table>
					<caption class="unseen">{props.label}</caption>
					<thead>
						<tr>{props.columns.map((column, at) => {
							const mark = order?.at === at ? (order.down ? " ↓" : " ↑") : "";
							return (
								<th key={column.title} scope="col" class={column.num ? "num" : ""} title={column.says} aria-sort={mark ? (order!.down ? "descending" : "ascending") : undefined}>
									{sortable && column.title ? <button onClick={() => turn(at, Boolean(column.num))}>{column.title}{mark}</button> : column.title}
								</th>
							);
						})}</tr>
					</thead>
					<tbody>
						{rows.map((row, i) => (
							<tr key={i} aria-selected={props.chosen ? props.chosen(row) : undefined}>{props.columns.map((column) => (
								<td key={column.title} class={column.num ? "num" : String(rawOf(column, row)).length > 24 ? "name" : ""}>{column.cell(row)}</td>
							))}</tr>
						))}
						{props.total ? <tr class="total">{props.total.map((cell, i) => (
							<td key={i} class={props.columns[i]?.num ? "num" : ""}>{cell}</td>
						))}</tr> : null}
					</tbody>
				</table>
			</div>
			<div class="row small tools" style="margin-top:6px">
				{rows.length < props.rows.length
					? <button onClick={() => setAll(true)}>all {props.rows.length} rows</button> : null}
				{props.file ? <button class="plain small" onClick={() => download(props.file + ".csv",
					csvText(props.columns.map((column) => column.file ?? column.title), sorted.map((row) => props.columns.map((column) => rawOf(column, row)))))}>
					Download CSV</button> : null}
			</div>
		</>
	);
}

export function Behind(props: { label: string; children: ComponentChildren }) {
	const [open, setOpen] = useState(false);
	return (
		<details class="behind" open={open} onToggle={(event) => setOpen((event.target as HTMLDetailsElement).open)}>
			<summary>{props.label}</summary>
			{open ? props.children : null}
		</details>
	);
}
