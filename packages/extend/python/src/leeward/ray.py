"""Evaluates Ray data sets. Every node needs this package."""

from __future__ import annotations

from datetime import datetime, timezone
from typing import Any

import pyarrow as pa
import ray
import ray.data

from .artifact import Artifact, ArtifactSource
from .plan import Options


def evaluate(
    dataset: ray.data.Dataset, artifact: ArtifactSource, *, actors: int | tuple[int, int] = (1, 4), **options: Any
) -> ray.data.Dataset:
    """Returns the data set with a status column for each carrier, and `errors`.

    Actors hold the artifact, which is sent to each node once. Without `as_of`, all blocks use the time of this call. In the long form
    `row` counts within a block, so name a key with `keep`.

    :param actors: Number of actors, or its minimum and maximum.
    :param options: Those of `Artifact.evaluate`.
    """
    opened = Artifact.open(artifact)
    settings = {"as_of": datetime.now(timezone.utc), **options}
    schema = dataset.schema()
    if schema is not None:
        opened.prepare(schema.base_schema, Options(**settings))
    low, high = (actors, actors) if isinstance(actors, int) else actors
    return dataset.map_batches(
        _Evaluator,
        fn_constructor_args=(ray.put(opened), settings),
        batch_format="pyarrow",
        batch_size=None,
        compute=ray.data.ActorPoolStrategy(min_size=low, max_size=high),
    )


class _Evaluator:
    def __init__(self, artifact: ray.ObjectRef[Artifact], options: dict[str, Any]) -> None:
        self._artifact, self._options = ray.get(artifact), options

    def __call__(self, table: pa.Table) -> pa.Table:
        return self._artifact.evaluate(table, **self._options)
