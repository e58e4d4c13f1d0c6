// SPDX-License-Identifier: Apache-2.0
// From a chunk's text to numbers: base64, gzip, byte shuffle, delta.  Pure functions, and the only place that knows the encodings.

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const VALUE = new Uint8Array(128);
for (let i = 0; i < 64; i++) VALUE[LETTERS.charCodeAt(i)] = i;

type Base64Native = { fromBase64?: (text: string) => Uint8Array<ArrayBuffer> };

// atob() with a loop over its result takes twenty times as long.
export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
	const native = (Uint8Array as unknown as Base64Native).fromBase64;
	if (native) return native.call(Uint8Array, text);
	return fromBase64Table(text);
}

export function fromBase64Table(raw: string): Uint8Array<ArrayBuffer> {
	const text = raw.trim();
	let len = text.length;
	while (len > 0 && text.charCodeAt(len - 1) === 61) len--;
	const out = new Uint8Array((len * 3) >> 2);
	let at = 0;
	for (let i = 0; i < len; i += 4) {
		const word =
			(VALUE[text.charCodeAt(i) & 127] << 18) |
			(VALUE[(i + 1 < len ? text.charCodeAt(i + 1) : 65) & 127] << 12) |
			(VALUE[(i + 2 < len ? text.charCodeAt(i + 2) : 65) & 127] << 6) |
			VALUE[(i + 3 < len ? text.charCodeAt(i + 3) : 65) & 127];
		out[at++] = word >> 16;
		if (at < out.length) out[at++] = word >> 8;
		if (at < out.length) out[at++] = word;
	}
	return out;
}

export type Words = Uint8Array | Uint16Array | Uint32Array | Float64Array;

export async function gunzip(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
	const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
	return new Uint8Array(await new Response(stream).arrayBuffer());
}

// The bytes of n words of width w were sorted by significance: all first bytes, then all second ones.
export function unshuffle(bytes: Uint8Array<ArrayBuffer>, w: number): Uint8Array<ArrayBuffer> {
	if (w < 2) return bytes;
	const n = (bytes.length / w) | 0;
	const out = new Uint8Array(n * w);
	if (w === 4) {
		const words = new Uint32Array(out.buffer);
		const b1 = n, b2 = 2 * n, b3 = 3 * n;
		for (let i = 0; i < n; i++)
			words[i] = bytes[i] | (bytes[b1 + i] << 8) | (bytes[b2 + i] << 16) | (bytes[b3 + i] << 24);
		return out;
	}
	for (let b = 0; b < w; b++) {
		const from = b * n;
		for (let i = 0, to = b; i < n; i++, to += w) out[to] = bytes[from + i];
	}
	return out;
}

// Little-endian words of width w as an array of numbers; 64-bit integers become doubles, exact up to 2^53.
export function asNumbers(bytes: Uint8Array<ArrayBuffer>, w: number, type: string): Words {
	const whole = bytes.byteOffset % w === 0 ? bytes : bytes.slice();
	const n = (whole.length / w) | 0;
	if (type === "f64") return new Float64Array(whole.buffer, whole.byteOffset, n);
	if (w === 1) return whole.subarray(0, n);
	if (w === 2) return new Uint16Array(whole.buffer, whole.byteOffset, n);
	if (w === 4) return new Uint32Array(whole.buffer, whole.byteOffset, n);
	const words = new Uint32Array(whole.buffer, whole.byteOffset, n * 2);
	const out = new Float64Array(n);
	for (let i = 0; i < n; i++) out[i] = words[2 * i + 1] * 4294967296 + words[2 * i];
	return out;
}

// Sums of differences: "delta" has them as they are, "zigzag" as 2d or −2d−1, so that small ones stay small with either sign.
// The sum begins at 0 at each of `starts`, and may leave the width of the words.
export function undelta(words: Words, how: "delta" | "zigzag", starts: number[] = []): Words {
	const n = words.length;
	const out = new Float64Array(n);
	const cuts = [0, ...starts.filter((at) => at > 0 && at < n).sort((a, b) => a - b), n];
	let largest = 0, least = 0;
	for (let c = 0; c + 1 < cuts.length; c++) {
		let sum = 0;
		for (let i = cuts[c]; i < cuts[c + 1]; i++) {
			const word = words[i];
			sum += how === "delta" ? word : word % 2 === 0 ? word / 2 : -(word + 1) / 2;
			out[i] = sum;
			if (sum > largest) largest = sum;
			else if (sum < least) least = sum;
		}
	}
	return how === "zigzag" && least === 0 && largest <= 0xffffffff ? Uint32Array.from(out) : out;
}
