// SPDX-License-Identifier: Apache-2.0
// Names of runs for heads: as much of the ends of their paths as tells them apart.

const MOST = 6; // parts of a path

export function shortNames(paths: string[]): string[] {
	const parts = paths.map((path) => path.replace(/\/+$/, "").split("/"));
	const unlike = new Set(paths).size;
	for (let k = 1; k < MOST; k++) {
		const names = parts.map((list) => list.slice(-k).join("/"));
		if (new Set(names).size >= unlike) return names.map((name, i) => name || paths[i]);
	}
	return paths;
}
