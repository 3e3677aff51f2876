"""XGBoost's models: predictions to the rounding of its float32 sums, leaves exactly."""

import json
import re
import warnings
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from horotree.importers import UnsupportedModelError, find_library
from horotree.importers.shared.classes import find_classes
from horotree.importers.xgboost import columns as xgboost_columns
from horotree.importers.xgboost import reader
from tests.importers.foreign import adversarial_rows, training_data

pytestmark = pytest.mark.filterwarnings("ignore:the model does not have its learning rate")

# Training takes most of the time.
few = settings(
    max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None
)


LEARNER = {"gradient_booster": {"model": {}}}


@pytest.fixture
def xgboost(require):
    return require("xgboost")


def train(xgboost, X, y, rounds=6, **parameters):
    types = parameters.pop("feature_types", None)
    options = {"nthread": 1, "max_depth": 3, "base_score": None, **parameters}
    options = {name: value for name, value in options.items() if value is not None}
    data = xgboost.DMatrix(X, y, feature_types=types, enable_categorical=True, nthread=1)
    return xgboost.train(options, data, rounds)


def binary(**parameters):
    return {"objective": "binary:logistic", **parameters}


def margins(xgboost, booster, X, **options):
    data = xgboost.DMatrix(X, feature_types=booster.feature_types, enable_categorical=True)
    return booster.predict(data, output_margin=True, **options)


def check_margins(model, X, expected):
    score = model.score(X)
    assert score.shape == expected.shape
    # XGBoost adds float32 numbers: its sum may be off by their rounding.
    size = sum(np.abs(e.leverage * e.max_confidence).sum() for e in model.ensembles) + 1.0
    np.testing.assert_allclose(score, expected, rtol=1e-6, atol=1e-6 * size)


def check_bits(model, X, expected):
    """Check that what the trees add, added as float32 numbers, is what XGBoost returns."""
    columns = []
    for ensemble in model.ensembles:
        total = np.full(len(X), ensemble.base_value, np.float32)
        leaf = ensemble.apply(model.to_matrix(X))
        for j, tree in enumerate(ensemble.trees):
            total += (ensemble.leverage[j] * tree.output).astype(np.float32)[leaf[:, j]]
        columns.append(total)
    assert np.array_equal(np.squeeze(np.stack(columns, axis=-1)), np.squeeze(expected))


def small(xgboost, **parameters):
    X, y = training_data(np.random.default_rng(0), 150, 2)
    return train(xgboost, X, y, **binary(**parameters)), X, y


parameters = st.fixed_dictionaries(
    {
        "eta": st.sampled_from([0.1, 0.3, 1.0]),
        "max_depth": st.integers(1, 6),
        "reg_lambda": st.sampled_from([0.0, 1.0, 5.0]),
        "min_child_weight": st.sampled_from([0.0, 1.0]),
        "tree_method": st.sampled_from(["hist", "exact", "approx"]),
        "num_parallel_tree": st.integers(1, 2),
        "subsample": st.sampled_from([0.6, 1.0]),
        "booster": st.sampled_from(["gbtree", "dart"]),
        "rate_drop": st.just(0.5),
        "base_score": st.sampled_from([None, 0.2]),
        "seed": st.integers(0, 1000),
    }
)


@few
@given(parameters, st.integers(2, 4), st.booleans(), st.integers(0, 2**32 - 1))
def test_margins_and_leaves_are_those_of_xgboost(xgboost, options, n_classes, softmax, seed):
    rng = np.random.default_rng(seed)
    X, y = training_data(rng, 120, n_classes)
    if options["booster"] == "gbtree":
        options = {name: value for name, value in options.items() if name != "rate_drop"}
    if n_classes > 2 or softmax:
        options = {**options, "objective": "multi:softprob", "num_class": n_classes}
    else:
        options = binary(**options)
    booster = train(xgboost, X, y, 3, **options)
    model = reader.convert(booster)
    rows = np.concatenate([X, adversarial_rows(rng, model, dtype=np.float32)])
    check_margins(model, rows, margins(xgboost, booster, rows))
    # Dart's factor is multiplied in float32, and a logit is rounded as the machine's logf does.
    if options["booster"] == "gbtree" and len(model.ensembles) > 1:
        check_bits(model, rows, margins(xgboost, booster, rows))


