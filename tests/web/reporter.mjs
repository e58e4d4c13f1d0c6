// SPDX-License-Identifier: Apache-2.0
// What node:test finds, in the form of tests/run.
export default async function* reporter(source) {
	for await (const event of source) {
		const { name, nesting, details, skip } = event.data ?? {};
		if (nesting !== 0 || !name || name.endsWith(".mjs")) continue;
		if (event.type === "test:pass") yield skip !== undefined ? `skip ${name} - ${skip}\n` : `ok ${name}\n`;
		if (event.type === "test:fail") {
			const error = details?.error?.cause ?? details?.error;
			yield `not ok ${name}\n${String(error?.stack ?? error).split("\n").slice(0, 14).map((line) => "    " + line).join("\n")}\n`;
		}
	}
}
