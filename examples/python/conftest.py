# SPDX-License-Identifier: Apache-2.0
"""Fixtures that tests of tt-metal find in its own conftest.py."""
import pytest
import ttnn


@pytest.fixture(name="device")
def _device():
    device = ttnn.open_device(device_id=0)
    yield device
    ttnn.close_device(device)


@pytest.fixture(name="mesh_device")
def _mesh_device():
    device = ttnn.open_mesh_device(ttnn.MeshShape(1, 1))
    yield device
    ttnn.close_mesh_device(device)


@pytest.fixture(name="use_program_cache")
def _use_program_cache(device):
    device.enable_program_cache()