@few
@given(st.integers(2, 40), st.sampled_from([1, 100]), st.integers(2, 3), st.integers(0, 2**32 - 1))
def test_sets_of_categories_and_unseen_codes(xgboost, codes, onehot, n_classes, seed):
    rng = np.random.default_rng(seed)
    X, y = training_data(rng, 150, n_classes, codes=codes)
    options = {"objective": "multi:softmax", "num_class": n_classes, "max_cat_to_onehot": onehot}
    types = ["q", "q", "q", "c"]
    booster = train(xgboost, X, y, 3, feature_types=types, tree_method="hist", **options)
    model = reader.convert(booster)
    assert [labels is None for labels in model.categories] == [True, True, True, False]
    rows = np.concatenate([X, adversarial_rows(rng, model, codes=codes, dtype=np.float32)])
    check_margins(model, rows, margins(xgboost, booster, rows))


@pytest.mark.parametrize(("onehot", "missing_class"), [(1, 0), (1000, 1)])
def test_codes_far_beyond_those_of_training_are_not_missing(xgboost, onehot, missing_class):
    code = np.random.default_rng(4).integers(0, 300, 400).astype(float)
    y = (code < 200).astype(int) if onehot == 1 else (code == 299).astype(int)
    code[:99], y[:99] = np.nan, missing_class
    options = binary(tree_method="hist", max_cat_to_onehot=onehot, min_child_weight=0.0)
    booster = train(xgboost, code[:, None], y, feature_types=["c"], **options)
    model = reader.convert(booster)
    rows = np.array([[np.nan], [256.0], [399.0], [777.0], [1023.0]])
    expected = margins(xgboost, booster, rows)
    assert abs(expected[0] - expected[-1]) > 1.0  # else any code could be missing
    check_margins(model, rows, expected)
    few_codes = np.array([3, 2**20 - 1])
    sizes = [len(labels) for labels in xgboost_columns.read_categories(LEARNER, few_codes)]
    assert sizes == [1024, 2**20 + 2**16]
    many = np.full(5000, 3)  # so many labels that there are no more than needed
    assert {len(labels) for labels in xgboost_columns.read_categories(LEARNER, many)} == {4}


def test_a_number_on_the_threshold_goes_right(xgboost):
    booster, _, _ = small(xgboost, max_depth=1)
    tree = json.loads(booster.save_raw("json"))["learner"]["gradient_booster"]["model"]["trees"][0]
    s = np.float32(tree["split_conditions"][0])
    model = reader.convert(booster)
    ours = model.ensembles[0].trees[0]
    assert ours.threshold[0] == np.nextafter(s, np.float32(-np.inf)) < s
    # halfway to the float32 below: XGBoost rounds before it compares, to the even neighbor
    row = np.zeros((3, 3))
    row[:, tree["split_indices"][0]] = [
        s,
        np.nextafter(s, -np.float32(np.inf)),
        np.float64(s) - 1e-12,
    ]
    check_margins(model, row, margins(xgboost, booster, row))


@pytest.mark.parametrize("ending", ["json", "ubj"])
@pytest.mark.parametrize("booster_name", ["gbtree", "dart"])
def test_files_give_the_model_of_the_object(xgboost, tmp_path, ending, booster_name):
    booster, X, _ = small(xgboost, eta=0.1, booster=booster_name)
    path = tmp_path / f"model.{ending}"
    booster.save_model(path)
    assert reader.matches_file(path.read_bytes()[:256])
    model = reader.convert(booster)
    assert replace(reader.convert_file(path), notes=model.notes) == model
    check_margins(reader.convert_file(path), X, margins(xgboost, booster, X))


def test_labels_of_a_data_frame(xgboost, require, tmp_path):
    pd = require("pandas")
    rng = np.random.default_rng(1)
    labels = rng.choice(["e", "b", "long label", "d"], 200)
    table = pd.DataFrame({"x": rng.normal(size=200), "c": pd.Categorical(labels)})
    table["n"] = pd.Categorical(rng.choice([3, 7, 11], 200))
    y = (table.x + 2.0 * table.c.isin(["b", "d"]) + (table.n == 7) > 1.0).astype(int)
    classifier = xgboost.XGBClassifier(n_estimators=4, enable_categorical=True, n_jobs=1)
    classifier.fit(table, y)
    model = reader.convert(classifier)
    assert model.feature_names == ("x", "c", "n")
    check_margins(model, table, classifier.predict(table, output_margin=True))
    if model.categories[1][0] != 0:  # versions before 3.1 do not save labels
        assert model.categories[1:] == (("b", "d", "e", "long label"), (3, 7, 11))
        classifier.save_model(tmp_path / "m.json")
        assert reader.convert_file(tmp_path / "m.json").categories == model.categories


