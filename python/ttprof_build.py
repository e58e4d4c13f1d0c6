# SPDX-License-Identifier: Apache-2.0
"""Builds the package for pip: `pip install ./python`, in a clone of ttprof.

A backend of our own (PEP 517), so that nothing has to be downloaded: it builds libttp and ttprof by the project's own
`make`, the extension by the interpreter's own compiler settings, and puts all of it into a wheel.
"""
import base64
import hashlib
import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
TREE = os.path.dirname(HERE)
NAME, VERSION = "ttprof", "0.2.0"
INFO = f"{NAME}-{VERSION}.dist-info"
METADATA = f"""Metadata-Version: 2.1
Name: {NAME}
Version: {VERSION}
Summary: The profiler for Tenstorrent accelerators
License: Apache-2.0
Requires-Python: >=3.8
"""
ENTRY_POINTS = "[pytest11]\nttprof = ttprof.pytest_plugin\n"


def _run(*words):
    done = subprocess.run(words, cwd=TREE, check=False)
    if done.returncode:
        raise SystemExit(f"ttprof: {shlex.join(words)} failed; `make setup` installs what is needed")


def _pythons():
    """(headers, end of the extension's name) of each Python that gets one: that which runs this, or the folders with Python.h that TTPROF_PYTHON_HEADERS
    names (with ":" between them), for a wheel that serves all of them."""
    folders = [f for f in os.environ.get("TTPROF_PYTHON_HEADERS", "").split(":") if f]
    if not folders:
        return [(sysconfig.get_path("include"), sysconfig.get_config_var("EXT_SUFFIX"))]
    machine = subprocess.run(["gcc", "-dumpmachine"], capture_output=True, text=True, check=True).stdout.strip()
    found = []
    for folder in folders:
        with open(os.path.join(folder, "patchlevel.h"), encoding="utf-8") as f:
            version = dict(re.findall(r"#define PY_(MAJOR|MINOR)_VERSION\s+(\d+)", f.read()))
        found.append((folder, f".cpython-{version['MAJOR']}{version['MINOR']}-{machine}.so"))
    return found


def _glibc(files):
    """The newest version of glibc that one of them asks for."""
    newest = (2, 17)
    for path in files:
        with open(path, "rb") as f:
            data = f.read()
        if data[:4] == b"\x7fELF" and data[18:20] != b"\xf3\x00":  # not a kernel
            newest = max([newest, *((int(a), int(b)) for a, b in re.findall(rb"GLIBC_(\d+)\.(\d+)", data))])
    return newest


def _tag(files):
    if os.environ.get("TTPROF_PYTHON_HEADERS"):
        return "py3-none-manylinux_{}_{}_{}".format(*_glibc(files), os.uname().machine)
    version = f"cp{sys.version_info[0]}{sys.version_info[1]}"
    platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    return f"{version}-{version}-{platform}"


def _extension(build, to, headers=None, libraries="$ORIGIN"):
    own = headers in (None, sysconfig.get_path("include"))
    compiler = shlex.split(sysconfig.get_config_var("CC") or "cc") if own else ["gcc"]
    sources = sorted(os.path.join(HERE, "src", f) for f in os.listdir(os.path.join(HERE, "src")) if f.endswith(".c"))
    _run(*compiler, "-std=c17", "-O2", "-fPIC", "-fno-plt", "-fvisibility=hidden", "-shared", "-Wl,--build-id=none",
         "-I" + (headers or sysconfig.get_path("include")), "-I" + os.path.join(TREE, "include"), *sources, "-o", to,
         "-L" + build, "-l:libttp.so.0", "-Wl,-rpath," + libraries)


# The packages lie where `ttprof run` of any installation looks for them, to give them to other interpreters; site-packages has the way
# there.  And `import ttnn` finds the stand-in where there is no ttnn, also in programs that import nothing else of ours.
PACKAGES = "share/ttprof/python"
PTH = f"../../../{PACKAGES}\nimport ttprof_standin; ttprof_standin.install()\n"


