"""Polars, pandas and DuckDB give the answers of Arrow."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest
from conftest import AS_OF

from leeward import Artifact, TableError


def answers(table: pa.Table, artifact: Artifact) -> list[dict[str, Any]]:
    return list(table.select(["policy_id", *artifact.carriers, "errors"]).to_pylist())


def test_polars(artifact: Artifact, artifact_path: str, homes: pa.Table) -> None:
    pl = pytest.importorskip("polars")
    import leeward.polars

    frame, expected = pl.from_arrow(homes), answers(artifact.evaluate(homes), artifact)
    result = leeward.polars.evaluate(frame, artifact_path)
    assert result.columns[: len(homes.column_names)] == homes.column_names
    assert answers(result.to_arrow(), artifact) == expected
    assert answers(leeward.polars.evaluate(frame.lazy(), artifact).to_arrow(), artifact) == expected


def test_pandas(artifact: Artifact, homes: pa.Table) -> None:
    pd = pytest.importorskip("pandas")
    import leeward.pandas

    # Numbers with gaps become floating point, words objects.
    simple = homes.select([name for name in homes.column_names if not pa.types.is_list(homes.schema.field(name).type)])
    frame = simple.to_pandas()
    frame.index = [f"p{row}" for row in range(len(frame))]
    result = leeward.pandas.evaluate(frame, artifact)
    assert list(result.index) == list(frame.index) and result[artifact.carriers[0]].dtype == "category"
    expected = artifact.evaluate(simple)
    for key in artifact.carriers:
        assert list(result[key]) == expected[key].to_pylist()
    mixed = pd.DataFrame({"state": ["tx", "fl"], "policy_type": ["ho3", "ho3"], "year_built": [1990, "2001"]})
    with pytest.raises(TableError, match="year_built") as caught:
        leeward.pandas.evaluate(mixed, artifact)
    assert caught.value.code == "wrong_type"


def test_duckdb(artifact: Artifact, homes: pa.Table) -> None:
    duckdb = pytest.importorskip("duckdb")
    import leeward.duckdb

    connection = duckdb.connect()
    connection.register("homes", homes)
    expected = answers(artifact.evaluate(homes), artifact)
    result = leeward.duckdb.evaluate(connection, "FROM homes ORDER BY policy_id", artifact)
    assert answers(result.to_arrow_table(), artifact) == expected
    relation = connection.sql("FROM homes").order("policy_id")
    counts = leeward.duckdb.evaluate(connection, relation, artifact, long=True).aggregate("status, count(*) AS pairs")
    assert sum(pairs for _, pairs in counts.fetchall()) == artifact.evaluate(homes, long=True).num_rows
    typed = connection.sql(f"SELECT 'tx' AS state, 'ho3'::ENUM ('ho3', 'ho6') AS policy_type, 12::DECIMAL(5, 1) AS total_claims, TIMESTAMPTZ '{AS_OF}' AS as_of")
    assert leeward.duckdb.evaluate(connection, typed, artifact).fetchall()[0][-1] is None
