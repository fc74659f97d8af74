"""Prints the values of Parquet files as JSON, as Arrow C++ reads them.

Usage: parquet_values.py FILE...   One line for each file: its name, and by column the values or the error.
Values have the form of a request: bytes are text, dates and times are ISO 8601 with milliseconds, numbers are numbers, missing values
and NaN are null, infinity is a text, maps are objects.
"""

import json
import math
import os
import struct
import sys
import uuid

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

PER_MS = {"s": 1000, "ms": 1, "us": 1000, "ns": 1_000_000}


def number(value):
    if math.isnan(value):
        return None
    return value if math.isfinite(value) else ("Infinity" if value > 0 else "-Infinity")


def iso(moment):
    """Years outside 0 to 9999 have a sign and six digits."""
    year, rest = str(moment).lstrip("-").split("-", 1)
    sign = "-" if str(moment).startswith("-") else "+"
    return f"{year}-{rest}" if sign == "+" and len(year) == 4 else f"{sign}{year:0>6}-{rest}"


def instant(value, unit):
    """Rounded down, but a moment after a full second to the next millisecond: midnight is read as a date."""
    if unit == "s":
        ms, rest = value * 1000, 0
    else:
        ms, rest = divmod(value, PER_MS[unit])
    if rest > 0 and ms % 1000 == 0:
        ms += 1
    return f"{iso(np.datetime64(ms, 'ms'))}Z"


def column_values(array):
    if isinstance(array, pa.ChunkedArray):
        return [value for chunk in array.chunks for value in column_values(chunk)]
    kind = array.type
    if isinstance(array, pa.ExtensionArray):
        if kind.extension_name == "arrow.uuid":
            return [None if value is None else str(uuid.UUID(bytes=value)) for value in array.storage.to_pylist()]
        return column_values(array.storage)
    if pa.types.is_dictionary(kind):
        return column_values(array.dictionary_decode())
    if pa.types.is_null(kind):
        return [None] * len(array)
    present = array.is_valid().to_pylist()

    def each(values):
        return [value if here else None for here, value in zip(present, values)]

    if pa.types.is_boolean(kind) or pa.types.is_integer(kind) or pa.types.is_unicode(kind):
        return array.to_pylist()
    if pa.types.is_string(kind) or pa.types.is_large_string(kind):
        text = array.cast(pa.binary() if pa.types.is_string(kind) else pa.large_binary())
        return column_values(text)
    if pa.types.is_floating(kind):
        return [None if value is None else number(float(value)) for value in array.to_pylist()]
    if pa.types.is_decimal(kind):
        return [None if value is None else float(value) for value in array.to_pylist()]
    if pa.types.is_date32(kind):
        return [None if value is None else iso(np.datetime64(value, "D")) for value in array.cast(pa.int32()).to_pylist()]
    if pa.types.is_timestamp(kind):
        return [None if value is None else instant(value, kind.unit) for value in array.cast(pa.int64()).to_pylist()]
    if pa.types.is_binary(kind) or pa.types.is_large_binary(kind) or pa.types.is_fixed_size_binary(kind):
        return [None if value is None else value.decode("utf-8", "replace") for value in array.to_pylist()]
    if pa.types.is_map(kind):
        keys, items = column_values(array.keys), column_values(array.items)
        offsets = [offset - array.offsets[0].as_py() for offset in array.offsets.to_pylist()]
        return each([dict(zip(map(str, keys[a:b]), items[a:b])) for a, b in zip(offsets, offsets[1:])])
    if pa.types.is_list(kind) or pa.types.is_large_list(kind):
        values = column_values(array.flatten())
        lengths = [length or 0 for length in array.value_lengths().to_pylist()]
        ends = np.cumsum([0, *lengths]).tolist()
        return each([values[a:b] for a, b in zip(ends, ends[1:])])
    if pa.types.is_fixed_size_list(kind):
        values = column_values(array.flatten())
        lengths = [kind.list_size if here else 0 for here in present]
        ends = np.cumsum([0, *lengths]).tolist()
        return each([values[a:b] for a, b in zip(ends, ends[1:])])
    if pa.types.is_struct(kind):
        fields = [(field.name, column_values(array.field(place))) for place, field in enumerate(kind)]
        return each([{name: values[row] for name, values in fields} for row in range(len(array))])
    raise NotImplementedError(str(kind))


