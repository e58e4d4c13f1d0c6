// SPDX-License-Identifier: Apache-2.0
// One trend: a point per run in the order of commits, a line per stretch between changes, a bar where it changed for good.
import { useRef } from "preact/hooks";
import { commitOf, dateOf, type Change, type HistoryRun, type Trend } from "../data/history";
import * as format from "../logic/format";
import { path, scaleOf, ticks } from "../logic/chart";
import { useSize } from "../ui/size";
import { tip } from "../ui/tip";

const LEFT = 74, RIGHT = 14, ABOVE = 10, HIGH = 230, BELOW = 40, NAME = 92;
const MANY = 700; // points that are drawn one by one

// From nothing would flatten what changed: a tenth of the height stays free at both ends.
function valueScale(ns: (number | null)[], from: number, to: number) {
	const there = ns.filter((value): value is number => value !== null);
	let low = Infinity, high = -Infinity;
	for (const value of there) [low, high] = [Math.min(low, value), Math.max(high, value)];
	if (!there.length) [low, high] = [0, 1];
	const free = high > low ? (high - low) / 10 : Math.max(high / 10, 1);
	return scaleOf([Math.max(0, low - free), high + free], from, to, false);
}

export const kindOf = (change: Change) => (change.clock ? "clock" : change.verdict);

interface ChartProps {
	trend: Trend;
	runs: HistoryRun[];
	chosen: number; // of the runs
	choose(run: number): void;
}

export function HistoryChart(props: ChartProps) {
	const { trend, runs, chosen } = props;
	const box = useRef<HTMLDivElement>(null);
	const { width } = useSize(box);
	const n = runs.length, place = new Map(runs.map((run, i) => [run.id, i]));
	const xs = scaleOf([0, Math.max(1, n - 1)], LEFT, Math.max(LEFT + 1, width - RIGHT), false);
	const x = (run: number) => xs.at(n > 1 ? run : 0.5);
	const ys = valueScale(trend.ns, ABOVE + HIGH, ABOVE);
	const at = (id: number) => place.get(id) ?? 0;
	const changes = trend.changes.map((change) => ({ change, good: at(change.last_good_run), bad: at(change.first_bad_run) })).sort((a, b) => a.bad - b.bad);
	const nearest = (event: MouseEvent) => {
		const px = event.clientX - box.current!.getBoundingClientRect().left;
		return Math.max(0, Math.min(n - 1, Math.round(n > 1 ? ((px - LEFT) / Math.max(1, width - RIGHT - LEFT)) * (n - 1) : 0)));
	};
	const show = (event: MouseEvent) => {
		const i = nearest(event), value = trend.ns[i];
		tip.value = { x: event.clientX, y: event.clientY, title: `${format.short(commitOf(runs[i]), 40)} ${dateOf(runs[i].time_s)}`,
			lines: [value === null ? "not known" : format.exact(value, value / 1e4), ...changes.filter((one) => one.bad === i).map(({ change }) => `${change.verdict} from here on`)] };
	};
	const key = (event: KeyboardEvent) => {
		const by = { ArrowLeft: -1, ArrowRight: 1, Home: -n, End: n }[event.key];
		if (!by) return;
		event.preventDefault();
		props.choose(Math.max(0, Math.min(n - 1, chosen + by)));
	};
	const names = namesAt(n, width, x);
	return (
		<div class="chart trend" ref={box} tabIndex={0} role="slider" aria-label="Run" aria-valuemin={1} aria-valuemax={n} aria-valuenow={chosen + 1}
			aria-valuetext={`${format.short(commitOf(runs[chosen]), 40)}, ${format.time(trend.ns[chosen] ?? NaN)}`} onKeyDown={key} style={{ minHeight: HIGH + ABOVE + BELOW + "px" }}>
			{width > LEFT + 60 ? <svg class="plot" width={width} height={HIGH + ABOVE + BELOW} aria-hidden="true" onPointerMove={show} onPointerLeave={() => (tip.value = null)}
				onClick={(event) => props.choose(nearest(event))}>
				{ticks(ys.low, ys.high, 5).map((value) => (
					<g key={value}><line x1={LEFT} x2={width - RIGHT} y1={ys.at(value)} y2={ys.at(value)} /><text x={LEFT - 8} y={ys.at(value) + 4} text-anchor="end">{format.exact(value, (ys.high - ys.low) / 5)}</text></g>
				))}
				{changes.map(({ change, good, bad }) => <rect key={bad} class={"change " + kindOf(change)} x={x(good)} y={ABOVE} width={Math.max(3, x(bad) - x(good))} height={HIGH} />)}
				{n <= MANY ? trend.ns.map((value, i) => (value === null ? null : <circle key={i} cx={x(i)} cy={ys.at(value)} r={i === chosen ? 5 : 3} class={i === chosen ? "chosen" : ""} />))
					: <path d={path(runs.map((_, i) => i), trend.ns, x, ys.at)} class="values" />}
				{changes.map(({ change, good, bad }, i) => {
					const from = i ? changes[i - 1].bad : 0, to = i + 1 < changes.length ? changes[i + 1].good : n - 1;
					return <path key={"m" + bad} class="mean" d={`M${x(from)} ${ys.at(change.before_ns)}H${x(good)}M${x(bad)} ${ys.at(change.after_ns)}H${x(to)}`} />;
				})}
				{names.map((i) => {
					const anchor = i === 0 && n > 1 ? "start" : i === n - 1 && n > 1 ? "end" : "middle", left = i === 0 && n > 1 ? LEFT : i === n - 1 && n > 1 ? width - RIGHT : x(i);
					return (
						<g key={i}><text x={left} y={ABOVE + HIGH + 17} text-anchor={anchor} class="mono">{format.short(commitOf(runs[i]), 11)}</text>
							<text x={left} y={ABOVE + HIGH + 32} text-anchor={anchor}>{dateOf(runs[i].time_s).slice(0, 10)}</text></g>
					);
				})}
			</svg> : null}
		</div>
	);
}

