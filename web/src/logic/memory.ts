// SPDX-License-Identifier: Apache-2.0
// Pieces of memory over time: what was in use at a moment, where it lay, and how much of the room between lay empty.
export interface Pieces {
	n: number;
	pool: ArrayLike<number>;
	address: ArrayLike<number>;
	bytes: ArrayLike<number>;
	time: ArrayLike<number>;
	life: ArrayLike<number>; // 0: to the end, else ns + 1
	op: ArrayLike<number>;
}

export function endOf(pieces: Pieces, i: number): number {
	return pieces.life[i] ? pieces.time[i] + pieces.life[i] - 1 : Infinity;
}

// Those of a pool that were in use at a time, by address.
export function aliveAt(pieces: Pieces, pool: number, time: number): number[] {
	const out: number[] = [];
	for (let i = 0; i < pieces.n; i++) if (pieces.pool[i] === pool && pieces.time[i] <= time && endOf(pieces, i) > time) out.push(i);
	return out.sort((a, b) => pieces.address[a] - pieces.address[b]);
}

// Buffers that are spread over banks have the same address in each, and take a part of their bytes there: over how many is what keeps neighbours
// apart.
export function banksOf(pieces: Pieces, alive: number[]): number {
	let banks = 1;
	for (let i = 0; i + 1 < alive.length; i++) {
		const room = pieces.address[alive[i + 1]] - pieces.address[alive[i]];
		if (room > 0) banks = Math.max(banks, Math.ceil(pieces.bytes[alive[i]] / room - 1e-9));
	}
	return banks;
}

export interface Layout {
	low: number;
	high: number; // behind the last
	banks: number;
	used: number; // bytes, of all banks
	holes: number; // of all banks, between low and high
	largestHole: number;
	fragmented: number; // 1 − largest hole / all holes: 0 where the empty room is one piece
}

export function layoutOf(pieces: Pieces, alive: number[]): Layout {
	const banks = banksOf(pieces, alive);
	let used = 0, high = -Infinity, holes = 0, largest = 0;
	for (const i of alive) {
		used += pieces.bytes[i];
		if (high > -Infinity && pieces.address[i] > high) {
			const hole = (pieces.address[i] - high) * banks;
			holes += hole;
			largest = Math.max(largest, hole);
		}
		high = Math.max(high, pieces.address[i] + pieces.bytes[i] / banks);
	}
	return { low: alive.length ? pieces.address[alive[0]] : 0, high: alive.length ? high : 0, banks, used, holes, largestHole: largest, fragmented: holes > 0 ? 1 - largest / holes : 0 };
}
