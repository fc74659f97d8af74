"""The tests use an artifact of the example carriers, which test/python-package.test.ts compiles."""

from __future__ import annotations

import json
import os
import random
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from leeward import Artifact
from leeward.check import split_rows, table_of
from leeward.sections import read_sections, unpack

AS_OF = "2026-11-20T12:00:00Z"
OPTIONS: dict[str, Any] = {"as_of": AS_OF, "ignore": "others"}


def volume(rows: int) -> int:
    """Number of rows of a costly test: more with LEEWARD_TEST_VOLUME."""
    return round(rows * float(os.environ.get("LEEWARD_TEST_VOLUME", "1")))


@pytest.fixture(scope="session")
def artifact_path() -> str:
    path = os.environ.get("LEEWARD_TEST_ARTIFACT")
    assert path is not None, "Set LEEWARD_TEST_ARTIFACT to a file that `leeward compile` wrote."
    return path


@pytest.fixture(scope="session")
def data(artifact_path: str) -> bytes:
    return Path(artifact_path).read_bytes()


@pytest.fixture(scope="session")
def artifact(data: bytes) -> Artifact:
    return Artifact.open(data)


@pytest.fixture(scope="session")
def vectors(data: bytes) -> dict[str, Any]:
    return dict(json.loads(unpack(read_sections(data), "leeward.vectors")))


@pytest.fixture(scope="session")
def homes(vectors: dict[str, Any]) -> pa.Table:
    """The homes of the conformance vectors in random order, invalid ones too, with a key."""
    table = table_of(vectors, split_rows(vectors)[0])
    order = random.Random(1).choices(range(table.num_rows), k=volume(1500))
    return table.take(pa.array(order)).append_column("policy_id", pa.array(range(len(order)), pa.int64()))


def one(**values: Any) -> pa.Table:
    """A table with one home."""
    home = {"state": "tx", "policy_type": "ho3", "as_of": AS_OF, **values}
    return pa.table({name: value if isinstance(value, (pa.Array, list)) else [value] for name, value in home.items()})


def errors_of(table: pa.Table) -> list[tuple[str, str]]:
    return [(each["column"], each["code"]) for each in table["errors"][0].as_py() or ()]


def write_parts(homes: pa.Table, folder: Path, files: int) -> str:
    """Writes the homes to each of some Parquet files, with other keys. Returns the folder."""
    for number in range(files):
        ids = pa.array(range(number * homes.num_rows, (number + 1) * homes.num_rows), pa.int64())
        pq.write_table(homes.set_column(homes.column_names.index("policy_id"), "policy_id", ids), folder / f"{number}.parquet")
    return str(folder)


def plain(table: pa.Table, artifact: Artifact) -> pa.Table:
    """Keys, statuses and errors in one form for all engines, by key."""
    columns = [each.cast(pa.string()) if pa.types.is_dictionary(each.type) else each for each in (table[key] for key in artifact.carriers)]
    errors = pa.array([str(each) for each in table["errors"].to_pylist()])
    return pa.table([table["policy_id"], *columns, errors], names=["policy_id", *artifact.carriers, "errors"]).sort_by("policy_id").combine_chunks()
