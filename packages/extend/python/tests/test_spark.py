"""Spark with separate executor processes. Whatever fails in between, each row is there once, with the answers of one process."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from conftest import volume

from leeward import Artifact, TableError

pyspark = pytest.importorskip("pyspark")
import leeward.spark  # noqa: E402

OPTIONS: dict[str, Any] = {"as_of": "2026-11-20T12:00:00Z", "ignore": "others"}


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


@pytest.fixture(scope="module")
def spark() -> Iterator[Any]:
    session = (
        pyspark.sql.SparkSession.builder.master("local-cluster[2,1,1024]")
        .config("spark.ui.enabled", "false")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.executorEnv.PYTHONPATH", os.environ.get("PYTHONPATH", ""))
        .config("spark.sql.execution.arrow.maxRecordsPerBatch", "1000")
        .config("spark.sql.shuffle.partitions", "8")
        .config("spark.sql.adaptive.enabled", "false")
        .config("spark.speculation", "true")
        .config("spark.speculation.multiplier", "1.5")
        .config("spark.speculation.quantile", "0.5")
        .config("spark.speculation.interval", "100ms")
        .getOrCreate()
    )
    yield session
    session.stop()


@pytest.fixture(scope="module")
def source(homes: pa.Table, tmp_path_factory: pytest.TempPathFactory) -> str:
    """A folder of Parquet files with many rows."""
    folder = tmp_path_factory.mktemp("homes")
    times = max(1, volume(24_000) // homes.num_rows)
    for number in range(times):
        ids = pa.array(range(number * homes.num_rows, (number + 1) * homes.num_rows), pa.int64())
        pq.write_table(homes.set_column(homes.column_names.index("policy_id"), "policy_id", ids), folder / f"{number}.parquet")
    return str(folder)


@pytest.fixture(scope="module")
def expected(artifact: Artifact, source: str) -> pa.Table:
    return plain(artifact.evaluate(pq.read_table(source), **OPTIONS), artifact)


def plain(table: pa.Table, artifact: Artifact) -> pa.Table:
    columns = [each.cast(pa.string()) if pa.types.is_dictionary(each.type) else each for each in (table[key] for key in artifact.carriers)]
    errors = pa.array([str(each) for each in table["errors"].to_pylist()])
    return pa.table([table["policy_id"], *columns, errors], names=["policy_id", *artifact.carriers, "errors"]).sort_by("policy_id").combine_chunks()


def slowly(pause: Callable[[], float]) -> Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    def run(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            time.sleep(pause())
            yield batch

    return run


def run_during(spark: Any, frame: Any, target: Path, meanwhile: Callable[[], bool]) -> bool:
    """Writes a frame, and calls `meanwhile` once some of its tasks are done."""
    done: list[bool] = []

    def wait() -> None:
        tracker = spark.sparkContext.statusTracker()
        while not done:
            stages = [tracker.getStageInfo(stage) for stage in tracker.getActiveStageIds()]
            if any(stage and stage.numTasks == 8 and stage.numCompletedTasks >= 2 and stage.numActiveTasks > 0 for stage in stages):
                done.append(meanwhile())
            time.sleep(0.02)

    thread = threading.Thread(target=wait, daemon=True)
    thread.start()
    frame.write.parquet(str(target))
    was_disturbed = bool(done) and done[0]
    done.append(False)
    thread.join()
    return was_disturbed


def test_keeps_columns_and_answers(spark: Any, artifact: Artifact, artifact_path: str, source: str, expected: pa.Table, tmp_path: Path) -> None:
    frame = spark.read.parquet(source)
    result = leeward.spark.evaluate(frame, artifact_path, **OPTIONS)
    assert result.columns == [*frame.columns, *artifact.carriers, "errors"]
    result.write.parquet(str(tmp_path / "out"))
    assert plain(pq.read_table(tmp_path / "out"), artifact).equals(expected)
    long = leeward.spark.evaluate(frame, artifact, long=True, reasons=True, keep=["policy_id"], **OPTIONS)
    assert long.where("status = 'ineligible'").count() == sum(each.to_pylist().count("ineligible") for each in expected.columns[1:-1])


def test_survives_the_end_of_an_executor(spark: Any, artifact: Artifact, source: str, expected: pa.Table, tmp_path: Path) -> None:
    # The shuffle files of the executor are lost too, so Spark repeats a part of the stage before.
    frame = spark.read.parquet(source).repartition(8, "policy_id")
    slow = frame.mapInArrow(slowly(lambda: 0.1), frame.schema)
    result = leeward.spark.evaluate(slow, artifact, **OPTIONS)
    assert run_during(spark, result, tmp_path / "out", lambda: kill_one("CoarseGrainedExecutorBackend"))
    assert plain(pq.read_table(tmp_path / "out"), artifact).equals(expected)


def test_survives_the_end_of_a_python_worker(spark: Any, artifact: Artifact, source: str, expected: pa.Table, tmp_path: Path) -> None:
    frame = spark.read.parquet(source).repartition(8, "policy_id")
    slow = frame.mapInArrow(slowly(lambda: 0.1), frame.schema)
    result = leeward.spark.evaluate(slow, artifact, **OPTIONS)
    assert run_during(spark, result, tmp_path / "out", lambda: kill_one("pyspark.daemon"))
    assert plain(pq.read_table(tmp_path / "out"), artifact).equals(expected)


def test_speculative_tasks_write_each_row_once(spark: Any, artifact: Artifact, source: str, expected: pa.Table, tmp_path: Path) -> None:
    def pause() -> float:
        context = pyspark.TaskContext.get()
        return 1.0 if context.partitionId() == 0 and context.attemptNumber() == 0 else 0

    frame = spark.read.parquet(source).repartition(8, "policy_id")
    slow = frame.mapInArrow(slowly(pause), frame.schema)
    leeward.spark.evaluate(slow, artifact, **OPTIONS).write.parquet(str(tmp_path / "out"))
    assert plain(pq.read_table(tmp_path / "out"), artifact).equals(expected)


def test_refuses_bad_columns_and_artifacts_on_the_driver(spark: Any, data: bytes, source: str) -> None:
    frame = spark.read.parquet(source)
    with pytest.raises(TableError, match="'state', which is required"):
        leeward.spark.evaluate(frame.withColumnRenamed("state", "st"), data, **{**OPTIONS, "ignore": ()})
    for damaged in (data[:-1], data[:1000] + b"?" + data[1001:]):
        with pytest.raises(leeward.ArtifactError):
            leeward.spark.evaluate(frame, damaged, **OPTIONS)
