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

export function Figures(props: { list: [string, string][] }) {
	return (
		<div class="figures">
			{props.list.map(([what, value]) => (
				<div key={what}><b>{value}</b><span>{what}</span></div>
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