def test_labels_that_are_not_ascii_become_codes(xgboost, require):
    pd = require("pandas")
    rng = np.random.default_rng(1)
    table = pd.DataFrame({"c": pd.Categorical(rng.choice(["aé", "b", "zz"], 200))})
    classifier = xgboost.XGBClassifier(n_estimators=2, enable_categorical=True, n_jobs=1)
    classifier.fit(table, table.c == "b")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = reader.convert(classifier)
    assert model.categories[0][:3] == (0, 1, 2)
    codes = table.c.cat.codes.to_numpy()[:, None]
    check_margins(model, codes, classifier.predict(table, output_margin=True))
    with pytest.raises(ValueError, match="must hold labels such as 0"):
        model.score(table)


def test_classifier_probabilities_and_the_best_iteration(xgboost, tmp_path):
    rng = np.random.default_rng(3)
    X, y = training_data(rng, 200, 3)
    classifier = xgboost.XGBClassifier(
        n_estimators=40, learning_rate=0.8, early_stopping_rounds=2, n_jobs=1, max_depth=4
    )
    classifier.fit(X[:120], y[:120], eval_set=[(X[120:], y[120:])], verbose=False)
    model = reader.convert(classifier)
    n_trees = len(model.ensembles[0].trees)
    assert n_trees == classifier.best_iteration + 1 < classifier.get_booster().num_boosted_rounds()
    np.testing.assert_allclose(model.predict_proba(X), classifier.predict_proba(X), atol=1e-6)
    assert model.classes.tolist() == [0, 1, 2]
    classifier.save_model(tmp_path / "m.ubj")
    assert len(reader.convert_file(tmp_path / "m.ubj").ensembles[2].trees) == n_trees


def test_a_booster_that_was_stopped_early_has_all_trees_as_its_predict(xgboost):
    X, y = training_data(np.random.default_rng(3), 200, 2)
    classifier = xgboost.XGBClassifier(
        n_estimators=40, learning_rate=0.8, early_stopping_rounds=3, n_jobs=1
    )
    classifier.fit(X[:120], y[:120], eval_set=[(X[120:], y[120:])], verbose=False)
    booster = classifier.get_booster()
    model = reader.convert(booster)
    n_trees = booster.num_boosted_rounds()
    assert len(model.ensembles[0].trees) == n_trees > classifier.best_iteration + 1
    check_margins(model, X, margins(xgboost, booster, X))
    check_margins(reader.convert(classifier), X, classifier.predict(X, output_margin=True))


@pytest.mark.parametrize("eta", [0.05, 0.3, 1.0])
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"reg_lambda": 4.0},
        {"reg_alpha": 0.5},
        {"num_parallel_tree": 3, "subsample": 0.5},
        {"tree_method": "exact"},
        {"max_depth": 1},
    ],
)
def test_the_learning_rate_is_found_in_a_file(xgboost, tmp_path, eta, options):
    booster, _, _ = small(xgboost, eta=eta, **options)
    booster.save_model(tmp_path / "m.ubj")
    with pytest.warns(UserWarning, match=f"{eta:g} was estimated"):
        model = reader.convert_file(tmp_path / "m.ubj")
    n_parallel = options.get("num_parallel_tree", 1)
    np.testing.assert_allclose(model.ensembles[0].leverage, eta / n_parallel)
    assert f"{eta:g} was estimated" in model.notes[1]


def test_the_learning_rate_of_an_object_is_known_and_of_a_loaded_one_estimated(xgboost, tmp_path):
    booster, _, _ = small(xgboost, eta=0.07)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = reader.convert(booster)
    assert model.ensembles[0].leverage[0] == 0.07
    assert len(model.notes) == 1
    booster.save_model(tmp_path / "m.ubj")
    loaded = xgboost.Booster(model_file=tmp_path / "m.ubj")
    with pytest.warns(UserWarning, match=re.escape("0.07 was estimated")):
        assert reader.convert(loaded).ensembles[0].leverage[0] == 0.07


