// SPDX-License-Identifier: Apache-2.0
// Files made in the page.

export function csvText(head: string[], rows: (string | number)[][]): string {
	const cell = (value: string | number) => {
		const text = typeof value === "number" && Number.isNaN(value) ? "" : String(value);
		return /[",\n\r]/.test(text) ? '"' + text.replaceAll('"', '""') + '"' : text;
	};
	return [head, ...rows].map((row) => row.map(cell).join(",") + "\n").join("");
}

export function download(name: string, text: string, type = "text/csv"): void {
	const link = document.createElement("a");
	link.href = URL.createObjectURL(new Blob([text], { type }));
	link.download = name;
	link.click();
	setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}
