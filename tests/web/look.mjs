// SPDX-License-Identifier: Apache-2.0
// What can be wrong with how a page looks, measured in the page: texts over each other, texts that are cut and can't be read in any way, screens that open on nothing.
// Texts on a canvas are those that it was asked to draw, as far as nothing was painted over them since.

// Before the page's own scripts run: canvases note what is written on them.
function watchCanvases() {
	const proto = CanvasRenderingContext2D.prototype, { fillText, fillRect, clearRect, putImageData } = proto;
	const corner = (ctx, x, y) => {
		const m = ctx.getTransform();
		return [(m.a * x + m.e) / devicePixelRatio, (m.d * y + m.f) / devicePixelRatio];
	};
	const erase = (ctx, x, y, w, h) => {
		const notes = ctx.canvas.notes ?? [], [l, t] = corner(ctx, x, y), [r, b] = corner(ctx, x + w, y + h);
		ctx.canvas.notes = notes.filter((one) => one.right < l || one.left > r || one.bottom < t + 1 || one.top > b - 1);
	};
	proto.fillText = function (text, x, y, most) {
		const natural = this.measureText(text).width, wide = Math.min(natural, most ?? Infinity), high = parseFloat(this.font) || 11;
		const from = x - (this.textAlign === "center" ? wide / 2 : this.textAlign === "right" || this.textAlign === "end" ? wide : 0);
		const above = this.textBaseline === "middle" ? high / 2 : this.textBaseline === "top" ? 0 : high * 0.8;
		const [left, top] = corner(this, from, y - above), [right, bottom] = corner(this, from + wide, y - above + high);
		(this.canvas.notes ??= []).push({ text: String(text), left, top, right, bottom, squeezed: natural / wide });
		return fillText.apply(this, arguments);
	};
	proto.fillRect = function (x, y, w, h) {
		if (this.globalAlpha === 1 && w > 20) erase(this, x, y, w, h);
		return fillRect.apply(this, arguments);
	};
	proto.clearRect = function (x, y, w, h) {
		erase(this, x, y, w, h);
		return clearRect.apply(this, arguments);
	};
	proto.putImageData = function (image, x, y) {
		this.canvas.notes = (this.canvas.notes ?? []).filter((one) => one.right < x / devicePixelRatio || one.bottom < y / devicePixelRatio);
		return putImageData.apply(this, arguments);
	};
}

