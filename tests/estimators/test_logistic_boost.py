"""What the boosting classifier does with its parameters."""

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.metrics import log_loss

from horotree import LogisticBoostClassifier
from horotree.estimators import logistic_boost
from horotree.losses import inverse_link, logistic_loss
from horotree.training import Monitor, smoothing

from .data import numbers, table


def small(n_estimators=10, **parameters):
    return LogisticBoostClassifier(n_estimators, **({"max_leaf_nodes": 8} | parameters))


# --- predictions ----------------------------------------------------------------------------------


def test_two_classes_have_one_score():
    X, y = table()
    fitted = small().fit(X, y)
    score, probability = fitted.decision_function(X), fitted.predict_proba(X)
    assert fitted.classes_.tolist() == ["no", "yes"]
    assert fitted.model_.link == "logistic"
    np.testing.assert_array_equal(probability[:, 1], inverse_link(score))
    np.testing.assert_array_equal(fitted.predict(X), np.where(score > 0, "yes", "no"))
    assert fitted.score(X, y) == np.mean(fitted.predict(X) == y)


def test_several_classes_have_an_ensemble_each_against_the_rest():
    X, y = load_iris(return_X_y=True)
    fitted = small().fit(X, y)
    score, probability = fitted.decision_function(X), fitted.predict_proba(X)
    assert fitted.model_.link == "ovr"
    assert score.shape == probability.shape == (150, 3)
    for k in range(3):
        alone = small().fit(X, y == k)
        np.testing.assert_array_equal(score[:, k], alone.decision_function(X))
    share = inverse_link(score)
    np.testing.assert_allclose(probability, share / share.sum(axis=1, keepdims=True), rtol=1e-14)
    np.testing.assert_array_equal(fitted.predict(X), probability.argmax(axis=1))


@pytest.mark.parametrize("n_classes", [2, 3])
def test_stages_end_at_the_whole(n_classes):
    X, y = numbers(n_classes=n_classes)
    fitted = small().fit(X, y)
    scores = list(fitted.staged_decision_function(X))
    assert len(scores) == fitted.n_estimators_ == 10
    np.testing.assert_array_equal(scores[-1], fitted.decision_function(X))
    np.testing.assert_array_equal(scores[3], small(4).fit(X, y).decision_function(X))
    probabilities, labels = list(fitted.staged_predict_proba(X)), list(fitted.staged_predict(X))
    np.testing.assert_array_equal(probabilities[-1], fitted.predict_proba(X))
    np.testing.assert_array_equal(labels[-1], fitted.predict(X))


def test_leaves_give_the_score():
    X, y = table()
    fitted = small().fit(X, y)
    (ensemble,) = fitted.model_.ensembles
    leaf = fitted.apply(X)
    assert leaf.shape == (len(X), 10)
    score = sum(
        leverage * tree.value[leaf[:, j]]
        for j, (leverage, tree) in enumerate(zip(ensemble.leverage, ensemble.trees, strict=True))
    )
    np.testing.assert_allclose(score, fitted.decision_function(X), rtol=1e-12, atol=1e-12)


def test_ensembles_of_different_lengths_have_stages_and_leaves():
    X, y = numbers(n_classes=3, n=400)
    X[:, 5] = y == 2  # one class is learned at once, the others are not
    fitted = small(40, early_stopping=True, n_iter_no_change=2, random_state=0).fit(X, y)
    lengths = [len(ensemble.trees) for ensemble in fitted.model_.ensembles]
    assert len(set(lengths)) > 1
    assert fitted.n_estimators_ == max(lengths)
    leaf = fitted.apply(X)
    assert leaf.shape == (400, max(lengths), 3)
    for k, length in enumerate(lengths):
        assert (leaf[:, :length, k] >= 0).all()
        assert (leaf[:, length:, k] == -1).all()
    *_, score = fitted.staged_decision_function(X)
    np.testing.assert_array_equal(score, fitted.decision_function(X))


def test_importances_are_shares_of_what_the_features_explain():
    X, y = numbers(n=1000, noise=0.05)
    importance = small(20).fit(X, y).feature_importances_
    assert importance.shape == (6,)
    assert importance.sum() == pytest.approx(1.0)
    assert importance[:3].sum() > 0.8
    assert small(5, max_depth=1).fit(X[:, :1], y).feature_importances_.tolist() == [1.0]


