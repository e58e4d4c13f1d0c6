// SPDX-License-Identifier: Apache-2.0
// Timestamps by core, in the form of the 2023 dashboard's device_rearranged_timestamps.csv: a row per core, repeated times in one cell.
import type { Run } from "../data/run";
import type { Zones } from "../data/zones";

const RISCS = ["BRISC", "NCRISC"];
const PARTS: [string, "start" | "end", string][] = [["FW", "start", "Firmware Start"], ["KERNEL", "start", "Kernel start"], ["KERNEL", "end", "Kernel End"], ["FW", "end", "Firmware End"]];

export function rearranged(run: Run, zones: Zones, device: number, mhz: number): string {
	const cores = new Map<string, { x: number; y: number; times: Map<string, number[]> }>();
	for (const lane of run.lanes) {
		const risc = (lane.risc ?? "").toUpperCase();
		if (lane.kind !== "core" || (lane.device ?? 0) !== device || !RISCS.includes(risc) || lane.x === undefined || lane.y === undefined) continue;
		const key = `${lane.x},${lane.y}`;
		const core = cores.get(key) ?? { x: lane.x, y: lane.y, times: new Map() };
		cores.set(key, core);
		for (let i = lane.first; i < lane.first + lane.count; i++) {
			const name = run.strings[zones.name[i]] ?? "";
			for (const [part, edge] of PARTS) {
				if (name !== `${risc}-${part}`) continue;
				const cell = `${risc} ${part} ${edge}`;
				const list = core.times.get(cell) ?? [];
				list.push(Math.round(((zones.start[i] + (edge === "end" ? zones.dur[i] : 0)) * mhz) / 1000));
				core.times.set(cell, list);
			}
		}
	}
	const lines = [`Clock Frequency [MHz],${mhz}`, `PCIe slot,${device}`,
		["core x", "core y", ...RISCS.flatMap((risc) => PARTS.map(([, , title]) => `${risc} ${title}`))].join(",")];
	for (const core of [...cores.values()].sort((a, b) => a.x + 100 * a.y - b.x - 100 * b.y))
		lines.push([core.x, core.y, ...RISCS.flatMap((risc) => PARTS.map(([part, edge]) => (core.times.get(`${risc} ${part} ${edge}`) ?? []).join(" ")))].join(","));
	return lines.join("\n") + "\n";
}
