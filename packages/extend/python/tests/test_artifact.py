"""Opening artifacts: damaged, altered and newer ones are refused before the first row."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import pickle
import random
import threading
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import leeward.__main__
from leeward import Artifact, ArtifactError
from leeward.probes import compare_probes
from leeward.sections import _leb128, read_sections


def rebuild(data: bytes, **changes: Any) -> bytes:
    """The artifact with other contents of some JSON sections and a fitting digest."""
    at = 8
    while b"leeward." not in data[at : at + 16]:
        size, after = _leb128(data, at + 1)
        at = after + size
    result = data[:at]
    for name, content in read_sections(data).items():
        if name == "leeward.digest" or not name.startswith("leeward."):
            continue
        if name[8:] in changes:
            content = gzip.compress(json.dumps(changes[name[8:]]).encode())
        result += section(name, content)
    return result + section("leeward.digest", hashlib.sha256(result).digest())


def section(name: str, content: bytes) -> bytes:
    inner = leb128(len(name)) + name.encode() + content
    return b"\0" + leb128(len(inner)) + inner


def leb128(value: int) -> bytes:
    return bytes([value]) if value < 128 else bytes([value & 127 | 128]) + leb128(value >> 7)


def code_of(data: bytes) -> str:
    with pytest.raises(ArtifactError) as caught:
        Artifact.open(data)
    return caught.value.code


def test_opens_from_a_path_bytes_and_a_file(artifact_path: str, data: bytes) -> None:
    keys = Artifact.open(data).carriers
    assert len(keys) > 10
    assert Artifact.open(artifact_path).carriers == Artifact.open(Path(artifact_path)).carriers == Artifact.open(io.BytesIO(data)).carriers == keys


def test_agrees_with_all_its_vectors(artifact: Artifact) -> None:
    assert artifact.check() > 1000


def test_refuses_vectors_with_another_answer(data: bytes, artifact: Artifact, vectors: dict[str, Any]) -> None:
    rows = 200
    manifest, probes = artifact.manifest, {**vectors["probes"], "rows": 64, "digests": [[[0, 0] for _ in each] for each in vectors["probes"]["digests"]]}
    sums = [actual for _, actual, _ in compare_probes(manifest, artifact._kernel, probes)]
    types = len(manifest["policy_types"])
    digests = [[sums[2 * (types * number + each) :][:2] for each in range(types)] for number in range(len(manifest["intervals"]))]
    few = {
        "columns": {name: values[:rows] for name, values in vectors["columns"].items()},
        "ranges": {name: [ends[:rows] for ends in both] for name, both in vectors["ranges"].items()},
        "statuses": {key: text[:rows] for key, text in vectors["statuses"].items()},
        "reasons": [each for each in vectors["reasons"] if each["row"] < rows],
        "errors": [each for each in vectors["errors"] if each["row"] < rows],
        "spellings": {"states": {"texas": 44}, "policy_types": {}, "words": {}, "counties": {"tx": {"48201": ["harris"]}}},
        "probes": {**probes, "digests": digests},
    }
    carrier, text = next((key, text) for key, text in few["statuses"].items() if "4" in text)
    at = text.index("4")
    changes: dict[str, Any] = {
        f"row {at}, {carrier}: status 4, not 1": {"statuses": {**few["statuses"], carrier: text[:at] + "1" + text[at + 1 :]}},
        "not \\['unheard_of'\\]": {"reasons": [{**few["reasons"][0], "codes": ["unheard_of"]}]},
        "error .*unheard_of": {"errors": [*few["errors"], {"row": 0, "column": "usage", "code": "unheard_of"}]},
        "'harris' is 48201, not 48203": {"spellings": {**few["spellings"], "counties": {"tx": {"48203": ["harris"]}}}},
    }
    changes["evaluate for probes of"] = {"probes": {**probes, "digests": [[[sums[0] ^ 1, sums[1]], *digests[0][1:]], *digests[1:]]}}
    assert Artifact.open(rebuild(data, vectors=few)).check() > rows * len(few["statuses"])
    for message, change in changes.items():
        with pytest.raises(ArtifactError, match=message) as caught:
            Artifact.open(rebuild(data, vectors={**few, **change})).check()
        assert caught.value.code == "failed_vectors"


def test_refuses_every_truncation(data: bytes) -> None:
    lengths = [0, 1, 4, 7, 8, *random.Random(2).sample(range(8, len(data)), 300), len(data) - 1]
    assert {code_of(data[:length]) for length in lengths} <= {"not_an_artifact", "damaged_artifact", "altered_artifact"}
    assert code_of(data[:-1]) == "damaged_artifact"


def test_refuses_every_changed_byte(data: bytes) -> None:
    choice = random.Random(3)
    for at in [0, 5, *choice.sample(range(len(data)), 300), len(data) - 1]:
        changed = data[:at] + bytes([data[at] ^ (1 << choice.randrange(8))]) + data[at + 1 :]
        assert code_of(changed) in ("not_an_artifact", "damaged_artifact", "altered_artifact"), at
    assert code_of(data + b"\0") in ("damaged_artifact", "altered_artifact")
    assert code_of(data + section("more", b"")) == "altered_artifact"


def test_refuses_a_newer_format_by_name(data: bytes, artifact: Artifact) -> None:
    newer = rebuild(data, manifest={**artifact.manifest, "format": 2, "made_by": "leeward 9.1"})
    with pytest.raises(ArtifactError, match=r"format 2, made by leeward 9\.1; this package reads up to 1") as caught:
        Artifact.open(newer)
    assert caught.value.code == "newer_artifact"
    assert Artifact.open(rebuild(data)).carriers == artifact.carriers


def test_refuses_files_that_are_not_artifacts(data: bytes) -> None:
    assert code_of(b"") == code_of(b"PAR1 and more") == code_of(b"\0asm\1\0\0\0") == "not_an_artifact"
    assert code_of(rebuild(data, manifest=[])) == code_of(rebuild(data, tables={})) == "damaged_artifact"


def test_pickles_and_shares_one_open_artifact(artifact: Artifact) -> None:
    copies = [pickle.loads(pickle.dumps(artifact)) for _ in range(2)]
    assert copies[0] is copies[1] and copies[0].carriers == artifact.carriers
    error = pickle.loads(pickle.dumps(ArtifactError("altered_artifact", "No.")))
    assert (error.code, str(error)) == ("altered_artifact", "No.")


def test_evaluates_from_many_threads(artifact: Artifact, homes: pa.Table) -> None:
    expected, results = artifact.evaluate(homes), []
    threads = [threading.Thread(target=lambda: results.append(artifact.evaluate(homes))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [each.equals(expected) for each in results] == [True] * 4


def test_the_command_line_checks_and_evaluates(artifact: Artifact, artifact_path: str, homes: pa.Table, tmp_path: Path, capsys: Any) -> None:
    source, target = str(tmp_path / "in.parquet"), str(tmp_path / "out.parquet")
    pq.write_table(homes, source)
    assert leeward.__main__.main(["check", artifact_path]) == 0
    assert leeward.__main__.main(["evaluate", artifact_path, source, target]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == f"{homes.num_rows} rows written to {target}."
    read = pq.read_table(target)
    assert read.select(artifact.carriers[:1]).to_pylist() == artifact.evaluate(homes).select(artifact.carriers[:1]).to_pylist()
    assert leeward.__main__.main(["check", source]) == 2
    assert "not an artifact" in capsys.readouterr().err
    assert leeward.__main__.main(["evaluate", artifact_path, source, str(tmp_path / "no.parquet"), "--column", "sate=x"]) == 2
    assert not (tmp_path / "no.parquet").exists()
