"""Ray with actors that hold the artifact. If one ends, each row is there once, with the answers of one process."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from conftest import OPTIONS, plain, write_parts

from leeward import Artifact, TableError

# Ray reads it on import. A busy machine is slow, not wrong.
os.environ.setdefault("RAY_raylet_start_wait_time_s", "300")
os.environ.setdefault("RAY_agent_register_timeout_ms", "300000")
ray = pytest.importorskip("ray")
import ray.data  # noqa: E402

import leeward.ray  # noqa: E402


def descendants(root: int) -> dict[int, str]:
    """Processes that this test started, with their command lines."""
    parents: dict[int, int] = {}
    for each in Path("/proc").iterdir():
        if each.name.isdigit():
            try:
                parents[int(each.name)] = int((each / "stat").read_text().rpartition(")")[2].split()[1])
            except OSError:
                continue
    found, commands = {root}, {}
    for _ in range(20):
        found |= {process for process, parent in parents.items() if parent in found}
    for process in found - {root}:
        try:
            commands[process] = Path(f"/proc/{process}/cmdline").read_bytes().replace(b"\0", b" ").decode()
        except OSError:
            continue
    return commands


def kill_one(part: str) -> bool:
    for process, command in sorted(descendants(os.getpid()).items(), reverse=True):
        if part in command:
            os.kill(process, signal.SIGKILL)
            return True
    return False


@pytest.fixture(scope="module", autouse=True)
def cluster() -> Iterator[None]:
    ray.init(num_cpus=3, include_dashboard=False, log_to_driver=False, logging_level="ERROR")
    ray.data.DataContext.get_current().enable_progress_bars = False
    yield
    ray.shutdown()


@pytest.fixture(scope="module")
def source(homes: pa.Table, tmp_path_factory: pytest.TempPathFactory) -> str:
    return write_parts(homes, tmp_path_factory.mktemp("homes"), 8)


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
