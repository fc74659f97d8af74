"""The WebAssembly kernel of an artifact: look-ups of words, checks of numbers, evaluation of blocks of rows."""

from __future__ import annotations

import struct
from typing import NamedTuple

import numpy as np

from .instance import Array as Array
from .instance import Instance

_SCRATCH_BYTES = 1024
_MAX_KEPT_WORDS = 65_536


class Input(NamedTuple):
    """Bounds of an input, and the number of the list with its words (−1 for none)."""

    is_word: bool
    is_whole: bool
    min: float
    max: float
    words: int


class Block:
    """Columns of some rows as the kernel takes them. An input is a pair of lower and upper values; None if it is unknown or exact."""

    def __init__(self, rows: int, inputs: int) -> None:
        self.rows = rows
        self.policy_types, self.states = np.full(rows, 255, np.uint8), np.full(rows, 255, np.uint8)
        self.counties, self.intervals = np.zeros(rows, np.int32), np.zeros(rows, np.uint16)
        self.inputs: list[tuple[Array | None, Array | None]] = [(None, None)] * inputs

    def take(self, rows: Array) -> Block:
        """Returns the block of some of the rows."""
        part = Block(len(rows), len(self.inputs))
        for name in ("policy_types", "states", "counties", "intervals"):
            setattr(part, name, getattr(self, name)[rows])
        part.inputs = [(a if a is None else a[rows], b if b is None else b[rows]) for a, b in self.inputs]
        return part


class Kernel(Instance):
    """An instance of the kernel with the tables in its memory. Use it from one thread at a time."""

    def __init__(self, module: bytes, image: bytes) -> None:
        super().__init__(module, image)
        self._words: dict[tuple[str, int, str], int] = {}
        self._image = image
        self._scratch = self._call("allocate", _SCRATCH_BYTES)

    def find(self, function: str, number: int, text: str) -> int:
        """Looks up a text: by `find` in a list (0 if it is blank, negative if unknown), by `find_county` in a state (−1 if it has no such
        county, −2−n for an ambiguous name)."""
        key = (function, number, text)
        if key not in self._words:
            data = np.frombuffer(text.encode("utf-8", "replace")[:_SCRATCH_BYTES], np.uint8)
            self._bytes(self._scratch, len(data))[:] = data
            if len(self._words) >= _MAX_KEPT_WORDS:
                self._words.clear()
            self._words[key] = self._call(function, number, self._scratch, len(data))
        return self._words[key]

    def normalize(self, number: int, values: Array, intervals: Array) -> tuple[Array, Array]:
        """Converts numbers of a home to values of an input. Returns the values, and by row a fault: 0 none, 1 not whole, 2 out of range,
        3 infinite."""
        mark, rows = self._call("mark"), len(values)
        try:
            source, interval, target, faults = self._put(values), self._put(intervals), self._allocate(8 * rows), self._allocate(rows)
            self._call("normalize", number, source, 0, 0, interval, rows, target, faults)
            return self._bytes(target, 8 * rows).copy().view(np.float64), self._bytes(faults, rows).copy()
        finally:
            self._call("release", mark)

    def run(self, function: str, block: Block, width: int, *more: int) -> Array:
        """Runs `evaluate`, or `explain` of an interval and policy type. Returns rows × carriers with statuses, or rows × reasons with 0
        (cannot hold), 1 (may hold) or 2 (holds). Skipped rows have 0."""
        mark, rows = self._call("mark"), block.rows
        try:
            columns = np.zeros((len(block.inputs), 4), np.uint32)
            for number, values in enumerate(block.inputs):
                columns[number, :2] = [0 if each is None else self._put(each) for each in values]
            out = self._put(np.zeros(rows * width, np.uint8))
            places = [self._put(each) for each in (block.policy_types, block.states, block.counties, block.intervals, columns)]
            self._check(self._call(function, self._put(np.array([rows, *places, out, width, *[0] * 8], np.uint32)), *more))
            return self._bytes(out, rows * width).copy().reshape(rows, width)
        finally:
            self._call("release", mark)

    def input(self, number: int) -> Input:
        """Returns what the tables hold about an input."""
        (inputs,) = struct.unpack_from("<I", self._image, 16)
        kind, integer, minimum, maximum, words = struct.unpack_from("<I4xI4xddi", self._image, inputs + 64 * number)
        return Input(kind == 1, integer == 1, minimum, maximum, words)

    def intervals(self) -> tuple[Array, Array, Array]:
        """Returns the first day of each interval, the day after its last, and its effective year."""
        count, start = struct.unpack_from("<2I", self._image, 32)
        table = np.frombuffer(self._image, "<i4", 4 * count, start).reshape(count, 4)
        return table[:, 0], table[:, 1], table[:, 2]
