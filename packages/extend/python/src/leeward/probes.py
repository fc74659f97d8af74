"""Probes: homes that every reader makes alike from lists of values, whose answers are compared as checksums."""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from .kernel import Array, Block, Kernel

_BLOCK_ROWS = 4096
_SHARES = np.array([256, 160, 96, 64, 32, 16, 96, 48], np.uint32)
_FIRST_OPEN = 6


def compare_probes(manifest: Mapping[str, Any], kernel: Kernel, probes: Mapping[str, Any]) -> Iterator[tuple[str, int, int]]:
    """Yields what is compared, the checksum of this reader, and that of the file."""
    rows, types = probes["rows"], manifest["policy_types"]
    places = np.array(probes["places"], np.int64)
    lists = [np.array(values, np.float64) for values in probes["values"]]
    for interval, dates in enumerate(manifest["intervals"]):
        for number, name in enumerate(types):
            widths = {"evaluate": len(manifest["carriers"]), "explain": len(dates["types"][number]["reasons"])}
            sums = dict.fromkeys(widths, 0)
            for start in range(0, rows, _BLOCK_ROWS):
                homes = np.arange(start, min(rows, start + _BLOCK_ROWS)) + (interval * len(types) + number) * rows
                block = Block(len(homes), len(lists))
                block.policy_types[:], block.intervals[:] = number, interval
                block.states[:], block.counties[:] = places[_mix(homes) % np.uint32(len(places))].T
                block.inputs = [(_column(values, each, homes, kernel.input(each).is_word), None) for each, values in enumerate(lists)]
                for function, width in widths.items():
                    more = (interval, number) if function == "explain" else ()
                    sums[function] = zlib.crc32(kernel.run(function, block, width, *more).tobytes(), sums[function])
            for function, expected in zip(sums, probes["digests"][interval][number]):
                yield f"{function} for probes of {name} from {dates['from']}", sums[function], expected


def _column(values: Array, number: int, homes: Array, is_word: bool) -> Array | None:
    if not len(values):
        return None
    kind = _mix(homes.astype(np.uint32) ^ np.uint32(0x5BD1E995)) & 7
    spread = (homes * 0x9E3779B1).astype(np.uint32) ^ np.uint32((number + 1) * 0x85EBCA77 & 0xFFFFFFFF)
    found = _mix(spread)
    any_value = values[(found & 0xFFFFFF) % np.uint32(len(values))]
    others = np.where(kind < _FIRST_OPEN, values[0], np.nan)
    column = np.where(found >> 24 < _SHARES[kind], any_value, others)
    return np.nan_to_num(column).astype(np.uint16) if is_word else column


def _mix(values: Array) -> Array:
    """The finalizer of MurmurHash3."""
    found: Array = values.astype(np.uint32)
    for shift, factor in ((16, 0x85EBCA6B), (13, 0xC2B2AE35)):
        found = (found ^ (found >> np.uint32(shift))) * np.uint32(factor)
    mixed: Array = found ^ (found >> np.uint32(16))
    return mixed

