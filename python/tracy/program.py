# SPDX-License-Identifier: Apache-2.0
"""The program ttprof, which does the work of this package."""
import functools
import json
import os
import shutil
import subprocess
import sys


def find():
    """The program: named by TTPROF, of the build or installation that this package is of, or in the PATH; None without any."""
    folders = [os.path.dirname(os.path.dirname(os.path.abspath(__file__)))]
    ttprof = sys.modules.get("ttprof")
    if ttprof is not None:  # this package may lie elsewhere
        folders.append(os.path.dirname(os.path.dirname(os.path.abspath(ttprof.__file__))))
    candidates = [os.environ.get("TTPROF")]
    for here in folders:
        candidates += [os.path.join(os.path.dirname(here), "ttprof"), os.path.join(here, "..", "..", "..", "bin", "ttprof")]
    for path in (*candidates, shutil.which("ttprof")):
        if path and os.access(path, os.X_OK) and not os.path.isdir(path):
            return os.path.abspath(path)
    return None


def _needed():
    program = find()
    if program is None:
        raise FileNotFoundError("ttprof was not found: put it into the PATH, or name it by TTPROF=/path/ttprof")
    return program


def become(*words):
    """Goes on as ttprof; words[0] is the name that it is called by."""
    try:
        program = _needed()
    except FileNotFoundError as e:
        print(f"{words[0]}: {e}", file=sys.stderr)
        return 1
    sys.stdout.flush()
    os.execv(program, list(words))
    return 1


def run(*words, **more):
    """Runs ttprof, called words[0]; raises subprocess.CalledProcessError where it fails."""
    return subprocess.run(list(words), executable=_needed(), check=True, **more)


@functools.lru_cache(maxsize=None)
def facts():
    """What ttprof knows as data: setups of analyses, columns of the ops report."""
    return json.loads(run("ttprof", "__device_data", stdout=subprocess.PIPE).stdout)
