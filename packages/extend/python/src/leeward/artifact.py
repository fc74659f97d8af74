"""Opens artifacts and evaluates Arrow tables with them."""

from __future__ import annotations

import functools
import json
import os
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime
from typing import Any, BinaryIO, Union

import numpy as np
import pyarrow as pa

from .check import check_vectors
from .coast import LAYERS, Coast, CoastDistance
from .errors import ArtifactError, TableError
from .explain import Explainer
from .kernel import Kernel
from .plan import Options, Plan, Rows
from .sections import read_manifest, read_sections, unpack

STATUSES = ("not_offered", "eligible", "referral", "needs_information", "ineligible", "invalid")
"""Statuses in the order of their codes."""

INVALID = STATUSES.index("invalid")
BLOCK_ROWS = 65_536
ERRORS_TYPE = pa.list_(pa.struct([("column", pa.string()), ("code", pa.string()), ("message", pa.string())]))
_STATUS_TYPE = pa.dictionary(pa.int8(), pa.string())
_WORDS_TYPE = pa.list_(pa.string())


class Artifact:
    """Compiled rules of some carriers for a range of dates.

    One thread evaluates at a time: others wait for it. Pickling an artifact takes its bytes along; a process that unpickles the same
    artifact again shares the open one.

    >>> artifact = Artifact.open("home.leeward")                                             # doctest: +SKIP
    >>> artifact.evaluate(pa.table({"state": ["tx"], "policy_type": ["ho3"]}))               # doctest: +SKIP
    """

    def __init__(self, data: bytes) -> None:
        sections = read_sections(data)
        self.manifest: dict[str, Any] = read_manifest(sections)
        """The manifest: carriers with their versions, fields, dates, licences."""
        self._data, self._sections, self._lock = data, sections, threading.Lock()
        try:
            self._kernel = Kernel(data, unpack(sections, "leeward.tables"))
            self.carriers: tuple[str, ...] = tuple(carrier["key"] for carrier in self.manifest["carriers"])
            """Keys of the carriers, in the order of the status columns."""
        except ArtifactError:
            raise
        except Exception as error:
            raise ArtifactError("damaged_artifact", f"The artifact cannot be opened: {error}. Compile it again.") from error

    @staticmethod
    def open(source: ArtifactSource) -> Artifact:
        """Opens an artifact from a path, bytes or a binary file. Returns an open one unchanged.

        :raises ArtifactError: with the code `not_an_artifact`, `damaged_artifact`, `altered_artifact` or `newer_artifact`.
        """
        if isinstance(source, (str, os.PathLike)):
            with open(source, "rb") as file:
                return Artifact(file.read())
        return source if isinstance(source, Artifact) else Artifact(source if isinstance(source, bytes) else source.read())

    def __reduce__(self) -> tuple[Any, tuple[bytes]]:
        return _open_once, (self._data,)

    def evaluate(
        self,
        table: pa.Table | pa.RecordBatch,
        *,
        effective_date: date | str | None = None,
        as_of: datetime | str | None = None,
        columns: Mapping[str, str] | None = None,
        ignore: Sequence[str] | str = (),
        long: bool = False,
        reasons: bool = False,
        prefix: str = "",
        keep: Sequence[str] = (),
    ) -> pa.Table:
        """Returns the table with a status column for each carrier, named by its key, and a column `errors`.

        A row with a fault has the status `invalid` everywhere, and its faults in `errors` (null for other rows), with the messages
        of HTTP. Missing values are unknown.

        :param effective_date: Date for all rows. Default: column `effective_date`, else the date of `as_of` in the home's state.
        :param as_of: Instant for rows without one in the column `as_of`. Default: now.
        :param columns: Field → the table's column, where they differ: `{"dwelling_a": "cov_a"}`.
        :param ignore: Columns that are no fields, though their names are similar; `"others"` for every column that is not a field.
        :param long: One line for each row and carrier that offers it instead: `row` (from 0), `carrier`, `status`. An invalid row has
            one line without a carrier.
        :param reasons: Adds to the long form `reasons` (codes of the deciding rules, or of the faults) and `fields` (missing ones).
        :param prefix: Put before the names of added columns.
        :param keep: Columns of the table that the long form repeats.
        :raises TableError: if a column is missing, misspelled or has another type, or an added one exists.
        :raises ArtifactError: with the code `dates_not_covered` if the artifact covers none of the dates.
        """
        options = Options(effective_date, as_of, columns, ignore, long, reasons, prefix, keep)
        evaluation = self.prepare(table.schema, options)
        batches = [table] if isinstance(table, pa.RecordBatch) else table.to_batches(max_chunksize=BLOCK_ROWS)
        return pa.Table.from_batches(list(evaluation.run(batches)), evaluation.schema)

    def distance_to_coast(self, lat: float, lng: float, coast: str = "tidal") -> CoastDistance:
        """Measures a point in degrees, with the numbers of HTTP.

        :param coast: `tidal` (tidal water), `ocean` (the open ocean) or `mean_high_water`.
        :raises ArtifactError: with the code `no_coast` if the artifact was compiled without `--coast`.
        :raises ValueError: for another kind of coast, or a point that is not on the globe.
        """
        kernel = self._coast
        if kernel is None:
            raise ArtifactError("no_coast", "The artifact has no coast; compile it with --coast.")
        if coast not in LAYERS:
            raise ValueError(f"coast is {coast!r}; give one of: {', '.join(LAYERS)}.")
        if not (abs(lat) <= 90 and abs(lng) <= 180):
            raise ValueError(f"lat is {lat} and lng is {lng}; give degrees, from -90 to 90 and from -180 to 180.")
        with self._lock:
            return kernel.nearest(lat, lng, coast)

    @functools.cached_property
    def _coast(self) -> Coast | None:
        """Opened when a point is first measured: it takes 45 MB."""
        description = self.manifest.get("coast")
        if description is None or "leeward.coast_kernel" not in self._sections:
            return None
        try:
            return Coast(self._sections["leeward.coast_kernel"], unpack(self._sections, "leeward.coast"), description)
        except ArtifactError:
            raise
        except Exception as error:
            raise ArtifactError("damaged_artifact", f"The coast cannot be opened: {error}. Compile it again.") from error

    def prepare(self, schema: pa.Schema, options: Options | None = None) -> Evaluation:
        """Checks a schema, and returns an evaluation for batches that have it. Use it for data that does not fit into memory."""
        return Evaluation(self, schema, options or Options())

    def check(self) -> int:
        """Evaluates the conformance vectors in the artifact. Returns the number of compared answers.

        :raises ArtifactError: with the code `failed_vectors` if an answer differs.
        """
        return check_vectors(self, self._kernel, json.loads(unpack(self._sections, "leeward.vectors")))


