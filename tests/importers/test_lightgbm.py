"""LightGBM's models: the same leaves, and raw scores to the last bits."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from horotree.importers import UnsupportedModelError, find_library
from horotree.importers.lightgbm import reader
from tests.importers.foreign import adversarial_rows, training_data

few = settings(
    max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None
)


@pytest.fixture
def lightgbm(require):
    return require("lightgbm")


def train(lightgbm, X, y, rounds=6, categorical=(), **parameters):
    options = {
        "objective": "binary",
        "num_threads": 1,
        "verbose": -1,
        "num_leaves": 8,
        "min_data_in_leaf": 3,
        "min_data_per_group": 2,
        "cat_smooth": 1.0,
        **parameters,
    }
    data = lightgbm.Dataset(X, y, categorical_feature=list(categorical))
    return lightgbm.train(options, data, rounds)


def check_scores(model, booster, X, *, factor=1.0):
    expected = booster.predict(X, raw_score=True, num_threads=1) * factor
    score = model.score(X)
    assert score.shape == expected.shape
    np.testing.assert_allclose(score, expected, rtol=1e-12, atol=1e-12)


def check_leaves(model, booster, X):
    """Leaves are numbered differently: equal ones must be equal, and as many."""
    expected = booster.predict(X, pred_leaf=True, num_threads=1).reshape(len(X), -1)
    n_groups = len(model.ensembles)
    for group, ensemble in enumerate(model.ensembles):
        ours, theirs = ensemble.apply(model.to_matrix(X)), expected[:, group::n_groups]
        for j in range(ours.shape[1]):
            pairs = set(zip(ours[:, j].tolist(), theirs[:, j].tolist(), strict=True))
            assert len(pairs) == len(np.unique(ours[:, j])) == len(np.unique(theirs[:, j]))


parameters = st.fixed_dictionaries(
    {
        "learning_rate": st.sampled_from([0.05, 0.3, 1.0]),
        "num_leaves": st.integers(2, 20),
        "lambda_l2": st.sampled_from([0.0, 2.0]),
        "boosting": st.sampled_from(["gbdt", "dart", "rf"]),
        "bagging_freq": st.just(1),
        "bagging_fraction": st.just(0.7),
        "boost_from_average": st.booleans(),
        "use_missing": st.booleans(),
        "min_sum_hessian_in_leaf": st.just(1e-3),
        "seed": st.integers(0, 1000),
    }
)


@few
@given(parameters, st.integers(2, 4), st.sampled_from([0, 3, 40]), st.integers(0, 2**32 - 1))
def test_scores_and_leaves_are_those_of_lightgbm(lightgbm, options, n_classes, codes, seed):
    rng = np.random.default_rng(seed)
    X, y = training_data(rng, 150, n_classes, codes=codes)
    if n_classes > 2:
        objective = "multiclassova" if options["boost_from_average"] else "multiclass"
        options = {**options, "objective": objective, "num_class": n_classes}
    rounds = 4
    categorical = [3] if codes else []
    booster = train(lightgbm, X, y, rounds, categorical, **options)
    model = reader.convert(booster)
    rows = np.concatenate([X, adversarial_rows(rng, model, codes=codes)])
    # LightGBM's raw scores of a random forest are sums; their mean is what the sigmoid is of.
    factor = 1.0 / len(model.ensembles[0].trees) if options["boosting"] == "rf" else 1.0
    check_scores(model, booster, rows, factor=factor)
    check_leaves(model, booster, rows)
    if n_classes == 2:
        probability = booster.predict(rows, num_threads=1)
        np.testing.assert_allclose(model.predict_proba(rows)[:, 1], probability, atol=1e-12)


def test_scores_are_the_same_to_the_bit_where_no_average_and_no_rounding_is_between(lightgbm):
    rng = np.random.default_rng(5)
    X, y = training_data(rng, 300, 2, codes=9)
    booster = train(
        lightgbm, X, y, 30, [3], learning_rate=0.25, boost_from_average=False, num_leaves=15
    )
    model = reader.convert(booster)
    rows = np.concatenate([X, adversarial_rows(rng, model, codes=9)])
    assert np.array_equal(model.score(rows), booster.predict(rows, raw_score=True))


@pytest.mark.parametrize("objective", ["binary", "multiclassova"])
def test_the_sigmoid_parameter_scales_the_scores(lightgbm, objective):
    X, y = training_data(np.random.default_rng(2), 200, 2 if objective == "binary" else 3)
    n_classes = 1 if objective == "binary" else 3
    booster = train(lightgbm, X, y, objective=objective, sigmoid=2.5, num_class=n_classes)
    model = reader.convert(booster)
    check_scores(model, booster, X, factor=2.5)
    expected = booster.predict(X)
    if objective == "binary":
        np.testing.assert_allclose(model.predict_proba(X)[:, 1], expected, atol=1e-12)
    else:  # LightGBM does not normalize them
        normal = expected / expected.sum(axis=1, keepdims=True)
        np.testing.assert_allclose(model.predict_proba(X), normal, atol=1e-12)


@pytest.mark.parametrize("rate", [0.1, 1.0])
@pytest.mark.parametrize("lambda_l2", [0.0, 5.0])
def test_the_average_is_taken_out_of_the_first_tree(lightgbm, rate, lambda_l2):
    X, y = training_data(np.random.default_rng(2), 300, 3)
    y = (y == 0).astype(int)
    booster = train(lightgbm, X, y, learning_rate=rate, lambda_l2=lambda_l2)
    ensemble = reader.convert(booster).ensembles[0]
    share = y.mean()
    assert ensemble.base_value == pytest.approx(np.log(share / (1.0 - share)), rel=1e-4)
    assert ensemble.leverage.tolist() == [rate] * 6
    first, second = ensemble.trees[0].value, ensemble.trees[1].value
    assert abs(first[0]) < 0.2
    assert 0.3 < np.abs(first).max() / np.abs(second).max() < 3.0
    constant = train(lightgbm, X, y, 1, min_data_in_leaf=1000)
    ensemble = reader.convert(constant).ensembles[0]
    assert ensemble.score(X[:1])[0] == pytest.approx(constant.predict(X[:1], raw_score=True)[0])


RATES = [0.4, 0.2, 0.1, 0.05]


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"boost_from_average": False},
        {"lambda_l2": 3.0, "lambda_l1": 1.0},
        {"num_leaves": 2},
        {"min_gain_to_split": 0.5},
        {"objective": "multiclass", "num_class": 3},
    ],
)
def test_every_tree_has_its_own_learning_rate(lightgbm, options):
    X, y = training_data(np.random.default_rng(2), 300, 3)
    if "num_class" not in options:
        y = (y == 0).astype(int)
    options = {"objective": "binary", "num_leaves": 6, **options, "verbose": -1, "num_threads": 1}
    callback = lightgbm.reset_parameter(learning_rate=RATES)
    booster = lightgbm.train(options, lightgbm.Dataset(X, y), 4, callbacks=[callback])
    model = reader.convert(booster)
    for ensemble in model.ensembles:
        # The average in a first tree hides its rate: that of the next round is taken.
        first = RATES[1] if options.get("boost_from_average", True) else RATES[0]
        np.testing.assert_allclose(ensemble.leverage, [first, *RATES[1:]], rtol=2e-3)
        assert (ensemble.base_value == 0.0) == (not options.get("boost_from_average", True))
    assert "The learning rate changed during training: from 0.05 to " in model.notes[1]
    check_scores(model, booster, X)


@pytest.mark.parametrize("average", [True, False])
@pytest.mark.parametrize("seed", [0, 1])
def test_the_average_is_found_in_a_tree_that_dart_dropped_often(lightgbm, average, seed):
    X, y = training_data(np.random.default_rng(2), 300, 5)
    y = (y == 0).astype(int)
    options = {"boosting": "dart", "drop_rate": 0.9, "skip_drop": 0.0, "seed": seed}
    booster = train(lightgbm, X, y, 12, boost_from_average=average, **options)
    model = reader.convert(booster)
    ensemble = model.ensembles[0]
    assert (ensemble.base_value < -0.05) == average
    assert (ensemble.base_value == 0.0) == (not average)
    # the same drops, so that the average makes no difference to what trees were shrunk by
    assert 0.5 < ensemble.leverage[0] / ensemble.leverage[1] < 2.0
    assert abs(ensemble.trees[0].value[0]) < 0.01 or not average
    check_scores(model, booster, X)


def test_classifiers_that_are_not_fitted_or_know_one_class_are_refused(lightgbm):
    with pytest.raises(ValueError, match="got a LGBMClassifier that is not: call its fit first"):
        reader.convert(lightgbm.LGBMClassifier())
    X, y = training_data(np.random.default_rng(0), 60, 2)
    classifier = lightgbm.LGBMClassifier(n_estimators=1, n_jobs=1, verbose=-1).fit(X, 0 * y + 7)
    with pytest.raises(UnsupportedModelError, match=r"two classes or more, got \[7\]"):
        reader.convert(classifier)


def test_drawn_values_are_means_of_leaves_by_weight_over_the_rate(lightgbm):
    X, y = training_data(np.random.default_rng(2), 300, 2)
    booster = train(lightgbm, X, y, learning_rate=0.5)
    tree = reader.convert(booster).ensembles[0].trees[1]
    structure = booster.dump_model()["tree_info"][1]["tree_structure"]
    assert tree.count[0] == structure["internal_count"] == 300
    leaf = tree.is_leaf
    mean = np.average(tree.value[leaf], weights=tree.weight[leaf])
    assert tree.value[0] == pytest.approx(mean, rel=1e-12)
    assert 0.5 * tree.value[0] == pytest.approx(structure["internal_value"], abs=1e-5)
    assert tree.weight[0] == pytest.approx(structure["internal_weight"], rel=1e-4)


@pytest.mark.filterwarnings("ignore:The argument 'eval_set'")
def test_classifier_labels_best_iteration_and_files(lightgbm, require, tmp_path):
    pd = require("pandas")
    rng = np.random.default_rng(3)
    numbers, y = training_data(rng, 400, 3)
    table = pd.DataFrame(numbers, columns=["a", "b", "c"])
    table["city"] = pd.Categorical(rng.choice(["Bern", "Genève", "Rome", "Oslo"], 400))
    table["n"] = pd.Categorical(rng.choice([10, 20], 400))
    y = np.array(["x", "y", "z"])[(y + (table.city == "Rome")).clip(0, 2)]
    classifier = lightgbm.LGBMClassifier(
        n_estimators=60, learning_rate=0.5, n_jobs=1, verbose=-1, min_data_per_group=5
    )
    stop = lightgbm.early_stopping(2, verbose=False)
    classifier.fit(table[:250], y[:250], eval_set=[(table[250:], y[250:])], callbacks=[stop])
    model = reader.convert(classifier)
    assert len(model.ensembles[0].trees) == classifier.best_iteration_ < 60
    assert model.classes.tolist() == ["x", "y", "z"]
    assert model.categories[3:] == (("Bern", "Genève", "Oslo", "Rome"), (10, 20))
    np.testing.assert_allclose(model.predict_proba(table), classifier.predict_proba(table))
    assert model.predict(table).tolist() == classifier.predict(table).tolist()
    path = tmp_path / "model.txt"
    classifier.booster_.save_model(path)
    assert reader.matches_file(path.read_bytes()[:256])
    read = reader.convert_file(path)
    assert read.ensembles == model.ensembles
    assert read.categories == model.categories


@pytest.mark.parametrize("use", [True, False])
def test_zeros_that_are_missing_are_refused_or_right(lightgbm, use):
    X, y = training_data(np.random.default_rng(4), 300, 2)
    X = X[:, 2:] if use else np.abs(X[:, :1]) + 1.0
    booster = train(lightgbm, X, y, 1, zero_as_missing=True, num_leaves=2 if not use else 8)
    try:
        model = reader.convert(booster)
    except UnsupportedModelError as error:
        assert "zero_as_missing" in str(error)  # noqa: PT017 - either is right
        return
    rows = adversarial_rows(np.random.default_rng(0), model)
    check_scores(model, booster, rows)


@pytest.mark.parametrize("s", [-1.0, -1e-35, -1e-40, 0.0, 1e-40, 1e-35, 2.0])
@pytest.mark.parametrize("kind", [0, 2, 4, 6, 8, 10])
def test_every_missing_type_at_every_threshold(lightgbm, s, kind):
    X, y = training_data(np.random.default_rng(0), 100, 2)
    text = train(lightgbm, X, y, 1, num_leaves=2).model_to_string()
    lines = [
        f"threshold={s!r}"
        if line.startswith("threshold=")
        else f"decision_type={kind}"
        if line.startswith("decision_type=")
        else line
        for line in text.split("\n")
        if not line.startswith("tree_sizes=")
    ]
    booster = lightgbm.Booster(model_str="\n".join(lines))
    against = kind in (4, 6) and abs(s) > 1.1e-35 and (kind == 6) != (s > 0)
    if against:
        with pytest.raises(UnsupportedModelError, match="zero_as_missing"):
            reader.convert(booster)
        return
    model = reader.convert(booster)
    values = [s, np.nan, 0.0, -0.0, 5e-324, -5e-324, 1e-36, -1e-36, 1e-35, -1e-35, 2e-35, -2e-35]
    rows = np.array([[x] * 3 for x in [*values, -3.0, 3.0, 1e300, -1e300]])
    check_leaves(model, booster, rows)


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"objective": "regression"}, "objective"),
        ({"objective": "poisson"}, "objective"),
        ({"objective": "cross_entropy_lambda"}, "objective"),
        ({"linear_tree": True}, "linear"),
    ],
)
def test_what_is_no_classifier_of_trees_is_refused(lightgbm, options, reason):
    X, y = training_data(np.random.default_rng(0), 100, 2)
    booster = train(lightgbm, X, y, 2, **options)
    with pytest.raises(UnsupportedModelError, match=reason):
        reader.convert(booster)


@pytest.mark.parametrize("name", ["a\u00a0b", "\u3000", "a\u2028b", "a\tb", "a=b", "Tree=1"])
def test_names_keep_white_space_that_is_no_blank(lightgbm, require, name):
    X, y = training_data(np.random.default_rng(0), 100, 2)
    table = require("pandas").DataFrame(X, columns=["x", name, "y"])
    booster = train(lightgbm, table, y, 2)
    model = reader.convert(booster)
    assert model.feature_names == ("x", name, "y")
    check_scores(model, booster, table)


def test_cross_entropy_is_logistic_and_regressors_are_refused(lightgbm):
    X, y = training_data(np.random.default_rng(0), 100, 2)
    booster = train(lightgbm, X, y * 0.8, objective="cross_entropy")
    model = reader.convert(booster)
    check_scores(model, booster, X)
    regressor = lightgbm.LGBMRegressor(n_estimators=1, n_jobs=1, verbose=-1).fit(X, y)
    assert find_library(regressor) == "lightgbm"
    with pytest.raises(UnsupportedModelError, match="LGBMRegressor"):
        reader.convert(regressor)
