"""Arrow columns as numbers. Each distinct text is read once; numbers are converted as whole columns."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, datetime, timedelta
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from .kernel import Array
from .text import BLANKS

EPOCH = date(1970, 1, 1)
_INSTANT = re.compile(r"(\d{4}-\d\d-\d\d)T(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(Z|[+-]\d\d:\d\d)", re.IGNORECASE | re.ASCII)
_DATE = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)


class Refusal(NamedTuple):
    """A fault of one value."""

    code: str
    message: str


Reader = Callable[[str], "float | Refusal"]
Refuse = Callable[[str, object], Refusal]


class Column(NamedTuple):
    """Numbers (NaN or 0 for a missing one), the refused rows, the value of a row as the caller gave it, and the rows that have one."""

    values: Array
    refused: dict[int, Refusal]
    original: Callable[[int], object]
    is_given: Array


def is_text(kind: pa.DataType) -> bool:
    kind = kind.value_type if pa.types.is_dictionary(kind) else kind
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind) or pa.types.is_null(kind))


def is_number(kind: pa.DataType) -> bool:
    kind = kind.value_type if pa.types.is_dictionary(kind) else kind
    return bool(pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind))


def to_numpy(array: pa.Array) -> Array:
    result: Array = array.to_numpy(zero_copy_only=False)
    return result


def read_words(array: pa.Array, read: Reader, missing: float = np.nan) -> Column:
    """Reads a column of text. `read` gets each distinct text that is not blank once."""
    if pa.types.is_null(array.type):
        array = array.cast(pa.string())
    encoded = array if pa.types.is_dictionary(array.type) else array.dictionary_encode()
    words = [*encoded.dictionary.to_pylist(), None]
    places = to_numpy(pc.fill_null(encoded.indices.cast(pa.int64()), len(words) - 1))
    is_given = np.array([word is not None and word.strip(BLANKS) != "" for word in words])
    results = [read(word) if given else missing for word, given in zip(words, is_given.tolist())]
    numbers = np.array([missing if isinstance(each, Refusal) else each for each in results], np.float64)
    is_refused = np.array([isinstance(each, Refusal) for each in results])
    refused = {row: results[places[row]] for row in np.flatnonzero(is_refused[places]).tolist()} if is_refused.any() else {}
    return Column(numbers[places], refused, lambda row: words[places[row]], is_given[places])


def read_numbers(array: pa.Array, read: Reader) -> Column:
    """Reads a column of numbers, or of text that `read` converts."""
    if is_text(array.type):
        return read_words(array, read)
    array = array.dictionary_decode() if pa.types.is_dictionary(array.type) else array
    values = to_numpy(array.cast(pa.float64(), safe=False))
    return Column(values, {}, lambda row: float(values[row]), ~np.isnan(values))


def read_dates(array: pa.Array, refuse: Refuse) -> Column:
    """Reads days since 1970 from dates, timestamps at midnight, or text as YYYY-MM-DD."""
    if is_text(array.type):
        return read_words(array, lambda text: refuse("invalid_date", text) if (day := day_of(text)) is None else day)
    refused: dict[int, Refusal] = {}
    if pa.types.is_timestamp(array.type):
        local = pc.local_timestamp(array) if array.type.tz is not None else array
        has_time = pc.fill_null(pc.not_equal(pc.floor_temporal(local, unit="day"), local), False)
        refused = {row: refuse("invalid_date", str(array[row])) for row in np.flatnonzero(to_numpy(has_time)).tolist()}
        array = pc.floor_temporal(local, unit="day")
    values = to_numpy(array.cast(pa.date32(), safe=False).cast(pa.int32()).cast(pa.float64()))
    return Column(values, refused, lambda row: date_of(values[row]), ~np.isnan(values))


def read_instants(array: pa.Array, refuse: Refuse) -> Column:
    """Reads milliseconds since 1970 from timestamps with a zone, or text with an offset."""
    if is_text(array.type):
        return read_words(array, lambda text: refuse("invalid_date", text) if (ms := instant_of(text)) is None else ms)
    values = to_numpy(array.cast(pa.timestamp("us", array.type.tz), safe=False).cast(pa.int64()).cast(pa.float64(), safe=False)) / 1000
    return Column(values, {}, lambda row: str(array[row]), ~np.isnan(values))


def number_reader(is_whole: bool, is_signed: bool, refuse: Refuse) -> Reader:
    """Returns a function that reads digits without separators."""
    pattern = re.compile(("[+-]?" if is_signed else "") + r"[0-9]{1,15}" + ("" if is_whole else r"(\.[0-9]{1,15})?"))
    return lambda text: float(text.strip(BLANKS)) if pattern.fullmatch(text.strip(BLANKS)) else refuse("invalid_number", text)


def day_of(text: str) -> int | None:
    """Days since 1970 of a date as YYYY-MM-DD; None for another text."""
    try:
        return (date.fromisoformat(text.strip(BLANKS)) - EPOCH).days if _DATE.fullmatch(text.strip(BLANKS)) else None
    except ValueError:
        return None


def date_of(day: float) -> str:
    """The date of a number of days since 1970."""
    try:
        return (EPOCH + timedelta(days=int(day))).isoformat()
    except OverflowError:
        return f"day {day:.0f}"


def instant_of(text: str) -> float | None:
    """Milliseconds since 1970 of an instant with an offset, from 1900 to 2199; None for another text."""
    match = _INSTANT.fullmatch(text.strip(BLANKS)) if len(text) <= 40 else None
    if match is None:
        return None
    day, hour, minute, second, fraction, offset = match.groups()
    try:
        whole = datetime.fromisoformat(f"{day}T{hour}:{minute}:{second or '00'}{'+00:00' if offset in 'Zz' else offset}")
    except ValueError:
        return None
    ms = whole.timestamp() * 1000 + int((fraction or "").ljust(6, "0")[:6]) / 1000
    return ms if -2_208_988_800_000 <= ms < 7_258_118_400_000 else None
