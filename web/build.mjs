// SPDX-License-Identifier: Apache-2.0
// node build.mjs OUT.html: bundles src/ and css/ into the template of the report page, one file that asks nothing of anyone.
// `ttprof view` puts a run's data where the line <!--TTPROF_DATA--> stands.
import { build } from "esbuild";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const LIMIT = 310 * 1024; // docs/explain/measurements.md has what that costs at the start
const here = dirname(fileURLToPath(import.meta.url));
const out = process.argv[2];
if (!out) {
	console.error("usage: node build.mjs OUT.html");
	process.exit(2);
}

async function bundle(entry) {
	const made = await build({
		entryPoints: [join(here, entry)],
		bundle: true,
		minify: true,
		write: false,
		format: "iife",
		target: ["es2022"],
		charset: "utf8",
		legalComments: "none",
		jsx: "automatic",
		jsxImportSource: "preact",
		logLevel: "warning",
	});
	return made.outputFiles[0].text.trimEnd();
}

const css = await bundle("css/page.css");
// What would end the script element early must not stand in it.
const js = (await bundle("src/main.tsx")).replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--");
const policy =
	"default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; worker-src blob:; connect-src 'self'; base-uri 'none'; form-action 'none'";
const page = readFileSync(join(here, "page.html"), "utf8")
	.replace("%POLICY%", policy)
	.replace("%CSS%", () => css)
	.replace("%JS%", () => js);
if (page.split("\n").filter((line) => line === "<!--TTPROF_DATA-->").length !== 1)
	throw new Error("the page must have the line <!--TTPROF_DATA--> once");
const size = Buffer.byteLength(page);
if (size > LIMIT) throw new Error(`the page has ${size} bytes, at most ${LIMIT} are allowed`);
mkdirSync(dirname(out), { recursive: true });
writeFileSync(out, page);
console.log(`page: ${(size / 1024).toFixed(1)} KB`);
