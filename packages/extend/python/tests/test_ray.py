"""Ray with actors that hold the artifact. If one ends, each row is there once, with the answers of one process."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from conftest import volume
from test_spark import OPTIONS, kill_one, plain

from leeward import Artifact, TableError

# Ray reads it on import. A busy machine is slow, not wrong.
os.environ.setdefault("RAY_raylet_start_wait_time_s", "300")
ray = pytest.importorskip("ray")
import ray.data  # noqa: E402

import leeward.ray  # noqa: E402


@pytest.fixture(scope="module", autouse=True)
def cluster() -> Iterator[None]:
    ray.init(num_cpus=4, include_dashboard=False, log_to_driver=False, logging_level="ERROR")
    ray.data.DataContext.get_current().enable_progress_bars = False
    yield
    ray.shutdown()


@pytest.fixture(scope="module")
def source(homes: pa.Table, tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("homes")
    times = max(8, volume(24_000) // homes.num_rows)
    for number in range(times):
        ids = pa.array(range(number * homes.num_rows, (number + 1) * homes.num_rows), pa.int64())
        pq.write_table(homes.set_column(homes.column_names.index("policy_id"), "policy_id", ids), folder / f"{number}.parquet")
    return str(folder)


def test_survives_the_end_of_an_actor(artifact: Artifact, artifact_path: str, source: str, tmp_path: Path) -> None:
    expected = plain(artifact.evaluate(pq.read_table(source), **OPTIONS), artifact)

    def slowly(table: pa.Table) -> pa.Table:
        time.sleep(0.5)
        return table

    dataset = ray.data.read_parquet(source, override_num_blocks=8).map_batches(slowly, batch_format="pyarrow", batch_size=None)
    result = leeward.ray.evaluate(dataset, artifact_path, actors=2, **OPTIONS)
    killed: list[bool] = []

    def kill() -> None:
        while not killed:
            if list((tmp_path / "out").glob("*.parquet")) and kill_one("ray::MapWorker"):
                killed.append(True)
            time.sleep(0.02)

    thread = threading.Thread(target=kill, daemon=True)
    thread.start()
    result.write_parquet(str(tmp_path / "out"))
    was_killed = bool(killed)
    killed.append(False)
    thread.join()
    assert was_killed
    assert plain(pq.read_table(tmp_path / "out"), artifact).equals(expected)


def test_refuses_bad_columns_before_the_first_block(artifact: Artifact, data: bytes, source: str) -> None:
    dataset: Any = ray.data.read_parquet(source)
    with pytest.raises(TableError, match="'state', which is required"):
        leeward.ray.evaluate(dataset.rename_columns({"state": "st"}), artifact, as_of=OPTIONS["as_of"])
    with pytest.raises(leeward.ArtifactError):
        leeward.ray.evaluate(dataset, data[:-1], **OPTIONS)
