// SPDX-License-Identifier: Apache-2.0
// Which cores changed: what each was busy in a step with the chosen op, or with all of them, NEW less BASE.
import { useMemo } from "preact/hooks";
import type { Comparison } from "../data/comparison";
import { get, set } from "../state";
import type { RunEntry } from "../data/current";
import * as format from "../logic/format";
import { coresApart } from "../logic/coresapart";
import { rowOfId } from "../logic/sidebyside";
import { Card } from "../ui/card";
import { Table } from "../ui/table";
import { tip } from "../ui/tip";
import type { Sides } from "./compare";

const CELL = 30, HEAD = 18;

export function CompareCores(props: { compared: Comparison; sides: Sides; line: number }) {
	const { compared, sides, line } = props, whole = get("cc") === "all";
	const a = sides.base.run.value, b = sides.new.run.value, devices = a?.manifest.devices ?? [];
	const list = useMemo(() => {
		const ops = (entry: RunEntry, ids: number[]) => new Set(ids.flatMap((id, i) => (id && compared.pairs.line[i] && (whole || compared.pairs.line[i] === line + 1) ? [rowOfId(entry.run.value!.ops!, id) + 1] : [])));
		if (!a?.opCores?.busy || !b?.opCores?.busy || !a.ops || !b.ops) return [];
		const of = { base: ops(sides.base, compared.pairs.base), new: ops(sides.new, compared.pairs.new) };
		return devices.map((info) => ({ info, cores: coresApart(a.opCores!, b.opCores!, info.id, of) })).filter((one) => one.cores.length);
	}, [compared, a, b, line, whole]);
	if (!list.length) return null;
	const most = Math.max(1, ...list.flatMap((one) => one.cores.map((core) => Math.abs(core.by)))), change = (ns: number) => format.signed(ns, format.time);
	const tint = (by: number) => `color-mix(in srgb, var(${by > 0 ? "--bad" : "--good"}) ${Math.round((70 * Math.abs(by)) / most)}%, var(--raised))`;
	const rows = list.flatMap(({ info, cores }) => cores.map((core) => ({ ...core, device: info.id }))).sort((x, y) => Math.abs(y.by) - Math.abs(x.by));
	return (
		<Card title="Cores" hint={`busy in a step with ${whole ? "all ops" : "this op"}: red took longer in NEW, green less`} tools={
			<><button aria-pressed={!whole} onClick={() => set({ cc: null })}>this op</button><button aria-pressed={whole} onClick={() => set({ cc: "all" })}>all ops</button></>}>
			<div class="heat"><div class="multiples">{list.map(({ info, cores }) => {
				const xs = cores.map((core) => core.x), ys = cores.map((core) => core.y), x0 = Math.min(...xs), y0 = Math.min(...ys);
				return (
					<figure key={info.id} style="margin:0">{list.length > 1 ? <figcaption>device {info.id}</figcaption> : null}
						<svg width={(Math.max(...xs) - x0 + 1) * CELL + HEAD} height={(Math.max(...ys) - y0 + 1) * CELL + HEAD} role="img" aria-label={`Cores of device ${info.id}; the table has them`} onMouseLeave={() => (tip.value = null)}>
							{[...new Set(xs)].map((x) => <text key={"x" + x} x={HEAD + (x - x0 + 0.5) * CELL} y={12} font-size="11" fill="var(--soft)" text-anchor="middle">{x}</text>)}
							{[...new Set(ys)].map((y) => <text key={"y" + y} x={HEAD - 4} y={HEAD + (y - y0 + 0.6) * CELL} font-size="11" fill="var(--soft)" text-anchor="end">{y}</text>)}
							{cores.map((core) => <rect key={core.x + "," + core.y} class="core" x={HEAD + (core.x - x0) * CELL} y={HEAD + (core.y - y0) * CELL} width={CELL - 2} height={CELL - 2} rx={3} style={{ fill: tint(core.by) }}
								onMouseMove={(event) => (tip.value = { x: event.clientX, y: event.clientY, title: `core ${core.x},${core.y}`, lines: [`${format.time(core.base)} → ${format.time(core.now)}`, change(core.by)] })} />)}
						</svg></figure>
				);
			})}</div>
			<div style="flex:1;min-width:min(360px,100%)"><Table label="Cores" file="cores_compared" rows={rows} most={8} columns={[
				...(list.length > 1 ? [{ title: "device", num: true, cell: (row: (typeof rows)[number]) => String(row.device) }] : []),
				{ title: "core", cell: (row) => `${row.x},${row.y}` },
				{ title: "BASE", file: "BASE [ns]", num: true, cell: (row) => format.time(row.base), raw: (row) => row.base },
				{ title: "NEW", file: "NEW [ns]", num: true, cell: (row) => format.time(row.now), raw: (row) => row.now },
				{ title: "change", file: "change [ns]", num: true, cell: (row) => change(row.by), raw: (row) => row.by },
			]} /></div></div>
		</Card>
	);
}
