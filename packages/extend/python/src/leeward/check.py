"""Conformance vectors: homes with the answers that every reader of an artifact must give."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from .errors import ArtifactError, TableError
from .kernel import Kernel
from .probes import compare_probes

if TYPE_CHECKING:
    from .artifact import Artifact


def check_vectors(artifact: Artifact, kernel: Kernel, vectors: Mapping[str, Any]) -> int:
    """Compares statuses, errors, reasons and spellings. Returns the number of comparisons."""
    regular, odd = split_rows(vectors)
    compared, differences = 0, list[str]()

    def compare(what: str, actual: object, expected: object) -> None:
        nonlocal compared
        compared += 1
        if actual != expected:
            differences.append(f"{what} is {actual}, not {expected}")

    for rows in [regular, *([row] for row in odd)]:
        try:
            table = table_of(vectors, rows)
            wide = artifact.evaluate(table, ignore="others")
        except (pa.ArrowException, UnicodeError, TableError):
            # No Arrow column that a field may have can hold the cell.
            continue
        for carrier, text in vectors["statuses"].items():
            expected = (np.frombuffer(text.replace("x", "5").encode(), np.uint8) - ord("0"))[rows]
            actual = wide[carrier].combine_chunks().indices.to_numpy()
            compared += len(rows)
            wrong = np.flatnonzero(actual != expected).tolist()
            differences += [f"row {rows[at]}, {carrier}: status {actual[at]}, not {expected[at]}" for at in wrong]
        numbers = set(rows)
        errors = {(rows[at], each["column"], each["code"]) for at, faults in enumerate(wide["errors"].to_pylist()) for each in faults or ()}
        for fault in errors ^ {(each["row"], each["column"], each["code"]) for each in vectors["errors"] if each["row"] in numbers}:
            compare(f"error {fault}", fault in errors, fault not in errors)
        reasons = [each for each in vectors["reasons"] if each["row"] in numbers]
        if reasons:
            long = artifact.evaluate(table, ignore="others", long=True, reasons=True)
            lines = zip(long["row"].to_pylist(), long["carrier"].to_pylist(), long["reasons"].to_pylist())
            codes = {(rows[at], carrier): each for at, carrier, each in lines}
            for each in reasons:
                what = f"row {each['row']}, {each['carrier']}: reasons"
                compare(what, codes.get((each["row"], each["carrier"]), []), sorted(set(each["codes"])))
    for function, number, text, code in _lookups(artifact.manifest, kernel, vectors["spellings"]):
        # Statuses show which counties share a name.
        compare(repr(text), max(kernel.find(function, number, text), -2), code)
    for what, checksum, written in compare_probes(artifact.manifest, kernel, vectors["probes"]):
        compare(what, checksum, written)
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


def split_rows(vectors: Mapping[str, Any]) -> tuple[list[int], list[int]]:
    """Returns the rows whose cells have the usual types of their columns, and the others, which need tables of their own."""
    odd: set[int] = set()
    for cells in vectors["columns"].values():
        kinds = [None if each is None else _kind(each) for each in cells]
        (usual, _), *_ = [*Counter(each for each in kinds if each is not None).most_common(1), (None, 0)]
        odd |= {row for row, kind in enumerate(kinds) if kind is not None and kind != usual}
    return [row for row in range(len(vectors["columns"]["state"])) if row not in odd], sorted(odd)


def _kind(cell: Any) -> str:
    if isinstance(cell, str):
        return "text" if cell.isascii() or cell == cell.encode("utf-8", "replace").decode() else "broken text"
    if isinstance(cell, list):
        return "list" if all(isinstance(each, str) for each in cell) else "broken list"
    return "bool" if isinstance(cell, bool) else "number" if isinstance(cell, (int, float)) else "object"


def table_of(vectors: Mapping[str, Any], rows: Sequence[int]) -> pa.Table:
    """Some homes of the vectors."""
    columns = {name: pa.array([cells[row] for row in rows]) for name, cells in vectors["columns"].items()}
    for name, ends in vectors["ranges"].items():
        columns |= {name + end: pa.array([each[row] for row in rows], pa.float64()) for end, each in zip(("_min", "_max"), ends)}
    return pa.table(columns)