def test_nothing_to_learn_gives_no_trees():
    X, y = np.ones((10, 2)), np.arange(10) % 2
    with pytest.warns(UserWarning, match="ended without a tree: both classes have the probability"):
        fitted = small().fit(X, y)
    assert fitted.n_estimators_ == 0
    assert fitted.predict_proba(X).tolist() == [[0.5, 0.5]] * 10
    assert fitted.feature_importances_.tolist() == [0.0, 0.0]
    assert list(fitted.staged_predict(X)) == []
    assert fitted.apply(X).shape == (10, 0)


# --- early stopping -------------------------------------------------------------------------------


@pytest.mark.parametrize("n_classes", [2, 3])
def test_early_stopping_keeps_the_trees_up_to_the_least_loss(n_classes):
    X, y = numbers(n=600, n_classes=n_classes, noise=0.4)
    X_val, y_val = numbers(n=300, n_classes=n_classes, noise=0.4, seed=1)
    patience = 5
    fitted = small(100, early_stopping=True, n_iter_no_change=patience)
    fitted.fit(X, y, eval_set=(X_val, y_val))
    targets = [1] if n_classes == 2 else range(n_classes)
    history = fitted.validation_loss_.reshape(len(fitted.validation_loss_), -1)
    whole = small(100).fit(X, y)
    for column, k, ensemble, longer in zip(
        history.T, targets, fitted.model_.ensembles, whole.model_.ensembles, strict=True
    ):
        losses = column[~np.isnan(column)]
        n_trees = len(ensemble.trees)
        assert losses[0] == pytest.approx(np.log(2.0))
        assert len(losses) - 1 == n_trees + patience < 100
        assert n_trees == np.argmin(losses[1:]) + 1
        assert ensemble.trees == longer.trees[:n_trees]
        loss = logistic_loss(y_val == k, ensemble.score(X_val))
        assert loss == pytest.approx(losses[n_trees], rel=1e-12)


def test_the_trees_that_are_kept_are_those_of_a_fit_of_so_many():
    X, y = numbers(n=600, noise=0.4)
    val = numbers(n=300, noise=0.4, seed=1)
    fitted = small(100, early_stopping=True).fit(X, y, eval_set=val)
    again = small(fitted.n_estimators_).fit(X, y)
    assert again.model_ == fitted.model_


def test_early_stopping_keeps_a_share_of_each_class_apart():
    X, y = numbers(n=500)
    fitted = small(3, early_stopping=True, validation_fraction=0.2, random_state=0).fit(X, y)
    counts = [(y == k).sum() - round(0.2 * (y == k).sum()) for k in (0, 1)]
    assert fitted.model_.ensembles[0].trees[0].count[0] == sum(counts)
    same = small(3, early_stopping=True, validation_fraction=0.2, random_state=0).fit(X, y)
    other = small(3, early_stopping=True, validation_fraction=0.2, random_state=1).fit(X, y)
    assert same.model_ == fitted.model_
    assert other.model_ != fitted.model_


def test_auto_stops_early_where_there_is_something_to_stop_by(monkeypatch):
    X, y = numbers()
    fitted = small(5, early_stopping="auto")
    assert fitted.fit(X, y).validation_loss_ is None
    assert fitted.fit(X, y, eval_set=(X, y)).validation_loss_.shape == (6,)
    monkeypatch.setattr("horotree.estimators.logistic_boost.MANY_EXAMPLES", 299)
    assert fitted.fit(X, y).validation_loss_.shape == (6,)


def test_an_eval_set_without_early_stopping_is_only_watched():
    X, y = table()
    watched = small().fit(X, y, eval_set=(X, y, np.ones(len(y))))
    assert watched.model_ == small().fit(X, y).model_
    assert watched.validation_loss_[-1] == pytest.approx(log_loss(y, watched.predict_proba(X)))


