# SPDX-License-Identifier: Apache-2.0
"""utility_functions.profiler of 2023's models: times between start(key) and end(key), here also zones."""
import time

from ttprof import backend

TTPROF_STANDS_IN = True


class Profiler:
    def __init__(self):
        self.start_times, self.times, self.disabled = {}, {}, False

    def enable(self):
        self.disabled = False

    def disable(self):
        self.disabled = True

    def clear(self):
        self.start_times, self.times = {}, {}

    def start(self, key, force_enable=False):
        if not self.disabled or force_enable:
            backend.zone_begin(str(key), str(key), "utility_functions", 0)
            self.start_times[key] = time.time()

    def end(self, key, PERF_CNT=1, force_enable=False):  # pylint: disable=invalid-name
        if (not self.disabled or force_enable) and key in self.start_times:
            self.times.setdefault(key, []).append((time.time() - self.start_times.pop(key)) / PERF_CNT)
            backend.zone_end()

    def get(self, key):
        """The mean of its times in seconds; 0 without any."""
        times = self.times.get(key, [])
        return sum(times) / len(times) if times else 0

    def print(self, units="s"):
        factor = {"s": 1, "ms": 1e3, "us": 1e6, "ns": 1e9}[units]
        for key in self.times:
            print(f"{key}: {self.get(key) * factor:.3f}{units}")


profiler = Profiler()
