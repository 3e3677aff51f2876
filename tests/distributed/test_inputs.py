"""What is wrong is told at once, and how to mend it."""

import subprocess
import sys

import numpy as np
import pandas as pd
import pytest

from horotree.distributed import DaskLogisticBoostClassifier

from .data import arrays, delayed, numbers, table

SMALL = {"n_estimators": 2, "max_leaf_nodes": 4}


def fit(*data, **options):
    return DaskLogisticBoostClassifier(**SMALL | options).fit(*data)


def test_importing_loads_no_dask_and_without_it_a_fit_says_how_to_install_it():
    code = (
        "import sys\n"
        "from horotree.distributed import DaskLogisticBoostClassifier\n"
        "print({'dask', 'xgboost'} & set(sys.modules))\n"
        "sys.modules['dask'] = None\n"  # so it is where it is not installed, too
        "DaskLogisticBoostClassifier().fit([[0.0]], [0])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert run.stdout.strip() == "set()"
    assert run.stderr.splitlines()[-1] == (
        "ImportError: horotree.distributed needs dask, which is not installed: "
        'pip install "horotree[dask]".'
    )


def test_tables_in_memory_are_for_the_other_classifier(client):
    X, y, _ = numbers(100)
    dX, dy = arrays(50, X, y)
    with pytest.raises(TypeError, match=r"X must be a Dask .* got ndarray: wrap it"):
        fit(X, dy)
    with pytest.raises(TypeError, match="y must be a Dask"):
        fit(dX, y)
    with pytest.raises(TypeError, match="sample_weight must be a Dask"):
        fit(dX, dy, np.ones(100))


def test_partitions_must_belong_together(client):
    import dask.dataframe as dd

    X, y, _ = numbers(100)
    dX, dy = arrays(50, X, y)
    with pytest.raises(ValueError, match="X and y must have one length, got 100 and 99 rows"):
        fit(dX, dy[:99])
    frame, labels = table(100)
    frames = dd.from_pandas(frame, npartitions=4), dd.from_pandas(labels, npartitions=2)
    with pytest.raises(ValueError, match="same partitions, got 4 and 2: repartition"):
        fit(*frames)
    parts = delayed([50, 50], X, y)
    with pytest.raises(ValueError, match=r"partition [01]: X and y must have one length"):
        fit(parts[0], delayed([40, 60], y)[0])


def test_arrays_may_have_other_chunks_and_a_column_of_labels(client):
    import dask.array as da

    X, y, weight = numbers(300)
    one = fit(*arrays(100, X, y, weight))
    chunked = da.from_array(X, chunks=(100, 2))
    labels = da.from_array(y[:, np.newaxis], chunks=(70, 1))
    other = fit(chunked, labels, da.from_array(weight, chunks=300))
    assert other.model_ == one.model_
    with pytest.raises(ValueError, match="two dimensions"):
        fit(chunked[:, 0], labels)


def test_a_partition_with_other_columns_is_an_error(client):
    frame, y = table(200)
    parts, labels = delayed([100, 100], frame, y)
    parts[1] = parts[1].rename(columns={"code": "number"})
    with pytest.raises(ValueError, match=r"partition 1 has 4 columns \('size', 'city', 'flag'"):
        fit(parts, labels)
    frame["size"] = ["a"] * 100 + ["b"] * 100
    with pytest.raises(ValueError, match=r"partition 1: .* text"):
        fit(*delayed([0, 200], frame, y))


def test_collections_without_rows_or_weights_are_errors(client):
    X, y, _ = numbers(100)
    with pytest.raises(ValueError, match="X has no rows"):
        fit(*delayed([0, 0], X[:0], y[:0]))
    with pytest.raises(ValueError, match="must not be zero everywhere"):
        fit(*arrays(50, X, y, np.zeros(100)))
    with pytest.raises(ValueError, match="only one class, 1"):
        fit(*arrays(50, X, np.ones(100, int)))
    with pytest.raises(ValueError, match=r"must add up to at most .*, got inf: divide"):
        fit(*arrays(50, X, y, np.full(100, 1e308)))


@pytest.mark.parametrize(
    ("setting", "reason"),
    [
        ({"smoothing": "auto"}, "choose it on a sample"),
        ({"n_restarts": -1}, "n_restarts must be 0 or more, got -1"),
        ({"timeout": 0.1}, "timeout must be at least 1 second, got 0.1"),
        ({"max_bins": 1}, "max_bins must be at least 2"),
        ({"max_features": 7}, "at most the number of features"),
        ({"categorical_features": ["nobody"]}, "categorical_features must be"),
    ],
)
def test_parameters_are_checked(client, setting, reason):
    X, y, _ = numbers(100)
    with pytest.raises(ValueError, match=reason):
        fit(*arrays(50, X, y), **setting)


def test_unknown_parameters_are_refused():
    with pytest.raises(TypeError, match="max_leaves"):
        DaskLogisticBoostClassifier(max_leaves=3)


def test_a_client_must_be_there_and_running(client, monkeypatch):
    import distributed

    X, y, _ = numbers(100)
    data = arrays(50, X, y)
    with distributed.Client(client.scheduler.address, set_as_default=False) as other:
        pass
    with pytest.raises(RuntimeError, match=r"was closed \(its status is 'closed'\): make a new"):
        fit(*data, client=other)
    with pytest.raises(TypeError, match=r"client must be a distributed\.Client, got str"):
        fit(*data, client=client.scheduler.address)

    def nobody():
        raise ValueError("No clients found")

    monkeypatch.setattr(distributed, "default_client", nobody)
    with pytest.raises(ValueError, match="there is no Dask client: make one first"):
        fit(*data)


def test_an_eval_set_must_be_one(client):
    X, y, _ = numbers(100)
    data = arrays(50, X, y)
    model = DaskLogisticBoostClassifier(**SMALL)
    with pytest.raises(ValueError, match="eval_set must be"):
        model.fit(*data, eval_set=data[0])
    with pytest.raises(ValueError, match="holds the class 2, which is not in y"):
        model.fit(*data, eval_set=arrays(50, X, y + 1))


def test_too_few_examples_to_keep_some_apart(client):
    X, y = np.arange(6.0).reshape(6, 1), np.array([0, 1, 0, 1, 0, 1])
    with pytest.raises(ValueError, match=r"too few to hold out 0\.01 of them"):
        fit(*arrays(3, X, y), early_stopping=True, validation_fraction=0.01, random_state=0)


def test_labels_in_pandas_may_be_text_or_booleans(client):
    frame, y = table(200)
    parts, labels = delayed([150, 50], frame, pd.Series(y == "yes"))
    assert fit(parts, labels).classes_.tolist() == [False, True]
    assert fit(parts, delayed([150, 50], y)[0]).classes_.tolist() == ["no", "yes"]
