// SPDX-License-Identifier: Apache-2.0
// What `ttprof view` writes into the page: docs/reference/formats/page.md.

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
	synced?: boolean; // its clock was compared with the host's
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
	device?: number; // of a slow core
	x?: number;
	y?: number;
}

export interface Account {
	seen: number;
	timed: number;
	partial: number;
	dropped: number;
	causes: { [key: string]: unknown }[];
}

// A share of the time, as C has it: `ttprof report --json`.
export interface TimePart {
	part: string;
	us: number;
	percent?: number;
	example_id?: number;
}

export interface Step {
	name: string;
	aside?: boolean; // warm-up and what lies between steps
	first_id: number;
	last_id: number;
	ops: number;
	us: number;
	parts: TimePart[];
}

export interface Report {
	schema: string;
	source?: { files?: string[]; rows?: number; part?: string; steady?: { repeats?: number; ops?: number; warm_up_us?: number } };
	time_parts?: TimePart[];
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

// A pool of memory, as the trace has it.
export interface PoolInfo {
	name: string;
	allocations: number;
	peak_bytes: number;
	open_bytes: number; // in use when the trace ended
	largest_bytes: number;
	peak_ns: number;
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
	usual?: Report | null; // of what `ttprof report` shows by itself, if that is not the whole run
	steps?: { steps: Step[] } | null;
	core_findings?: Finding[] | null; // of what `ttprof report` shows by itself
	clock_note?: string; // of simulated chips
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
	pools?: PoolInfo[];
	memory?: TableInfo | null;
	order: { [name: string]: ColumnId } | null;
}
