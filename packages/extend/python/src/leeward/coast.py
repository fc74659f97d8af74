"""Distances to the coast, by the second kernel of an artifact."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from .instance import Array, Instance
from .kernel import Block

LAYERS = ("tidal", "ocean", "mean_high_water")
"""Kinds of coast, in the order of the kernel's columns. The coast states certainties for the first two."""


class CoastDistance(NamedTuple):
    """Meters to the nearest shore, and the name of the data that drew it. The true distance is from `min` to `max` in about 95 % of
    cases. All three are NaN outside the area of the data."""

    meters: float
    min: float
    max: float
    source: str | None


class Coast(Instance):
    """The kernel with the shores in its memory, 45 MB. Use it from one thread at a time."""

    def __init__(self, module: bytes, data: bytes, description: Mapping[str, Any]) -> None:
        super().__init__(module, data)
        self.sources: list[str] = [source["name"] for source in description["sources"]]
        self.fields: list[str] = description["fields"]

    def measure(self, latitudes: Array, longitudes: Array, certainties: Sequence[float] = ()) -> tuple[Array, Array]:
        """Measures points in degrees; NaN for a row without one. Returns columns, and the number of the source by layer and row. The columns
        are meters, minimum and maximum of each layer, then minimum and maximum of the first two layers at each certainty."""
        mark, rows, columns = self._call("mark"), len(latitudes), 3 * len(LAYERS) + 4 * len(certainties)
        try:
            out, statuses, sources = self._allocate(8 * rows * columns), self._allocate(rows), self._allocate(rows * len(LAYERS))
            points = [self._put(np.asarray(each, np.float64)) for each in (latitudes, longitudes)]
            levels = self._put(np.array(certainties, np.float64))
            if self._call("measure", *points, rows, levels, len(certainties), out, statuses, sources) < 0:
                raise MemoryError(f"The kernel has no memory to sort {rows} rows.")
            numbers = self._bytes(out, 8 * rows * columns).copy().view(np.float64).reshape(columns, rows)
            return numbers, self._bytes(sources, rows * len(LAYERS)).copy().reshape(len(LAYERS), rows)
        finally:
            self._call("release", mark)

    def nearest(self, latitude: float, longitude: float, layer: str) -> CoastDistance:
        """Measures one point."""
        numbers, sources = self.measure(np.array([latitude]), np.array([longitude]))
        place = LAYERS.index(layer)
        source = int(sources[place, 0])
        meters, low, high = numbers[3 * place : 3 * place + 3, 0].tolist()
        return CoastDistance(meters, low, high, self.sources[source] if source < len(self.sources) else None)

    def fill(self, inputs: Sequence[Mapping[str, Any]], block: Block, latitudes: Array, longitudes: Array) -> None:
        """Fills the distance inputs of rows with a point and without a distance, with ranges."""
        names = [spec["name"].partition("@") for spec in inputs]
        certainties = sorted({float(at) for name, _, at in names if at and name in self.fields})
        numbers, _ = self.measure(latitudes, longitudes, certainties)
        given = {spec["name"]: values for spec, values in zip(inputs, block.inputs)}
        for number, (name, _, at) in enumerate(names):
            if name not in self.fields:
                continue
            layer = self.fields.index(name)
            # The coast states no certainty for mean high water.
            first = 3 * layer + 1 if not at or layer == 2 else 3 * len(LAYERS) + 4 * certainties.index(float(at)) + 2 * layer
            low, high = numbers[first], numbers[first + 1]
            # A distance of the row holds at every certainty.
            lower, upper = block.inputs[number] if block.inputs[number][0] is not None else given.get(name, (None, None))
            if lower is not None:
                is_open = np.isnan(lower)
                low, high = np.where(is_open, low, lower), np.where(is_open, high, lower if upper is None else upper)
            block.inputs[number] = (low, high)
