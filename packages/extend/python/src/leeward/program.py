"""Inputs that are computed from other inputs: arithmetic with ranges, because an unknown field can have any value of its domain."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any

import numpy as np

from .kernel import Array, Block, Kernel

Range = tuple[Array, Array]


def run_programs(manifest: Mapping[str, Any], kernel: Kernel, block: Block, years: Array) -> None:
    """Fills the computed inputs that have a program, a test of two programs, or ranges by a count, and no column."""
    inputs: list[dict[str, Any]] = manifest["inputs"]
    derivations = {"program", "test", "by_count"}
    todo = [number for number, spec in enumerate(inputs) if block.inputs[number][0] is None and derivations & spec.keys()]
    if not todo:
        return
    ranges = {spec["name"]: _range(number, spec, kernel, block, years) for number, spec in enumerate(inputs) if spec["kind"] in ("number", "date")}
    lowers = {spec["name"]: block.inputs[number][0] for number, spec in enumerate(inputs)}
    is_open = {name: np.isnan(np.full(block.rows, np.nan) if lower is None else lower) for name, lower in lowers.items() if name in ranges}
    for _ in manifest["relations"]:
        for lesser, greater in manifest["relations"]:
            (low_min, low_max), (high_min, high_max) = ranges[lesser], ranges[greater]
            highest, lowest = np.minimum(low_max, high_max), np.maximum(low_min, high_min)
            # Values that contradict each other stay.
            is_possible = (low_min <= highest) & (lowest <= high_max)
            is_open[lesser] = is_open[lesser] & ~(is_possible & (highest < low_max))
            is_open[greater] = is_open[greater] & ~(is_possible & (lowest > high_min))
            ranges[lesser] = low_min, np.where(is_possible, highest, low_max)
            ranges[greater] = np.where(is_possible, lowest, high_min), high_max
    for number in todo:
        spec = inputs[number]
        if "program" in spec:
            block.inputs[number] = _run(spec["program"], ranges, years)
        elif "by_count" in spec:
            by_count = np.append(spec["by_count"]["ranges"], [[np.nan, np.nan]], axis=0)
            counts = block.inputs[spec["by_count"]["input"]][0]
            counts = np.full(block.rows, np.nan) if counts is None else counts
            low, high = by_count[np.where((counts >= 0) & (counts < len(by_count)), counts, -1).astype(np.int64)].T
            block.inputs[number] = low, high
        else:
            # A test of a fact about which nothing is known is open, even if it held for every value.
            truth = _test(spec["test"]["operator"], *(_run(each, ranges, years) for each in spec["test"]["of"]))
            names = {name for each in spec["test"]["of"] for name in _names(each)}
            truth[functools.reduce(np.logical_or, [is_open[name] for name in names], np.zeros(block.rows, bool))] = np.nan
            block.inputs[number] = truth, truth


def _range(number: int, spec: Mapping[str, Any], kernel: Kernel, block: Block, years: Array) -> Range:
    bounds, (lower, upper) = kernel.input(number), block.inputs[number]
    low = np.full(block.rows, 1600.0 if "form" in spec else bounds.min)
    high = years + 1.0 if "form" in spec else np.full(block.rows, bounds.max)
    if lower is None:
        return low, high
    return np.where(np.isnan(lower), low, lower), np.where(np.isnan(lower), high, lower if upper is None else upper)


def _names(program: Any) -> set[str]:
    if isinstance(program, dict):
        return {name for each in [program.get("age_of", 0), *program.get("of", ())] for name in _names(each)}
    return {program} if isinstance(program, str) else set()


def _run(program: Any, ranges: Mapping[str, Range], years: Array) -> Range:
    if isinstance(program, str):
        return ranges[program]
    if not isinstance(program, dict):
        value = np.full(len(years), float(program))
        return value, value
    if "age_of" in program:
        low, high = _run(program["age_of"], ranges, years)
        return np.maximum(0, years - high), np.maximum(0, years - low)
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


def _test(operator: str, a: Range, b: Range) -> Array:
    """1 if a test holds for all values, 0 if for none, NaN if it is open."""
    (a, b), operator = ((b, a) if operator.startswith("less") else (a, b)), operator.replace("less", "greater")
    if operator == "greaterThan":
        holds, fails = a[0] > b[1], a[1] <= b[0]
    else:
        holds, fails = a[0] >= b[1], a[1] < b[0]
    is_disjoint = (a[0] > b[1]) | (b[0] > a[1])
    is_wide = (a[0] < a[1]) & (b[0] < b[1]) & ~is_disjoint
    return np.where(is_wide, np.nan, np.where(holds, 1.0, np.where(fails, 0.0, np.nan)))
