"""Model files: ours, and what to say of others."""

from pathlib import Path

from horotree.trees import Model

from ._errors import UserError, quoted, refusals, system_errors

# How files of other libraries begin.
_FOREIGN = (
    (b"tree\nversion", "LightGBM"),
    (b"CBM1", "CatBoost"),
    (b'{"learner"', "XGBoost"),
    (b"{L", "XGBoost"),
    (b"\x80", "pickle"),
    (b"PK", "ZIP"),
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

    with system_errors(f"read {quoted(path)}"):
        try:
            return load(path)
        except FileFormatError as error:
            foreign = _find_foreign(path)
            if foreign is not None:
                raise UserError(
                    f"{quoted(path)} is a {foreign} file, not a horotree model: pass one that "
                    "'horotree fit' or horotree.save wrote."
                ) from error
            with refusals(FileFormatError):
                raise
        except ValueError as error:  # a NUL in the name
            raise UserError(f"cannot read {quoted(path)}: no file is called so.") from error


def _find_foreign(path: Path) -> str | None:
    """Return which other program seems to have written a file."""
    with path.open("rb") as file:
        begin = file.read(64)
    compact = b"".join(begin.split()) if begin.startswith(b"{") else begin
    return next((name for mark, name in _FOREIGN if compact.startswith(mark)), None)
