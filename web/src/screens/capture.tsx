// SPDX-License-Identifier: Apache-2.0
// How the run was recorded, how far it can be trusted, and what it cost.
import { useState } from "preact/hooks";
import { accountOf, type Run } from "../data/run";
import * as format from "../logic/format";
import { Card, Facts } from "../ui/card";
import { notesOn } from "../ui/empty";
import { Plot } from "../ui/plot";
import { Behind, Table, type Column } from "../ui/table";

type Json = { [key: string]: unknown };

export function Capture(props: { run: Run }) {
	const { run } = props;
	const { manifest } = run;
	const notes = notesOn([]);
	return (
		<div class="grid">
			<Card title="Run" wide="half"><RunFacts run={run} /></Card>
			<Card title="Clocks" hint="how well host and devices agree" wide="half"><Clocks run={run} /></Card>
			<Card title="Programs" wide="half"><Programs list={(manifest.programs ?? []) as Json[]} told={manifest.run?.programs} /></Card>
			<Card title="Cost of profiling" wide="half"><Cost run={run} /></Card>
			<Card title="Lost or missing" wide="half">
				<Losses run={run} />
				{notes.length ? <ul>{notes.map((note, i) => <li key={i}>{note}</li>)}</ul> : <p class="soft">Nothing that this page is made of is known to be missing.</p>}
				{manifest.facts?.length ? <><h3 style="margin-top:12px">What the recording says of itself</h3><ul>{manifest.facts.map((fact, i) => <li key={i}>{format.short(String(fact), 500)}</li>)}</ul></> : null}
			</Card>
			<Card title="Files" wide="half" tools={manifest.served ? <Served run={run} /> : null}>
				{manifest.files?.length ? <Table label="Files" rows={manifest.files} columns={[{ title: "name", cell: (file) => file.name }, { title: "size", num: true, cell: (file) => format.bytes(file.bytes) }]} /> : <p class="soft">No files are named.</p>}
				<p class="small soft" style="margin-top:8px">Page: {format.count(run.manifest.zones?.n ?? 0)} zones, {format.count(run.lanes.length)} lanes, {format.count(run.strings.length)} texts; data form {manifest.schema}; made by {manifest.tool}, {manifest.made}.</p>
			</Card>
			{run.plots.length && run.zones.value ? run.plots.map((plot) => (
				<Card key={plot.name} title={format.short(plot.name, 80)} hint="a plot of the program" wide="half"><PlotCard plot={plot} /></Card>
			)) : null}
		</div>
	);
}

function say(value: unknown): string {
	if (value === null || value === undefined) return format.NONE;
	if (Array.isArray(value)) return value.map(say).join(" ");
	if (typeof value === "object") return JSON.stringify(value);
	return String(value);
}

export const TIME_KINDS: { [kind: string]: string } = {
	real: "real: the machine's clock", modelled: "modelled: the simulated chip's clock, not the wall's", scripted: "scripted: counted by calls, so that two runs are alike", instruction_count: "instructions counted, not time",
};

function RunFacts(props: { run: Run }) {
	const { manifest } = props.run;
	const facts: [string, preact.ComponentChildren][] = [["title", format.short(manifest.title, 300)]];
	const run = manifest.run ?? {};
	for (const key of ["command", "cwd", "directory", "exit", "status", "start", "started", "end", "duration_s", "host", "version", "versions", "git"])
		if (run[key] !== undefined && run[key] !== null) facts.push([key.replace(/_/g, " "), key === "command" ? <code>{format.short(say(run[key]), 2000)}</code> : format.short(say(run[key]), 1000)]);
	facts.push(["whole run", format.time(manifest.span_ns)]);
	if (manifest.focus_ns) facts.push([manifest.devices?.length ? "devices worked" : "work was done", `for ${format.time(manifest.focus_ns[1] - manifest.focus_ns[0])}, beginning ${format.time(manifest.focus_ns[0])} into the run`]);
	facts.push(["clock of the host", TIME_KINDS[manifest.time_kind ?? ""] ?? manifest.time_kind ?? "the machine's, as far as is known: the recording does not say whether it was modelled or scripted"]);
	const environment = (run.environment ?? run.env) as Json | undefined;
	return (
		<>
			<Facts list={facts} />
			{manifest.run ? null : <p class="small soft" style="margin-top:8px">Command and environment are not known: there is no run.json. `ttprof run` writes one.</p>}
			{environment && typeof environment === "object" ? <Behind label="Environment"><Facts list={Object.entries(environment).map(([key, value]) => [key, <code>{format.short(say(value), 500)}</code>])} /></Behind> : null}
			{manifest.run ? <Behind label="All of run.json"><pre tabIndex={0}>{format.short(JSON.stringify(manifest.run, null, 1), 200000)}</pre></Behind> : null}
		</>
	);
}

