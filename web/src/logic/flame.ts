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

// What takes the time itself comes first, below it who called it: the same time, seen from the other end.
export function inverted(root: FlameNode, most = 60): FlameNode {
	const out: FlameNode = { name: root.name, total: 0, self: 0, calls: root.calls, children: [] };
	const index = new Map<FlameNode, Map<string, FlameNode>>();
	const child = (node: FlameNode, of: FlameNode): FlameNode => {
		let names = index.get(node);
		if (!names) index.set(node, (names = new Map()));
		let found = names.get(of.name);
		if (!found) {
			names.set(of.name, (found = { name: of.name, total: 0, self: 0, calls: 0, children: [], colour: of.colour }));
			node.children.push(found);
		}
		return found;
	};
	const walk = (node: FlameNode, callers: FlameNode[]) => {
		if (node !== root && node.self > 0) {
			let at = out;
			out.total += node.self;
			[node, ...callers].slice(0, most).forEach((one, i) => {
				at = child(at, one);
				at.total += node.self;
				if (i === 0) at.self += node.self;
				at.calls += node.calls;
			});
		}
		const below = node === root ? callers : [node, ...callers];
		node.children.forEach((one) => walk(one, below));
	};
	walk(root, []);
	const order = (node: FlameNode) => {
		node.children.sort((a, b) => b.total - a.total);
		node.children.forEach(order);
	};
	order(out);
	return out;
}

// Time in boxes that a search finds: what lies inside of a found one is not counted twice.
export function timeFound(node: FlameNode, found: (name: string) => boolean): number {
	return found(node.name) ? node.total : node.children.reduce((sum, child) => sum + timeFound(child, found), 0);
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