function findFaults() {
	const faults = [], say = (kind, text) => faults.push(`${kind}: ${text}`);
	const name = (text) => JSON.stringify(text.trim().replace(/\s+/g, " ").slice(0, 60));
	const cutBy = new Map();
	// Where content of an element can be seen, and whether what is beyond can be scrolled to.
	const windowOf = (element) => {
		if (!element || element === document.documentElement) return { left: -1e9, top: -1e9, right: 1e9, bottom: 1e9, scrolls: false, element: null };
		let found = cutBy.get(element);
		if (found) return found;
		const outer = windowOf(element.parentElement), style = getComputedStyle(element);
		found = outer;
		if (style.overflowX !== "visible" || style.overflowY !== "visible" || (element instanceof SVGSVGElement && style.overflow !== "visible")) {
			const box = element.getBoundingClientRect(), rolls = /auto|scroll/.test(style.overflowX);
			found = {
				left: Math.max(outer.left, box.left), top: Math.max(outer.top, box.top), right: Math.min(outer.right, box.right), bottom: Math.min(outer.bottom, box.bottom),
				scrolls: rolls && element.scrollWidth > element.clientWidth, element,
			};
		}
		cutBy.set(element, found);
		return found;
	};
	const canBeRead = (element) => Boolean(element.closest("[title]") || element.closest("option, select") || element.querySelector("title"));
	// A slanted text as its letters.
	const slanted = (text) => {
		const m = text.getScreenCTM?.();
		if (!m || !text.getNumberOfChars || (Math.abs(m.b) < 0.05 && Math.abs(m.c) < 0.05) || Math.abs(m.a) < 0.05) return null;
		return Array.from({ length: text.getNumberOfChars() }, (_, i) => {
			const at = text.getStartPositionOfChar(i).matrixTransform(m);
			return new DOMRect(at.x, at.y - 8, 6, 8);
		});
	};
	const boxes = [];
	const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
	for (let node = walker.nextNode(); node; node = walker.nextNode()) {
		const parent = node.parentElement;
		if (!node.data.trim() || !parent || parent.closest("script, style, option, dialog:not([open]), .unseen, noscript, title, .skip") || !parent.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
		const range = document.createRange();
		range.selectNodeContents(node);
		const svg = parent.closest("svg");
		const lines = svg ? slanted(parent) ?? [parent.getBoundingClientRect()] : [...range.getClientRects()];
		const seen = windowOf(parent);
		for (const box of lines) {
			if (box.width < 1 || box.height < 1) continue;
			const left = Math.max(box.left, seen.left), right = Math.min(box.right, seen.right), top = Math.max(box.top, seen.top), bottom = Math.min(box.bottom, seen.bottom);
			if (right - left < 1 || bottom - top < 1) continue; // scrolled away
			if (right > innerWidth + 1 && !seen.scrolls) say("beyond the window", name(node.data));
			const cut = box.right - right > 1.5 || left - box.left > 1.5;
			if (cut && !seen.scrolls && !canBeRead(parent)) say("cut", `${name(node.data)} by ${Math.round(Math.max(box.right - right, left - box.left))} px in ${seen.element?.className || seen.element?.tagName}`);
			boxes.push({ left, right, top, bottom, node, parent, text: node.data, layer: svg ? 0 : Number(Boolean(parent.closest(".head, th, [style*=sticky], .sticky"))) });
		}
	}
	for (const canvas of document.querySelectorAll("canvas")) {
		const at = canvas.getBoundingClientRect();
		if (!at.width || !canvas.checkVisibility()) continue;
		for (const one of canvas.notes ?? []) {
			if (one.squeezed > 1.25) say("squeezed", `${name(one.text)} to ${Math.round(100 / one.squeezed)} %`);
			if (one.left > at.width + 1 || one.bottom < 0 || one.top > at.height) continue;
			if (one.right > at.width + 1.5) say("cut", `${name(one.text)} at the edge of the canvas`);
			boxes.push({ left: at.left + one.left, right: at.left + one.right, top: at.top + one.top, bottom: at.top + one.bottom, text: one.text, canvas, layer: 0 });
		}
	}
	// What is over each other: a sweep from top to bottom.
	boxes.sort((a, b) => a.top - b.top);
	let open = [];
	for (const box of boxes) {
		open = open.filter((one) => one.bottom > box.top + 2);
		for (const one of open) {
			const wide = Math.min(one.right, box.right) - Math.max(one.left, box.left), high = Math.min(one.bottom, box.bottom) - box.top;
			if (wide < 2 || high < 0.3 * Math.min(one.bottom - one.top, box.bottom - box.top)) continue;
			if (one.layer !== box.layer || (one.node && one.node === box.node) || (one.parent && box.parent && (one.parent.contains(box.parent) || box.parent.contains(one.parent)))) continue;
			if (Boolean(one.canvas) !== Boolean(box.canvas)) continue; // the names of lanes lie beside the canvas, and what floats above it is opaque
			say("over each other", `${name(one.text)} and ${name(box.text)}`);
		}
		open.push(box);
	}
	const main = document.querySelector("main"), wide = [document.documentElement.scrollWidth - innerWidth, main.scrollWidth - main.clientWidth];
	if (wide[0] > 0 || wide[1] > 0) say("wider than the window", `by ${Math.max(...wide)} px`);
	if (main.innerText.trim().length < 20) say("empty", "no text");
	if (/\bNaN\b|\bundefined\b|\bInfinity\b|\[object /.test(main.innerText)) say("nonsense", name(/.{0,20}(\bNaN\b|\bundefined\b|\bInfinity\b|\[object ).{0,20}/.exec(main.innerText)[0]));
	return [...new Set(faults)];
}

// Share of the columns of the timeline's picture in which something is drawn.
function timelineFilled() {
	const canvas = document.querySelector(".tl .stage canvas");
	if (!canvas) return null;
	const scale = devicePixelRatio, gutter = Math.round((document.querySelector(".tl .lanes")?.getBoundingClientRect().width ?? 0) * scale), wide = canvas.width - gutter;
	const data = canvas.getContext("2d").getImageData(gutter, Math.round(60 * scale), wide, canvas.height - Math.round(60 * scale)).data, rows = data.length / 4 / wide;
	let filled = 0;
	for (let x = 0; x < wide; x++) {
		let colours = 0;
		for (let y = 0; y < rows; y++) {
			const at = (y * wide + x) * 4, low = Math.min(data[at], data[at + 1], data[at + 2]), high = Math.max(data[at], data[at + 1], data[at + 2]);
			if (high - low > 40 && ++colours >= 5) break;
		}
		filled += colours >= 5;
	}
	return { share: filled / wide, labels: (canvas.notes ?? []).filter((one) => one.left * scale > gutter && one.top > 60).length };
}

export async function watch(page) {
	await page.addInitScript(watchCanvases);
}

export async function faultsOf(page) {
	return page.evaluate(findFaults);
}

export async function filledOf(page) {
	return page.evaluate(timelineFilled);
}
