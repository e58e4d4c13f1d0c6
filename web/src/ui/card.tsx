// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from "preact";

export function Card(props: { title: string; hint?: string; tools?: ComponentChildren; wide?: string; children?: ComponentChildren }) {
	return (
		<section class={"card " + (props.wide ?? "")} aria-label={props.title}>
			<header>
				<h2>{props.title}</h2>
				{props.hint ? <span class="hint">{props.hint}</span> : null}
				{props.tools ? <div class="tools">{props.tools}</div> : null}
			</header>
			{props.children}
		</section>
	);
}

// What it is, its value, and where it comes from.
export type Figure = [string, string, (() => void)?];

export function Figures(props: { list: Figure[] }) {
	return (
		<div class="figures">
			{props.list.map(([what, value, go]) => (
				<div key={what}><b>{go ? <button class="link" onClick={go}>{value}</button> : value}</b><span>{what}</span></div>
			))}
		</div>
	);
}

export function Facts(props: { list: [string, ComponentChildren][] }) {
	return (
		<dl class="facts">
			{props.list.map(([what, value]) => [<dt key={what}>{what}</dt>, <dd key={what + "."}>{value}</dd>])}
		</dl>
	);
}