def variant(data):
    """A value of a variant without shredding, after its metadata: VariantEncoding.md of Parquet."""
    offset_size = (data[0] >> 6) + 1

    def unsigned(at, size):
        return int.from_bytes(data[at : at + size], "little")

    size = unsigned(1, offset_size)
    offsets = [unsigned(1 + offset_size * (1 + index), offset_size) for index in range(size + 1)]
    base = 1 + offset_size * (2 + size)
    names = [data[base + a : base + b].decode() for a, b in zip(offsets, offsets[1:])]

    def value(at):
        kind, header = data[at] & 3, data[at] >> 2
        at += 1
        if kind == 1:
            return data[at : at + header].decode()
        if kind == 0:
            return primitive(header, at)
        width = (header & 3) + 1
        large = (header >> 4 if kind == 2 else header >> 2) & 1
        count = unsigned(at, 4 if large else 1)
        at += 4 if large else 1
        ids = []
        if kind == 2:
            id_width = ((header >> 2) & 3) + 1
            ids = [names[unsigned(at + index * id_width, id_width)] for index in range(count)]
            at += id_width * count
        starts = [unsigned(at + index * width, width) for index in range(count)]
        at += width * (count + 1)
        values = [value(at + start) for start in starts]
        return dict(zip(ids, values)) if kind == 2 else values

    def signed(at, size):
        return int.from_bytes(data[at : at + size], "little", signed=True)

    def primitive(kind, at):
        if kind < 3:
            return [None, True, False][kind]
        if kind < 7:
            return signed(at, 1 << (kind - 3))
        if kind in (7, 14):
            return number(struct.unpack_from("<d" if kind == 7 else "<f", data, at)[0])
        if kind in (8, 9, 10):
            return float(f"{signed(at + 1, 4 << (kind - 8))}e-{data[at]}")
        if kind == 11:
            return instant(signed(at, 4) * 86_400_000, "ms")
        if kind in (12, 13):
            return instant(signed(at, 8), "us")
        if kind in (18, 19):
            return instant(signed(at, 8), "ns")
        if kind in (15, 16):
            return data[at + 4 : at + 4 + unsigned(at, 4)].decode("utf-8", "replace")
        if kind == 17:
            return signed(at, 8)
        return str(uuid.UUID(bytes=data[at : at + 16]))

    return value(base + offsets[-1])


def variants(path):
    """The values of a case of shredded_variant, which are next to it without shredding. None if it is invalid."""
    folder, name = os.path.split(path)
    with open(os.path.join(folder, "cases.json")) as file:
        case = next((case for case in json.load(file) if case.get("parquet_file") == name), {})
    files = case.get("variant_files") or ([case["variant_file"]] if "variant_file" in case else None)
    if files is None:
        return None
    values = []
    for file in files:
        if file is None:
            values.append(None)
            continue
        with open(os.path.join(folder, file), "rb") as stream:
            values.append(variant(stream.read()))
    return values


def geometry(data):
    """Well-known binary as GeoJSON, with all coordinates."""

    def read(at):
        order = "<" if data[at] == 1 else ">"
        kind = struct.unpack_from(order + "I", data, at + 1)[0]
        at += 5
        dimensions = {0: 2, 1: 3, 2: 3, 3: 4}[kind // 1000]
        kind %= 1000

        def point(at):
            values = struct.unpack_from(f"{order}{dimensions}d", data, at)
            return [number(value) for value in values], at + 8 * dimensions

        def many(at, each):
            count = struct.unpack_from(order + "I", data, at)[0]
            at += 4
            items = []
            for _ in range(count):
                item, at = each(at)
                items.append(item)
            return items, at

        def line(at):
            return many(at, point)

        if kind == 7:
            items, at = many(at, read)
            return {"type": "GeometryCollection", "geometries": items}, at
        names = {1: "Point", 2: "LineString", 3: "Polygon", 4: "MultiPoint", 5: "MultiLineString", 6: "MultiPolygon"}
        if kind < 4:
            coordinates, at = [point, line, lambda at: many(at, line)][kind - 1](at)
        else:
            items, at = many(at, read)
            coordinates = [item["coordinates"] for item in items]
        return {"type": names[kind], "coordinates": coordinates}, at

    return read(0)[0]


def read(path):
    try:
        # In nanoseconds, as by default, years end in 2262.
        file = pq.ParquetFile(path, page_checksum_verification=True, coerce_int96_timestamp_unit="ms")
        names = file.schema_arrow.names
    except Exception as error:
        return {"error": str(error)}
    columns = []
    for place, name in enumerate(names):
        try:
            # Other columns are left out: they may be damaged.
            first = file.schema.to_arrow_schema().field(place).name
            leaves = [leaf for leaf in range(len(file.schema)) if file.schema.column(leaf).path.split(".")[0] == first]
            tables = [
                file.reader.read_row_group(group, column_indices=leaves) for group in range(file.num_row_groups)
            ]
            column = [table.column(0) for table in tables]
            if "shredded_variant" in path and name == "var":
                values = variants(path)
            elif len(leaves) == 1 and file.schema.column(leaves[0]).logical_type.type in ("GEOMETRY", "GEOGRAPHY"):
                bytes = [value for part in column for value in part.to_pylist()]
                values = [None if value is None else geometry(value) for value in bytes]
            else:
                values = [value for part in column for value in column_values(part)]
            columns.append({"name": name, "type": str(file.schema_arrow.field(place).type), "values": values})
        except Exception as error:
            columns.append({"name": name, "type": str(file.schema_arrow.field(place).type), "error": str(error)[:200]})
    return {"rows": file.metadata.num_rows, "columns": columns}


for path in sys.argv[1:]:
    print(json.dumps({"file": path, **read(path)}, allow_nan=False))
