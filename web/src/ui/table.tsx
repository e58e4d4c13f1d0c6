// SPDX-License-Identifier: Apache-2.0
// A plain table, its download, and the table behind a chart.
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { csvText, download } from "./download";

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

export function Table<T>(props: { label: string; columns: Column<T>[]; rows: T[]; total?: ComponentChildren[]; most?: number; file?: string }) {
	const [all, setAll] = useState(false);
	const most = props.most ?? 200;
	const rows = all || props.rows.length <= most ? props.rows : props.rows.slice(0, most);
	return (
		<>
			<div class="scroll" role="group" aria-label={props.label} tabIndex={0}>
				<table>
					<caption class="unseen">{props.label}</caption>
					<thead>
						<tr>{props.columns.map((column) => (
							<th key={column.title} scope="col" class={column.num ? "num" : ""} title={column.says}>{column.title}</th>
						))}</tr>
					</thead>
					<tbody>
						{rows.map((row, i) => (
							<tr key={i}>{props.columns.map((column) => (
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
					csvText(props.columns.map((column) => column.file ?? column.title), props.rows.map((row) => props.columns.map((column) => rawOf(column, row)))))}>
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
