"""Tables by columns, with their types: Parquet and Feather, where pyarrow is installed."""

import io
from typing import Any

from horotree.cli.errors import UserError, refusals

_MAGIC = {"Parquet": (b"PAR1",), "Feather": (b"ARROW1", b"FEA1")}


def find_format(data: bytes) -> str | None:
    """Return Parquet or Feather, by how a file begins; None if it is neither."""
    return next((form for form, begins in _MAGIC.items() if data.startswith(begins)), None)


def read_columns(name: str, data: bytes, form: str) -> Any:
    """Read a table whose format is known.

    Parameters
    ----------
    name : str
        The file, in quotes, for messages.
    data : bytes
        Its content.
    form : str
        Its format.

    Returns
    -------
    pandas.DataFrame
        Whose columns are called by text.
    """
    import pandas as pd

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
