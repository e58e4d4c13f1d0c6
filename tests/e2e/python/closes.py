# SPDX-License-Identifier: Apache-2.0
"""closes.py FOLDER: children that close every descriptor they find, as daemons and workers do, and open their own."""
import collections
import multiprocessing
import os
import subprocess
import sys
import time


def close_all():
    os.closerange(3, 256)


def works_on():
    close_all()
    time.sleep(0.3)


def writes(folder, ready):
    close_all()
    files = [os.open(os.path.join(folder, f"own{i}"), os.O_RDWR | os.O_CREAT | os.O_TRUNC) for i in range(20)]
    for file in files:
        os.write(file, b"data")
        os.lseek(file, 0, os.SEEK_SET)
    with open(ready, "w", encoding="utf-8"):
        pass
    time.sleep(60)


def main():
    folder = sys.argv[1]
    ready = os.path.join(folder, "ready")
    how = multiprocessing.get_context("fork")
    one = how.Process(target=works_on)
    one.start()
    one.join(30)
    print("works on:", one.exitcode)
    two = how.Process(target=writes, args=(folder, ready))
    two.start()
    while not os.path.exists(ready) and two.is_alive():
        time.sleep(0.05)
    time.sleep(0.3)
    two.terminate()
    two.join(30)
    print("terminated:", two.exitcode)
    print("files:", {open(os.path.join(folder, f"own{i}"), "rb").read() for i in range(20)})
    print("commands:", dict(collections.Counter(subprocess.run(["true"], preexec_fn=os.setsid, check=False).returncode for _ in range(60))))
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            close_all()
            with open(os.path.join(folder, "daemon"), "w", encoding="utf-8") as f:
                f.write("was here")
        os._exit(0)
    os.wait()
    for _ in range(600):
        if os.path.exists(os.path.join(folder, "daemon")):
            break
        time.sleep(0.05)
    print("daemon:", os.path.exists(os.path.join(folder, "daemon")))


if __name__ == "__main__":
    main()