// The first, the last, and as many between as have room.
function namesAt(n: number, width: number, x: (run: number) => number): number[] {
	const every = Math.max(1, Math.ceil((n * NAME) / Math.max(1, width - LEFT - RIGHT)));
	const list: number[] = [];
	for (let i = 0; i < n; i += every) if (i === 0 || i === n - 1 || (x(i) - LEFT >= 1.5 * NAME && width - RIGHT - x(i) >= 1.5 * NAME)) list.push(i);
	if (n > 1 && list[list.length - 1] !== n - 1 && width - LEFT - RIGHT > 2 * NAME) list.push(n - 1);
	return list;
}

const WIDE = 140, LOW = 22;

// The same without names, for a row of a table.
export function Sparkline(props: { trend: Trend; runs: HistoryRun[] }) {
	const { trend, runs } = props, n = runs.length;
	const x = (run: number) => 3 + (n > 1 ? run / (n - 1) : 0.5) * (WIDE - 6), ys = valueScale(trend.ns, LOW - 2, 2);
	const single = trend.ns.flatMap((value, i) => (value !== null && (trend.ns[i - 1] ?? null) === null && (trend.ns[i + 1] ?? null) === null ? [{ value, i }] : []));
	return (
		<svg class="spark" width={WIDE} height={LOW} viewBox={`0 0 ${WIDE} ${LOW}`} aria-hidden="true">
			{trend.changes.map((change) => {
				const bad = runs.findIndex((run) => run.id === change.first_bad_run);
				return <rect key={bad} class={"change " + kindOf(change)} x={x(bad) - 2} y={0} width={3} height={LOW} />;
			})}
			<path d={path(runs.map((_, i) => i), trend.ns, x, ys.at)} />
			{single.map(({ value, i }) => <circle key={i} cx={x(i)} cy={ys.at(value)} r={1.5} />)}
		</svg>
	);
}