def test_weights_of_the_eval_set_count():
    X, y = numbers()
    weight = np.arange(len(X)) % 3
    watched = small(3).fit(X, y, eval_set=(X, y, weight))
    again = small(3).fit(X, y, eval_set=(X.repeat(weight, axis=0), y.repeat(weight)))
    np.testing.assert_allclose(watched.validation_loss_, again.validation_loss_, rtol=1e-12)


# --- the choice of smoothing ----------------------------------------------------------------------


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("few", [5_000, 100])
def test_auto_chooses_by_the_log_loss_of_rows_apart(n_classes, few, monkeypatch):
    X, y = numbers(n=200, n_classes=n_classes)
    monkeypatch.setattr(smoothing, "FEW_EXAMPLES", few)
    fitted = small(5, smoothing="auto", random_state=0).fit(X, y)
    chosen = (fitted.smoothing_, fitted.learning_rate_)
    assert chosen in smoothing.CANDIDATES
    again = small(5, smoothing=chosen[0], learning_rate=chosen[1]).fit(X, y)
    assert again.model_ == fitted.model_
    # the same losses by the estimator itself, on the same splits
    seed = fitted._seed
    one = [smoothing.hold_out(y, 0.2, seed=seed)]
    splits = one if few == 100 else smoothing.folds(y, 3, seed=seed)
    losses = {}
    for weight, rate in smoothing.CANDIDATES:
        losses[weight, rate] = sum(
            log_loss(
                y[apart],
                small(5, smoothing=weight, learning_rate=rate)
                .fit(X[~apart], y[~apart])
                .predict_proba(X[apart]),
                normalize=False,
            )
            for apart in splits
        )
    assert chosen == min(losses, key=losses.get)


def test_auto_with_early_stopping_stops_inner_fits_too(monkeypatch):
    X, y = numbers(n=300, noise=0.6)
    rounds = []
    add = Monitor.add
    monkeypatch.setattr(Monitor, "add", lambda *args: rounds.append(1) or add(*args))
    fitted = small(1000, smoothing="auto", early_stopping=True, random_state=0).fit(X, y)
    assert fitted.n_estimators_ < 500
    assert len(rounds) < 13 * 500


# --- warm start -----------------------------------------------------------------------------------


@pytest.mark.parametrize("n_classes", [2, 3])
def test_a_warm_start_adds_trees(n_classes):
    X, y = numbers(n_classes=n_classes)
    grown = small(4, warm_start=True, subsample=0.7, random_state=3).fit(X, y)
    first = grown.model_
    grown.set_params(n_estimators=9).fit(X, y)
    whole = small(9, subsample=0.7, random_state=3).fit(X, y)
    assert grown.n_estimators_ == 9
    for begun, ensemble in zip(first.ensembles, grown.model_.ensembles, strict=True):
        assert ensemble.trees[:4] == begun.trees
    np.testing.assert_allclose(grown.decision_function(X), whole.decision_function(X), rtol=1e-6)


def test_a_warm_start_goes_on_with_the_same_split_and_loss():
    X, y = numbers(n=500)
    grown = small(3, warm_start=True, early_stopping=True).fit(X, y)
    begun = grown.validation_loss_
    grown.set_params(n_estimators=6).fit(X, y)
    np.testing.assert_allclose(grown.validation_loss_[:4], begun, rtol=1e-12)


def test_a_warm_start_keeps_the_chosen_smoothing(monkeypatch):
    X, y = numbers()
    grown = small(3, warm_start=True, smoothing="auto", random_state=0).fit(X, y)
    chosen = grown.smoothing_, grown.learning_rate_
    monkeypatch.delattr(logistic_boost, "choose_smoothing")
    grown.set_params(n_estimators=6).fit(X, y)
    assert (grown.smoothing_, grown.learning_rate_) == chosen


