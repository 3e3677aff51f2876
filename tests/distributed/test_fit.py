"""Fits on a cluster give the trees of one machine, to the bit."""

import threading

import numpy as np
import pandas as pd
import pytest

from horotree import LogisticBoostClassifier
from horotree.distributed import DaskLogisticBoostClassifier

from .conftest import wait_until
from .data import arrays, delayed, numbers, table

SMALL = {"n_estimators": 4, "max_leaf_nodes": 12, "random_state": 3}


def assert_same(fitted, local):
    assert fitted.model_ == local.model_  # gains included, which NaN would hide
    assert not any(np.isnan(tree.gain).any() for tree in fitted.model_.trees)
    np.testing.assert_array_equal(fitted.classes_, local.classes_)
    assert fitted.n_features_in_ == local.n_features_in_
    assert getattr(fitted, "feature_names_in_", []) == pytest.approx(
        getattr(local, "feature_names_in_", [])
    ) or list(fitted.feature_names_in_) == list(local.feature_names_in_)


@pytest.mark.parametrize("n", [1, 2, 3])
@pytest.mark.parametrize("chunk", [1_000, 97])
def test_arrays_with_weights_and_missing_values(n_workers, n, chunk):
    n_workers(n)
    X, y, weight = numbers()
    fitted = DaskLogisticBoostClassifier(**SMALL).fit(*arrays(chunk, X, y, weight))
    assert_same(fitted, LogisticBoostClassifier(**SMALL).fit(X, y, weight))
    rows = [report["rows"] for report in fitted.workers_.values()]
    assert len(rows) == n
    assert sum(rows) == 3_000
    assert max(rows) <= 3_000 / n + chunk
    assert fitted.cut_error_ == 0.0


@pytest.mark.parametrize(
    "setting",
    [
        {"subsample": 0.6, "max_features": 3},
        {"min_samples_leaf": 40, "pure_leaves": "forbid", "max_bins": 20},
        {"weak_learner": "monotonic", "class_weight": "balanced", "max_bins": None},
        {
            "smoothing": 0.0,
            "pure_leaves": "forbid",
            "learning_rate": 1.0,
            "max_depth": 3,
            "class_weight": {0: 2.0},
        },
    ],
)
def test_all_settings_mean_the_same(client, setting):
    X, y, _ = numbers()
    fitted = DaskLogisticBoostClassifier(**SMALL, **setting).fit(*arrays(700, X, y))
    assert_same(fitted, LogisticBoostClassifier(**SMALL, **setting).fit(X, y))


def test_frames_with_categories_in_their_own_order(client):
    import dask.dataframe as dd

    frame, y = table()
    X, labels = dd.from_pandas(frame, npartitions=7), dd.from_pandas(y, npartitions=7)
    fitted = DaskLogisticBoostClassifier(**SMALL).fit(X, labels)
    assert_same(fitted, LogisticBoostClassifier(**SMALL).fit(frame, y))
    assert fitted.model_.categories[1] == ("Turin", "Oslo", "Rome", "Bern")


def test_several_classes_with_draws(client):
    X, y, weight = numbers(n_classes=3)
    settings = SMALL | {"subsample": 0.7, "max_features": 2}
    fitted = DaskLogisticBoostClassifier(**settings).fit(*arrays(400, X, y, weight))
    assert_same(fitted, LogisticBoostClassifier(**settings).fit(X, y, weight))


def test_delayed_partitions_may_be_empty_or_hold_one_class_or_no_weight(client):
    X, y, weight = numbers(600)
    order = np.argsort(y, kind="stable")
    X, y, weight = X[order], y[order], weight[order]
    weight[100:150] = 0.0
    sizes = np.array([0, 100, 50, 150, 0, 299, 1, 0])
    fitted = DaskLogisticBoostClassifier(**SMALL).fit(*delayed(sizes, X, y, weight))
    assert_same(fitted, LogisticBoostClassifier(**SMALL).fit(X, y, weight))


def test_frames_may_be_mixed_with_arrays(client):
    import dask.array as da
    import dask.dataframe as dd

    frame, y = table(500)
    X = dd.from_pandas(frame, npartitions=3)
    sizes = tuple(len(part) for part in X.partitions)
    labels = da.from_array(y.to_numpy(object), chunks=(sizes,))
    fitted = DaskLogisticBoostClassifier(**SMALL).fit(X, labels)
    assert_same(fitted, LogisticBoostClassifier(**SMALL).fit(frame, y))


