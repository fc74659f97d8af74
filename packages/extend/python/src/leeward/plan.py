"""How the columns of a table become inputs of the kernel. A plan is made once, before the first row."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timezone
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from . import columns as arrow
from .coast import Coast
from .columns import Column, Refusal
from .errors import ArtifactError, TableError
from .kernel import Array, Block, Kernel
from .program import run_programs
from .text import BLANKS, did_you_mean, fold, is_spelling, quote_value, suggest

Specification = Mapping[str, Any]
MAX_WORD_CHARACTERS, _MAX_DATE_CHARACTERS = 200, 40
_NOT_COVERED = 65_535
_FIRST_DAY, _LAST_DAY = -25_567, 84_005  # 1900-01-01 and 2199-12-31
_ZIPCODE = re.compile(r"(\d{5})(?:-?\d{4})?", re.ASCII)
_PLACE = ("state", "policy_type", "county", "as_of", "effective_date")


@dataclass(frozen=True)
class Options:
    """Options of an evaluation, as `Artifact.evaluate` documents them."""

    effective_date: date | str | None = None
    as_of: datetime | str | None = None
    columns: Mapping[str, str] | None = None
    ignore: Sequence[str] | str = ()
    long: bool = False
    reasons: bool = False
    prefix: str = ""
    keep: Sequence[str] = ()


class Field(NamedTuple):
    """A name that a column can have, and the inputs that it fills."""

    name: str
    kind: str
    spec: Specification
    inputs: tuple[int, ...] = ()

    def refuse(self, code: str, value: object, key: str = "", year: int = 0) -> Refusal:
        """Fills the text of a fault. The value comes last, because it may contain any text."""
        faults: Mapping[str, str] = self.spec["faults"]
        if code == "invalid_date" and "invalid_length" in faults and len(str(value)) > _MAX_DATE_CHARACTERS:
            code = "invalid_length"
        text = faults.get(key or code) or faults.get(code) or faults["invalid_type"]
        is_code = "codes" in self.spec and len(str(value).strip(BLANKS)) <= 2
        hint = did_you_mean(value, self.spec["codes" if is_code else "words"]) if "{hint}" in text else ""
        text = text.replace("{next_year}", str(year + 1)).replace("{length}", str(len(str(value)))).replace("{hint}", hint)
        return Refusal(code, text.replace("{value}", quote_value(value)))


class Source(NamedTuple):
    """A field and the column that it is read from."""

    field: Field
    column: str
    position: int


class Rows:
    """A batch of rows as it is read: the block for the kernel, the faults of each row, and the rows that give a field."""

    def __init__(self, rows: int, inputs: int) -> None:
        self.block = Block(rows, inputs)
        self.years = np.zeros(rows, np.int64)
        self.faults: dict[int, list[tuple[str, str, str]]] = {}
        self.given: dict[str, Array] = {}
        self.degrees: dict[str, Array] = {}

    def refuse(self, row: int, column: str, refusal: Refusal) -> None:
        self.faults.setdefault(row, []).append((column, *refusal))

    def add(self, source: Source, column: Column) -> Array:
        for row, refusal in column.refused.items():
            self.refuse(row, source.column, refusal)
        self.given[source.field.name] = column.is_given
        return column.values


class Plan:
    """Reads batches of one schema. Refuses missing, misspelled and wrongly typed columns, and dates that are not covered."""

    def __init__(self, manifest: Specification, kernel: Kernel, schema: pa.Schema, options: Options, coast: Callable[[], Coast | None]) -> None:
        self.manifest, self.kernel, self.options = manifest, kernel, options
        self.zones: list[str] = [state["zone"] for state in manifest["states"]]
        self.first_days, self.end_days, self.effective_years = kernel.intervals()
        self.fields = _fields(manifest)
        self.sources = self._sources(schema)
        self.areas = [place for place, name in enumerate(schema.names) if name in ("radius_meters", "footprint")]
        self.coast = coast() if "lat" in self.sources and "lng" in self.sources else None
        self.as_of_ms, self.day = _as_of_ms(options.as_of), _day(options.effective_date)
        if self.day is not None or not {"as_of", "effective_date"} & set(self.sources):
            days = [_local_day(self.as_of_ms, zone) if self.day is None else self.day for zone in self.zones]
            if np.all(self._intervals_of(np.array(days)) == _NOT_COVERED):
                first, last = arrow.date_of(self.first_days[0]), arrow.date_of(self.end_days[-1] - 1)
                message = f"The artifact has the dates from {first} to {last}, not {arrow.date_of(days[0])}; compile it for that date."
                raise ArtifactError("dates_not_covered", message)

    def _sources(self, schema: pa.Schema) -> dict[str, Source]:
        """The columns to read, by field. Reports all problems at once."""
        names: list[str] = schema.names
        mapping = dict(self.options.columns or {})
        problems = [("unknown_column", f"columns maps {name!r}, which is not a field.{did_you_mean(name, self.fields)}") for name in mapping if name not in self.fields]
        used = {*mapping.values(), *(() if self.options.ignore == "others" else self.options.ignore)}
        mapping |= {name: name for name in names if name in self.fields and name not in mapping and name not in used}
        sources: dict[str, Source] = {}
        for name, field in self.fields.items():
            column = mapping.get(name)
            if column is not None and names.count(column) == 1:
                kind = schema.field(column).type
                expected = _expected(field.kind, kind)
                if expected is not None:
                    problems.append(("wrong_type", f"Column {column!r} has the type {kind}; {name} needs {expected}. Cast it first."))
                sources[name] = Source(field, column, names.index(column))
            elif column is not None:
                problems.append(("missing_column", f"The table has {names.count(column) or 'no'} columns {column!r} for {name}; give one.{did_you_mean(column, names)}"))
            elif name in ("state", "policy_type"):
                near = suggest(name, [each for each in names if each not in used and each not in self.fields])
                way = f"Map one with columns={{{name!r}: {near or '…'!r}}}."
                problems.append(("missing_column", f"The table has no column {name!r}, which is required. {way}"))
        for name in names if self.options.ignore != "others" else ():
            known = name in self.fields or name in used or name in self.manifest.get("fields", ()) or name.startswith("x_")
            near = None if known else suggest(name, [each for each in self.fields if each not in mapping and each not in ("state", "policy_type")])
            if near is not None:
                way = f"Map it with columns={{{near!r}: {name!r}}}, or leave it out with ignore=[{name!r}]"
                problems.append(("unknown_column", f"Column {name!r} is not a field; is it {near}? {way}."))
        problems += [("missing_column", f"keep names {name!r}, which the table does not have.{did_you_mean(name, names)}") for name in self.options.keep if name not in names]
        if problems:
            raise TableError(problems[0][0], " ".join(message for _, message in problems))
        return sources

    def _intervals_of(self, days: Array) -> Array:
        place = np.searchsorted(self.first_days, days, side="right") - 1
        return np.where((place >= 0) & (days < self.end_days[np.maximum(place, 0)]), place, _NOT_COVERED).astype(np.uint16)

    def read(self, batch: pa.RecordBatch) -> Rows:
        """Reads a batch. The kernel skips rows with faults."""
        rows = Rows(batch.num_rows, len(self.manifest["inputs"]))
        self._read_place(rows, batch)
        self._read_moments(rows, batch)
        for source in self.sources.values():
            if source.field.kind not in _PLACE:
                getattr(self, f"_read_{source.field.kind}")(rows, batch.column(source.position), source)
        for a, b in self.manifest["given_together"]:
            for present, absent in ((a, b), (b, a)):
                nothing = np.zeros(batch.num_rows, bool)
                column = self.sources[absent].column if absent in self.sources else absent
                refusal = Refusal("required_with", self.manifest["faults"][absent]["required_with"])
                for row in np.flatnonzero(rows.given.get(present, nothing) & ~rows.given.get(absent, nothing)).tolist():
                    rows.refuse(row, column, refusal)
        if self.coast is not None:
            latitudes = rows.degrees["lat"]
            # The range of a point is too narrow for an area.
            for place in self.areas:
                latitudes = np.where(arrow.to_numpy(batch.column(place).is_valid()), np.nan, latitudes)
            self.coast.fill(self.manifest["inputs"], rows.block, latitudes, rows.degrees["lng"])
        run_programs(self.manifest, self.kernel, rows.block, rows.years)
        rows.block.states[list(rows.faults)] = 255
        return rows

    def _read_place(self, rows: Rows, batch: pa.RecordBatch) -> None:
        block = rows.block
        for name, words, target in (("state", 0, block.states), ("policy_type", 1, block.policy_types)):
            source = self.sources[name]
            column = self._codes(batch.column(source.position), source.field, words)
            codes = rows.add(source, column)
            target[:] = np.where(codes > 0, codes - 1, 255)
            for row in np.flatnonzero(~column.is_given).tolist():
                rows.refuse(row, source.column, source.field.refuse("required", None))
        if "county" not in self.sources:
            return
        source = self.sources["county"]
        texts: list[str] = []

        def place_of(text: str) -> float | Refusal:
            texts.append(text)
            return len(texts) if len(text) <= MAX_WORD_CHARACTERS else source.field.refuse("invalid_length", text)

        names = rows.add(source, arrow.read_words(batch.column(source.position), place_of, 0))
        pairs, place = np.unique(names.astype(np.int64) * 256 + block.states, return_inverse=True)
        find = functools.partial(self.kernel.find, "find_county")
        counties = [find(pair % 256, texts[pair // 256 - 1]) if pair >= 256 and pair % 256 < 255 else 0 for pair in pairs.tolist()]
        block.counties[:] = np.array(counties, np.int32)[place]

    def _codes(self, array: pa.Array, field: Field, words: int) -> Column:
        """Codes of words by a list of the kernel; 0 for a missing one."""

        def read(text: str) -> float | Refusal:
            limit = 100 if field.name == "state" else MAX_WORD_CHARACTERS
            code = self.kernel.find("find", words, text) if len(text) <= limit else 0
            if code > 0 and (field.name == "state" or is_spelling(text, field.spec["words"][code - 1], field.spec.get("spellings", {}))):
                return code
            is_long = len(text) > limit and field.name == "state"
            return field.refuse("invalid_length" if is_long else field.spec.get("unknown", "unknown_value"), text)

        return arrow.read_words(array, read, 0)

    def _read_moments(self, rows: Rows, batch: pa.RecordBatch) -> None:
        """Instants and effective dates. The date is that of the call, else of the row, else the date in the home's state at the instant."""
        block, instants, days = rows.block, np.full(batch.num_rows, self.as_of_ms), np.full(batch.num_rows, np.nan)
        if "as_of" in self.sources:
            source = self.sources["as_of"]
            values = rows.add(source, arrow.read_instants(batch.column(source.position), source.field.refuse))
            instants = np.where(np.isnan(values), self.as_of_ms, values)
        if "effective_date" in self.sources:
            source = self.sources["effective_date"]
            column = arrow.read_dates(batch.column(source.position), source.field.refuse)
            days = rows.add(source, column).copy()
            for row in np.flatnonzero((days < _FIRST_DAY) | (days > _LAST_DAY)).tolist():
                rows.refuse(row, source.column, source.field.refuse("out_of_range", column.original(row)))
                days[row] = np.nan
        days = days if self.day is None else np.full(batch.num_rows, float(self.day))
        # Time zones are whole seconds, and there are fewer than 256 states.
        keys, place = np.unique(np.floor(instants / 1000) * 256 + block.states, return_inverse=True)
        today = np.array([_local_day(key // 256 * 1000, self.zones[int(key % 256)]) if key % 256 < 255 else np.nan for key in keys.tolist()])[place]
        days = np.where(np.isnan(days), today, days)
        for number, spec in enumerate(self.manifest["inputs"]):
            if spec["kind"] == "as_of":
                block.inputs[number] = (instants, None)
            elif "moment" in spec:
                block.inputs[number] = (days - today, None)
        block.intervals[:] = self._intervals_of(np.nan_to_num(days, nan=-1e9))
        field = self.fields["effective_date"]
        name = self.sources[field.name].column if field.name in self.sources else field.name
        for row in np.flatnonzero((block.intervals == _NOT_COVERED) & ~np.isnan(days)).tolist():
            rows.refuse(row, name, field.refuse("dates_not_covered", arrow.date_of(days[row])))
        # Rows that are refused still have their numbers checked, in any interval.
        block.intervals[block.intervals == _NOT_COVERED] = 0
        rows.years = self.effective_years[block.intervals]

    def _text_reader(self, field: Field) -> arrow.Reader:
        bounds = self.kernel.input(field.inputs[0])
        return arrow.number_reader(bounds.is_whole, bounds.min < 0, field.refuse)

    def _read_number(self, rows: Rows, array: pa.Array, source: Source) -> None:
        self._normalize(rows, source, arrow.read_numbers(array, self._text_reader(source.field)))

    def _read_date(self, rows: Rows, array: pa.Array, source: Source) -> None:
        self._normalize(rows, source, arrow.read_dates(array, source.field.refuse))

    def _normalize(self, rows: Rows, source: Source, column: Column) -> None:
        """Checks numbers by the kernel, which knows the bounds and the forms of years."""
        field = source.field
        values, faults = self.kernel.normalize(field.inputs[0], rows.add(source, column), rows.block.intervals)
        for row in np.flatnonzero(faults).tolist():
            is_fraction = faults[row] == 1 or (faults[row] == 3 and self.kernel.input(field.inputs[0]).is_whole)
            is_year = not is_fraction and "form" in field.spec and 0 <= column.values[row] <= 9999
            value = float(column.values[row]) if is_year else column.original(row)
            code = "not_an_integer" if is_fraction else "out_of_range"
            rows.refuse(row, source.column, field.refuse(code, value, "year" if is_year else "", int(rows.years[row])))
        rows.block.inputs[field.inputs[0]] = (values, None)

    def _read_zipcode(self, rows: Rows, array: pa.Array, source: Source) -> None:
        def read(text: str) -> float | Refusal:
            match = _ZIPCODE.fullmatch(text.strip(BLANKS))
            return float(match[1]) if match else source.field.refuse("invalid_zipcode", text)

        column = arrow.read_numbers(array, read)
        values = rows.add(source, column)
        is_wrong = ~np.isnan(values) & ~((values >= 1) & (values <= 99_999) & (values % 1 == 0))
        for row in np.flatnonzero(is_wrong).tolist():
            rows.refuse(row, source.column, source.field.refuse("invalid_zipcode", column.original(row)))
        rows.block.inputs[source.field.inputs[0]] = (values, None)

    def _read_distance(self, rows: Rows, array: pa.Array, source: Source) -> None:
        field, number = source.field, source.field.inputs[0]
        column = arrow.read_numbers(array, self._text_reader(field))
        others = [each["name"] for each in field.spec["columns"] if each["name"] in rows.given]
        values = rows.add(source, column)
        for row in np.flatnonzero((values < field.spec["min"]) | (values > field.spec["max"])).tolist():
            rows.refuse(row, source.column, field.refuse("out_of_range", column.original(row)))
        meters = np.floor(values * field.spec["factor"] * 1e4 + 0.5) / 1e4
        for other in others:
            refusal = Refusal("distance_given_twice", f"{field.name} and {other} are the same distance; give one of them.")
            for row in np.flatnonzero(rows.given[other] & column.is_given).tolist():
                rows.refuse(row, source.column, refusal)
            meters = np.where(np.isnan(meters), rows.block.inputs[number][0], meters)
        rows.block.inputs[number] = (meters, None)

    def _read_coordinate(self, rows: Rows, array: pa.Array, source: Source) -> None:
        column = arrow.read_numbers(array, arrow.number_reader(False, True, source.field.refuse))
        values, limit = rows.add(source, column), source.field.spec["limit"]
        is_wrong = np.abs(values) > limit
        for row in np.flatnonzero(is_wrong).tolist():
            key = "swapped" if abs(values[row]) <= 180 else ""
            rows.refuse(row, source.column, source.field.refuse("out_of_range", column.original(row), key))
        rows.degrees[source.field.name] = np.where(is_wrong, np.nan, values)

    def _read_word(self, rows: Rows, array: pa.Array, source: Source) -> None:
        number = source.field.inputs[0]
        codes = rows.add(source, self._codes(array, source.field, self.kernel.input(number).words))
        rows.block.inputs[number] = (codes.astype(np.uint16), None)

    def _read_flag(self, rows: Rows, array: pa.Array, source: Source) -> None:
        codes = arrow.to_numpy(pc.fill_null(pc.add(array.cast(pa.bool_()).cast(pa.int8()), 1), 0))
        rows.given[source.field.name] = codes > 0
        rows.block.inputs[source.field.inputs[0]] = (codes.astype(np.uint16), None)

    def _read_set(self, rows: Rows, array: pa.Array, source: Source) -> None:
        field, words = source.field, source.field.spec["words"]
        codes = np.zeros((len(array), len(words)), np.uint16)
        codes[arrow.to_numpy(array.is_valid())] = 1
        if not pa.types.is_null(array.type):
            lengths = arrow.to_numpy(pc.fill_null(pc.list_value_length(array), 0)).astype(np.int64)
            owners, keys = np.repeat(np.arange(len(array)), lengths), {fold(word): place for place, word in enumerate(words)}
            items = arrow.read_words(pc.list_flatten(array), lambda text: keys.get(fold(text), -1) if len(text) <= MAX_WORD_CHARACTERS else -1, -1)
            is_word, place = items.values >= 0, items.values.astype(np.int64)
            codes[owners[is_word], place[is_word]] = 2
            is_long = lengths > 10 * len(words)
            for row in np.flatnonzero(is_long).tolist():
                rows.refuse(row, source.column, field.refuse("too_long", "x" * int(lengths[row])))
            for item in np.flatnonzero(~is_word & ~is_long[owners]).tolist():
                word = items.original(item)
                code, key = ("invalid_type", "invalid_item") if word is None else ("unknown_value", "")
                rows.refuse(int(owners[item]), source.column, field.refuse(code, word, key))
        for number in field.inputs:
            rows.block.inputs[number] = (np.ascontiguousarray(codes[:, words.index(self.manifest["inputs"][number]["word"])]), None)

    def _read_computed(self, rows: Rows, array: pa.Array, source: Source) -> None:
        """A column of a computed value: exact, or one of its bounds."""
        number, name = source.field.inputs[0], source.field.name
        values = rows.add(source, arrow.read_numbers(array, self._text_reader(source.field)))
        lower, upper = rows.block.inputs[number]
        is_lower, is_upper = not name.endswith("_max"), not name.endswith("_min")
        nothing = np.full(len(values), np.nan)
        lower, upper = values if is_lower else lower, values if is_upper else upper
        rows.block.inputs[number] = (nothing if lower is None else lower, nothing if upper is None else upper)


def _fields(manifest: Specification) -> dict[str, Field]:
    """Every name that a column can have, in the order in which faults are reported."""
    faults = manifest["faults"]
    state = {"faults": faults["state"], "unknown": "unknown_state", "codes": [each["code"] for each in manifest["states"]], "words": [each["name"] for each in manifest["states"]]}
    kind = {"faults": faults["policy_type"], "unknown": "unknown_policy_type", "words": manifest["policy_types"], "spellings": manifest["policy_type_spellings"]}
    fields = [Field("state", "state", state), Field("policy_type", "policy_type", kind), Field("county", "county", {"faults": faults["county"]})]
    for number, spec in enumerate(manifest["inputs"]):
        if spec["kind"] == "set_word":
            numbers = tuple(i for i, each in enumerate(manifest["inputs"]) if each.get("set") == spec["set"])
            fields.append(Field(spec["set"], "set", manifest["sets"][spec["set"]], numbers))
        elif spec["kind"] == "computed":
            fields += [Field(spec["name"] + end, "computed", spec, (number,)) for end in ("", "_min", "_max")]
        elif spec.get("columns"):
            fields += [Field(each["name"], "distance", {**spec, **each}, (number,)) for each in spec["columns"]]
        elif spec["kind"] not in ("as_of", "host"):
            fields.append(Field(spec["column"], spec["kind"], spec, (number,)))
    if manifest.get("coast") is not None:
        fields += [Field(name, "coordinate", {"faults": faults[name], "limit": limit}) for name, limit in (("lat", 90), ("lng", 180))]
    fields += [Field(name, name, {"faults": faults[name]}) for name in ("as_of", "effective_date")]
    return {field.name: field for field in fields}


def _expected(kind: str, found: pa.DataType) -> str | None:
    """The type that a column should have; None if it has a fitting one. A column of nulls always fits."""
    is_text, is_time, is_number = arrow.is_text(found), pa.types.is_timestamp(found), arrow.is_number(found)
    is_list = pa.types.is_list(found) or pa.types.is_large_list(found) or pa.types.is_fixed_size_list(found)
    if kind in ("number", "distance", "zipcode", "computed", "coordinate"):
        fits, expected = is_number or is_text, "numbers, or text of digits"
    elif kind in ("date", "effective_date"):
        fits, expected = is_text or pa.types.is_date(found) or is_time, "dates, or text as YYYY-MM-DD"
    elif kind == "as_of":
        fits, expected = is_text or (is_time and found.tz is not None), "timestamps with a time zone, or text like 2026-11-20T12:00:00Z"
    elif kind == "set":
        fits, expected = is_list and arrow.is_text(found.value_type), "lists of text"
    else:
        fits, expected = (pa.types.is_boolean(found), "booleans") if kind == "flag" else (is_text, "text")
    return None if fits or pa.types.is_null(found) else expected


def _as_of_ms(value: datetime | str | None) -> float:
    ms = arrow.instant_of(value) if isinstance(value, str) else None
    if value is None or (isinstance(value, datetime) and value.tzinfo is not None):
        ms = (value or datetime.now(timezone.utc)).timestamp() * 1000
    if ms is None:
        raise TableError("invalid_option", f"as_of is {value!r}; give a datetime with a time zone, or text like 2026-11-20T12:00:00Z.")
    return ms


def _day(value: date | str | None) -> int | None:
    if value is None:
        return None
    day = arrow.day_of(value) if isinstance(value, str) else None if isinstance(value, datetime) else (value - arrow.EPOCH).days
    if day is None:
        raise TableError("invalid_option", f"effective_date is {value!r}; give a date, or text as YYYY-MM-DD.")
    return day


@functools.lru_cache(maxsize=65_536)
def _local_day(ms: float, zone: str) -> int:
    return (datetime.fromtimestamp(ms / 1000, ZoneInfo(zone)).date() - arrow.EPOCH).days
