"""WebAssembly modules without imports, with data in their memory."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
import numpy.typing as npt
import wasmtime

Array = npt.NDArray[Any]
_PROBLEMS = {1: "its data have another format", 2: "its data are newer than its kernel", 3: "memory is short, or its data are damaged"}


class Instance:
    """An instance of a kernel that has opened its data. Use it from one thread at a time."""

    def __init__(self, module: bytes, data: bytes) -> None:
        engine = wasmtime.Engine()
        self._store = wasmtime.Store(engine)
        self._exports = wasmtime.Instance(self._store, wasmtime.Module(engine, module), []).exports(self._store)
        self._memory = cast(wasmtime.Memory, self._exports["memory"])
        self._check(self._call("open", self._put(np.frombuffer(data, np.uint8)), len(data)))

    def _call(self, function: str, *arguments: int) -> int:
        return int(cast(wasmtime.Func, self._exports[function])(self._store, *arguments) or 0)

    def _check(self, problem: int) -> None:
        if problem != 0:
            raise RuntimeError(_PROBLEMS.get(problem, f"problem {problem}"))

    def _allocate(self, length: int) -> int:
        place = self._call("allocate", max(length, 1)) & 0xFFFFFFFF
        if place == 0:
            raise MemoryError(f"The kernel has no memory for {length} bytes.")
        return place

    def _put(self, data: Array) -> int:
        place = self._allocate(data.nbytes)
        self._bytes(place, data.nbytes)[:] = np.ascontiguousarray(data).reshape(-1).view(np.uint8)
        return place

    def _bytes(self, place: int, length: int) -> Array:
        # The memory moves when it grows, so every access takes a new view.
        return np.frombuffer(memoryview(self._memory.get_buffer_ptr(self._store, max(length, 1), place)), np.uint8, length)
