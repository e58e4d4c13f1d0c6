# SPDX-License-Identifier: Apache-2.0
"""starts.py HOW N: N processes that each record one zone, started as Python programs start them."""
import multiprocessing
import os
import subprocess
import sys

import ttprof


def work(n):
    with ttprof.zone(f"process {n}"):
        pass
    return n


def main():
    how, n = sys.argv[1], int(sys.argv[2])
    if how == "fork":
        for i in range(n):
            pid = os.fork()
            if not pid:
                work(i)
                os._exit(0)
            os.waitpid(pid, 0)
    elif how in ("spawn", "forkserver"):
        with multiprocessing.get_context(how).Pool(n) as pool:
            pool.map(work, range(n), chunksize=1)
            pool.close()
            pool.join()
    elif how.startswith("terminated-"):
        # The block of a pool ends by SIGTERM to its workers.
        with multiprocessing.get_context(how.split("-")[1]).Pool(4) as pool:
            pool.map(work, range(n), chunksize=1)
    else:
        code = "import sys, ttprof\nwith ttprof.zone('process ' + sys.argv[1]):\n    pass\n"
        children = [subprocess.Popen([sys.executable, "-c", code, str(i)]) for i in range(n)]
        for child in children:
            child.wait()
    with ttprof.zone("parent"):
        pass


if __name__ == "__main__":
    main()
