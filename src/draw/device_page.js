// SPDX-License-Identifier: Apache-2.0
// The timeline by core of device_perf.html.  Each core is a canvas that is drawn when it comes into sight.
"use strict";
(() => {
	const data = JSON.parse(document.getElementById("data").textContent);
	const ROW = 13, LABEL = 62, GAP = 3;
	const palette = { BRISC: [145, 55], NCRISC: [2, 60], TRISC: [215, 12], ERISC: [280, 45] };
	const dark = matchMedia("(prefers-color-scheme: dark)");
	const tip = document.getElementById("tip");

	// What lies between two markers: nothing before and between launches, overhead around a kernel, else work.
	const kindOf = (a, b) => {
		const fw = (m) => m.endsWith("-FW end") || m.endsWith("-FW start");
		if (a === "" || a.endsWith("-FW end")) return 0;
		if (fw(a) !== fw(b) || (fw(a) && fw(b))) return 1;
		return 2;
	};
	const hue = (risc) => palette[Object.keys(palette).find((k) => risc.startsWith(k))] || [45, 60];
	const colour = (risc, kind, zone) => {
		const [h, s] = hue(risc);
		if (kind === 1) return dark.matches ? "#8b949e" : "#3b4148";
		const light = (dark.matches ? 62 : 46) - (zone % 4) * 7;
		return `hsl(${h} ${s}% ${light}%)`;
	};
	const ns = (cycles) => (cycles * 1000) / data.mhz;
	const time = (cycles) => {
		const v = ns(cycles);
		for (const [unit, div] of [["s", 1e9], ["ms", 1e6], ["µs", 1e3]])
			if (v >= div) return `${(v / div).toPrecision(4)} ${unit}`;
		return `${Math.round(v)} ns`;
	};

	for (const chip of data.chips) {
		const home = document.getElementById(`chip-${chip.id}`);
		const view = { from: 0, to: Math.max(chip.span, 1) };
		const rows = [], dirty = new Set();
		const axis = document.createElement("canvas");
		axis.className = "axis";
		home.append(axis);
		axis.setAttribute("aria-hidden", "true");

		const fit = (c, height) => {
			const dpr = devicePixelRatio || 1, width = c.clientWidth;
			c.width = Math.round(width * dpr);
			c.height = Math.round(height * dpr);
			const g = c.getContext("2d");
			g.setTransform(dpr, 0, 0, dpr, 0, 0);
			g.clearRect(0, 0, width, height);
			g.font = "11px system-ui, sans-serif";
			g.fillStyle = getComputedStyle(document.body).color;
			return [g, width];
		};
		const x = (t, width) => LABEL + ((t - view.from) / (view.to - view.from)) * (width - LABEL);

		const drawAxis = () => {
			const [g, width] = fit(axis, 20);
			const most = Math.max(2, Math.floor((width - LABEL) / 110));
			const rough = (view.to - view.from) / most, power = 10 ** Math.floor(Math.log10(rough || 1));
			const step = [1, 2, 5, 10].map((k) => k * power).find((k) => k >= rough) || 1;
			g.textAlign = "center";
			for (let t = Math.ceil(view.from / step) * step; t <= view.to; t += step) {
				const at = x(t, width);
				if (at < LABEL + 30 || at > width - 30) continue;
				g.fillText(t.toLocaleString("en").replaceAll(",", " "), at, 12);
				g.fillRect(at, 15, 1, 5);
			}
			g.textAlign = "left";
			g.fillText("cycles", 4, 12);
		};

		// The first segment that ends after t.
		const seek = (times, t) => {
			let lo = 0, hi = times.length - 1;
			while (lo < hi) {
				const mid = (lo + hi) >> 1;
				if (times[mid + 1] <= t) lo = mid + 1;
				else hi = mid;
			}
			return lo;
		};

		const drawRow = (g, risc, y, width) => {
			const scale = (width - LABEL) / (view.to - view.from), thin = new Float32Array(width + 2);
			for (let i = seek(risc.t, view.from); i + 1 < risc.t.length && risc.t[i] < view.to; i++) {
				const kind = risc.kind[i];
				if (!kind) continue;
				const a = Math.max(LABEL, x(risc.t[i], width)), b = Math.min(width, x(risc.t[i + 1], width));
				if (b - a >= 1) {
					g.fillStyle = colour(risc.name, kind, risc.m[i]);
					g.fillRect(a, y, b - a, ROW - 3);
				} else if (b > a) {
					thin[Math.floor(a)] += (risc.t[i + 1] - risc.t[i]) * scale;
				}
			}
			// what is thinner than a pixel is as dense as it is
			g.fillStyle = colour(risc.name, 2, 0);
			for (let p = LABEL; p < width; p++) {
				if (!thin[p]) continue;
				g.globalAlpha = Math.min(1, 0.12 + thin[p]);
				g.fillRect(p, y, 1, ROW - 3);
			}
			g.globalAlpha = 1;
		};

		const drawCore = (core) => {
			const [g, width] = fit(core.canvas, core.height);
			core.riscs.forEach((risc, i) => {
				g.fillStyle = getComputedStyle(document.body).color;
				g.fillText(risc.name, 4, i * ROW + 10 + GAP);
				drawRow(g, risc, i * ROW + GAP, width);
			});
			g.fillStyle = getComputedStyle(document.body).color;
			let last = -99;
			core.launches.forEach((t, n) => {
				const at = x(t, width);
				if (core.launches.length < 2 || at < LABEL || at > width - 40 || at - last < 84) return;
				last = at;
				g.globalAlpha = 0.35;
				g.fillRect(at, 0, 1, core.height);
				g.globalAlpha = 1;
				g.fillText(`Launch ${n + 1}`, at + 3, core.height - 2);
			});
		};

		const redraw = () => {
			drawAxis();
			for (const core of dirty) drawCore(core);
		};
		const show = (from, to) => {
			const least = 10;
			view.from = Math.max(0, Math.min(from, chip.span - least));
			view.to = Math.min(Math.max(chip.span, 1), Math.max(to, view.from + least));
			redraw();
		};
		const zoom = (factor, at) => show(at - (at - view.from) * factor, at + (view.to - at) * factor);
		const middle = () => (view.from + view.to) / 2;

		const watch = new IntersectionObserver((entries) => {
			for (const e of entries) {
				const core = rows.find((r) => r.canvas === e.target);
				if (e.isIntersecting) {
					dirty.add(core);
					drawCore(core);
				} else {
					dirty.delete(core);
				}
			}
		}, { rootMargin: "200px" });

		for (const c of chip.cores) {
			const core = { riscs: [], launches: [] };
			for (const r of c.riscs) {
				let t = 0, before = "";
				const risc = { name: r.name, t: [0], m: [0], kind: [] };
				r.t.forEach((step, i) => {
					const name = data.marks[r.m[i]];
					t += step;
					risc.kind.push(kindOf(before, name));
					risc.t.push(t);
					risc.m.push(r.m[i]);
					if (name.endsWith("-FW start") && r.master) core.launches.push(t);
					before = name;
				});
				core.riscs.push(risc);
			}
			const box = document.createElement("section"), head = document.createElement("h3");
			head.textContent = `core ${c.x},${c.y}`;
			core.height = core.riscs.length * ROW + GAP + 12;
			core.canvas = document.createElement("canvas");
			core.canvas.style.height = `${core.height}px`;
			core.canvas.tabIndex = 0;
			core.canvas.setAttribute("role", "img");
			core.canvas.setAttribute("aria-label", `core ${c.x},${c.y}: ${core.riscs.map((r) => `${r.name} ${r.t.length - 1} markers`).join(", ")}`);
			box.append(head, core.canvas);
			home.append(box);
			rows.push(core);
			watch.observe(core.canvas);

			const time_at = (e) => {
				const w = core.canvas.clientWidth;
				return view.from + ((e.offsetX - LABEL) / (w - LABEL)) * (view.to - view.from);
			};
			let drag = null;
			core.canvas.addEventListener("pointerdown", (e) => { drag = time_at(e); });
			core.canvas.addEventListener("pointerup", (e) => {
				const t = time_at(e);
				if (drag !== null && Math.abs(t - drag) > (view.to - view.from) / 200) show(Math.min(drag, t), Math.max(drag, t));
				drag = null;
			});
			core.canvas.addEventListener("dblclick", () => show(0, chip.span));
			core.canvas.addEventListener("wheel", (e) => {
				if (!e.ctrlKey) return;
				e.preventDefault();
				zoom(e.deltaY > 0 ? 1.25 : 0.8, time_at(e));
			}, { passive: false });
			core.canvas.addEventListener("pointermove", (e) => {
				const risc = core.riscs[Math.floor((e.offsetY - GAP) / ROW)];
				const i = risc && e.offsetX > LABEL ? seek(risc.t, time_at(e)) : -1;
				tip.hidden = i < 0 || i + 1 >= risc.t.length || !risc.kind[i];
				if (tip.hidden) return;
				const took = risc.t[i + 1] - risc.t[i];
				tip.textContent = `${risc.name}: ${i ? data.marks[risc.m[i]] : "0"} → ${data.marks[risc.m[i + 1]]}\n${took} cycles, ${time(took)}, from ${risc.t[i]}`;
				tip.style.left = `${Math.min(e.pageX + 12, document.documentElement.clientWidth - 330)}px`;
				tip.style.top = `${e.pageY + 14}px`;
			});
			core.canvas.addEventListener("pointerleave", () => { tip.hidden = true; });
		}
		home.addEventListener("keydown", (e) => {
			const wide = view.to - view.from;
			const keys = {
				"+": () => zoom(0.5, middle()), "=": () => zoom(0.5, middle()), "-": () => zoom(2, middle()),
				"0": () => show(0, chip.span),
				ArrowLeft: () => show(view.from - wide / 4, view.to - wide / 4),
				ArrowRight: () => show(view.from + wide / 4, view.to + wide / 4),
			};
			if (!keys[e.key] || e.ctrlKey || e.metaKey) return;
			e.preventDefault();
			keys[e.key]();
		});
		addEventListener("resize", redraw);
		dark.addEventListener("change", redraw);
		drawAxis();
	}
})();
