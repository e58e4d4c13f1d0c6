// SPDX-License-Identifier: Apache-2.0
import type { Run } from "../data/run";

export function Device(props: { run: Run }) {
	return <p>{props.run.manifest.title}</p>;
}
