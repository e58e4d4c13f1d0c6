# SPDX-License-Identifier: Apache-2.0
"""end_to_end.py [ROUNDS]: a small model, a warm-up and a measured part, with signposts and a Profiler.

    ttprof run -r -p examples/python/end_to_end.py
"""
import sys

import ttnn
from tracy import Profiler, signpost


class Model:
    """softmax(relu(x a) b)"""

    def __init__(self, device, width=64, hidden=128):
        self.a = ttnn.rand([width, hidden], layout=ttnn.TILE_LAYOUT, device=device, low=-0.5, high=0.5, seed=1)
        self.b = ttnn.rand([hidden, width], layout=ttnn.TILE_LAYOUT, device=device, low=-0.5, high=0.5, seed=2)

    def __call__(self, x):
        return ttnn.softmax(ttnn.linear(ttnn.linear(x, self.a, activation="relu"), self.b), dim=-1)


def measure(device, model, inputs, warm_ups, rounds):
    profiler = Profiler()
    signpost("warm-up", f"{warm_ups} rounds")
    for _ in range(warm_ups):
        model(inputs)
    ttnn.synchronize_device(device)
    signpost("measured", f"{rounds} rounds")
    profiler.enable()
    for _ in range(rounds):
        result = model(inputs)
    ttnn.synchronize_device(device)
    profiler.disable()
    signpost("done")
    ttnn.ReadDeviceProfiler(device)
    return result


def main():
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    device = ttnn.open_mesh_device(ttnn.MeshShape(1, 1))
    model = Model(device)
    inputs = ttnn.rand([32, 64], layout=ttnn.TILE_LAYOUT, device=device, seed=3)
    for row in measure(device, model, inputs, 1, rounds).to_list():
        assert abs(sum(row) - 1) < 0.02, "a softmax has the sum 1"
    ttnn.close_mesh_device(device)
    print(f"{rounds} rounds")


if __name__ == "__main__":
    main()
