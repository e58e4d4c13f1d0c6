// SPDX-License-Identifier: Apache-2.0
// The left edge of the timeline: what each row is, and how busy it was in what is in sight.
import type { Zones } from "../data/zones";
import * as format from "../logic/format";
import { plainName } from "../timeline/oplook";
import { busyIn, busyOfAny } from "../timeline/selection";
import { pinnedHeight, topOf, type Row, type Track } from "../timeline/tracks";

interface Props {
	rows: Row[];
	zones: Zones;
	times: { t0: number; t1: number };
	scroll: number;
	top: number;
	height: number;
	width: number;
	chosen: number;
	toggle(track: Track): void;
	choose(row: number): void;
	scrollTo(y: number): void;
}

const HEAD = 20;

const clean = (name: string) => plainName(name.replace(/^QUASAR_/, ""));

// Of the outermost lane: what is inside of its zones is busy with it.
function shareOf(zones: Zones, row: Row, t0: number, t1: number): number {
	const lane = row.lanes[0] ?? row.track.lanes[0];
	if (!lane || !(t1 > t0)) return NaN;
	return (lane.kind === "ops" ? busyOfAny(zones, row.track.lanes.length ? row.track.lanes : row.lanes, t0, t1) : busyIn(zones, lane, t0, t1)) / (t1 - t0);
}

const percent = (share: number) => (share > 0 && share < 0.01 ? "<1 %" : Math.round(share * 100) + " %");

export function Names(props: Props) {
	const { rows, scroll } = props;
	const pinned = pinnedHeight(rows);
	const shown = rows.map((row, i) => ({ row, i })).filter(({ row }) => topOf(row, scroll) + row.height > (row.pinned ? 0 : pinned) && topOf(row, scroll) < props.height - props.top);
	// What the first row is part of, once that has scrolled away.
	const first = shown.find(({ row }) => !row.pinned && topOf(row, scroll) + row.height > pinned + HEAD)?.row;
	const above: Track[] = [];
	for (let up = first?.track.parent ?? null; up; up = up.parent) {
		const row = rows.find((one) => one.track === up && !one.pinned);
		if (row && topOf(row, scroll) < pinned) above.unshift(up);
	}
	const home = above.length ? rows.find((one) => one.track === above[above.length - 1] && !one.pinned) : null;
	return (
		<div class="lanes" style={{ top: props.top + "px", width: props.width + "px" }}>
			{shown.map(({ row, i }) => {
				const { group } = row, share = row.density ? NaN : shareOf(props.zones, row, props.times.t0, props.times.t1);
				return (
					<button key={(row.pinned ? "p" : "") + row.track.id} tabIndex={group ? 0 : -1} class={(group ? "parent" : "") + (row.pinned ? " pinned" : "")} aria-expanded={group ? row.open : undefined} title={format.short(row.track.name, 300)}
						style={{ top: topOf(row, scroll) + "px", height: row.height + "px", paddingLeft: 6 + Math.min(4, row.track.level) * 12 + "px", lineHeight: Math.min(row.height, 22) + "px" }}
						onClick={() => { props.choose(i); if (group && !row.pinned) props.toggle(row.track); }}>
						<span class="what">{row.pinned ? "⚲ " : group ? (row.open ? "▾ " : "▸ ") : ""}{format.short(clean(row.track.name), 60)}{row.hidden && !row.pinned ? <span class="soft"> +{row.hidden} deeper</span> : null}</span>
						{Number.isFinite(share) ? <span class="busy" title={`busy in ${format.percent(share * 100)} of what is in sight`}>{percent(share)}</span> : null}
					</button>
				);
			})}
			{home ? <button class="parent sticky" style={{ top: pinned + "px", height: HEAD + "px", lineHeight: HEAD + "px" }} title="Up to its head" onClick={() => props.scrollTo(home.y)}>
				{above.map((track) => format.short(clean(track.name), 30)).join(" › ")}</button> : null}
		</div>
	);
}
