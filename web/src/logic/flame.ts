// SPDX-License-Identifier: Apache-2.0
// A tree of times, laid out as boxes: width by time, one row per depth.

export interface FlameNode {
	name: string;
	total: number;
	self: number;
	calls: number;
	children: FlameNode[];
	colour?: string;
}

export interface Box {
	node: FlameNode;
	x: number; // 0 … 1
	w: number;
	depth: number;
}

// Boxes narrower than `least` are left out, with what they hold.
export function layFlame(root: FlameNode, least = 0.0005): Box[] {
	const boxes: Box[] = [];
	const whole = root.total;
	const lay = (node: FlameNode, x: number, depth: number) => {
		const w = whole > 0 ? node.total / whole : 0;
		if (w < least || depth > 200) return;
		boxes.push({ node, x, w, depth });
		let at = x;
		for (const child of node.children) {
			lay(child, at, depth + 1);
			at += whole > 0 ? child.total / whole : 0;
		}
	};
	lay(root, 0, 0);
	return boxes;
}

export interface FlameTable {
	n: number;
	parent: ArrayLike<number>;
	name: ArrayLike<number>;
	calls: ArrayLike<number>;
	total: ArrayLike<number>;
	self: ArrayLike<number>;
}

// The file's table: parents before children, parent is row + 1, 0 for none.
export function flameTree(table: FlameTable, text: (name: number) => string, title: string): FlameNode {
	const root: FlameNode = { name: title, total: 0, self: 0, calls: 1, children: [] };
	const nodes: FlameNode[] = [];
	for (let i = 0; i < table.n; i++) {
		const node: FlameNode = { name: text(table.name[i]), total: table.total[i], self: table.self[i], calls: table.calls[i], children: [] };
		nodes.push(node);
		const parent = table.parent[i];
		if (parent > 0 && parent <= i) nodes[parent - 1].children.push(node);
		else {
			root.children.push(node);
			root.total += node.total;
		}
	}
	for (const node of [root, ...nodes]) node.children.sort((a, b) => b.total - a.total);
	return root;
}
