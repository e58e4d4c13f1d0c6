# SPDX-License-Identifier: Apache-2.0
"""Recorded cases of process_ops_logs and process_device_log: how they are run and compared.

A scenario has its inputs (in/) and out/<mode>/ with cmdline.txt, rc.txt and what the original
wrote; <WORK> stands for the folder.  Where the original failed (rc.txt is not 0), we must not: every op of the
host has a row, and stderr names the cause.
"""
import csv
import gzip
import io
import os
import re
import shutil
import subprocess
import tarfile

# What the account must say where the original gives up.
CAUSES = {
    "E1_drop_tail": "no device data", "E2_drop_fwend": "partial", "E3_malformed_json": "cut",
    "E4_no_host_zone": "without host time", "E6_dispatch_head": "", "E7_bad_signpost": "", "E5_same_start": "",
    "E8_old_header": "", "E9_device_trace": "", "E10_unreplayed_trace": "never replayed", "E11_cut_no_quote": "cut",
    "E12_lost_replay_msg": "replay",
}


SKIP = set()  # scenarios that lack an input


def unpack(scenario, to):
    shutil.copytree(os.path.join(scenario, "in"), to)


def rows(data):
    return list(csv.DictReader(io.StringIO(data.decode(), newline="")))


def same(name, want, got):
    if name.startswith("per_core"):  # the order of its columns is the original's hash order
        return rows(want) == rows(got)
    return want == got


def host_ops(folder):
    """Call counts that the host's zones name."""
    ids = set()
    try:
        with open(os.path.join(folder, ".logs", "tracy_ops_times.csv"), newline="") as f:
            for row in csv.DictReader(f):
                if row["name"].startswith("TT_DNN") and row["zone_text"]:
                    ids.add(row["zone_text"].rsplit(":", 1)[-1])
    except OSError:
        pass
    return ids


def check_failed(scenario, folder, out, stderr):
    report = os.path.join(out, "ops_perf_results.csv")
    if not os.path.exists(report):
        return [] if "device" in os.path.basename(out) else ["no report"]
    with open(report, "rb") as f:
        have = {r["GLOBAL CALL COUNT"] for r in rows(f.read())}
    missing = host_ops(folder) - have
    wrong = ["ops without a row: %s" % sorted(missing)] if missing else []
    cause = CAUSES.get(os.path.basename(scenario), "")
    told = "\n".join(line for line in stderr.splitlines() if "generated at" not in line)
    if cause and cause not in told:
        wrong.append("the account does not say %r" % cause)
    return wrong


def run(program, scenario, mode, work):
    """What is wrong with a case; nothing when all is well."""
    recorded = os.path.join(scenario, "out", mode)
    folder = os.path.join(work, os.path.basename(scenario) + "_" + mode)
    unpack(scenario, folder)
    extra = os.path.join(recorded, "npe_results.csv")
    if os.path.exists(extra):
        shutil.copy(extra, os.path.join(folder, ".logs"))
    with open(os.path.join(recorded, "cmdline.txt")) as f:
        words = f.read().replace("<WORK>", work).split()
    env = dict(os.environ, TT_METAL_PROFILER_DIR=folder)
    got = subprocess.run([os.path.join(program, words[0])] + words[1:], env=env, cwd=work, capture_output=True)
    with open(os.path.join(recorded, "rc.txt")) as f:
        failed = f.read().strip() != "0"
    out = os.path.join(folder, "output/device" if words[0] == "process_device_log" else "reports")
    if got.returncode:
        return ["exit status %d: %s" % (got.returncode, got.stderr.decode(errors="replace")[-200:])]
    if failed:
        return check_failed(scenario, folder, out, got.stderr.decode())
    wrong = []
    want_stdout = b""
    for name in sorted(os.listdir(recorded)):
        with open(os.path.join(recorded, name), "rb") as f:
            want = f.read()
        if name in ("cmdline.txt", "rc.txt", "error.txt", "npe_results.csv"):
            continue
        if name.endswith(".gz"):
            name, want = name[:-3], gzip.decompress(want)
        if name == "stdout.txt":
            want_stdout = want
            continue
        try:
            with open(os.path.join(out, name), "rb") as f:
                have = f.read().replace(work.encode(), b"<WORK>")
        except OSError:
            have = b""
        if name.endswith(".json"):  # holds the path of the log, which differs
            want, have = (re.sub(rb'"deviceInputLog": "[^"]*"', b"", x) for x in (want, have))
        if not same(name, want, have):
            wrong.append(name + " differs")
    if got.stdout.replace(work.encode(), b"<WORK>") != want_stdout:
        wrong.append("stdout differs")
    tgz = os.path.join(out, "device_perf_results.tgz")
    if words[0] == "process_device_log" and "--no-artifacts" not in words:
        with tarfile.open(tgz) as t:
            names = sorted(os.path.basename(n) for n in t.getnames())
        if names != ["device_analysis_data.json", "device_stats.txt", "profile_log_device.csv"]:
            wrong.append("archive has %s" % names)
    return wrong


def run_all(build, tree, work, label):
    programs = os.path.join(work, "bin")
    os.makedirs(programs)
    for name in ("process_ops_logs", "process_device_log"):
        os.symlink(os.path.join(build, "ttprof"), os.path.join(programs, name))
    bad = 0
    for scenario in sorted(os.listdir(tree)):
        folder = os.path.join(tree, scenario)
        if not os.path.isdir(os.path.join(folder, "out")) or scenario in SKIP:
            continue
        for mode in sorted(os.listdir(os.path.join(folder, "out"))):
            if not os.path.exists(os.path.join(folder, "out", mode, "cmdline.txt")):
                continue
            wrong = run(programs, folder, mode, work)
            bad += bool(wrong)
            print("%sok %s%s/%s" % ("not " if wrong else "", label, scenario, mode))
            for line in wrong:
                print("    " + line)
    return bad
