# SPDX-License-Identifier: Apache-2.0
"""training.py [EPOCHS]: a line through points, found by gradient descent; the profiler is read after each epoch.

    ttprof run -r -p examples/python/training.py
"""
import sys

import ttnn

POINTS, RATE = 32, 0.5


def main():
    epochs = int(sys.argv[1]) if len(sys.argv) > 1 else 4
    mesh_device = ttnn.open_mesh_device(ttnn.MeshShape(1, 1))
    put = lambda values: ttnn.from_torch(values, dtype=ttnn.float32, layout=ttnn.TILE_LAYOUT, device=mesh_device)  # noqa: E731
    # y = 3 x - 1, as a row of x and a row of ones
    x = put([[i / POINTS - 0.5 for i in range(POINTS)], [1.0] * POINTS])
    y = put([[3 * (i / POINTS - 0.5) - 1 for i in range(POINTS)]])
    line = put([[0.0, 0.0]])
    losses = []
    for epoch in range(epochs):
        for _ in range(3):
            error = ttnn.matmul(line, x) - y
            loss = ttnn.mean(ttnn.square(error), dim=-1)
            line = line - ttnn.matmul(error, x, transpose_b=True) * (2 * RATE / POINTS)
        ttnn.ReadDeviceProfiler(mesh_device)
        losses.append(loss.to_list()[0][0])
        print(f"epoch {epoch}: loss {losses[-1]:.4f}")
    mesh_device.close()
    assert losses[-1] < losses[0], losses


if __name__ == "__main__":
    main()
