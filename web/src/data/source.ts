// SPDX-License-Identifier: Apache-2.0
// Where manifest and chunks come from: elements of this page, or the server that gave it.
import type { Manifest } from "./types";
import { Batches } from "./batch";
import { fromBase64, gunzip } from "./bytes";

export interface Source {
	served: boolean;
	manifest(): Promise<Manifest | null>;
	chunk(n: number): Promise<Uint8Array<ArrayBuffer>>;
	url(path: string): string;
}

// `before`: what the names of this run's elements begin with.
function embedded(element: Element, before: string): Source {
	return {
		served: false,
		manifest: async () => JSON.parse(element.textContent ?? "null"),
		chunk: async (n) => {
			const holder = document.getElementById(`${before}c${n}`);
			if (!holder) throw new Error(`chunk ${n} is missing: the file was cut short; make it again with ttprof view`);
			const bytes = fromBase64((holder.textContent ?? "").trim());
			holder.remove(); // its text is several times as large as what it holds
			return gunzip(bytes);
		},
		url: () => "",
	};
}

// The token came with the page's address and goes with each request; it is not kept in the address afterwards.
function server(): Source {
	const token = new URLSearchParams(location.search).get("k") ?? "";
	const url = (path: string) => path + (path.includes("?") ? "&" : "?") + "k=" + encodeURIComponent(token);
	const get = async (path: string) => {
		const answer = await fetch(url(path));
		if (!answer.ok) throw new Error(`${path}: the server said ${answer.status} ${answer.statusText}`);
		return answer;
	};
	const batches = new Batches(async (first, last) => new Uint8Array(await (await get(`/c/${first}-${last}`)).arrayBuffer()));
	return {
		served: true,
		manifest: async () => (await get("/m")).json(),
		chunk: async (n) => gunzip(await batches.chunk(n)),
		url,
	};
}

// All runs of the page; none: it is the template.
export function findSources(): Source[] {
	const list: Source[] = [];
	for (;;) {
		const before = list.length ? `ttp-r${list.length}-` : "ttp-", element = document.getElementById(before + "manifest");
		if (!element) break;
		list.push(embedded(element, before));
	}
	if (!list.length && location.protocol.startsWith("http")) list.push(server());
	return list;
}