def continue_training(xgboost, **options):
    """Return a booster of three rounds at rate 0.5 and three at 0.1."""
    booster, X, y = small(xgboost, eta=0.5, **options)
    data = xgboost.DMatrix(X, y, nthread=1)
    first = booster[:3]
    return xgboost.train(binary(nthread=1, eta=0.1, **options), data, 3, xgb_model=first), X


@pytest.mark.parametrize(
    "options",
    [
        {"max_depth": 3},
        {"max_depth": 3, "reg_lambda": 4.0},
        {"max_depth": 4, "reg_alpha": 0.5},
        {"max_depth": 3, "num_parallel_tree": 2, "subsample": 0.5},
    ],
)
def test_learning_rates_that_changed_are_not_searched_for(xgboost, tmp_path, options):
    booster, X = continue_training(xgboost, **options)
    booster.save_model(tmp_path / "m.json")
    model, of_file = reader.convert(booster), reader.convert_file(tmp_path / "m.json")
    n_parallel = options.get("num_parallel_tree", 1)
    np.testing.assert_allclose(model.ensembles[0].leverage, 0.1 / n_parallel, rtol=1e-12)
    np.testing.assert_allclose(of_file.ensembles[0].leverage, 1.0 / n_parallel, rtol=1e-12)
    assert "may have changed during training" in model.notes[1]
    assert "1 was taken" in of_file.notes[1]
    check_margins(model, X, margins(xgboost, booster, X))
    check_margins(of_file, X, margins(xgboost, booster, X))


def test_a_learning_rate_that_was_set_after_training_is_not_believed(xgboost):
    booster, _, _ = small(xgboost, eta=0.07, reg_lambda=4.0)
    booster.set_param({"eta": 0.9})
    with pytest.warns(UserWarning, match=re.escape("0.07 was estimated")):
        model = reader.convert(booster)
    assert set(model.ensembles[0].leverage) == {0.07}


@pytest.mark.parametrize(
    ("options", "is_sure"),
    [
        ({"max_depth": 1, "reg_lambda": 7.0}, True),
        ({"reg_lambda": 0.0, "reg_alpha": 0.3}, True),
        ({"max_delta_step": 0.3}, False),
        ({"monotone_constraints": (1, -1, 0)}, False),
    ],
)
@pytest.mark.parametrize("rounds", [1, 6])
def test_a_configured_learning_rate_is_kept_and_doubts_are_said(xgboost, options, is_sure, rounds):
    X, y = training_data(np.random.default_rng(0), 150, 2)
    booster = train(xgboost, X, y, rounds, **binary(eta=0.2, **options))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = reader.convert(booster)
    assert set(model.ensembles[0].leverage) == {0.2}
    assert [note for note in model.notes if "may have changed" in note] == (
        [] if is_sure else list(model.notes[1:])
    )
    assert len(model.notes) == (1 if is_sure else 2)


def test_stumps_with_rates_that_changed_keep_the_configured_one_and_say_so(xgboost):
    booster, _ = continue_training(xgboost, max_depth=1)
    model = reader.convert(booster)
    assert set(model.ensembles[0].leverage) == {0.1}
    assert "may have changed" in model.notes[1]


def test_an_unknown_learning_rate_is_1_and_is_said(xgboost, tmp_path):
    booster, X, _ = small(xgboost, eta=0.07)
    document = json.loads(booster.save_raw("json"))
    rng = np.random.default_rng(0)
    for tree in document["learner"]["gradient_booster"]["model"]["trees"]:
        tree["base_weights"] = rng.normal(size=len(tree["base_weights"])).tolist()
    (tmp_path / "m.json").write_text(json.dumps(document))
    with pytest.warns(UserWarning, match="1 was taken"):
        model = reader.convert_file(tmp_path / "m.json")
    assert set(model.ensembles[0].leverage) == {1.0}
    check_margins(model, X, margins(xgboost, booster, X))


