"""Labels of rows, found among the classes of a model."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Places = NDArray[np.intp]


def find_places(y: Any, classes: NDArray[Any], n_rows: int) -> Places:
    """Return the place of each label among the classes."""
    place_of = {label: place for place, label in enumerate(classes.tolist())}
    if getattr(y, "ndim", 1) != 1:
        raise ValueError(f"y must be one column of labels, got {y.ndim} dimensions: pass one.")
    try:
        labels = y.tolist() if hasattr(y, "tolist") else [*y]
        places = np.array([place_of.get(label, -1) for label in labels], np.intp)
    except TypeError as error:
        raise TypeError(f"y must be a list of labels, one a row, got other ({error}).") from error
    if len(labels) != n_rows:
        raise ValueError(
            f"X and y must have one length, got {n_rows} rows and {len(labels)} labels: pass the "
            "label of every row."
        )
    if (places < 0).any():
        import pandas as pd

        row = int(np.argmin(places))
        if pd.api.types.is_scalar(labels[row]) and pd.isna(labels[row]):
            raise ValueError(
                f"y must have a label in every row, got {labels[row]!r} in row {row}: leave out "
                "the rows without a label."
            )
        raise ValueError(
            f"y must hold classes of the model, which are {classes.tolist()}, got {labels[row]!r} "
            f"in row {row}: leave such rows out, or pass labels as they were in training."
        )
    return places
