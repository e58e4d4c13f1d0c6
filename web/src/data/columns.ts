// SPDX-License-Identifier: Apache-2.0
// Columns by id, each read when it is first asked for and then kept.
import { asNumbers, undelta, unshuffle, type Words } from "./bytes";
import type { ColumnId, ColumnInfo } from "./types";

export interface ChunkSource {
	chunk(n: number): Promise<Uint8Array<ArrayBuffer>>;
}

const AT_ONCE = 4; // chunks of a column: between them the page can say how far it is

export class Columns {
	private readonly made = new Map<ColumnId, Promise<Words>>();
	onRead: (id: ColumnId, part: number) => void = () => undefined; // of a column so much more was read, 0 … 1

	// laneFirsts: where each lane's zones begin, for columns whose differences begin anew there.
	constructor(
		private readonly infos: ColumnInfo[],
		private readonly source: ChunkSource,
		private readonly laneFirsts: number[] = []) {}

	info(id: ColumnId): ColumnInfo {
		const info = this.infos[id];
		if (!info) throw new Error(`the page's data has no column ${id}`);
		return info;
	}

	async bytes(info: ColumnInfo, id: ColumnId = -1): Promise<Uint8Array<ArrayBuffer>> {
		const parts: Uint8Array<ArrayBuffer>[] = [];
		for (let at = 0; at < info.chunks.length; at += AT_ONCE)
			parts.push(...await Promise.all(info.chunks.slice(at, at + AT_ONCE).map(async (n) => {
				const part = await this.source.chunk(n);
				this.onRead(id, 1 / info.chunks.length);
				return part;
			})));
		if (info.enc.includes("shuffle")) parts.forEach((part, i) => (parts[i] = unshuffle(part, info.w)));
		if (parts.length === 1) return parts[0];
		const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
		let at = 0;
		for (const part of parts) {
			whole.set(part, at);
			at += part.length;
		}
		return whole;
	}

	numbers(id: ColumnId): Promise<Words> {
		let made = this.made.get(id);
		if (!made) this.made.set(id, (made = this.read(id, this.info(id))));
		return made;
	}

	private async read(id: ColumnId, info: ColumnInfo): Promise<Words> {
		const words = asNumbers(await this.bytes(info, id), info.w, info.type);
		if (words.length !== info.n) throw new Error(`column ${id} has ${words.length} values, not ${info.n}: the file was cut short`);
		const how = info.enc.includes("zigzag") ? "zigzag" : info.enc.includes("delta") ? "delta" : null;
		return how ? undelta(words, how, info.per_lane ? this.laneFirsts : []) : words;
	}
}
