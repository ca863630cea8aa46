"""Tables as Parquet files, for which pyarrow is needed: the extra ``parquet``."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from typing import Any

from solver.game.errors import InputError, MissingExtraError

__all__ = ["arrow", "parquet_bytes", "parquet_columns"]


def arrow() -> Any:
    """Import pyarrow.

    Raises
    ------
    InputError
        If it is not installed, saying what to install.
    """
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise MissingExtraError("Parquet", "parquet") from None
    return pyarrow


def parquet_bytes(rows: Sequence[Mapping[str, Any]], columns: Mapping[str, type]) -> bytes:
    """Write rows as the whole of a Parquet file.

    Parameters
    ----------
    columns
        Names in order, with ``int``, ``str``, ``bool`` or ``float``; any value may be None.
    """
    pyarrow = arrow()
    kinds = {int: pyarrow.int64(), str: pyarrow.string(), bool: pyarrow.bool_(),
             float: pyarrow.float64()}  # fmt: skip
    table = pyarrow.Table.from_pylist(
        [{name: row[name] for name in columns} for row in rows],
        schema=pyarrow.schema([(name, kinds[kind]) for name, kind in columns.items()]),
    )
    sink = io.BytesIO()
    pyarrow.parquet.write_table(table, sink, compression="zstd")
    return sink.getvalue()


def parquet_columns(data: bytes) -> dict[str, list[Any]]:
    """Read the columns of a Parquet file, by their names in order.

    Raises
    ------
    InputError
        If it is none, or pyarrow is not installed.
    """
    pyarrow = arrow()
    try:
        # Arrow's threads may still be ending when Python does, which aborts the process now and
        # then. Read like this, a file needs none.
        file = pyarrow.parquet.ParquetFile(io.BytesIO(data), pre_buffer=False)
        table = file.read(use_threads=False)
    except pyarrow.ArrowException as error:
        raise InputError(f"this is no Parquet file: {error}") from None
    return {name: table.column(name).to_pylist() for name in table.column_names}
