"""Rows: faults as over HTTP, the long form, reasons, and properties that hold for any table."""

from __future__ import annotations

import json
import os
import random
from types import SimpleNamespace
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from conftest import AS_OF, one

from leeward import STATUSES, Artifact
from leeward.kernel import Block, Input
from leeward.program import run_programs
from leeward.text import quote_value


def test_faults_are_those_of_http(artifact: Artifact) -> None:
    """Each home has one odd value; the expected faults come from the parser of requests."""
    with open(os.environ["LEEWARD_TEST_FAULTS"]) as file:
        cases = json.load(file)
    compared = 0
    for case in cases:
        result = artifact.evaluate(one(**case["home"]), ignore="others")
        faults = [[each["column"], each["code"], each["message"]] for each in result["errors"][0].as_py() or ()]
        assert faults == case["faults"], case["home"]
        assert (set(result.select(artifact.carriers).to_pylist()[0].values()) == {"invalid"}) == (len(faults) > 0)
        compared += len(faults)
    assert compared > 50


def test_bad_rows_do_not_change_their_neighbors(artifact: Artifact, homes: pa.Table) -> None:
    whole = artifact.evaluate(homes)
    is_good = np.array([each is None for each in whole["errors"].to_pylist()])
    assert 0 < is_good.sum() < len(is_good)
    good = homes.filter(pa.array(is_good))
    assert artifact.evaluate(good).select(artifact.carriers).equals(whole.filter(pa.array(is_good)).select(artifact.carriers))


def test_rows_are_independent_of_order_and_chunks(artifact: Artifact, homes: pa.Table) -> None:
    whole = artifact.evaluate(homes)
    order = np.random.default_rng(1).permutation(homes.num_rows)
    assert artifact.evaluate(homes.take(pa.array(order))).to_pylist() == whole.take(pa.array(order)).to_pylist()
    chunks = pa.Table.from_batches(homes.to_batches(max_chunksize=37))
    assert artifact.evaluate(chunks).combine_chunks().to_pylist() == whole.to_pylist()
    batch = homes.to_batches()[0].slice(5, 11)
    assert artifact.evaluate(batch).to_pylist() == whole.slice(5, 11).to_pylist()


def test_the_long_form_has_each_offered_pair_once(artifact: Artifact, homes: pa.Table) -> None:
    wide, long = artifact.evaluate(homes), artifact.evaluate(homes, long=True, reasons=True, keep=["policy_id"])
    expected = []
    for row, each in enumerate(wide.to_pylist()):
        if each["errors"] is not None:
            expected.append((row, row, None, "invalid"))
        else:
            expected += [(row, row, key, each[key]) for key in artifact.carriers if each[key] != "not_offered"]
    assert list(zip(*(long[name].to_pylist() for name in ("policy_id", "row", "carrier", "status")))) == expected
    for line in long.to_pylist():
        if line["status"] in ("ineligible", "referral"):
            assert len(line["reasons"]) > 0 and line["fields"] == []
        elif line["status"] == "needs_information":
            assert line["reasons"] == []
        elif line["status"] == "eligible":
            assert line["reasons"] == line["fields"] == []
        else:
            assert len(line["reasons"]) > 0 and len(line["fields"]) > 0


def test_hostile_text_is_a_fault_of_its_row(artifact: Artifact) -> None:
    texts = ["", " \ufeff", "\0", "x" * 100_000, "\ud7ff\u202e", "tx\0", "{value}{hint}", "🏚" * 60, "Ｔｅｘａｓ", "%s", "ﬀ"]
    table = one(state=texts, policy_type=texts, as_of=texts, county=texts, roof_type=texts, year_built=texts, effective_date=texts)
    result = artifact.evaluate(table, ignore="others")
    assert all(each is not None for each in result["errors"].to_pylist())
    codes = {each["code"] for row in result["errors"].to_pylist() for each in row}
    assert {"required", "unknown_state", "invalid_length", "unknown_policy_type", "invalid_date", "unknown_value", "invalid_number"} <= codes


