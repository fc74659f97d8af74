"""Spark with separate executor processes. Whatever fails in between, each row is there once, with the answers of one process."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from conftest import OPTIONS, plain, volume, write_parts

from leeward import Artifact, TableError

pyspark = pytest.importorskip("pyspark")
import leeward.spark  # noqa: E402

PARTITIONS = 8


@pytest.fixture(scope="module")
def spark() -> Iterator[Any]:
    session = (
        pyspark.sql.SparkSession.builder.master("local-cluster[2,1,1024]")
        .config("spark.ui.enabled", "false")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.executorEnv.PYTHONPATH", os.pathsep.join([os.environ.get("PYTHONPATH", ""), str(Path(__file__).parent)]))
        .config("spark.python.daemon.module", "spark_daemon")
        .config("spark.sql.codegen.wholeStage", "false")
        # Both executors take part from the first task.
        .config("spark.scheduler.minRegisteredResourcesRatio", "1")
        .config("spark.sql.execution.arrow.maxRecordsPerBatch", "250")
        .config("spark.sql.shuffle.partitions", str(PARTITIONS))
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
    return write_parts(homes, tmp_path_factory.mktemp("homes"), 4)


@pytest.fixture(scope="module")
def expected(artifact: Artifact, source: str) -> pa.Table:
    return plain(artifact.evaluate(pq.read_table(source), **OPTIONS), artifact)


Attempt = tuple[int, int]
"""A partition, and the number of the attempt. A repeated stage counts from 0 again."""


def run_with(fault: Callable[[Attempt], None], spark: Any, source: str, artifact: Artifact, folder: Path) -> tuple[pa.Table, list[Attempt]]:
    """Evaluates after a shuffle. Calls `fault` in the middle of each task. Returns the written rows and the attempts."""
    (folder / "attempts").mkdir()

    def disturb(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        context = pyspark.TaskContext.get()
        attempt = (context.partitionId(), context.attemptNumber())
        (folder / "attempts" / "-".join(map(str, (*attempt, context.taskAttemptId())))).touch()
        yield next(batches)
        fault(attempt)
        yield from batches

    frame = spark.read.parquet(source).repartition(PARTITIONS, "policy_id")
    leeward.spark.evaluate(frame.mapInArrow(disturb, frame.schema), artifact, **OPTIONS).write.parquet(str(folder / "out"))
    attempts = [(int(partition), int(number)) for partition, number, _ in (path.name.split("-") for path in (folder / "attempts").iterdir())]
    return plain(pq.read_table(folder / "out"), artifact), attempts


def test_keeps_columns_and_answers(spark: Any, artifact: Artifact, artifact_path: str, source: str, expected: pa.Table, tmp_path: Path) -> None:
    frame = spark.read.parquet(source)
    result = leeward.spark.evaluate(frame, artifact_path, **OPTIONS)
    assert result.columns == [*frame.columns, *artifact.carriers, "errors"]
    result.write.parquet(str(tmp_path / "out"))
    assert plain(pq.read_table(tmp_path / "out"), artifact).equals(expected)
    long = leeward.spark.evaluate(frame, artifact, long=True, reasons=True, keep=["policy_id"], **OPTIONS)
    assert long.where("status = 'ineligible'").count() == sum(each.to_pylist().count("ineligible") for each in expected.columns[1:-1])


def test_survives_the_end_of_an_executor(spark: Any, artifact: Artifact, source: str, expected: pa.Table, tmp_path: Path) -> None:
    def end_executor(attempt: Attempt) -> None:
        if attempt == (2, 0) and not (tmp_path / "ended").exists():
            (tmp_path / "ended").touch()
            # The parent of this worker is a daemon, whose parent is the executor.
            status = Path(f"/proc/{os.getppid()}/stat").read_text()
            os.kill(int(status.rpartition(")")[2].split()[1]), signal.SIGKILL)
            time.sleep(60)

    rows, attempts = run_with(end_executor, spark, source, artifact, tmp_path)
    assert rows.equals(expected)
    # The shuffle files of the executor are lost too, so Spark repeats a part of the stage before, then this stage.
    assert len(attempts) > len(set(attempts))


def test_survives_the_end_of_a_python_worker(spark: Any, artifact: Artifact, source: str, expected: pa.Table, tmp_path: Path) -> None:
    def end_worker(attempt: Attempt) -> None:
        if attempt == (2, 0):
            os.kill(os.getpid(), signal.SIGKILL)

    rows, attempts = run_with(end_worker, spark, source, artifact, tmp_path)
    assert rows.equals(expected)
    assert (2, 1) in attempts


@pytest.mark.skipif(volume(1) < 2, reason="A copy of a task needs half a minute: runs with LEEWARD_TEST_VOLUME of 2 or more.")
def test_speculative_tasks_write_each_row_once(spark: Any, artifact: Artifact, source: str, expected: pa.Table, tmp_path: Path) -> None:
    def wait_for_copy(attempt: Attempt) -> None:
        deadline = time.monotonic() + 60
        while attempt == (0, 0) and not list((tmp_path / "attempts").glob("0-1-*")):
            assert time.monotonic() < deadline, "Spark started no speculative copy."
            time.sleep(0.01)

    rows, attempts = run_with(wait_for_copy, spark, source, artifact, tmp_path)
    assert rows.equals(expected)
    assert {(0, 0), (0, 1)} <= set(attempts)


def test_refuses_bad_columns_and_artifacts_on_the_driver(spark: Any, data: bytes, source: str) -> None:
    frame = spark.read.parquet(source)
    with pytest.raises(TableError, match="'state', which is required"):
        leeward.spark.evaluate(frame.withColumnRenamed("state", "st"), data, **{**OPTIONS, "ignore": ()})
    for damaged in (data[:-1], data[:1000] + b"?" + data[1001:]):
        with pytest.raises(leeward.ArtifactError):
            leeward.spark.evaluate(frame, damaged, **OPTIONS)
