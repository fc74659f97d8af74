"""Runs an SQL file of `writeSql` in an engine and prints its statuses as JSON: by carrier, one character a row.

run_sql.py ENGINE SQL_FILE HOMES_FILE [POSTGRES_URL]   engine: duckdb, clickhouse, postgresql
run_sql.py parse DIALECT SQL_FILE                      checks the file with sqlglot
HOMES_FILE is JSON: { "columns": { name: [type, values] }, "repeat": times }; type: text, number, flag, texts, date, instant.
"""

import json
import sys
import time

CODES = {
    "not_offered": "0",
    "eligible": "1",
    "referral": "2",
    "needs_information": "3",
    "ineligible": "4",
    "invalid": "x",
}


def arrow_table(path):
    import pyarrow as pa

    with open(path, encoding="utf-8") as file:
        homes = json.load(file)
    types = {
        "text": pa.string(),
        "number": pa.float64(),
        "whole": pa.int32(),
        "flag": pa.bool_(),
        "texts": pa.list_(pa.string()),
        "date": pa.date32(),
        "instant": pa.timestamp("ms", tz="UTC"),
    }

    def column(kind, values):
        if kind in ("date", "instant"):
            return pa.array(values, pa.string()).cast(pa.timestamp("ms", tz="UTC") if kind == "instant" else pa.date32())
        return pa.array(values, types[kind])

    table = pa.table({name: column(*given) for name, given in homes["columns"].items()})
    table = pa.concat_tables([table] * homes.get("repeat", 1)) if homes.get("repeat", 1) > 1 else table
    return table.append_column("row_number", pa.array(range(table.num_rows), pa.int64()))


def run_duckdb(sql, table, _):
    import duckdb

    connection = duckdb.connect()
    connection.execute("SET TimeZone = 'UTC'")
    connection.register("given", table)
    connection.execute("CREATE TABLE homes AS SELECT * FROM given")
    connection.execute(sql)
    start = time.perf_counter()
    connection.execute("CREATE TABLE result AS SELECT * FROM leeward_statuses")
    seconds = time.perf_counter() - start
    return connection.execute("SELECT * FROM result ORDER BY row_number").to_arrow_table(), seconds


def run_clickhouse(sql, table, _):
    import io
    import os
    import tempfile

    import pyarrow.parquet as pq
    from chdb import session

    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "homes.parquet")
        pq.write_table(table, path)
        engine = session.Session()
        engine.query(f"CREATE TABLE homes ENGINE = Memory AS SELECT * FROM file('{path}', Parquet)")
        engine.query("SET max_query_size = 10000000, max_ast_elements = 1000000, max_expanded_ast_elements = 10000000")
        engine.query(sql)
        start = time.perf_counter()
        engine.query("CREATE TABLE result ENGINE = Memory AS SELECT * FROM leeward_statuses")
        seconds = time.perf_counter() - start
        bytes_ = engine.query("SELECT * FROM result ORDER BY row_number", "Parquet").bytes()
        return pq.read_table(io.BytesIO(bytes_)), seconds


def run_postgresql(sql, table, url):
    import io

    import psycopg
    import pyarrow as pa

    names = {"string": "text", "double": "double precision", "bool": "boolean", "int64": "bigint", "int32": "integer"}
    names |= {"list<item: string>": "text[]", "list<element: string>": "text[]", "date32[day]": "date"}
    names |= {"timestamp[ms, tz=UTC]": "timestamptz"}
    with psycopg.connect(url) as connection:
        cursor = connection.cursor()
        cursor.execute("SET jit = off")
        cursor.execute("CREATE SCHEMA leeward_sql_test")
        cursor.execute("SET search_path = leeward_sql_test")
        quoted = [(name.replace('"', '""'), names[str(table.schema.field(name).type)]) for name in table.column_names]
        cursor.execute("CREATE TABLE homes (" + ", ".join(f'"{name}" {kind}' for name, kind in quoted) + ")")
        with cursor.copy("COPY homes FROM STDIN") as copy:
            for batch in table.to_batches(10_000):
                for row in zip(*(column.to_pylist() for column in batch.columns)):
                    copy.write_row(row)
        cursor.execute("ANALYZE homes")
        cursor.execute(sql)
        start = time.perf_counter()
        cursor.execute("CREATE TABLE result AS SELECT * FROM leeward_statuses")
        seconds = time.perf_counter() - start
        cursor.execute("SELECT * FROM result ORDER BY row_number")
        own = [column.name for column in cursor.description]
        rows = cursor.fetchall()
        connection.rollback()
    return {name: list(values) for name, values in zip(own, zip(*rows))}, seconds


def main(engine, *rest):
    if engine == "parse":
        import sqlglot

        dialect, path = rest
        with open(path, encoding="utf-8") as file:
            sql = file.read()
        for statement in sqlglot.parse(sql, read=dialect):
            again = statement.sql(dialect=dialect)
            assert sqlglot.parse_one(again, read=dialect).sql(dialect=dialect) == again, "another text after a round trip"
        return {}
    sql_file, homes_file, *url = rest
    with open(sql_file, encoding="utf-8") as file:
        sql = file.read()
    run = {"duckdb": run_duckdb, "clickhouse": run_clickhouse, "postgresql": run_postgresql}[engine]
    table = arrow_table(homes_file)
    result, seconds = run(sql, table, url[0] if url else None)
    names = result.column_names if not isinstance(result, dict) else list(result)
    values = {name: result[name].to_pylist() if not isinstance(result, dict) else result[name] for name in names if name not in table.column_names}
    errors = values.pop("errors")
    statuses = {name: "".join(CODES[status] for status in own) for name, own in values.items()}
    return {"rows": len(errors), "seconds": seconds, "statuses": statuses, "errors": {str(row): text for row, text in enumerate(errors) if text is not None}}


if __name__ == "__main__":
    json.dump(main(*sys.argv[1:]), sys.stdout)
