"""Evaluates Polars frames."""

from __future__ import annotations

from typing import Any

import polars as pl
import pyarrow as pa

from .artifact import Artifact, ArtifactSource


def evaluate(frame: pl.DataFrame | pl.LazyFrame, artifact: ArtifactSource, **options: Any) -> pl.DataFrame:
    """Returns the frame with a categorical status column for each carrier, and `errors`. A lazy frame is collected.

    :param options: Those of `Artifact.evaluate`.
    """
    table: pa.Table = frame.lazy().collect().to_arrow()
    result = pl.from_arrow(Artifact.open(artifact).evaluate(table, **options))
    assert isinstance(result, pl.DataFrame)
    return result
