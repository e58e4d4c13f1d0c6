// SPDX-License-Identifier: Apache-2.0
// Chunks of a server by the run: what is asked for at the same time and lies side by side is one request, not a hundred.

const MOST = 64; // of a request; the server answers with fewer when they are large

interface Wish {
	n: number;
	resolve(bytes: Uint8Array<ArrayBuffer>): void;
	reject(why: unknown): void;
}

// The answer to `/c/FIRST-LAST`: of each chunk its length in four bytes, little-endian, and then the chunk.
export function splitBatch(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer>[] {
	const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	const parts: Uint8Array<ArrayBuffer>[] = [];
	for (let at = 0; at < bytes.length;) {
		const length = at + 4 <= bytes.length ? view.getUint32(at, true) : Infinity;
		if (at + 4 + length > bytes.length) throw new Error("the server's answer was cut short");
		parts.push(bytes.subarray(at + 4, at + 4 + length));
		at += 4 + length;
	}
	return parts;
}

export class Batches {
	private wishes: Wish[] = [];

	constructor(private readonly get: (first: number, last: number) => Promise<Uint8Array<ArrayBuffer>>) {}

	chunk(n: number): Promise<Uint8Array<ArrayBuffer>> {
		if (!this.wishes.length) queueMicrotask(() => this.ask());
		return new Promise((resolve, reject) => this.wishes.push({ n, resolve, reject }));
	}

	private ask(): void {
		const all = this.wishes.sort((a, b) => a.n - b.n);
		this.wishes = [];
		for (let from = 0; from < all.length;) {
			let to = from + 1;
			while (to < all.length && all[to].n - all[to - 1].n <= 1 && all[to].n - all[from].n < MOST) to++;
			void this.read(all.slice(from, to));
			from = to;
		}
	}

	private async read(wishes: Wish[]): Promise<void> {
		try {
			while (wishes.length) {
				const first = wishes[0].n;
				const parts = splitBatch(await this.get(first, wishes[wishes.length - 1].n));
				if (!parts.length) throw new Error("the server's answer was empty");
				while (wishes.length && wishes[0].n - first < parts.length) {
					const wish = wishes.shift()!;
					wish.resolve(parts[wish.n - first]);
				}
			}
		} catch (why) {
			for (const wish of wishes) wish.reject(why);
		}
	}
}
