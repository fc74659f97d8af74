"""The daemon of Spark's Python workers, with their modules. A worker is forked from it, and would import them in seconds."""

import pandas  # noqa: F401
from pyspark.daemon import manager

import leeward.spark  # noqa: F401

if __name__ == "__main__":
    manager()
