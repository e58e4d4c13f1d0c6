# SPDX-License-Identifier: Apache-2.0
"""What the call of an op asks for beside its tensors: where the results go, and how exact the math is."""
import contextlib
import enum
import threading

_NOW = threading.local()


class MathFidelity(enum.Enum):
    LoFi, HiFi2, HiFi3, HiFi4 = range(1, 5)  # pylint: disable=invalid-name


class WormholeComputeKernelConfig:
    """math_fidelity is what the embedded chip's math takes passes for; the rest is accepted."""

    def __init__(self, math_fidelity=MathFidelity.LoFi, math_approx_mode=True, fp32_dest_acc_en=False, packer_l1_acc=False, **_):
        if not isinstance(math_fidelity, MathFidelity):
            raise TypeError(f"ttnn: math_fidelity: a MathFidelity, such as ttnn.MathFidelity.HiFi2, is wanted, not {math_fidelity!r}"[:200])
        self.math_fidelity, self.math_approx_mode = math_fidelity, math_approx_mode
        self.fp32_dest_acc_en, self.packer_l1_acc = fp32_dest_acc_en, packer_l1_acc


def init_device_compute_kernel_config(*_, **named):
    return WormholeComputeKernelConfig(**named)


@contextlib.contextmanager
def calling(memory_config, compute_kernel_config):
    before = getattr(_NOW, "call", None)
    _NOW.call = [memory_config, compute_kernel_config, False]
    try:
        yield
    finally:
        _NOW.call = before


def like(tensor):
    """Without a memory_config, results go where the first input is."""
    if getattr(_NOW, "call", None):
        _NOW.call[2] = tensor.in_l1


def in_l1():
    call = getattr(_NOW, "call", None)
    if not call:
        return False
    return call[0].buffer_type.name == "L1" if call[0] is not None else call[2]


def fidelity():
    """1 for LoFi to 4 for HiFi4, which is what ops take without a config."""
    call = getattr(_NOW, "call", None)
    config = call[1] if call else None
    return config.math_fidelity.value if config is not None else 4
