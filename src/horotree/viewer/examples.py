"""The classes of rows that are followed through the trees, where they are known."""

from typing import Any

import numpy as np

from horotree.trees import Model


def classes_of_examples(model: Model, X: Any, y: Any, examples: Any) -> list[Any] | None:
    """Return the classes of examples that are rows of X, from y; None if that is not certain.

    It is certain if X and the examples are data frames of pandas, the index of X has no duplicates
    and contains each label of the examples, and the rows with one label are the same in all columns
    of the model, missing values included.

    Examples
    --------
    >>> import pandas as pd
    >>> from horotree.trees import Ensemble, Model
    >>> from horotree.viewer.examples import classes_of_examples
    >>> no_trees = Ensemble((), leverage=[], edge=[], base_value=0.0)
    >>> model = Model((no_trees,), "logistic", ["no", "yes"], ("size",), (None,), "float64")
    >>> X = pd.DataFrame({"size": [1.0, 2.0, 3.0]}, index=["a", "b", "c"])
    >>> classes_of_examples(model, X, ["no", "yes", "no"], X.loc[["c", "b"]])
    ['no', 'yes']
    >>> classes_of_examples(model, X, ["no", "yes", "no"], X.loc[["c"]] + 1.0) is None
    True
    """
    import pandas as pd

    if y is None or not (isinstance(X, pd.DataFrame) and isinstance(examples, pd.DataFrame)):
        return None
    if not X.index.is_unique:
        return None
    places = X.index.get_indexer(examples.index)
    if (places < 0).any():
        return None
    ours, theirs = model.to_matrix(X.iloc[places]), model.to_matrix(examples)
    if not np.array_equal(ours, theirs, equal_nan=True):
        return None
    labels = y.tolist() if hasattr(y, "tolist") else [*y]
    return [labels[place] for place in places.tolist()]
