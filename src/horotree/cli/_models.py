"""Model files: ours, and what to say of others."""

from pathlib import Path

from horotree.trees import Model

from ._errors import UserError, file_name, system_errors

OURS = b"HOROTREE"

# How other files begin that people may take for a model.
_FOREIGN = (
    (b"tree\nversion", "a LightGBM model"),
    (b"CBM1", "a CatBoost model"),
    (b'{"learner"', "an XGBoost model"),
    (b"{L", "an XGBoost model"),
    (b"\x80", "a pickle"),
    (b"PK", "a ZIP file"),
)


def read_model(path: Path) -> Model:
    """Read a model file.

    Parameters
    ----------
    path : Path
        The file.

    Returns
    -------
    Model
    """
    from horotree.io import FileFormatError, load

    with system_errors(f"read {file_name(path)}"):
        try:
            return load(path)
        except FileFormatError as error:
            if _is_ours(path):  # damaged, or too new
                raise UserError(" ".join(str(error).split())) from error
            raise UserError(
                f"{file_name(path)} is not a horotree model{_look(path)}: pass a file that "
                "'horotree fit' or horotree.save wrote."
            ) from error
        except ValueError as error:  # a NUL in the name
            raise UserError(f"cannot read {file_name(path)}: no file is called so.") from error


def _is_ours(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(len(OURS)) == OURS


def _look(path: Path) -> str:
    """Return which other program seems to have written a file."""
    with path.open("rb") as file:
        begin = file.read(64)
    begin = b"".join(begin.split()) if begin.startswith(b"{") else begin
    looks = (f" (it looks like {name})" for mark, name in _FOREIGN if begin.startswith(mark))
    return next(looks, "")