interface CostDevice {
	device: number;
	clock_mhz: number;
	zone_cycles: number | null;
	zone_inside_cycles: number | null;
	reads: number;
	markers: number;
	read_ns: number | null;
	sync: { ghz: number; error_ns: number; error_ppm: number; samples: number; kept: number } | null;
}

const costDevices = (run: Run) => ((run.manifest.cost?.devices ?? []) as CostDevice[]);

// Columns that have nothing for any device say nothing.
function dashless(rows: CostDevice[], columns: Column<CostDevice>[]): Column<CostDevice>[] {
	return columns.filter((column) => rows.some((row) => column.cell(row) !== format.NONE));
}

function Clocks(props: { run: Run }) {
	const devices = costDevices(props.run);
	const programs = (props.run.manifest.programs ?? []) as Json[];
	return (
		<>
			{devices.length ? <Table label="Clocks of devices" rows={devices} columns={dashless(devices, [
				{ title: "device", num: true, cell: (one: CostDevice) => String(one.device) }, { title: "clock", num: true, cell: (one: CostDevice) => `${format.count(one.clock_mhz)} MHz` },
				{ title: "measured against the host", cell: (one: CostDevice) => (one.sync ? "yes" : "no, placed by its first launch") },
				{ title: "offset known to", num: true, cell: (one: CostDevice) => (one.sync ? "± " + format.time(one.sync.error_ns) : format.NONE) },
				{ title: "rate known to", num: true, cell: (one: CostDevice) => (one.sync ? "± " + one.sync.error_ppm + " ppm" : format.NONE) },
				{ title: "samples", num: true, cell: (one: CostDevice) => (one.sync ? `${one.sync.kept} of ${one.sync.samples} kept` : format.NONE) },
			])} /> : <p class="soft">No device told of its clock. TT_METAL_PROFILER_SYNC=1 measures it against the host's.</p>}
			{programs.length ? <p class="small soft" style="margin-top:6px">Programs: {programs.map((one) => `${format.short(say(one.program), 40)} ${Number(one.error_ns) > 0 ? "placed to ± " + format.time(Number(one.error_ns)) : "on the clock of this page"}`).join("; ")}</p> : null}
		</>
	);
}

function Programs(props: { list: Json[]; told: unknown }) {
	// A .tracy file does not say which protocol it came by; run.json does.
	const told = Array.isArray(props.told) ? (props.told as Json[]) : [];
	const protocol = (one: Json) => one.protocol || told.find((other) => other?.pid === one.pid)?.protocol || null;
	if (!props.list.length) return <p class="soft">No trace of the host: no programs are known.</p>;
	return (
		<Table label="Programs" rows={props.list} columns={[
			{ title: "program", cell: (one: Json) => format.short(say(one.program), 60) }, { title: "pid", num: true, cell: (one: Json) => say(one.pid) },
			{ title: "zones", num: true, cell: (one: Json) => format.count(Number(one.zones)) }, { title: "protocol", cell: (one: Json) => format.short(say(protocol(one)), 20) },
			{ title: "ended", cell: (one: Json) => (one.ended ? "yes" : "no, cut off") },
			{ title: "dropped", cell: (one: Json) => dropped(one.dropped) },
			{ title: "machine", cell: (one: Json) => format.short(say(one.host).trim().split("\n").join(" · "), 400) },
		]} />
	);
}

function dropped(value: unknown): string {
	if (typeof value === "number") return format.count(value);
	const list = Object.entries((value ?? {}) as Json).filter(([, n]) => Number(n) > 0);
	return list.length ? list.map(([kind, n]) => `${format.count(Number(n))} ${kind}`).join(", ") : "none";
}

function Cost(props: { run: Run }) {
	const { cost } = props.run.manifest;
	const devices = costDevices(props.run);
	if (!cost) return <p class="soft">It was not measured in this run (profiler_overhead.json).</p>;
	const host = typeof cost.host_zone_ns === "number" ? `Recording a zone takes the host ${format.time(cost.host_zone_ns)}.` : "What recording a zone takes the host was not measured in this run.";
	return (
		<>
			<p style="margin-bottom:8px">{host}</p>
			<Table label="Cost on devices" rows={devices} columns={dashless(devices, [
				{ title: "device", num: true, cell: (one: CostDevice) => String(one.device) },
				{ title: "a zone costs", num: true, cell: (one: CostDevice) => (one.zone_cycles === null ? format.NONE : `${format.count(one.zone_cycles)} cycles`) },
				{ title: "of which in its own time", num: true, cell: (one: CostDevice) => (one.zone_inside_cycles === null ? format.NONE : `${format.count(one.zone_inside_cycles)} cycles`) },
				{ title: "markers", num: true, cell: (one: CostDevice) => format.count(one.markers) }, { title: "buffer reads", num: true, cell: (one: CostDevice) => format.count(one.reads) },
				{ title: "reading took", num: true, cell: (one: CostDevice) => (one.read_ns === null ? format.NONE : format.time(one.read_ns)) },
			])} />
		</>
	);
}

function Losses(props: { run: Run }) {
	const account = props.run.manifest.account ?? accountOf(props.run.manifest);
	if (!account) return null;
	return (
		<>
			<p style="margin-bottom:8px">Of {format.plural(account.seen, "op")} {format.count(account.timed)} were timed, {format.count(account.partial)} in part; {format.count(account.dropped)} were lost.</p>
			{account.causes?.length ? <Table label="Causes" rows={account.causes} columns={[...new Set(account.causes.flatMap((cause) => Object.keys(cause)))].map((key) => ({ title: key.replace(/_/g, " "), cell: (cause: Json) => format.short(say(cause[key]), 300) }))} /> : null}
		</>
	);
}

function PlotCard(props: { plot: Run["plots"][number] }) {
	const { plot } = props;
	const x = Array.from(plot.time);
	const text = plot.unit === "B" ? format.bytes : plot.unit === "%" ? (value: number) => format.percent(value) : format.count;
	return (
		<>
			<Plot label={plot.name} x={x} xName="time" xText={format.time} yText={text} series={[{ name: plot.name, values: Array.from(plot.value) }]} height={170} />
			<Behind label="Table"><Table label={plot.name} file="plot" rows={x.map((_, i) => i)} columns={[{ title: "time", num: true, cell: (i: number) => format.time(x[i]), raw: (i: number) => x[i] }, { title: "value", num: true, cell: (i: number) => text(plot.value[i]), raw: (i: number) => plot.value[i] }]} /></Behind>
		</>
	);
}

// Only where a server gave the page.
function Served(props: { run: Run }) {
	const [told, setTold] = useState("");
	const { source } = props.run;
	const refresh = async () => {
		setTold("reading …");
		try {
			const answer = await (await fetch(source.url("/refresh"), { method: "POST" })).json();
			if (answer.ok) location.reload();
			else setTold(String(answer.error ?? "it failed"));
		} catch (error) {
			setTold("the server does not answer: " + String((error as Error).message));
		}
	};
	return (
		<>
			<a href={source.url("/download")} download>Download all (tar)</a>
			<button onClick={refresh}>Refresh</button>
			<span role="status" class="small">{told}</span>
		</>
	);
}
