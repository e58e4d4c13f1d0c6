// SPDX-License-Identifier: Apache-2.0
// A real Chromium, and what the tests ask of every page: no error on the console, no request to anyone else.
import { existsSync } from "node:fs";
import { chromium, firefox } from "playwright-core";

export const CHROMIUM = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find((path) => existsSync(path));
export const SCREENS = ["summary", "timeline", "ops", "cores", "memory", "counters", "roofline", "model", "capture"];
export const PLACES = [...SCREENS, "ops?op=1", "ops?g=op", "model?mp=calls", "model?mp=steps", "model?mp=zones", "model?mp=host", "timeline?panel=longest", "cores?hm=tail"];

export const FIREFOX = ["/usr/bin/firefox-esr", "/usr/bin/firefox"].find((path) => existsSync(path));

// TTP_BROWSER=firefox: that of the system, by the protocol that all browsers have.
export async function launch(which = process.env.TTP_BROWSER) {
	if (which === "firefox") return firefox.launch({ executablePath: FIREFOX, channel: "moz-firefox" });
	return chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox", "--disable-gpu"] });
}

// One page; `trouble` collects what must not happen.
export async function open(browser, url, { theme = "light", width = 1280, height = 900, reduced = false, prepare = null } = {}) {
	const page = await browser.newPage({ viewport: { width, height }, colorScheme: theme, reducedMotion: reduced ? "reduce" : "no-preference" });
	page.setDefaultTimeout(90000);
	await prepare?.(page);
	page.trouble = [];
	page.on("console", (message) => {
		if (["error", "warning"].includes(message.type())) page.trouble.push(`console: ${message.text()}`);
	});
	page.on("pageerror", (error) => page.trouble.push(`error: ${error.message}`));
	const own = new URL(url);
	page.on("request", (request) => {
		const to = new URL(request.url());
		const mine = to.protocol === "data:" || to.protocol === "blob:" || (own.protocol === "file:" ? to.pathname === own.pathname : to.host === own.host);
		if (!mine) page.trouble.push(`request: ${request.url().slice(0, 200)}`);
	});
	page.on("dialog", (dialog) => {
		page.trouble.push(`dialog: ${dialog.message()}`);
		dialog.dismiss();
	});
	await page.goto(url);
	await page.waitForFunction(() => document.documentElement.dataset.ready === "yes", null, { timeout: 60000 });
	return page;
}

// By the address, as a link would.
export async function go(page, place) {
	await page.evaluate((hash) => { location.hash = hash; }, place);
	await page.waitForFunction((name) => document.querySelector("nav.tabs a[aria-current=page]")?.textContent.toLowerCase().startsWith(name), place.split("?")[0]);
	await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}

// The address follows a moment after the picture.  The page's own clock is asked, so that a busy machine changes nothing.
export async function settle(page, ms = 220) {
	await page.evaluate((time) => new Promise((done) => setTimeout(done, time)), ms);
}

// For what a server has to answer first.
export async function eventually(check, tries = 40) {
	for (let i = 1; ; i++) {
		try {
			return await check();
		} catch (error) {
			if (i === tries) throw error;
			await new Promise((done) => setTimeout(done, 300));
		}
	}
}
