"""Model files of horotree and other libraries, and errors about other files."""

import warnings
from pathlib import Path

from horotree.trees import Model

from .errors import UserError, file_name, system_errors
from .output.messages import Messages


def read_model(path: Path, messages: Messages) -> Model:
    """Read a model file."""
    from horotree.importers import UnknownModelError, UnsupportedModelError
    from horotree.io import FileFormatError

    if "\0" in str(path):
        raise UserError(f"cannot read {file_name(path)}: no file can have this name.")
    with system_errors(f"read {file_name(path)}"):
        if path.exists() and not (path.is_file() or path.is_dir()):
            raise UserError(f"{file_name(path)} is a pipe or a device: copy the model to a file.")
        try:
            return _import(path, messages)
        except FileFormatError as error:  # damaged, or too new
            raise UserError(_flat(error)) from error
        except UnknownModelError as error:
            raise UserError(_unknown(path)) from error
        except UnsupportedModelError as error:
            raise UserError(f"cannot show {file_name(path)}: {_flat(error)}") from error
        except ValueError as error:
            raise UserError(f"cannot read {file_name(path)}: {_flat(error)}") from error


def _import(path: Path, messages: Messages) -> Model:
    from horotree.io import from_model

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model = from_model(path)
    for warning in caught:
        messages.note(str(warning.message))
    return model


def _flat(error: Exception) -> str:
    return " ".join(str(error).split())


def _unknown(path: Path) -> str:
    """Return the error text for a file of an unknown format."""
    return (
        f"{file_name(path)} is not a known model file: pass a file that 'horotree fit' or "
        "horotree.save wrote, or that XGBoost (.json, .ubj), LightGBM (.txt) or CatBoost (.cbm, "
        ".json) saved, or a folder of YDF."
    )