def test_an_eval_set_stops_early_at_the_same_tree(client):
    X, y, weight = numbers()
    settings = SMALL | {"n_estimators": 60, "n_iter_no_change": 2, "early_stopping": True}
    train, apart = slice(0, 2_000), slice(2_000, 3_000)
    local = LogisticBoostClassifier(**settings)
    local.fit(X[train], y[train], eval_set=(X[apart], y[apart], weight[apart]))
    fitted = DaskLogisticBoostClassifier(**settings)
    evaluation = tuple(arrays(150, X[apart], y[apart], weight[apart]))
    fitted.fit(*arrays(300, X[train], y[train]), eval_set=evaluation)
    assert_same(fitted, local)
    np.testing.assert_allclose(fitted.validation_loss_, local.validation_loss_, rtol=1e-12)
    assert 1 <= fitted.n_estimators_ < 60


def test_early_stopping_keeps_examples_apart_wherever_partitions_are(n_workers):
    X, y, _ = numbers()
    settings = SMALL | {"n_estimators": 60, "n_iter_no_change": 2, "early_stopping": True}
    n_workers(2)
    two = DaskLogisticBoostClassifier(**settings).fit(*arrays(300, X, y))
    n_workers(1)
    one = DaskLogisticBoostClassifier(**settings).fit(*arrays(300, X, y))
    assert two.model_ == one.model_
    used = two.model_.ensembles[0].trees[0].count[0]
    assert used == sum(report["rows"] for report in two.workers_.values())
    assert 2_550 < used < 2_850


def test_a_warm_start_goes_on_as_if_it_had_never_stopped(client):
    X, y, weight = numbers()
    data = arrays(700, X, y, weight)
    fitted = DaskLogisticBoostClassifier(**SMALL | {"n_estimators": 2}, warm_start=True).fit(*data)
    fitted.set_params(n_estimators=4).fit(*data)
    assert_same(fitted, LogisticBoostClassifier(**SMALL).fit(X, y, weight))
    fitted.set_params(n_estimators=3)
    with pytest.raises(ValueError, match="n_estimators=3 must not be below the 4"):
        fitted.fit(*data)


def test_a_failed_fit_leaves_the_earlier_one(client):
    X, y, _ = numbers(500)
    fitted = DaskLogisticBoostClassifier(**SMALL).fit(*arrays(200, X, y))
    model = fitted.model_
    with pytest.raises(ValueError, match="two classes or more"):
        fitted.fit(*arrays(200, X, np.zeros(500)))
    assert fitted.model_ is model


def test_many_rows_are_cut_by_sketches_within_the_error_they_tell(client, monkeypatch):
    from horotree.distributed.fit import driver

    monkeypatch.setattr(driver, "SAMPLE", 1_000)
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.normal(size=20_000), rng.integers(0, 50, 20_000)])
    y = (X[:, 0] + 0.05 * X[:, 1] > 1.0).astype(int)
    fitted = DaskLogisticBoostClassifier(**SMALL).fit(*arrays(10_000, X, y))
    assert 0.0 < fitted.cut_error_ < 3 / 4096
    local = LogisticBoostClassifier(**SMALL).fit(X, y)
    assert fitted.model_ != local.model_
    assert fitted.to_local().score(X, y) == pytest.approx(local.score(X, y), abs=0.01)
    few = DaskLogisticBoostClassifier(**SMALL).fit(*arrays(10_000, X.round(1), y))
    assert few.cut_error_ == 0.0
    assert_same(few, LogisticBoostClassifier(**SMALL).fit(X.round(1), y))


def test_raw_partitions_and_bins_are_released(client):
    X, y, _ = numbers()
    fitted = DaskLogisticBoostClassifier(**SMALL).fit(*arrays(300, X, y))

    def left(dask_worker):
        return len(dask_worker.data)

    assert not client.futures
    wait_until(lambda: set(client.run(left).values()) == {0})
    for report in fitted.workers_.values():
        assert report["sums"] > 4
        assert report["decisions"] > 4
        assert report["bytes"] > 0
        assert 0.0 < report["seconds_waiting"] < report["seconds"]
        assert report["peak_memory"] >= report["memory"] * 0.5


def test_raw_partitions_are_released_before_trees_grow(client, when):
    X, y, _ = numbers()
    held = []

    def look():
        held.append(client.run(lambda dask_worker: [str(key) for key in dask_worker.data]))

    looking = threading.Thread(target=look)
    when(1, looking.start)
    DaskLogisticBoostClassifier(**SMALL | {"n_estimators": 100}).fit(*arrays(300, X, y))
    looking.join()
    (kept,) = held
    keys = [key for of_worker in kept.values() for key in of_worker]
    kinds = {key.rsplit("-")[0] for key in keys}
    assert "horotree" in kinds
    assert kinds <= {
        "horotree",
        "describe",
        "count_rows",
        "survey",
        "join_surveys",
        "listen",
        "address_of",
    }


