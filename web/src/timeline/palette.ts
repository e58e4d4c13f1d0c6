// SPDX-License-Identifier: Apache-2.0
// Colours as the painter wants them: each hue in steps from the ground to its full strength.
import { hue, HUES, pixel, rgb } from "../ui/colour";
import { SHADES, type Palette } from "./paint";

function mix(from: number[], to: number[], share: number): number {
	const [r, g, b] = from.map((value, i) => Math.round(value + (to[i] - value) * share));
	return (0xff000000 | (b << 16) | (g << 8) | r) >>> 0;
}

// Names that a search did not find (`found`) are grey, colour 0.
export function makePalette(strings: string[], ground: string, grey: string, found: ((name: number) => boolean) | null): Palette {
	const colours = [grey, ...HUES];
	const shades = new Uint32Array(colours.length * (SHADES + 1));
	colours.forEach((colour, i) => {
		for (let shade = 0; shade <= SHADES; shade++) shades[i * (SHADES + 1) + shade] = mix(rgb(ground), rgb(colour), shade / SHADES);
	});
	const of = new Int8Array(strings.length).fill(-1);
	const learn = (name: number): number => {
		if (name >= strings.length) return 0;
		return (of[name] = found && !found(name) ? 0 : 1 + HUES.indexOf(hue(strings[name])));
	};
	return {
		shades, edges: Uint32Array.from(colours, (colour) => mix(rgb(colour), [0, 0, 0], 0.28)), ground: pixel(ground),
		colourOf: (name) => {
			const colour = of[name];
			return colour >= 0 ? colour : learn(name);
		},
	};
}
