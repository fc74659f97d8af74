"""Inputs that are computed from other inputs: arithmetic with ranges, because an unknown field can have any value of its domain."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any

import numpy as np

from .kernel import Array, Block

Range = tuple[Array, Array]


def run_programs(manifest: Mapping[str, Any], block: Block, years: Array) -> None:
    """Fills the computed inputs that have a program and no column."""
    inputs: list[dict[str, Any]] = manifest["inputs"]
    numbers = {spec["name"]: number for number, spec in enumerate(inputs)}
    todo = [number for number, spec in enumerate(inputs) if spec.get("program") is not None and block.inputs[number] == (None, None)]
    ranges = _bound(manifest, block, years, numbers) if todo else {}
    for number in todo:
        block.inputs[number] = _run(inputs[number]["program"], ranges, years)


def _bound(manifest: Mapping[str, Any], block: Block, years: Array, numbers: Mapping[str, int]) -> dict[str, Range]:
    """Ranges of all fields with numbers. Relations narrow them: a roof is not older than its home."""
    ranges: dict[str, Range] = {}
    for name, number in numbers.items():
        spec, (lower, upper) = manifest["inputs"][number], block.inputs[number]
        is_year = spec.get("form") in ("year", "age_or_year")
        if not is_year and spec.get("min") is None:
            continue
        low, high = (np.full(block.rows, 1600.0), years + 1.0) if is_year else (np.full(block.rows, float(spec[end])) for end in ("min", "max"))
        lower = low if lower is None else lower
        upper = (high if block.inputs[number][0] is None else lower) if upper is None else upper
        is_unknown = np.isnan(lower) | np.isnan(upper)
        ranges[name] = np.where(is_unknown, low, lower), np.where(is_unknown, high, upper)
    relations = [pair for pair in manifest["relations"] if pair[0] in ranges and pair[1] in ranges]
    for _ in relations:
        for lesser, greater in relations:
            (low_min, low_max), (high_min, high_max) = ranges[lesser], ranges[greater]
            highest, lowest = np.minimum(low_max, high_max), np.maximum(low_min, high_min)
            # Values that contradict each other stay.
            is_possible = (low_min <= highest) & (lowest <= high_max)
            ranges[lesser] = low_min, np.where(is_possible, highest, low_max)
            ranges[greater] = np.where(is_possible, lowest, high_min), high_max
    return ranges


def _run(program: Any, ranges: Mapping[str, Range], years: Array) -> Range:
    if isinstance(program, (int, float)):
        value = np.full(len(years), float(program))
        return value, value
    if isinstance(program, str):
        return ranges[program]
    if "age_of" in program:
        low, high = ranges[program["age_of"]]
        return years - high, years - low
    operands = [_run(each, ranges, years) for each in program["of"]]
    return functools.reduce(lambda a, b: _apply(program["apply"], a, b), operands)


def _apply(operation: str, a: Range, b: Range) -> Range:
    if operation in ("multiply", "percent_of"):
        products = [x * y / 100 if operation == "percent_of" else x * y for x in a for y in b]
        return np.minimum.reduce(products), np.maximum.reduce(products)
    if operation == "subtract":
        return a[0] - b[1], a[1] - b[0]
    combine: Any = {"add": np.add, "min": np.minimum, "max": np.maximum}[operation]
    return combine(a[0], b[0]), combine(a[1], b[1])
