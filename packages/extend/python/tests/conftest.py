"""The tests use an artifact of the example carriers, which test/python-package.test.ts compiles."""

from __future__ import annotations

import json
import os
import random
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from leeward import Artifact
from leeward.check import split_rows, table_of
from leeward.sections import read_sections, unpack

AS_OF = "2026-11-20T12:00:00Z"


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
