"""Columns of every Arrow type give the same answers; unusable ones are refused by name."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pyarrow as pa
import pytest
from conftest import AS_OF, errors_of, one

from leeward import Artifact, ArtifactError, TableError


def statuses(artifact: Artifact, table: pa.Table, **options: Any) -> list[dict[str, str]]:
    result = artifact.evaluate(table, **options)
    return [dict(each) for each in result.select([each for each in result.column_names if each in artifact.carriers]).to_pylist()]


def code_of(artifact: Artifact, table: pa.Table, **options: Any) -> tuple[str, str]:
    with pytest.raises(TableError) as caught:
        artifact.evaluate(table, **options)
    return caught.value.code, str(caught.value)


NUMBER_TYPES = [pa.int16(), pa.int64(), pa.uint32(), pa.float32(), pa.float64(), pa.decimal128(25, 2), pa.decimal256(50, 4)]


@pytest.mark.parametrize("kind", [*NUMBER_TYPES, pa.string(), pa.large_string(), pa.dictionary(pa.int8(), pa.int64())], ids=str)
def test_numbers_of_every_type_are_equal(artifact: Artifact, kind: pa.DataType) -> None:
    values = [1987, None, 12, 2024]
    plain = one(state=["tx"] * 4, policy_type=["ho3"] * 4, as_of=[AS_OF] * 4, year_built=pa.array(values, pa.int64()))
    array = pa.array(values, pa.int64())
    column = array.dictionary_encode().cast(kind) if pa.types.is_dictionary(kind) else array.cast(kind)
    table = plain.set_column(3, "year_built", column)
    assert statuses(artifact, table) == statuses(artifact, plain)


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string(), pa.string_view(), pa.dictionary(pa.int8(), pa.string())], ids=str)
def test_words_of_every_type_are_equal(artifact: Artifact, kind: pa.DataType) -> None:
    values = ["Texas", "TX", "florida", "N. Carolina"]
    plain = one(state=values, policy_type=["ho3", "HO-3", "ho 3", "HO 00 03"], as_of=[AS_OF] * 4, county=["Harris", None, " ", "Dare"])
    table = plain.set_column(0, "state", pa.array(values).cast(kind) if not pa.types.is_dictionary(kind) else pa.array(values).dictionary_encode())
    assert statuses(artifact, table) == statuses(artifact, plain)
    assert statuses(artifact, plain)[0] == statuses(artifact, one(county="48201"))[0]


def test_dates_of_every_type_are_equal(artifact: Artifact) -> None:
    day = dt.date(2026, 12, 1)
    written = [pa.array(["2026-12-01"]), pa.array([day]), pa.array([day], pa.date64()), pa.array([dt.datetime(2026, 12, 1)], pa.timestamp("ns"))]
    zoned = pa.array([dt.datetime(2026, 12, 1, 6, tzinfo=dt.timezone.utc)], pa.timestamp("us", "America/Chicago"))
    answers = [statuses(artifact, one(effective_date=each)) for each in [*written, zoned]]
    assert answers == [answers[0]] * 5
    assert errors_of(artifact.evaluate(one(effective_date=pa.array([dt.datetime(2026, 12, 1, 8)])))) == [("effective_date", "invalid_date")]
    instants = [pa.array([AS_OF]), pa.array([dt.datetime(2026, 11, 20, 12, tzinfo=dt.timezone.utc)])]
    assert statuses(artifact, one(as_of=instants[0])) == statuses(artifact, one(as_of=instants[1]))


def test_null_columns_are_missing_values(artifact: Artifact) -> None:
    names = [name for name in artifact.prepare(one().schema)._plan.fields if name not in ("state", "policy_type", "as_of")]
    assert len(names) > 20
    for name in names:
        assert statuses(artifact, one(**{name: pa.nulls(1)})) == statuses(artifact, one()), name


WRONG = {
    "state": (pa.array([48]), "int64", "text"),
    "policy_type": (pa.array([True]), "bool", "text"),
    "county": (pa.array([1.5]), "double", "text"),
    "year_built": (pa.array([True]), "bool", "numbers, or text of digits"),
    "roof_type": (pa.array([3]), "int64", "text"),
    "dogs": (pa.array(["akita"]), "string", "lists of text"),
    "trampoline": (pa.array(["yes"]), "string", "booleans"),
    "as_of": (pa.array([dt.datetime(2026, 1, 1)]), "timestamp\\[us\\]", "timestamps with a time zone"),
    "effective_date": (pa.array([20260101]), "int64", "dates"),
}


@pytest.mark.parametrize("name", WRONG)
def test_refuses_wrong_types_by_name(artifact: Artifact, name: str) -> None:
    column, kind, expected = WRONG[name]
    if name not in artifact.prepare(one().schema)._plan.fields:
        pytest.skip(f"no example carrier tests {name}")
    with pytest.raises(TableError, match=f"Column '{name}' has the type {kind}; {name} needs {expected}") as caught:
        artifact.evaluate(one(**{name: column}))
    assert caught.value.code == "wrong_type"


def test_refuses_missing_and_misspelled_columns(artifact: Artifact) -> None:
    assert code_of(artifact, pa.table({"stat": ["tx"], "policy_type": ["ho3"]}))[0] == "missing_column"
    assert "'state', which is required. Map one with columns={'state': 'stat'}" in code_of(artifact, pa.table({"stat": ["tx"], "policy_type": ["ho3"]}))[1]
    code, message = code_of(artifact, one(year_bilt=1990))
    assert code == "unknown_column" and "is it year_built? Map it with columns={'year_built': 'year_bilt'}" in message
    assert statuses(artifact, one(year_bilt=1990), columns={"year_built": "year_bilt"}) == statuses(artifact, one(year_built=1990))
    for ignore in (["year_bilt"], "others"):
        assert statuses(artifact, one(year_bilt=1990), ignore=ignore) == statuses(artifact, one())
    assert statuses(artifact, one(policy_id=7, x_year_bilt=1990, premium=1200.5)) == statuses(artifact, one())
    assert code_of(artifact, one(), columns={"yaer_built": "a"})[0] == "unknown_column"
    assert code_of(artifact, one(), columns={"year_built": "a"})[0] == "missing_column"
    twice = pa.Table.from_arrays([*one().columns, pa.array(["fl"])], names=[*one().column_names, "state"])
    assert "2 columns 'state'" in code_of(artifact, twice)[1]


def test_keeps_columns_and_refuses_collisions(artifact: Artifact) -> None:
    first = artifact.carriers[0]
    table = one(policy_id=7, errors=1, **{first: "x"})
    code, message = code_of(artifact, table)
    assert code == "column_exists" and "errors" in message and "prefix='leeward_'" in message
    result = artifact.evaluate(table, prefix="leeward_")
    assert result.column_names == [*table.column_names, *(f"leeward_{key}" for key in artifact.carriers), "leeward_errors"]
    assert result.select(table.column_names).equals(table)
    assert result.schema.field(f"leeward_{first}").type == pa.dictionary(pa.int8(), pa.string())


def test_refuses_options_by_name(artifact: Artifact) -> None:
    for options in ({"as_of": "yesterday"}, {"as_of": dt.datetime(2026, 1, 1)}, {"effective_date": "1/1/2026"}, {"reasons": True}):
        assert code_of(artifact, one(), **options)[0] == "invalid_option"
    assert code_of(artifact, one(), long=True, keep=["polcy"])[0] == "missing_column"


def test_refuses_dates_that_are_not_covered(artifact: Artifact) -> None:
    plain = pa.table({"state": ["tx"], "policy_type": ["ho3"]})
    for options in ({"effective_date": "2199-01-01"}, {"effective_date": dt.date(1970, 1, 1)}, {"as_of": "1999-01-01T00:00:00Z"}):
        with pytest.raises(ArtifactError, match="The artifact has the dates from 20") as caught:
            artifact.evaluate(plain, **options)
        assert caught.value.code == "dates_not_covered"
    assert errors_of(artifact.evaluate(one(effective_date="2150-01-01"))) == [("effective_date", "dates_not_covered")]


def test_the_effective_date_is_that_of_the_state(artifact: Artifact) -> None:
    first = artifact.manifest["from"]
    table = pa.table({"state": ["me", "hi"], "policy_type": ["ho3"] * 2, "as_of": [f"{first}T07:00:00Z"] * 2})
    errors = artifact.evaluate(table)["errors"].to_pylist()
    assert errors[0] is None and [each["code"] for each in errors[1]] == ["dates_not_covered"]


def test_an_empty_table_has_the_columns(artifact: Artifact) -> None:
    result = artifact.evaluate(one().slice(0, 0))
    assert result.num_rows == 0 and result.column_names[-1] == "errors"
    assert artifact.evaluate(one().slice(0, 0), long=True, reasons=True).column_names == ["row", "carrier", "status", "reasons", "fields"]
