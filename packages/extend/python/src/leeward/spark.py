"""Evaluates Spark data frames. Every executor needs this package."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from datetime import datetime, timezone
from typing import Any

import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql.pandas.types import from_arrow_schema, to_arrow_schema

from .artifact import Artifact, ArtifactSource
from .plan import Options


def evaluate(df: DataFrame, artifact: ArtifactSource, **options: Any) -> DataFrame:
    """Returns the data frame with a status column (text) for each carrier, and `errors`.

    The driver opens the artifact, checks the columns, and sends the artifact to each Python worker once. Without `as_of`, all tasks,
    retried ones included, use the time of this call. In the long form `row` counts within a task, so name a key with `keep`.

    :param options: Those of `Artifact.evaluate`.
    """
    opened = Artifact.open(artifact)
    settings = Options(**{"as_of": datetime.now(timezone.utc), **options})
    schema = opened.prepare(to_arrow_schema(df.schema), settings).schema

    def run(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for first in batches:
            for batch in opened.prepare(first.schema, settings).run(itertools.chain([first], batches)):
                # Spark has no dictionaries.
                columns = [each.dictionary_decode() if pa.types.is_dictionary(each.type) else each for each in batch.columns]
                yield pa.RecordBatch.from_arrays(columns, names=batch.schema.names)

    fields = [field.with_type(field.type.value_type) if pa.types.is_dictionary(field.type) else field for field in schema]
    return df.mapInArrow(run, from_arrow_schema(pa.schema(fields)))