def _files(build, work):
    """Path in the wheel -> path here."""
    files = {}
    data = f"{NAME}-{VERSION}.data/data/{PACKAGES}/"
    for package in ("ttprof", "tracy", "tt_metal", "ttprof_standin"):
        for folder, _, names in os.walk(os.path.join(HERE, package)):
            for name in sorted(names):
                if name.endswith((".py", ".c", ".h")):
                    at = os.path.join(folder, name)
                    files[data + os.path.relpath(at, HERE)] = at
    for name in ("sitecustomize.py", "ttprof_children.py"):
        files[data + name] = os.path.join(HERE, name)
    files["ttprof.pth"] = os.path.join(work, "ttprof.pth")
    with open(files["ttprof.pth"], "w", encoding="utf-8") as f:
        f.write(PTH)
    pythons = _pythons()
    for headers, suffix in pythons:
        extension = os.path.join(work, "_client" + suffix)
        _extension(build, extension, headers)
        files[data + "ttprof/_client" + suffix] = extension
    for library in ("libttp.so.0", "libttpdev.so.0", "libttprof.so.0"):
        files[data + "ttprof/" + library] = _stripped(os.path.realpath(os.path.join(build, library)), work)
    kernels = os.environ.get("TTPROF_KERNELS")
    for name in sorted(os.listdir(kernels)) if kernels else ():
        files[f"{NAME}-{VERSION}.data/data/share/ttprof/kernels/{name}"] = os.path.join(kernels, name)
    scripts = f"{NAME}-{VERSION}.data/scripts/"
    program = os.path.join(build, "ttprof")
    files[scripts + "ttprof"] = _stripped(program, work)
    links = subprocess.run([program, "__links"], capture_output=True, text=True, check=True).stdout.split()
    for name in links:
        script = os.path.join(work, name)
        with open(script, "w", encoding="utf-8") as f:
            f.write('#!/bin/bash\nexec -a "$0" "$(dirname "$(readlink -f "$0")")/ttprof" "$@"\n')
        os.chmod(script, 0o755)
        files[scripts + name] = script
    files[scripts + "profile.py"] = os.path.join(HERE, "profile.py")
    return files


def _stripped(path, work):
    """Without debug information, which is most of it."""
    to = os.path.join(work, os.path.basename(path))
    if subprocess.run(["strip", "--strip-unneeded", "-o", to, path], capture_output=True, check=False).returncode:
        return path
    return to


def _digest(data):
    return "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    build = os.environ.get("TTPROF_BUILD", os.path.join(TREE, "build"))
    if not os.path.exists(os.path.join(build, "ttprof")):
        _run("make")
    work = tempfile.mkdtemp(prefix="ttprof-wheel.")
    record = ""
    try:
        files = _files(build, work)
        tag = _tag(files.values())
        wheel = f"{NAME}-{VERSION}-{tag}.whl"
        contents = {path: (open(at, "rb").read(), os.access(at, os.X_OK)) for path, at in files.items()}
        contents[f"{INFO}/METADATA"] = (METADATA.encode(), False)
        contents[f"{INFO}/WHEEL"] = (f"Wheel-Version: 1.0\nGenerator: ttprof\nRoot-Is-Purelib: false\nTag: {tag}\n"
                                     .encode(), False)
        contents[f"{INFO}/entry_points.txt"] = (ENTRY_POINTS.encode(), False)
        for path, (data, _) in contents.items():
            record += f"{path},{_digest(data)},{len(data)}\n"
        contents[f"{INFO}/RECORD"] = ((record + f"{INFO}/RECORD,,\n").encode(), False)
        with zipfile.ZipFile(os.path.join(wheel_directory, wheel), "w", zipfile.ZIP_DEFLATED) as z:
            for path, (data, executable) in contents.items():
                entry = zipfile.ZipInfo(path)
                entry.compress_type = zipfile.ZIP_DEFLATED
                entry.external_attr = (0o100755 if executable else 0o100644) << 16
                z.writestr(entry, data)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return wheel


def build_sdist(sdist_directory, config_settings=None):
    raise SystemExit("ttprof: `make dist` makes the source release, from which pip can install, too")
