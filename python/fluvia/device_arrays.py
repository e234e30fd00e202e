# SPDX-License-Identifier: Apache-2.0
"""Arrays in the memory of a GPU."""
from __future__ import annotations

from typing import Any


class DeviceArray:
    """Single-precision numbers in the memory of a GPU, C-ordered, owned by this object. Fluvia computes nothing with it:
    PyTorch, JAX, CuPy and others take it as it is, without a copy, by DLPack, or by CUDA's array interface.

    It is complete when it is given, so any stream may read it at once. It outlives the flow that it was taken from.
    """

    def __init__(self, array: Any, address: int, shape: tuple[int, ...]) -> None:
        self._array = array
        self._address = address
        self.shape = shape
        """As that of the field on the host."""

    @property
    def device(self) -> int:
        """Number of the GPU, as CUDA counts."""
        return int(self._array.__dlpack_device__()[1])

    def __dlpack__(self, **options: Any) -> Any:
        """For `from_dlpack` of other libraries."""
        return self._array.__dlpack__(**options)

    def __dlpack_device__(self) -> tuple[int, int]:
        """The kind of the device (2: CUDA), and its number."""
        kind, device = self._array.__dlpack_device__()
        return int(kind), int(device)

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        """For libraries that take arrays of CUDA by this, version 3. No stream has work left on it."""
        return {"shape": self.shape, "typestr": "<f4", "data": (self._address, False), "strides": None, "version": 3,
                "stream": None}

    def __repr__(self) -> str:
        return f"<fluvia.DeviceArray {self.shape} of float32 on GPU {self.device}>"
