"""reader_process.py NAME FOLDER [POSTGRES_URL]: as reader-process.ts, for python, duckdb, clickhouse and postgresql.

SQL is evaluated from a table in memory into another one; `FOLDER/NAME.sql` has the view."""

import json
import os
import resource
import sys

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

STATUSES = ["not_offered", "eligible", "referral", "needs_information", "ineligible", "invalid"]
AS_OF = "2026-11-20T12:00:00Z"
name, folder, *url = sys.argv[1:]
keys = json.load(open(f"{folder}/keys.json"))


def own_usage():
    used = resource.getrusage(resource.RUSAGE_SELF)
    return (used.ru_utime + used.ru_stime) * 1e6, used.ru_maxrss / 1024


def usage_of(process):
    """Processor time and peak memory of a process of this machine, such as one of PostgreSQL."""
    fields = open(f"/proc/{process}/stat").read().rpartition(")")[2].split()
    peak = next(line for line in open(f"/proc/{process}/status") if line.startswith("VmHWM"))
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK") * 1e6, int(peak.split()[1]) / 1024


def evaluate(run, read_usage=own_usage):
    before = read_usage()[0]
    result = run()
    after, memory = read_usage()
    return result, after - before, memory


def run_python(table):
    from leeward import Artifact

    artifact = Artifact.open(f"{folder}/home.leeward")
    return evaluate(lambda: artifact.evaluate(table, as_of=AS_OF))


def run_duckdb(table):
    import duckdb

    connection = duckdb.connect()
    connection.execute("SET TimeZone = 'UTC'")
    connection.register("given", table)
    connection.execute("CREATE TABLE homes AS SELECT * FROM given")
    connection.execute(open(f"{folder}/duckdb.sql").read())
    _, micros, memory = evaluate(lambda: connection.execute("CREATE TABLE result AS SELECT * FROM leeward_statuses"))
    return connection.sql("SELECT * FROM result ORDER BY row_number").to_arrow_table(), micros, memory


def run_clickhouse(table):
    import io

    from chdb import session

    engine = session.Session()
    pq.write_table(table, f"{folder}/numbered.parquet")
    engine.query(f"CREATE TABLE homes ENGINE = Memory AS SELECT * FROM file('{folder}/numbered.parquet', Parquet)")
    engine.query("SET max_query_size = 10000000, max_ast_elements = 1000000, max_expanded_ast_elements = 10000000")
    engine.query(open(f"{folder}/clickhouse.sql").read())
    _, micros, memory = evaluate(lambda: engine.query("CREATE TABLE result ENGINE = Memory AS SELECT * FROM leeward_statuses"))
    return pq.read_table(io.BytesIO(engine.query("SELECT * FROM result ORDER BY row_number", "Parquet").bytes())), micros, memory


def run_postgresql(table):
    import psycopg

    kinds = {"string": "text", "double": "double precision", "int64": "bigint"}
    with psycopg.connect(url[0]) as connection:
        cursor = connection.cursor()
        cursor.execute("SET jit = off")
        cursor.execute("SET max_parallel_workers_per_gather = 0")
        columns = ", ".join(f'"{field.name}" {kinds[str(field.type)]}' for field in table.schema)
        cursor.execute(f"CREATE TEMPORARY TABLE homes ({columns})")
        with cursor.copy("COPY homes FROM STDIN") as copy:
            for row in zip(*(column.to_pylist() for column in table.columns)):
                copy.write_row(row)
        cursor.execute("ANALYZE homes")
        cursor.execute(open(f"{folder}/postgresql.sql").read())
        process = connection.info.backend_pid
        _, micros, memory = evaluate(lambda: cursor.execute("CREATE TEMPORARY TABLE result AS SELECT * FROM leeward_statuses"), lambda: usage_of(process))
        cursor.execute("SELECT * FROM result ORDER BY row_number")
        names = [column.name for column in cursor.description]
        rows = cursor.fetchall()
        connection.rollback()
    return pa.table(dict(zip(names, map(list, zip(*rows))))), micros, memory


def write_codes(result):
    codes = np.zeros((result.num_rows, len(keys)), np.uint8)
    for place, key in enumerate(keys):
        words = result[key].combine_chunks().cast(pa.string())
        codes[:, place] = pa.compute.index_in(words, pa.array(STATUSES)).to_numpy(zero_copy_only=False)
    codes.tofile(f"{folder}/{name}.codes")


if __name__ == "__main__":
    import pyarrow.compute

    homes = pq.read_table(f"{folder}/book.parquet")
    if name != "python":
        homes = homes.append_column("row_number", pa.array(range(homes.num_rows), pa.int64()))
    run = {"python": run_python, "duckdb": run_duckdb, "clickhouse": run_clickhouse, "postgresql": run_postgresql}[name]
    result, micros, memory = run(homes)
    write_codes(result)
    print(json.dumps({"rows": homes.num_rows, "micros": micros, "memory": memory}))
