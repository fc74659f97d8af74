"""Conformance vectors: homes with the answers that every reader of an artifact must give."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from .errors import ArtifactError
from .kernel import Kernel

if TYPE_CHECKING:
    from .artifact import Artifact


def check_vectors(artifact: Artifact, kernel: Kernel, vectors: Mapping[str, Any]) -> int:
    """Compares statuses, errors, reasons and spellings. Returns the number of comparisons."""
    table = table_of(vectors)
    compared, differences = 0, list[str]()

    def compare(what: str, actual: object, expected: object) -> None:
        nonlocal compared
        compared += 1
        if actual != expected:
            differences.append(f"{what} is {actual}, not {expected}")

    wide = artifact.evaluate(table, ignore="others")
    for carrier, text in vectors["statuses"].items():
        expected = np.frombuffer(text.replace("x", "5").encode(), np.uint8) - ord("0")
        actual = wide[carrier].combine_chunks().indices.to_numpy()
        compared += len(expected)
        differences += [f"row {row}, {carrier}: status {actual[row]}, not {expected[row]}" for row in np.flatnonzero(actual != expected)]
    errors = {(row, each["column"], each["code"]) for row, faults in enumerate(wide["errors"].to_pylist()) for each in faults or ()}
    for fault in errors ^ {(each["row"], each["column"], each["code"]) for each in vectors["errors"]}:
        compare(f"error {fault}", fault in errors, fault not in errors)
    long = artifact.evaluate(table, ignore="others", long=True, reasons=True)
    reasons = dict(zip(zip(long["row"].to_pylist(), long["carrier"].to_pylist()), long["reasons"].to_pylist()))
    for each in vectors["reasons"]:
        compare(f"row {each['row']}, {each['carrier']}: reasons", reasons.get((each["row"], each["carrier"]), []), sorted(set(each["codes"])))
    for function, number, text, code in _lookups(artifact.manifest, kernel, vectors["spellings"]):
        found = kernel.find(function, number, text)
        # Statuses show which counties share a name.
        compare(repr(text), max(found, -2), code)
    if differences:
        raise ArtifactError("failed_vectors", f"{len(differences)} of {compared} answers differ: {'; '.join(differences[:5])}.")
    return compared


def _lookups(manifest: Mapping[str, Any], kernel: Kernel, spellings: Mapping[str, Any]) -> Iterator[tuple[str, int, str, int]]:
    """Function, number of the list or state, text, and code; −2 for a name of several counties."""
    numbers = {spec["name"]: kernel.input(number).words for number, spec in enumerate(manifest["inputs"])}
    lists = [(0, spellings["states"]), (1, spellings["policy_types"]), *((numbers[name], codes) for name, codes in spellings["words"].items())]
    yield from (("find", number, text, code) for number, codes in lists for text, code in codes.items())
    for number, state in enumerate(manifest["states"]):
        for codes, texts in spellings["counties"].get(state["code"], {}).items():
            yield from (("find_county", number, text, -2 if " " in codes else int(codes)) for text in texts)


def table_of(vectors: Mapping[str, Any]) -> pa.Table:
    """The homes of the vectors. A column with values of several types becomes text."""
    columns: dict[str, pa.Array] = {}
    for name, values in vectors["columns"].items():
        try:
            columns[name] = pa.array(values)
        except (pa.ArrowInvalid, pa.ArrowTypeError):
            columns[name] = pa.array([each if each is None or isinstance(each, str) else json.dumps(each) for each in values], pa.string())
    for name, (lower, upper) in vectors["ranges"].items():
        columns |= {f"{name}_min": pa.array(lower, pa.float64()), f"{name}_max": pa.array(upper, pa.float64())}
    return pa.table(columns)
