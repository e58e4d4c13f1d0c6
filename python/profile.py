#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tt-torch's profile.py: ttprof under that name, also for `python profile.py "command"`."""
import os
import shutil
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
for path in (os.environ.get("TTPROF"), os.path.join(HERE, "ttprof"), os.path.join(HERE, "..", "build", "ttprof"),
             shutil.which("ttprof")):
    if path and os.access(path, os.X_OK) and not os.path.isdir(path):
        os.execv(path, ["profile.py", *sys.argv[1:]])
print("profile.py: ttprof was not found: put it into the PATH, or name it by TTPROF=/path/ttprof", file=sys.stderr)
sys.exit(1)
