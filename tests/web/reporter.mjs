// SPDX-License-Identifier: Apache-2.0
// What node:test finds, in the form of tests/run.  A file is no test, but one that cannot be loaded, or ends early, is a failure.
import { basename } from "node:path";

export default async function* reporter(source) {
	const said = new Map(); // what each file wrote to its error output, and whether a test of it failed
	const of = (file) => said.get(file) ?? said.set(file, { text: "", failed: false }).get(file);
	const where = process.env.TTP_BROWSER ? process.env.TTP_BROWSER + ": " : "";
	for await (const event of source) {
		const { name, nesting, details, skip, file, message } = event.data ?? {};
		if (event.type === "test:stderr") of(file).text += message;
		if (nesting !== 0 || !name) continue;
		const error = details?.error?.cause ?? details?.error;
		const isFile = name.endsWith(".mjs");
		if (isFile && (event.type !== "test:fail" || of(file).failed)) continue;
		if (event.type === "test:pass") yield skip !== undefined ? `skip ${where}${name} - ${skip}\n` : `ok ${where}${name}\n`;
		if (event.type === "test:fail") {
			of(file).failed = true;
			const why = (isFile && of(file).text.trim()) || String(error?.stack ?? error);
			yield `not ok ${where}${isFile ? `${basename(name)} runs` : name}\n${why.split("\n").slice(0, 14).map((line) => "    " + line).join("\n")}\n`;
		}
	}
}
