"""Command line: `python -m leeward check home.leeward`, `python -m leeward evaluate home.leeward IN.parquet OUT.parquet`."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

import pyarrow.parquet as pq

from .artifact import BLOCK_ROWS, Artifact
from .errors import ArtifactError, TableError
from .plan import Options


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs a command. Returns the exit status: 0, or 2 with a message if an input cannot be used."""
    parser = argparse.ArgumentParser(prog="python -m leeward", description="Evaluates compiled rules.")
    commands = parser.add_subparsers(dest="command", required=True)
    check = commands.add_parser("check", help="evaluate the conformance vectors of an artifact")
    check.add_argument("artifact")
    run = commands.add_parser("evaluate", help="evaluate a Parquet file")
    for name in ("artifact", "source", "target"):
        run.add_argument(name)
    run.add_argument("--effective-date", help="date for all rows, YYYY-MM-DD")
    run.add_argument("--as-of", help="instant for rows without one")
    run.add_argument("--column", action="append", default=[], metavar="FIELD=COLUMN", help="read a field from this column")
    run.add_argument("--ignore", action="append", default=[], help="a column that is not a field, or others")
    run.add_argument("--prefix", default="", help="put before added columns")
    run.add_argument("--long", action="store_true", help="one line for each row and carrier")
    run.add_argument("--reasons", action="store_true", help="add reasons to the long form")
    run.add_argument("--keep", action="append", default=[], help="repeat this column in the long form")
    given = parser.parse_args(arguments)
    try:
        artifact = Artifact.open(given.artifact)
        print(f"{artifact.check()} answers agree.") if given.command == "check" else _evaluate(artifact, given)
        return 0
    except (ArtifactError, TableError, OSError) as error:
        print(error, file=sys.stderr)
        return 2


def _evaluate(artifact: Artifact, given: argparse.Namespace) -> None:
    columns = dict(each.partition("=")[::2] for each in given.column)
    ignore = "others" if given.ignore == ["others"] else given.ignore
    options = Options(given.effective_date, given.as_of, columns, ignore, given.long, given.reasons, given.prefix, given.keep)
    with pq.ParquetFile(given.source) as file:
        evaluation = artifact.prepare(file.schema_arrow, options)
        unfinished = f"{given.target}.unfinished"
        with pq.ParquetWriter(unfinished, evaluation.schema) as writer:
            for batch in evaluation.run(file.iter_batches(BLOCK_ROWS)):
                writer.write_batch(batch)
        os.replace(unfinished, given.target)
        print(f"{file.metadata.num_rows} rows written to {given.target}.")


if __name__ == "__main__":
    sys.exit(main())
