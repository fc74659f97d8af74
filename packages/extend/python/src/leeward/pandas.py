"""Evaluates pandas frames."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pyarrow as pa

from .artifact import Artifact, ArtifactSource
from .errors import TableError


def evaluate(frame: pd.DataFrame, artifact: ArtifactSource, **options: Any) -> pd.DataFrame:
    """Returns the frame with a categorical status column for each carrier, and `errors`. The index stays.

    :param options: Those of `Artifact.evaluate`.
    :raises TableError: with the code `wrong_type` if a column has values of several types.
    """
    opened = Artifact.open(artifact)
    try:
        table = pa.Table.from_pandas(frame)
    except (pa.ArrowInvalid, pa.ArrowTypeError) as error:
        raise TableError("wrong_type", f"A column has values of several types: {' '.join(map(str, error.args))}") from error
    return opened.evaluate(table, **options).to_pandas()
