"""Reasons of statuses: the codes of the rules that decided, and the fields whose values would."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pyarrow as pa

from .kernel import Array, Kernel
from .plan import Rows

_MAY, _HOLDS = 1, 2
_REFERRAL, _NEEDS_INFORMATION, _INELIGIBLE = 2, 3, 4
_BLOCK_ROWS = 4096

Found = tuple[Array, Array]
Lists = Callable[[Array, Array], list[pa.Array]]


class Explainer:
    """Selects the rules that count for each status, from the kernel's answer which rules hold or may hold."""

    def __init__(self, manifest: Mapping[str, Any], kernel: Kernel) -> None:
        self._kernel, self._carriers = kernel, len(manifest["carriers"])
        self._intervals: list[dict[str, Any]] = manifest["intervals"]
        self._carrier_of_rule = np.array([rule["carrier"] for rule in manifest["rules"]], np.int64)
        rules: list[dict[str, Any]] = manifest["rules"]
        self._declines = np.array([rule["outcome"] == "decline" for rule in rules], bool)
        inputs: list[dict[str, Any]] = manifest["inputs"]
        self._codes, self._code_of_rule = np.unique(np.array([rule["code"] for rule in rules], object), return_inverse=True)
        columns = {spec["name"]: spec["column"] for spec in inputs}
        # What a caller gives for an input: a column, or what it is computed from. The last is for rules that test the county only.
        wanted = [{columns.get(name, name) for name in spec.get("needs", ())} or {spec["column"] or spec["name"]} for spec in inputs]
        self._fields = np.array(sorted({"county"}.union(*wanted)), object)
        self._gives = np.array([[field in names for field in self._fields] for names in [*wanted, {"county"}]])
        self._tests = np.zeros((len(rules), len(inputs)), bool)
        for number, rule in enumerate(rules):
            self._tests[number, rule["inputs"]] = True

    def explain(self, rows: Rows, statuses: Array) -> Lists:
        """Returns a function from rows and carriers, in ascending order, to two columns of lists: reasons and fields."""
        block = rows.block
        codes: list[Found] = []
        fields: list[Found] = []
        is_open = ((statuses >= _REFERRAL) & (statuses <= _INELIGIBLE)).any(axis=1)
        keys = block.intervals.astype(np.int64) * 256 + block.policy_types
        for key in np.unique(keys[is_open]).tolist():
            reasons = np.array(self._intervals[key // 256]["types"][key % 256]["reasons"], np.int64)
            members = np.flatnonzero(is_open & (keys == key))
            for start in range(0, len(members) if len(reasons) > 0 else 0, _BLOCK_ROWS):
                part = members[start : start + _BLOCK_ROWS]
                pairs, rules, needs = self._select(rows, part, statuses, key // 256, key % 256, reasons)
                codes.append((pairs[~needs], self._code_of_rule[rules[~needs]]))
                fields.append(self._unknown_fields(rows, pairs[needs], rules[needs]))
        faults = [(row * self._carriers, fault) for row, each in rows.faults.items() for fault in each]
        return lambda row, carrier: [
            _lists(row * self._carriers + carrier, codes, self._codes, [(pair, code) for pair, (_, code, _) in faults]),
            _lists(row * self._carriers + carrier, fields, self._fields, [(pair, name) for pair, (name, _, _) in faults]),
        ]

    def _select(self, rows: Rows, members: Array, statuses: Array, interval: int, policy_type: int, rules: Array) -> tuple[Array, Array, Array]:
        """Returns the pairs of rows and carriers, the rules that count for each, and whether it needs information."""
        truths = self._kernel.run("explain", rows.block.take(members), len(rules), interval, policy_type)
        carriers, declines = self._carrier_of_rule[rules], self._declines[rules]
        status = statuses[members][:, carriers]
        needs = status == _NEEDS_INFORMATION
        # Rules of the outcome that the status comes from; for needs_information, declines if any may hold.
        may_decline = self._any(truths * declines >= _MAY, carriers)
        wants_decline = (status == _INELIGIBLE) | (needs & may_decline)
        counts = (truths >= _MAY) & (status >= _REFERRAL) & (status <= _INELIGIBLE) & (wants_decline == declines)
        # Rules that may hold decide only together, when none holds alone.
        counts &= needs | (truths == _HOLDS) | ~self._any(counts & (truths == _HOLDS), carriers)
        row, reason = np.nonzero(counts)
        return members[row] * self._carriers + carriers[reason], rules[reason], needs[row, reason]

    def _any(self, flags: Array, carriers: Array) -> Array:
        """For each reason, true if a reason of the same carrier has the flag."""
        result = np.zeros((len(flags), self._carriers), bool)
        for column, carrier in enumerate(carriers.tolist()):
            result[:, carrier] |= flags[:, column]
        return result[:, carriers]

    def _unknown_fields(self, rows: Rows, pairs: Array, rules: Array) -> Found:
        unknown = np.stack([_is_unknown(lower, upper, rows.block.rows) for lower, upper in rows.block.inputs], axis=1)
        missing = unknown[pairs // self._carriers] & self._tests[rules]
        has_county = rows.block.counties[pairs // self._carriers] > 0
        missing = np.column_stack([missing, ~has_county & ~missing.any(axis=1)])
        at, field = np.nonzero(missing @ self._gives)
        return pairs[at], field


def _lists(pairs: Array, found: list[Found], words: Array, faults: list[tuple[int, str]]) -> pa.Array:
    """Makes a sorted list of words for each pair, from pairs with the number of a word and from faults."""
    all_words, place = np.unique(np.concatenate([words, np.array([word for _, word in faults], object)]), return_inverse=True)
    owners = np.concatenate([*(each for each, _ in found), np.array([pair for pair, _ in faults], np.int64)])
    numbers = np.concatenate([*(place[each] for _, each in found), place[len(words) :]])
    keys = np.unique(owners.astype(np.int64) * max(len(all_words), 1) + numbers)
    owners, numbers = keys // max(len(all_words), 1), keys % max(len(all_words), 1)
    starts = np.searchsorted(owners, pairs, side="left")
    offsets = pa.array(np.append(starts, len(keys)).astype(np.int32))
    return pa.ListArray.from_arrays(offsets, pa.array(all_words.tolist(), pa.string()).take(pa.array(numbers)))


def _is_unknown(lower: Array | None, upper: Array | None, rows: int) -> Array:
    if lower is None or lower.dtype == np.uint16:
        return np.ones(rows, bool) if lower is None else np.equal(lower, 0)
    return np.isnan(lower) if upper is None else np.not_equal(lower, upper)
