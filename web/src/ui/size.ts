// SPDX-License-Identifier: Apache-2.0
// The size of an element, as it changes.
import { useLayoutEffect, useState } from "preact/hooks";
import type { RefObject } from "preact";

export function useSize(ref: RefObject<HTMLElement | null>): { width: number; height: number } {
	const [size, setSize] = useState({ width: 0, height: 0 });
	useLayoutEffect(() => {
		const element = ref.current;
		if (!element) return;
		const measure = () => setSize((old) => {
			const now = { width: element.clientWidth, height: element.clientHeight };
			return old.width === now.width && old.height === now.height ? old : now;
		});
		measure();
		const watcher = new ResizeObserver(measure);
		watcher.observe(element);
		return () => watcher.disconnect();
	}, []);
	return size;
}
