# SPDX-License-Identifier: Apache-2.0
"""One layer of a small BERT, as a test that can be profiled: ttprof run -r -p -m pytest examples/python/test_bert_tiny.py"""
import ttnn
from tracy import signpost

TEXT, WIDTH, HEADS = 32, 64, 2


class Layer:
    def __init__(self, device):
        def weights(rows, columns, seed):
            return ttnn.rand([rows, columns], layout=ttnn.TILE_LAYOUT, device=device, low=-0.1, high=0.1, seed=seed)

        self.query, self.key, self.value, self.out = (weights(WIDTH, WIDTH, seed) for seed in range(4))
        self.up, self.down = weights(WIDTH, 2 * WIDTH, 4), weights(2 * WIDTH, WIDTH, 5)
        self.gamma, self.beta = weights(1, WIDTH, 6), weights(1, WIDTH, 7)

    def heads(self, x, weight):
        return ttnn.permute(ttnn.reshape(ttnn.linear(x, weight), [1, TEXT, HEADS, WIDTH // HEADS]), (0, 2, 1, 3))

    def attention(self, x):
        scores = ttnn.matmul(self.heads(x, self.query), self.heads(x, self.key), transpose_b=True)
        seen = ttnn.softmax(scores * (WIDTH // HEADS) ** -0.5, dim=-1)
        joined = ttnn.permute(ttnn.matmul(seen, self.heads(x, self.value)), (0, 2, 1, 3))
        return ttnn.linear(ttnn.reshape(joined, [TEXT, WIDTH]), self.out)

    def __call__(self, x):
        x = ttnn.layer_norm(x + self.attention(x), weight=self.gamma, bias=self.beta, epsilon=1e-5)
        return x + ttnn.linear(ttnn.linear(x, self.up, activation="gelu"), self.down)


def test_demo(device):
    words = ttnn.from_torch([(7 * i) % 50 for i in range(TEXT)], dtype=ttnn.uint32, device=device)
    table = ttnn.rand([50, WIDTH], layout=ttnn.TILE_LAYOUT, device=device, seed=8)
    layer, x = Layer(device), ttnn.embedding(words, table)
    signpost("compiled")
    result = layer(x).to_list()
    assert len(result) == TEXT and all(len(row) == WIDTH for row in result)
    assert result == layer(x).to_list(), "the same words are the same again"