ArtifactSource = Union[str, "os.PathLike[str]", bytes, BinaryIO, Artifact]


@functools.lru_cache(maxsize=4)
def _open_once(data: bytes) -> Artifact:
    return Artifact(data)


class Evaluation:
    """An artifact prepared for tables of one schema. `schema` is the schema of the results."""

    def __init__(self, artifact: Artifact, schema: pa.Schema, options: Options) -> None:
        self._artifact, self._options = artifact, options
        self._plan = Plan(artifact.manifest, artifact._kernel, schema, options, lambda: artifact._coast)
        if options.reasons and not options.long:
            raise TableError("invalid_option", "reasons needs long=True: the wide form has one column a carrier.")
        self._explainer = Explainer(artifact.manifest, artifact._kernel) if options.reasons else None
        prefix, carriers = options.prefix, artifact.carriers
        if options.long:
            kept = [schema.field(name) for name in options.keep]
            added = [("row", pa.int64()), ("carrier", pa.dictionary(pa.int32(), pa.string())), ("status", _STATUS_TYPE)]
            added += [("reasons", _WORDS_TYPE), ("fields", _WORDS_TYPE)] if options.reasons else []
        else:
            kept = list(schema)
            added = [(carrier, _STATUS_TYPE) for carrier in carriers] + [("errors", ERRORS_TYPE)]
        fields = [pa.field(prefix + name, kind) for name, kind in added]
        taken = sorted({each.name for each in fields} & {each.name for each in kept})
        if taken:
            message = f"The table has {', '.join(taken)} already, which the result adds; give a prefix, like prefix='leeward_'."
            raise TableError("column_exists", message)
        self._rows = 0
        self.schema: pa.Schema = pa.schema([*kept, *fields], None if options.long else schema.metadata)

    def run(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Evaluates batches one after another."""
        for whole in batches:
            for start in range(0, whole.num_rows, BLOCK_ROWS):
                batch = whole.slice(start, BLOCK_ROWS)
                with self._artifact._lock:
                    rows = self._plan.read(batch)
                    statuses = self._statuses(rows)
                    lists = self._explainer.explain(rows, statuses) if self._explainer else None
                yield self._long(batch, rows, statuses, lists) if self._options.long else self._wide(batch, rows, statuses)
                self._rows += batch.num_rows

    def _statuses(self, rows: Rows) -> Any:
        statuses = self._artifact._kernel.run("evaluate", rows.block, len(self._artifact.carriers))
        statuses[np.fromiter(rows.faults, np.int64, len(rows.faults))] = INVALID
        return statuses

    def _wide(self, batch: pa.RecordBatch, rows: Rows, statuses: Any) -> pa.RecordBatch:
        words = pa.array(STATUSES, pa.string())
        columns = [pa.DictionaryArray.from_arrays(pa.array(each), words) for each in np.ascontiguousarray(statuses.T).view(np.int8)]
        return pa.RecordBatch.from_arrays([*batch.columns, *columns, _errors(rows)], schema=self.schema)

    def _long(self, batch: pa.RecordBatch, rows: Rows, statuses: Any, lists: Any) -> pa.RecordBatch:
        # An invalid row keeps its first carrier only, whose name is then left out.
        is_line = (statuses > 0) & (statuses != INVALID)
        is_line[:, :1] |= statuses[:, :1] == INVALID
        row, carrier = np.nonzero(is_line)
        status = statuses[row, carrier].astype(np.int8)
        names = pa.array(carrier.astype(np.int32), mask=status == INVALID)
        columns = [
            *(batch.column(name).take(pa.array(row)) for name in self._options.keep),
            pa.array(row + self._rows),
            pa.DictionaryArray.from_arrays(names, pa.array(self._artifact.carriers, pa.string())),
            pa.DictionaryArray.from_arrays(pa.array(status), pa.array(STATUSES, pa.string())),
        ]
        if lists is not None:
            columns += lists(row, carrier)
        return pa.RecordBatch.from_arrays(columns, schema=self.schema)


def _errors(rows: Rows) -> pa.Array:
    """Faults by row: null for a row without."""
    lengths = np.zeros(rows.block.rows + 1, np.int32)
    faults = [fault for row in sorted(rows.faults) for fault in rows.faults[row]]
    for row, each in rows.faults.items():
        lengths[row + 1] = len(each)
    values = pa.array([dict(zip(("column", "code", "message"), each)) for each in faults], ERRORS_TYPE.value_type)
    offsets = pa.array(np.cumsum(lengths, dtype=np.int32))
    return pa.ListArray.from_arrays(offsets, values, ERRORS_TYPE, mask=pa.array(lengths[1:] == 0))
