// SPDX-License-Identifier: Apache-2.0
// Ops on the chip's roofs: arithmetic over time against arithmetic per byte that must be moved.
import { find } from "../data/ops";
import type { OpView } from "./opview";
import { foldOps } from "./opview";

export interface Chip {
	name: string;
	cores: number;
	dramGBps: number;
	slopes: { of: string; gbps: number }[]; // the lowest first; of equal ones the names together
	roofs: { of: string; tflops: number }[]; // by fidelity, the highest first
}

export interface RoofPoint {
	name: string;
	intensity: number; // FLOP per byte
	tflops: number;
	time: number; // ns, all calls
	share: number;
	calls: number;
	row: number;
	percent: number; // of its roof
	category: string;
	fidelity: string; // "": not known
	cores: number; // that it ran on; NaN: not known
	roof: number; // TFLOP/s that its limits allow: those cores, at its fidelity, with its bytes; NaN: not known
}

// Without arithmetic that is counted: all that bounds it is what it moves.
export interface Mover {
	name: string;
	gbps: number;
	time: number;
	share: number;
	calls: number;
	row: number;
	category: string;
	percent: number; // of its roof
}

export interface RoofData {
	points: RoofPoint[];
	movers: Mover[];
	missing: { name: string; time: number; why: string }[];
}

// All roofs are the report's.
export function chipOf(report: { chip?: { [key: string]: unknown } } | null): Chip | null {
	const chip = report?.chip, all = Array.isArray(chip?.roofs) ? (chip.roofs as { of: string; gbps?: number; tflops?: number }[]) : [];
	const slopes: Chip["slopes"] = [], roofs = all.flatMap((one) => (one.tflops ? [{ of: one.of, tflops: one.tflops }] : []));
	for (const { of, gbps } of all.filter((one) => one.gbps).sort((a, b) => a.gbps! - b.gbps!)) {
		const last = slopes[slopes.length - 1];
		if (last?.gbps === gbps) last.of += ", " + of;
		else slopes.push({ of, gbps: gbps! });
	}
	const dramGBps = all.find((one) => one.of === "DRAM")?.gbps ?? NaN;
	if (!(dramGBps > 0) || !roofs.length) return null;
	return { name: String(chip?.name ?? ""), cores: Number(chip?.worker_cores), dramGBps, slopes, roofs };
}

// What has no count of arithmetic or of bytes is named, not guessed.
export function roofPoints(view: OpView, rows: number[]): RoofData {
	const math = find(view.ops, "MATH FIDELITY"), types = find(view.ops, "types");
	const work = find(view.ops, "work_gflop"), bytes = find(view.ops, "bytes_mb"), roof = find(view.ops, "roof_percent"), ideal = find(view.ops, "ideal_us");
	const lines = foldOps(view, rows);
	const all = lines.reduce((sum, line) => sum + line.time, 0);
	const points: RoofPoint[] = [], movers: Mover[] = [], missing: RoofData["missing"] = [];
	for (const line of lines) {
		const row = line.longest;
		const flop = (work?.number(row) ?? NaN) * 1e9, moved = (bytes?.number(row) ?? NaN) * 1e6;
		const mean = line.time / line.rows.length;
		const share = all > 0 ? line.time / all : 0, common = { name: line.name, time: line.time, share, calls: line.rows.length, row, category: line.category };
		if (!(moved > 0)) missing.push({ name: line.name, time: line.time, why: flop > 0 ? "its bytes are not known" : "neither its arithmetic nor its bytes are known" });
		else if (!(mean > 0)) missing.push({ name: line.name, time: line.time, why: "it has no time" });
		else if (!(flop > 0)) movers.push({ ...common, gbps: moved / mean, percent: roof?.number(row) ?? NaN });
		else {
			const fidelity = math?.text(row) || /LoFi|HiFi\d/.exec(types?.text(row) ?? "")?.[0] || "";
			const cores = view.cores?.number(row) ?? NaN, least = (ideal?.number(row) ?? NaN) * 1e3;
			points.push({ ...common, intensity: flop / moved, tflops: flop / mean / 1000, percent: roof?.number(row) ?? NaN, fidelity, cores, roof: least > 0 ? flop / least / 1000 : NaN });
		}
	}
	return { points, movers, missing };
}

export interface Circle {
	x: number;
	y: number;
	r: number;
}

export interface LabelBox {
	x: number; // left
	y: number; // middle
	w: number;
	which: number;
}

// Names beside their circles: right, left, above or below, where they touch no circle and no other name; those that find no place are left out.
// `taken`: boxes of other texts; `lines`: dots of what is drawn there, which names keep off if they can.
export function placeLabels(circles: Circle[], widths: number[], left: number, right: number, height = 14, taken: Omit<LabelBox, "which">[] = [], lines: Circle[] = []): LabelBox[] {
	const placed: LabelBox[] = [];
	const clear = (x: number, y: number, w: number, all: Circle[]) => x >= left && x + w <= right
		&& ![...placed, ...taken].some((one) => Math.abs(one.y - y) < height && x < one.x + one.w && one.x < x + w)
		&& !all.some((c) => {
			const dx = Math.max(x - c.x, 0, c.x - x - w), dy = Math.max(y - height / 2 - c.y, 0, c.y - y - height / 2);
			return dx * dx + dy * dy < c.r * c.r;
		});
	const everything = [...circles, ...lines];
	const place = (c: Circle, which: number, all: Circle[]) => {
		const w = widths[which];
		if (!(w > 0)) return;
		for (const [x, y] of [[c.x + c.r + 4, c.y], [c.x - c.r - 4 - w, c.y], [c.x - w / 2, c.y - c.r - height], [c.x - w / 2, c.y + c.r + height], [c.x + c.r + 4, c.y - c.r - height / 2], [c.x + c.r + 4, c.y + c.r + height / 2]])
			if (clear(x, y, w, all)) {
				placed.push({ x, y, w, which });
				return;
			}
	};
	circles.forEach((c, which) => place(c, which, everything));
	// Over a line rather than not at all.
	if (lines.length) circles.forEach((c, which) => placed.some((one) => one.which === which) || place(c, which, circles));
	return placed;
}