def test_numbers_at_the_edge_of_their_types(artifact: Artifact) -> None:
    values = pa.array([float("nan"), float("inf"), -float("inf"), 1e308, -0.0, 5e-324, 2.0**63])
    table = one(state=["tx"] * 7, policy_type=["ho3"] * 7, as_of=[AS_OF] * 7, year_built=values)
    codes = [[each["code"] for each in row or ()] for row in artifact.evaluate(table)["errors"].to_pylist()]
    assert codes[0] == [] and all(len(each) == 1 for each in [*codes[1:4], *codes[5:]])


@pytest.mark.parametrize(
    "value, text",
    [(5.0, "5"), (0.1, "0.1"), (1e21, "1e+21"), (1e20, "100000000000000000000"), (1e-7, "1e-7"), (-0.0, "0"), (float("inf"), "Infinity"),
     ("a\"é", '"a\\"é"'), ("x" * 90, '"' + "x" * 76 + "…"), ("🏚" * 60, '"' + "🏚" * 38 + "…")],
)  # fmt: skip
def test_values_are_quoted_as_in_javascript(value: object, text: str) -> None:
    assert quote_value(value) == text


def random_program(choice: random.Random, depth: int = 0) -> Any:
    if depth == 3 or choice.random() < 0.3:
        return choice.choice([choice.randint(-5, 20), "a", "b", {"age_of": "built"}, {"age_of": "roof"}])
    operation = choice.choice(["add", "subtract", "multiply", "percent_of", "min", "max"])
    return {"apply": operation, "of": [random_program(choice, depth + 1) for _ in range(choice.randint(1, 3))]}


def value_of(program: Any, home: dict[str, float], year: int) -> float:
    """Slow evaluation of one complete home."""
    if not isinstance(program, dict):
        return home[program] if isinstance(program, str) else program
    if "age_of" in program:
        return max(0, year - home[program["age_of"]])
    first, *others = [value_of(each, home, year) for each in program["of"]]
    for other in others:
        kind = program["apply"]
        first = (
            first + other if kind == "add" else first - other if kind == "subtract" else first * other if kind == "multiply"
            else first * other / 100 if kind == "percent_of" else min(first, other) if kind == "min" else max(first, other)
        )  # fmt: skip
    return first


def test_programs_bound_every_completion() -> None:
    choice = random.Random(4)
    number = {"kind": "number"}
    bounds = [Input(False, True, low, high, -1) for low, high in ((-3, 9), (0, 4), (1600, 2200), (1600, 2200))]
    kernel: Any = SimpleNamespace(input=lambda place: bounds[place])
    specs = [{**number, "name": "a"}, {**number, "name": "b"}, *({**number, "name": name, "form": "year"} for name in ("built", "roof"))]
    exact = 0
    for _ in range(400):
        manifest = {"inputs": [*specs, {"name": "c", "kind": "computed", "program": random_program(choice)}], "relations": [["built", "roof"]]}
        given = {name: value if choice.random() < 0.5 else None for name, value in (("a", choice.randint(-3, 9)), ("b", choice.randint(0, 4)), ("built", 1990), ("roof", 2011))}
        block = Block(1, 5)
        for place, value in enumerate(given.values()):
            block.inputs[place] = (None, None) if value is None and choice.random() < 0.5 else (np.array([np.nan if value is None else value], float), None)
        run_programs(manifest, kernel, block, np.array([2026]))
        low, high = (each[0] for each in block.inputs[4] if each is not None)
        exact += low == high
        for _ in range(30):
            home = {"a": choice.randint(-3, 9), "b": choice.randint(0, 4), "built": choice.randint(1600, 2027), "roof": choice.randint(1600, 2027)}
            home |= {name: value for name, value in given.items() if value is not None}
            if home["built"] <= home["roof"]:
                assert low - 1e-9 <= value_of(manifest["inputs"][4]["program"], home, 2026) <= high + 1e-9, manifest["inputs"][4]
    assert 0 < exact < 400


def test_statuses_are_in_the_order_of_their_codes(artifact: Artifact) -> None:
    assert artifact.evaluate(one())[artifact.carriers[0]].chunk(0).dictionary.to_pylist() == list(STATUSES)
