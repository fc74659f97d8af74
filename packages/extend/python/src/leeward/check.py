"""Conformance vectors: homes with the answers that every reader of an artifact must give."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from .errors import ArtifactError

if TYPE_CHECKING:
    from .artifact import Artifact

_CODES = {"not_offered": "0", "eligible": "1", "referral": "2", "needs_information": "3", "ineligible": "4", "invalid": "x"}


def check_vectors(artifact: Artifact, vectors: Mapping[str, Any]) -> int:
    """Compares statuses, errors, reasons and spellings. Returns the number of comparisons."""
    table = table_of(vectors)
    wide = artifact.evaluate(table, ignore="others")
    compared, differences = 0, []
    for carrier, expected in vectors["statuses"].items():
        actual = "".join(map(_CODES.__getitem__, wide[carrier].to_pylist()))
        compared += len(expected)
        differences += [f"row {row}, {carrier}: status {a}, not {b}" for row, (a, b) in enumerate(zip(actual, expected)) if a != b]
    errors = [[row, each["column"], each["code"]] for row, faults in enumerate(wide["errors"].to_pylist()) for each in faults or ()]
    expected_errors = [[each["row"], each["column"], each["code"]] for each in vectors["errors"]]
    compared += len(expected_errors)
    differences += [f"error {each}" for each in errors if each not in expected_errors]
    differences += [f"no error {each}" for each in expected_errors if each not in errors]
    long = artifact.evaluate(table, ignore="others", long=True, reasons=True)
    reasons = {(row, carrier): codes for row, carrier, codes in zip(*(long[name].to_pylist() for name in ("row", "carrier", "reasons")))}
    for each in vectors["reasons"]:
        actual_codes = reasons.get((each["row"], each["carrier"]), [])
        compared += 1
        if actual_codes != each["codes"]:
            differences.append(f"row {each['row']}, {each['carrier']}: reasons {actual_codes}, not {each['codes']}")
    if differences:
        raise ArtifactError("failed_vectors", f"{len(differences)} of {compared} answers differ: {'; '.join(differences[:5])}.")
    return compared


def table_of(vectors: Mapping[str, Any]) -> pa.Table:
    """The homes of the vectors. Columns with values of several types become text."""
    def column(values: list[Any]) -> pa.Array:
        try:
            return pa.array(values)
        except (pa.ArrowInvalid, pa.ArrowTypeError):
            return pa.array([each if each is None or isinstance(each, str) else json.dumps(each) for each in values], pa.string())

    columns = {name: column(values) for name, values in vectors["columns"].items()}
    for name, (lower, upper) in vectors["ranges"].items():
        columns |= {f"{name}_min": pa.array(lower, pa.float64()), f"{name}_max": pa.array(upper, pa.float64())}
    return pa.table(columns)
