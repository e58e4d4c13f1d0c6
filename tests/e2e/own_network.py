# SPDX-License-Identifier: Apache-2.0
"""
A network for a test alone, where the kernel allows it: a loopback on which no other test, and nobody else, announces programs
or takes them.  Elsewhere tests that listen to everybody take turns.
"""
import ctypes
import fcntl
import os
import socket
import struct
import tempfile

NEW_USER, NEW_NET = 0x10000000, 0x40000000
LOCK = []


def write(path, text):
    with open(path, "w", encoding="ascii") as f:
        f.write(text)


def enter():
    """For this process and all that it starts; before it has threads.  True if it is alone now."""
    libc = ctypes.CDLL(None, use_errno=True)
    uid, gid = os.geteuid(), os.getegid()
    if libc.unshare(NEW_NET):
        if libc.unshare(NEW_USER | NEW_NET):
            LOCK.append(open(os.path.join(tempfile.gettempdir(), f"ttprof-tests-udp-{uid}"), "w", encoding="ascii"))
            fcntl.flock(LOCK[0], fcntl.LOCK_EX)
            return False
        write("/proc/self/setgroups", "deny")
        write("/proc/self/uid_map", f"{uid} {uid} 1")
        write("/proc/self/gid_map", f"{gid} {gid} 1")
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:  # ip link set lo up
        request = struct.pack("16sh14x", b"lo", 0)
        flags = struct.unpack("16sh14x", fcntl.ioctl(s, 0x8913, request))[1]
        fcntl.ioctl(s, 0x8914, struct.pack("16sh14x", b"lo", flags | 1))
    return True
