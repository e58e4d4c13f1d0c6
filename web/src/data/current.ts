// SPDX-License-Identifier: Apache-2.0
import { signal } from "@preact/signals";
import type { Run } from "./run";

// The run that the page shows.
export const theRun = signal<Run | null>(null);
