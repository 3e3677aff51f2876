"""Tables by columns, with their types: Parquet and Feather, where pyarrow is installed."""

import io
from typing import Any

from horotree.cli.errors import UserError, refusals

from .compressed import GROWTH, GROWTH_OF_SMALL

_MAGIC = {"Parquet": (b"PAR1",), "Feather": (b"ARROW1", b"FEA1")}


def find_format(data: bytes) -> str | None:
    """Return Parquet or Feather, by how a file begins; None if it is neither."""
    return next((form for form, begins in _MAGIC.items() if data.startswith(begins)), None)


def read_columns(name: str, data: bytes, form: str) -> Any:
    """Read a table of a known format; ``name`` is the quoted file name, for messages."""
    import pandas as pd

    if form == "Parquet":
        _check_size(name, data)
    read = {"Parquet": pd.read_parquet, "Feather": pd.read_feather}[form]
    try:
        with refusals(Exception, before=f"{name} is not a {form} file that can be read: "):
            frame = read(io.BytesIO(data))
    except UserError as error:
        if isinstance(error.__cause__, ImportError):
            raise UserError(
                f"{name} is a {form} file, which needs pyarrow: pip install pyarrow, or pass CSV."
            ) from error
        raise
    frame.columns = [str(column) for column in frame.columns]
    return frame.reset_index(drop=True)


def _check_size(name: str, data: bytes) -> None:
    """Raise if a small file says that it has very many entries: one run of equal ones is short."""
    try:
        from pyarrow import parquet  # type: ignore[import-untyped]

        metadata = parquet.read_metadata(io.BytesIO(data))
    except Exception:  # noqa: BLE001 - reading it raises the error for the user
        return
    entries, most = metadata.num_rows * metadata.num_columns, GROWTH_OF_SMALL // 4
    if entries > most + GROWTH * len(data):
        raise UserError(
            f"{name} becomes {entries:,} entries, {GROWTH} times its bytes and more: export it as "
            "CSV."
        )
