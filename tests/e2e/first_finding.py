# SPDX-License-Identifier: Apache-2.0
"""What a report says first: JSON, terminal and page must agree on it."""
import json
import os
import subprocess

from page_data import Page


def call(ttprof, *words):
    done = subprocess.run([str(ttprof), *map(str, words)], capture_output=True, text=True, timeout=120, check=False,
                          env={**os.environ, "COLUMNS": "400", "LC_ALL": "C.UTF-8"})
    assert done.returncode == 0, (words, done.returncode, done.stderr[-2000:])
    return done.stdout


def report_of(ttprof, run, page, *options):
    """The report as JSON; its findings are those of the terminal and, of a whole run, those of the page (written to `page`)."""
    made = json.loads(call(ttprof, "report", "--json", *options, run))
    shown = call(ttprof, "report", *options, run).partition("What to fix first")[2]
    lines = [line[5:] for line in shown.splitlines() if line[:5] in ("  1  ", "  2  ", "  3  ")][:3]
    wanted = [f["text"] for f in made["findings"][:3]]
    # a line is at most 130 columns: what is longer goes on below
    assert len(lines) == len(wanted) and all(w.startswith(line.split("  ")[0]) for w, line in zip(wanted, lines)), (lines, wanted)
    if "--ignore-signposts" in options:
        call(ttprof, "view", "--data-only", "-o", page, run)
        data = Page.of_file(page).m["report"]
        assert data["findings"] == made["findings"] and data["headline"] == made["headline"], (data["findings"][:1], made["findings"][:1])
    return made
