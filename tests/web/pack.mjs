// SPDX-License-Identifier: Apache-2.0
// Writes data in the page's form (docs/reference/formats/page.md), written from that text and not from the C side's code: the page's reader
// is tested against both.
import { gzipSync } from "node:zlib";

function shuffle(bytes, w) {
	const n = bytes.length / w;
	const out = Buffer.alloc(bytes.length);
	for (let b = 0; b < w; b++) for (let i = 0, at = b * n; i < n; i++) out[at + i] = bytes[i * w + b];
	return out;
}

export class Pack {
	columns = [];
	chunks = [];
	texts = [""];
	ids = new Map([["", 0]]);

	constructor(chunkValues = 1 << 20) {
		this.chunkValues = chunkValues;
	}

	text(value) {
		let id = this.ids.get(value);
		if (id === undefined) {
			id = this.texts.length;
			this.ids.set(value, id);
			this.texts.push(value);
		}
		return id;
	}

	add(bytes, info) {
		const step = this.chunkValues * info.w;
		info.chunks = [];
		for (let at = 0; at < bytes.length; at += step) {
			let part = bytes.subarray(at, Math.min(at + step, bytes.length));
			if (info.enc.includes("shuffle")) part = shuffle(part, info.w);
			info.chunks.push(this.chunks.length);
			this.chunks.push(gzipSync(part, { level: 6 }));
		}
		if (info.chunks.length > 1) info.chunk_n = this.chunkValues;
		this.columns.push(info);
		return this.columns.length - 1;
	}

	f64(values) {
		const array = Float64Array.from(values);
		return this.add(Buffer.from(array.buffer), { n: array.length, w: 8, type: "f64", enc: "shuffle,gzip" });
	}

	// starts: where differences begin anew (lanes); null: no differences
	uint(values, w = 4, { delta = false, starts = null } = {}) {
		const n = values.length;
		const bytes = Buffer.alloc(n * w);
		const begins = new Set(starts ?? []);
		let before = 0n;
		for (let i = 0; i < n; i++) {
			if (w === 8) {
				const value = BigInt(values[i]);
				if (begins.has(i)) before = 0n;
				bytes.writeBigUInt64LE(BigInt.asUintN(64, delta ? value - before : value), i * 8);
				before = value;
				continue;
			}
			let value = values[i];
			if (delta) value -= i === 0 || begins.has(i) ? 0 : values[i - 1];
			if (w === 4) bytes.writeUInt32LE(value >>> 0, i * 4);
			else if (w === 2) bytes.writeUInt16LE(value & 0xffff, i * 2);
			else bytes[i] = value & 0xff;
		}
		const enc = (delta ? "delta," : "") + (w > 1 ? "shuffle," : "") + "gzip";
		const info = { n, w, type: "uint", enc };
		if (starts) info.per_lane = true;
		return this.add(bytes, info);
	}

	strings() {
		const bytes = Buffer.from(this.texts.map((text) => text + "\0").join(""), "utf8");
		const keep = this.chunkValues;
		this.chunkValues = Infinity;
		const id = this.add(bytes.length ? bytes : Buffer.from("\0"), { n: bytes.length, w: 1, type: "utf8", enc: "gzip" });
		this.chunkValues = keep;
		return id;
	}

	html(manifest) {
		const json = JSON.stringify({ ...manifest, strings: this.strings(), columns: this.columns })
			.replaceAll("<", "\\u003c").replaceAll(">", "\\u003e").replaceAll("&", "\\u0026");
		const parts = [`<script type="application/json" id="ttp-manifest">${json}</script>`];
		this.chunks.forEach((chunk, i) =>
			parts.push(`<script type="application/octet-stream" id="ttp-c${i}">${chunk.toString("base64")}</script>`));
		return parts.join("\n");
	}
}

export function splice(page, data) {
	return page.replace("<!--TTPROF_DATA-->", () => data);
}
