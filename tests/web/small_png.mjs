// SPDX-License-Identifier: Apache-2.0
// A picture of a screen with at most 256 colours: a third of the size, and no difference to the eye.
import * as zlib from "node:zlib";

function crc32(bytes) {
	if (zlib.crc32) return zlib.crc32(bytes) >>> 0; // from node 20 on
	let c = 0xffffffff;
	for (const byte of bytes) {
		c ^= byte;
		for (let k = 0; k < 8; k++) c = c & 1 ? (c >>> 1) ^ 0xedb88320 : c >>> 1;
	}
	return (c ^ 0xffffffff) >>> 0;
}

// Chromium writes 8 bits per channel, RGB or RGBA, not interlaced.
function decode(png) {
	let width = 0, height = 0, channels = 3;
	const parts = [];
	for (let at = 8; at < png.length;) {
		const size = png.readUInt32BE(at), type = png.toString("latin1", at + 4, at + 8), body = png.subarray(at + 8, at + 8 + size);
		if (type === "IHDR") {
			width = body.readUInt32BE(0);
			height = body.readUInt32BE(4);
			channels = body[9] === 6 ? 4 : 3;
		}
		if (type === "IDAT") parts.push(body);
		at += 12 + size;
	}
	const raw = zlib.inflateSync(Buffer.concat(parts)), line = width * channels;
	const out = Buffer.alloc(line * height);
	for (let y = 0; y < height; y++) {
		const filter = raw[y * (line + 1)];
		for (let i = 0; i < line; i++) {
			const a = i >= channels ? out[y * line + i - channels] : 0, b = y ? out[(y - 1) * line + i] : 0, c = i >= channels && y ? out[(y - 1) * line + i - channels] : 0;
			const p = a + b - c, pa = Math.abs(p - a), pb = Math.abs(p - b), pc = Math.abs(p - c);
			const guess = [0, a, b, (a + b) >> 1, pa <= pb && pa <= pc ? a : pb <= pc ? b : c][filter];
			out[y * line + i] = raw[y * (line + 1) + 1 + i] + guess;
		}
	}
	return { width, height, channels, pixels: out };
}

function chunk(type, body) {
	const head = Buffer.alloc(4), tail = Buffer.alloc(4), named = Buffer.concat([Buffer.from(type, "latin1"), body]);
	head.writeUInt32BE(body.length);
	tail.writeUInt32BE(crc32(named));
	return Buffer.concat([head, named, tail]);
}

export function smallPng(png) {
	const { width, height, channels, pixels } = decode(png);
	const counts = new Map();
	const at = (i) => (pixels[i * channels] << 16) | (pixels[i * channels + 1] << 8) | pixels[i * channels + 2];
	for (let i = 0; i < width * height; i++) counts.set(at(i), (counts.get(at(i)) ?? 0) + 1);
	const palette = [...counts].sort((a, b) => b[1] - a[1]).slice(0, 256).map(([colour]) => colour);
	const index = new Map(palette.map((colour, i) => [colour, i]));
	const nearest = (colour) => {
		let best = 0, least = Infinity;
		palette.forEach((other, i) => {
			const far = (((colour >> 16) - (other >> 16)) ** 2) + ((((colour >> 8) & 255) - ((other >> 8) & 255)) ** 2) + (((colour & 255) - (other & 255)) ** 2);
			if (far < least) [best, least] = [i, far];
		});
		return best;
	};
	const raw = Buffer.alloc((width + 1) * height);
	for (let y = 0; y < height; y++)
		for (let x = 0; x < width; x++) {
			const colour = at(y * width + x);
			let i = index.get(colour);
			if (i === undefined) index.set(colour, (i = nearest(colour)));
			raw[y * (width + 1) + 1 + x] = i;
		}
	const head = Buffer.alloc(13);
	head.writeUInt32BE(width, 0);
	head.writeUInt32BE(height, 4);
	head.set([8, 3, 0, 0, 0], 8);
	return Buffer.concat([png.subarray(0, 8), chunk("IHDR", head), chunk("PLTE", Buffer.from(palette.flatMap((c) => [c >> 16, (c >> 8) & 255, c & 255]))),
		chunk("IDAT", zlib.deflateSync(raw, { level: 9 })), chunk("IEND", Buffer.alloc(0))]);
}