def test_a_class_is_never_kept_apart_as_a_whole(client):
    X, y, _ = numbers(200)
    y = np.where(np.arange(200) == 170, 2, y)
    for seed in range(4):
        parameters = {"early_stopping": True, "validation_fraction": 0.5, "random_state": seed}
        fitted = DaskLogisticBoostClassifier(**SMALL | parameters).fit(*arrays(100, X, y))
        assert fitted.classes_.tolist() == [0, 1, 2]


@pytest.mark.parametrize("weight", [0.0, None])
def test_an_eval_set_that_tells_nothing_is_refused(client, weight):
    X, y, _ = numbers(500)
    dX, dy = arrays(100, X, y)
    if weight is None:
        eval_set = delayed([0], X[:0], y[:0])
    else:
        eval_set = (dX, dy, *arrays(100, np.full(500, weight)))
    with pytest.raises(ValueError, match="eval_set has no rows, or none that has a weight"):
        DaskLogisticBoostClassifier(**SMALL).fit(dX, dy, eval_set=tuple(eval_set))


def test_going_on_needs_the_same_columns(client):
    frame, y = table(500)
    parts, labels = delayed([250, 250], frame, y)
    fitted = DaskLogisticBoostClassifier(**SMALL, warm_start=True).fit(parts, labels)
    fitted.n_estimators += 1
    for other, match in (
        (frame.drop(columns="code"), "the table has 3 features, but the model is expecting 4"),
        (frame.assign(city=1.0), "column 'city' holds numbers now, but held categories"),
        (frame.assign(size=frame["city"]), "column 'size' holds categories now, but held numbers"),
    ):
        with pytest.raises(ValueError, match=match):
            fitted.fit(delayed([500], other)[0], delayed([500], y)[0])


def test_joblib_on_a_cluster_gives_each_fit_one_thread(client):
    import joblib

    from horotree._checks import n_threads_of

    with joblib.parallel_backend("dask", client=client):
        assert n_threads_of(None) == 1
        assert n_threads_of(2) == 2
        assert n_threads_of(-1) <= joblib.cpu_count()


def test_the_example_of_folds_runs(client, capsys):
    from examples import folds_on_dask

    folds_on_dask.main()
    assert "30 fits on 2 workers; best: " in capsys.readouterr().out


def test_a_progress_bar_is_shown_on_request(client, capsys):
    X, y, _ = numbers(500)
    DaskLogisticBoostClassifier(**SMALL, verbose=1).fit(*arrays(200, X, y))
    assert "Boosting" in capsys.readouterr().err


def test_string_columns_and_labels_need_no_preparation(client):
    import dask.dataframe as dd

    frame, y = table(600)
    frame["city"] = frame["city"].astype(object)
    X, labels = dd.from_pandas(frame, npartitions=4), dd.from_pandas(y, npartitions=4)
    settings = SMALL | {"categorical_features": ["city"]}
    fitted = DaskLogisticBoostClassifier(**settings).fit(X, labels)
    assert_same(fitted, LogisticBoostClassifier(**settings).fit(frame, y))
    assert isinstance(fitted.to_local().predict(frame)[0], str)
    assert pd.api.types.is_object_dtype(fitted.classes_) or fitted.classes_.dtype.kind == "U"


def test_weights_of_another_scale_are_warned_of_and_huge_ones_refused(n_workers):
    n_workers(2)
    X, y, weight = numbers()
    with pytest.warns(
        UserWarning, match=r"counts in the units of sample_weight, which is 0\.000333"
    ):
        DaskLogisticBoostClassifier(**SMALL).fit(*arrays(1_000, X, y, np.full(len(X), 1 / 3_000)))
    with pytest.raises(ValueError, match="divide sample_weight by its mean"):
        DaskLogisticBoostClassifier(**SMALL).fit(*arrays(1_000, X, y, 1e200 * (1.0 + weight)))


def test_a_fit_without_a_tree_is_warned_of(n_workers):
    n_workers(2)
    X, y, _ = numbers()
    with pytest.warns(UserWarning, match="the fit ended without a tree"):
        DaskLogisticBoostClassifier(**SMALL).fit(*arrays(1_000, 0.0 * np.nan_to_num(X), y))
