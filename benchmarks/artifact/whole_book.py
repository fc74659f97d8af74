"""whole_book.py spark|ray FOLDER BOOK OUT: evaluates a Parquet book with `FOLDER/home.leeward` on all cores of this machine, and
writes policy numbers and statuses as a folder of Parquet files."""

import json
import sys

name, folder, book, out = sys.argv[1:]
columns = ["policy_id", *json.load(open(f"{folder}/keys.json"))]
artifact = f"{folder}/home.leeward"
AS_OF = "2026-11-20T12:00:00Z"

if name == "spark":
    from pyspark.sql import SparkSession

    import leeward.spark

    settings = {"spark.ui.enabled": "false", "spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1"}
    builder = SparkSession.builder.master("local[*]")
    for key, value in settings.items():
        builder = builder.config(key, value)
    spark = builder.getOrCreate()
    leeward.spark.evaluate(spark.read.parquet(book), artifact, as_of=AS_OF).select(*columns).write.parquet(out)
    spark.stop()
else:
    import ray

    import leeward.ray

    ray.init(include_dashboard=False, log_to_driver=False)
    data = leeward.ray.evaluate(ray.data.read_parquet(book), artifact, as_of=AS_OF, actors=(1, 2))
    data.select_columns(columns).write_parquet(out)
    ray.shutdown()
