"""Classes of rows are taken from y by themselves, but only where it is certain whose they are."""

import numpy as np
import pandas as pd
import pytest

from horotree.viewer import encode
from horotree.viewer.examples import classes_of_examples
from tests.viewer.models import mixed
from tests.viewer.payload.decoder import decode


def data():
    """Return a model, its table with labels for rows, and classes without an index of their own."""
    classifier, table, classes = mixed()
    return classifier.model_, table.set_axis([f"person {i}" for i in range(len(table))]), classes


def test_rows_of_the_table_have_their_classes():
    model, X, y = data()
    chosen = X.iloc[[7, 3, 3, 200]]
    assert classes_of_examples(model, X, y, chosen) == y[[7, 3, 3, 200]].tolist()
    assert chosen.isna().any(axis=None) or X.iloc[:200].isna().any(axis=None)
    gaps = X[X.age.isna()]
    assert classes_of_examples(model, X, y, gaps) == y[X.age.isna()].tolist()
    # y goes with the rows of X by position, as everywhere.
    series = pd.Series(y, index=range(1000, 1000 + len(y)))
    assert classes_of_examples(model, X, series, chosen) == y[[7, 3, 3, 200]].tolist()


@pytest.mark.parametrize(
    "change",
    [
        lambda X: (X, X.iloc[:2].assign(income=[1.0, 2.0])),  # other values
        lambda X: (X, X.iloc[:2].assign(age=np.nan)),  # what is not known is another value
        lambda X: (X, X.iloc[:2].set_axis(["person 1", "stranger"])),  # no such label
        lambda X: (X, X.iloc[[1, 0]].set_axis(["person 0", "person 1"])),  # labels of others
        lambda X: (X.set_axis(["person 0"] * len(X)), X.iloc[:1]),  # whose?
        lambda X: (X, X.iloc[:2].to_numpy(object)),  # no labels
        lambda X: (X.to_numpy(object), X.iloc[:2]),
    ],
)
def test_where_it_is_not_certain_there_are_none(change):
    model, X, y = data()
    table, examples = change(X)
    assert classes_of_examples(model, table, y, examples) is None


def test_without_data_there_are_none():
    model, X, _ = data()
    assert classes_of_examples(model, None, None, X) is None
    assert classes_of_examples(model, X, None, None) is None


def test_the_payload_has_them_and_what_is_given_wins():
    model, X, y = data()
    chosen = X.iloc[5:8]
    header, _ = decode(encode(model, X, y, examples=chosen))
    assert header["examples"]["labels"] == y[5:8].tolist()
    others = np.where(y[5:8] == "yes", "no", "yes")
    header, _ = decode(encode(model, X, y, examples=chosen, example_classes=others))
    assert header["examples"]["labels"] == others.tolist()
    header, _ = decode(encode(model, X, y, examples=chosen.assign(income=1.0)))
    assert header["examples"]["labels"] is None
