// SPDX-License-Identifier: Apache-2.0
// Figures that a page shows, and whether they are those of the report.
import assert from "node:assert/strict";

export const digits = (text) => Number(text.replace(/[^\d.]/g, ""));
// "5.76 ms" in microseconds
export const us = (text) => Number(/[\d.]+/.exec(text)[0]) * { ns: 1e-3, "µs": 1, ms: 1e3, s: 1e6 }[/[a-zµ]+$/.exec(text.trim())[0]];
export const near = (shown, value, what) => assert.ok(Math.abs(shown - value) <= Math.abs(value) * 0.006 + 1e-9, `${what}: the page shows ${shown}, the report has ${value}`);

export async function figures(page) {
	return page.evaluate(() => Object.fromEntries([...document.querySelectorAll(".figures > div")].map((div) => [div.querySelector("span").textContent, div.querySelector("b").textContent])));
}
