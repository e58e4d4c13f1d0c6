// SPDX-License-Identifier: Apache-2.0
// What `ttprof view` writes into the page: docs/formats/page.md.

export interface ColumnInfo {
	n: number;
	w: number;
	type: "uint" | "f64" | "utf8";
	enc: string;
	chunks: number[];
	chunk_n?: number;
	per_lane?: boolean;
}

export type ColumnId = number;

export interface LaneInfo {
	id: number;
	parent: number;
	kind: string;
	name: string;
	track?: number;
	depth: number;
	device?: number;
	x?: number;
	y?: number;
	risc?: string;
	first: number;
	count: number;
	total?: number; // zones of the whole run; `count` is of the window, where there are windows
	t0: number;
	busy_ns: number;
}

export interface DeviceInfo {
	id: number;
	arch: string;
	mhz: number;
	workers?: number;
	map?: "chip" | "unknown" | "misfit";
	width: number;
	height: number;
	cells: [number, number, string][];
}

export interface FieldInfo {
	key: string;
	kind: "number" | "text";
	unit?: string;
	column: ColumnId;
	from?: "csv" | "report" | "page";
	says?: string;
}

export interface Finding {
	what: string;
	saves_us?: number;
	calls?: number;
	time_us?: number;
	example_id?: number;
	text: string;
	advice?: string;
}

export interface Account {
	seen: number;
	timed: number;
	partial: number;
	dropped: number;
	causes: { [key: string]: unknown }[];
}

export interface Report {
	schema: string;
	source?: { files?: string[]; rows?: number };
	chip?: { [key: string]: unknown };
	account?: Account;
	verdict?: string;
	headline?: string; // the verdict as a sentence
	totals?: { [key: string]: number };
	findings?: Finding[];
}

// What `ttprof device --json` prints.
export interface DeviceAnalysis {
	[key: string]: unknown;
}

// A table of columns: its length and, by name, the column of each field.
export interface TableInfo {
	n: number;
	[field: string]: number | null;
}

// What `ttprof report --json` says of a run without ops (ttprof.host/1).
export interface HostFunction {
	name: string;
	function: string; // qualified, where the trace has it
	at: string; // file:line
	calls: number;
	self_us: number;
	total_us: number;
	percent: number;
}

export interface HostVerdict {
	headline: string;
	span_us: number;
	functions: HostFunction[];
}

export interface Manifest {
	schema: number;
	tool: string;
	title: string;
	made: string;
	served?: boolean;
	origin_ns?: string;
	span_ns: number;
	focus_ns?: [number, number] | null;
	time_kind: string | null;
	run: { [key: string]: unknown } | null;
	host?: HostVerdict | null; // of a run without ops
	report: Report | null; // of the whole run
	parts?: { row: number; report: Report }[] | null; // of what follows the signpost in the row before
	account: Account | null;
	programs?: { [key: string]: unknown }[] | null;
	facts?: string[] | null;
	cost?: { [key: string]: unknown } | null;
	device_analysis?: DeviceAnalysis | null;
	notes: (string | { part?: string; text: string })[];
	files?: { name: string; bytes: number }[];
	devices: DeviceInfo[] | null;
	strings: ColumnId | null;
	columns: ColumnInfo[];
	lanes: LaneInfo[] | null;
	zones: TableInfo | null;
	ops: { n: number; fields: FieldInfo[] } | null;
	op_cores: TableInfo | null;
	messages: TableInfo | null;
	signposts: TableInfo | null;
	frames: TableInfo | null;
	plots: { name: string; unit?: string; time: ColumnId; value: ColumnId; n?: number }[] | null;
	flows: TableInfo | null;
	flame: TableInfo | null;
	order: { [name: string]: ColumnId } | null;
}
