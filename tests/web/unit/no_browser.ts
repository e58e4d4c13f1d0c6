// SPDX-License-Identifier: Apache-2.0
// What the page's state asks of a browser when it is loaded.  Import it first.
const there = globalThis as unknown as { [name: string]: unknown };
there.location ??= { hash: "", search: "" };
there.window ??= { addEventListener: () => undefined, matchMedia: () => ({ matches: false, addEventListener: () => undefined }) };
