"""Evaluates queries of DuckDB."""

from __future__ import annotations

from typing import Any

import duckdb
import pyarrow as pa

from .artifact import Artifact, ArtifactSource


def evaluate(
    connection: duckdb.DuckDBPyConnection,
    query: str | duckdb.DuckDBPyRelation,
    artifact: ArtifactSource,
    **options: Any,
) -> duckdb.DuckDBPyRelation:
    """Returns the rows of a query, or of a relation, with a status column for each carrier, and `errors`.

    :param query: SQL, such as `FROM 'policies.parquet'`, or a relation.
    :param options: Those of `Artifact.evaluate`.
    """
    opened = Artifact.open(artifact)
    relation = connection.sql(query) if isinstance(query, str) else query
    table: pa.Table = relation.to_arrow_table()
    return connection.from_arrow(opened.evaluate(table, **options))