def test_drawn_values_are_means_of_leaves_by_hessian_over_the_rate(xgboost):
    booster, _, _ = small(xgboost, eta=0.25, max_depth=2)
    document = json.loads(booster.save_raw("json"))
    raw = document["learner"]["gradient_booster"]["model"]["trees"][0]
    tree = reader.convert(booster).ensembles[0].trees[0]
    assert raw["left_children"][:3] == [1, 3, 5]  # complete
    hessian, value = np.array(raw["sum_hessian"]), np.array(raw["split_conditions"])
    below = np.average(value[3:], weights=hessian[3:]) / 0.25
    np.testing.assert_allclose(tree.value[0], below, rtol=1e-6)
    np.testing.assert_allclose(tree.value[tree.is_leaf], value[3:] / 0.25, rtol=1e-6)
    np.testing.assert_allclose(tree.weight, hessian, rtol=1e-5)


def test_binary_logitraw_has_its_base_score_as_it_is(xgboost):
    booster, X, _ = small(xgboost, objective="binary:logitraw")
    check_margins(reader.convert(booster), X, margins(xgboost, booster, X))


def test_the_threshold_of_binary_logitraw_is_warned_of(xgboost, tmp_path):
    X, y = training_data(np.random.default_rng(0), 60, 2)
    classifier = xgboost.XGBClassifier(n_estimators=1, objective="binary:logitraw", n_jobs=1)
    classifier.fit(X, y)
    with pytest.warns(UserWarning, match=re.escape("at score 0.5, the imported model at 0")):
        model = reader.convert(classifier)
    expected = classifier.predict(X)
    assert np.array_equal(model.score(X) > 0.5, expected == 1)
    classifier.save_model(tmp_path / "m.ubj")
    with pytest.warns(UserWarning, match="imported model at 0"):
        reader.convert_file(tmp_path / "m.ubj")


def test_classifiers_that_are_not_fitted_or_know_one_class_are_refused(xgboost):
    with pytest.raises(ValueError, match="got a XGBClassifier that is not: call its fit first"):
        reader.convert(xgboost.XGBClassifier())
    X, y = training_data(np.random.default_rng(0), 60, 2)
    classifier = xgboost.XGBClassifier(n_estimators=1, n_jobs=1, base_score=0.5).fit(X, 0 * y)
    with pytest.raises(UnsupportedModelError, match=re.escape("two classes or more, got [0]")):
        reader.convert(classifier)
    with pytest.raises(UnsupportedModelError, match="for each of its 3 classes"):
        find_classes(np.arange(3), 1)


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"objective": "reg:squarederror"}, "objective"),
        ({"objective": "reg:logistic"}, "objective"),
        ({"objective": "rank:pairwise"}, "objective"),
        ({"objective": "count:poisson"}, "objective"),
        ({"objective": "binary:hinge"}, "objective"),
        ({"booster": "gblinear", "max_depth": None}, "linear"),
        (
            {
                "objective": "multi:softprob",
                "num_class": 2,
                "multi_strategy": "multi_output_tree",
                "tree_method": "hist",
            },
            "vector",
        ),
    ],
)
def test_what_is_no_classifier_of_trees_is_refused(xgboost, options, reason):
    X, y = training_data(np.random.default_rng(0), 60, 2)
    booster = train(xgboost, X, y, 2, **{**binary(), **options})
    with pytest.raises(UnsupportedModelError, match=reason):
        reader.convert(booster)


def test_regressors_and_other_missing_values_are_refused(xgboost):
    X, y = training_data(np.random.default_rng(0), 60, 2, missing=0.0)
    with pytest.raises(UnsupportedModelError, match="XGBRegressor"):
        reader.convert(xgboost.XGBRegressor(n_estimators=1, n_jobs=1).fit(X, y))
    classifier = xgboost.XGBClassifier(n_estimators=1, missing=0.0, n_jobs=1).fit(X, y)
    with pytest.raises(UnsupportedModelError, match="missing=0"):
        reader.convert(classifier)
    assert find_library(np.zeros(3)) is None
    assert find_library(classifier) == "xgboost"


def test_hosts_of_leaves_add_their_values(xgboost):
    """An inner node that speaks for leaves adds what is drawn, not nothing."""
    X, y = training_data(np.random.default_rng(1), 200, 2, missing=0.0)
    model = reader.convert(xgboost.XGBClassifier(n_estimators=3, n_jobs=1).fit(X, y))
    for tree in model.ensembles[0].trees:
        np.testing.assert_allclose(tree.output, tree.value, rtol=1e-6)