def test_a_warm_start_reads_categories_as_the_first_fit():
    X, y = table()
    grown = small(3, warm_start=True).fit(X, y)
    some = (X["city"] != "Bern").to_numpy()
    part = X[some].assign(city=X["city"][some].cat.remove_unused_categories())
    grown.set_params(n_estimators=5).fit(part, y[some])
    assert grown.model_.categories[1] == ("Bern", "Oslo", "Rome", "Turin")
    assert grown.n_estimators_ == 5


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"n_estimators": 2}, "n_estimators=2 must not be below the 3 trees"),
        ({"smoothing": 5.0}, "cannot change smoothing, got 5.0 after 100.0"),
        ({"class_weight": "balanced"}, "cannot change class_weight"),
        ({"categorical_features": [0]}, "cannot change categorical_features"),
    ],
)
def test_a_warm_start_refuses_what_would_mix_models(change, text):
    X, y = numbers()
    grown = small(3, warm_start=True).fit(X, y)
    with pytest.raises(ValueError, match=text):
        grown.set_params(**change).fit(X, y)


def test_a_warm_start_refuses_other_data():
    X, y = numbers()
    grown = small(3, warm_start=True).fit(X, y)
    grown.set_params(n_estimators=5)
    with pytest.raises(ValueError, match=r"classes of the earlier fit, \[0, 1\], got \[0, 1, 2\]"):
        grown.fit(X, numbers(n_classes=3)[1])
    with pytest.raises(ValueError, match="5 features"):
        grown.fit(X[:, :5], y)


# --- the rest -------------------------------------------------------------------------------------


def test_the_literal_setting_of_the_paper():
    X, y = numbers(noise=0.0)
    fitted = LogisticBoostClassifier(
        20, smoothing=0, learning_rate=1, pure_leaves="forbid", max_bins=None
    ).fit(X, y)
    (ensemble,) = fitted.model_.ensembles
    assert fitted.score(X, y) == 1.0
    assert np.isfinite(ensemble.leverage).all()
    negative, positive = (ensemble.apply(X[y == k]) for k in (0, 1))
    for j, tree in enumerate(ensemble.trees):
        leaves = set(np.flatnonzero(tree.is_leaf))
        assert set(negative[:, j]) == set(positive[:, j]) == leaves  # every leaf has both classes


def test_max_features_and_subsample_are_drawn_by_the_seed():
    X, y = numbers()
    options = {"max_features": 0.5, "subsample": 0.5}
    first = small(random_state=0, **options).fit(X, y)
    assert small(random_state=0, **options).fit(X, y).model_ == first.model_
    assert small(random_state=1, **options).fit(X, y).model_ != first.model_
    assert small(random_state=np.random.RandomState(0), **options).fit(X, y)
    for share, number in [("sqrt", 2), ("log2", 2), (0.99, 5), (1.0, 6), (0.01, 1)]:
        by_share = small(max_features=share, random_state=0).fit(X, y)
        assert by_share.model_ == small(max_features=number, random_state=0).fit(X, y).model_


def test_balanced_classes_weigh_the_same():
    X, y = numbers(n=600)
    y[np.flatnonzero(y == 1)[10:]] = 0
    weight = np.random.default_rng(0).uniform(0.5, 2.0, len(y))
    balanced = small(class_weight="balanced").fit(X, y, sample_weight=weight)
    assert balanced.model_.ensembles[0].trees[0].value[0] == pytest.approx(0.0, abs=1e-6)
    totals = np.bincount(y, weights=weight)
    factors = totals.sum() / (2 * totals)
    by_dict = small(class_weight=dict(enumerate(factors))).fit(X, y, sample_weight=weight)
    by_weight = small().fit(X, y, sample_weight=weight * factors[y])
    assert by_dict.model_ == by_weight.model_ == balanced.model_
    assert small(class_weight={1: 2.0}).fit(X, y).model_ == (
        small().fit(X, y, sample_weight=1.0 + y).model_
    )


def test_a_progress_bar_goes_to_stderr(capsys):
    X, y = numbers()
    fitted = small(5, verbose=1).fit(X, y)
    shown = capsys.readouterr()
    assert shown.out == ""
    assert "Boosting" in shown.err
    assert "5/5" in shown.err
    assert f"loss {logistic_loss(y == 1, fitted.decision_function(X)):.5f}" in shown.err
    small(3, verbose=1, smoothing="auto").fit(X, y, eval_set=(X, y))
    assert "Choosing smoothing" in capsys.readouterr().err
    small(3).fit(X, y)
    assert capsys.readouterr() == ("", "")
