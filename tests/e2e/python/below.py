# SPDX-License-Identifier: Apache-2.0
"""below.py HOW OPTIONS...: starts Python as programs do; work() is called 3 times here, and 5 times in a child or 20 in workers."""
import multiprocessing
import subprocess
import sys


def work(n):
    return n + 1


def main():
    for _ in range(3):
        work(1)
    how = sys.argv[1]
    if how in ("spawn", "forkserver"):
        with multiprocessing.get_context(how).Pool(2) as pool:
            print(sum(pool.map(work, range(20))))
            pool.close()
            pool.join()  # one without work has begun, too
        return 0
    if how == "child":
        for _ in range(2):
            work(1)
        print("out")
        print("err", file=sys.stderr)
        return 3
    return subprocess.run([sys.executable, *sys.argv[2:], __file__, "child"], check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
