"""CatBoost's models: the same leaves, and raw values to the last bits."""

import json

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from horotree.importers import UnsupportedModelError, find_library
from horotree.importers.catboost import reader
from tests.importers.foreign import adversarial_rows, training_data

few = settings(
    max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None
)

FLT_MAX = float(np.finfo(np.float32).max)
FAR = [FLT_MAX, -FLT_MAX, 1e300, -1e300, float(np.nextafter(FLT_MAX, np.inf)), 3.39e38]


@pytest.fixture
def catboost(require):
    return require("catboost")


def options(**parameters):
    return {
        "iterations": 6,
        "depth": 4,
        "verbose": False,
        "allow_writing_files": False,
        "thread_count": 1,
        **parameters,
    }


def train(catboost, X, y, **parameters):
    return catboost.CatBoostClassifier(**options(**parameters)).fit(X, y)


def save(classifier, path, pool=None):
    kind = path.suffix[1:]
    classifier.save_model(str(path), format=kind, pool=pool)
    return path


def hard_rows(rng, model):
    """Return rows on borders and next to them, of float32 and float64, and far from all."""
    X = np.concatenate([adversarial_rows(rng, model, dtype=kind) for kind in (np.float32, float)])
    far = rng.random(X.shape) < 0.05
    X[far] = rng.choice(FAR, int(far.sum()))
    return X


def raw(classifier, X):
    return classifier.predict(X, prediction_type="RawFormulaVal", thread_count=1)


def check_scores(model, classifier, X):
    expected = raw(classifier, X)
    score = model.score(X)
    assert score.shape == expected.shape
    np.testing.assert_allclose(score, expected, rtol=1e-12, atol=1e-12)


def check_leaves(model, classifier, X):
    """Leaves are numbered differently: equal ones must be equal, and as many."""
    expected = classifier.calc_leaf_indexes(X, thread_count=1)
    for ensemble in model.ensembles:
        ours = ensemble.apply(model.to_matrix(X))
        for j in range(ours.shape[1]):
            pairs = set(zip(ours[:, j].tolist(), expected[:, j].tolist(), strict=True))
            assert len(pairs) == len(np.unique(ours[:, j])) == len(np.unique(expected[:, j]))


parameters = st.fixed_dictionaries(
    {
        "learning_rate": st.sampled_from([0.03, 0.5, 1.0]) | st.none(),
        "depth": st.integers(1, 9),
        "grow_policy": st.sampled_from(["SymmetricTree", "Depthwise", "Lossguide"]),
        "nan_mode": st.sampled_from(["Min", "Max"]),
        "border_count": st.sampled_from([3, 254, 600]),
        "l2_leaf_reg": st.sampled_from([0.1, 3.0]),
        "random_seed": st.integers(0, 1000),
        "boost_from_average": st.booleans(),
    }
)


@few
@given(parameters, st.integers(2, 4), st.sampled_from([0.0, 0.2]), st.integers(0, 2**32 - 1))
def test_scores_and_leaves_are_those_of_catboost(catboost, given, n_classes, missing, seed):
    rng = np.random.default_rng(seed)
    X, y = training_data(rng, 150, n_classes, missing=missing)
    if n_classes > 2:
        loss = "MultiClassOneVsAll" if given["boost_from_average"] else "MultiClass"
        given = {**given, "loss_function": loss, "boost_from_average": False}
    classifier = train(catboost, X, y, **given)
    model = reader.convert(classifier)
    rows = np.concatenate([X, hard_rows(rng, model)])
    check_scores(model, classifier, rows)
    check_leaves(model, classifier, rows)
    if n_classes == 2:
        expected = classifier.predict_proba(rows)
        np.testing.assert_allclose(model.predict_proba(rows), expected, atol=1e-12)


@pytest.mark.parametrize("policy", ["SymmetricTree", "Lossguide"])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_scores_are_the_same_to_the_bit_where_the_rate_is_a_power_of_two(
    catboost, tmp_path, policy, n_classes
):
    rng = np.random.default_rng(5)
    X, y = training_data(rng, 400, n_classes)
    classifier = train(catboost, X, y, iterations=50, learning_rate=0.25, grow_policy=policy)
    for model in (
        reader.convert(classifier),
        reader.convert_file(save(classifier, tmp_path / "m.cbm")),
        reader.convert_file(save(classifier, tmp_path / "m.json")),
    ):
        rows = np.concatenate([X, hard_rows(rng, model)])
        assert np.array_equal(model.score(rows), raw(classifier, rows))


@pytest.mark.parametrize("policy", ["SymmetricTree", "Depthwise", "Lossguide"])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_both_files_give_the_model_of_the_object(catboost, tmp_path, policy, n_classes):
    X, y = training_data(np.random.default_rng(1), 300, n_classes)
    names = np.array(["a", "b", "c"])[y]
    classifier = train(catboost, X, names, grow_policy=policy, nan_mode="Max", depth=5)
    model = reader.convert(classifier)
    assert model.classes.tolist() == ["a", "b", "c"][:n_classes]
    assert model.feature_names == ("0", "1", "2")
    assert model.categories == (None, None, None)
    assert model.predict(X).tolist() == classifier.predict(X).ravel().tolist()
    for path in (tmp_path / "m.cbm", tmp_path / "m.json"):
        save(classifier, path)
        assert reader.matches_file(path.read_bytes()[:4096])
        assert reader.convert_file(path) == model


def test_json_has_all_digits_of_weights(catboost, tmp_path):
    X, y = training_data(np.random.default_rng(1), 300, 2)
    classifier = train(catboost, X, y, class_weights=[0.3, 0.1])
    model = reader.convert(classifier)
    assert reader.convert_file(save(classifier, tmp_path / "m.json")) == model


@pytest.mark.parametrize("policy", ["SymmetricTree", "Lossguide"])
def test_drawn_values_are_means_of_leaves_by_weight_over_the_rate(catboost, policy):
    X, y = training_data(np.random.default_rng(2), 300, 2)
    classifier = train(catboost, X, y, learning_rate=0.1, grow_policy=policy)
    ensemble = reader.convert(classifier).ensembles[0]
    assert ensemble.leverage.tolist() == [0.1] * 6
    assert ensemble.base_value == 0.0
    values, weights = classifier.get_leaf_values(), classifier.get_leaf_weights()
    leaves = [tree.value[tree.is_leaf] for tree in ensemble.trees]
    assert np.sort(np.concatenate(leaves)) == pytest.approx(np.sort(values / 0.1), rel=1e-12)
    first = ensemble.trees[0]
    n = first.n_leaves
    assert first.weight[0] == weights[:n].sum() == 300.0
    assert first.value[0] == pytest.approx(np.average(values[:n], weights=weights[:n]) / 0.1)
    assert (first.count == -1).all()


def test_symmetric_trees_test_the_first_split_at_the_root_and_keep_empty_leaves(catboost, tmp_path):
    X, y = training_data(np.random.default_rng(2), 60, 2)
    classifier = train(catboost, X, y, depth=6, iterations=10)
    document = json.loads(save(classifier, tmp_path / "m.json").read_text())
    trees = reader.convert(classifier).ensembles[0].trees
    n_empty = 0
    for tree, wanted in zip(trees, document["oblivious_trees"], strict=True):
        splits = [(split["float_feature_index"], split["border"]) for split in wanted["splits"]]
        for node in np.flatnonzero(~tree.is_leaf):
            assert (tree.feature[node], tree.threshold[node]) == splits[tree.depth[node]]
        assert tree.n_leaves == 2 ** len(splits)
        assert (tree.weight[tree.is_leaf] == 0.0).sum() == wanted["leaf_weights"].count(0)
        n_empty += wanted["leaf_weights"].count(0)
    assert n_empty > 0


@pytest.mark.parametrize("loss", ["MultiClass", "MultiClassOneVsAll"])
def test_scale_and_bias_of_every_class_count(catboost, tmp_path, loss):
    X, y = training_data(np.random.default_rng(3), 200, 3)
    classifier = train(catboost, X, y, loss_function=loss)
    plain = reader.convert(classifier)
    classifier.set_scale_and_bias(2.5, [1.0, -2.0, 0.25])
    model = reader.convert(classifier)
    check_scores(model, classifier, X)
    assert [ensemble.base_value for ensemble in model.ensembles] == [1.0, -2.0, 0.25]
    assert model.ensembles[0].trees == plain.ensembles[0].trees
    assert reader.convert_file(save(classifier, tmp_path / "m.json")) == model
    expected = classifier.predict_proba(X)
    if loss == "MultiClassOneVsAll":  # CatBoost does not normalize them
        expected = expected / expected.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(model.predict_proba(X), expected, atol=1e-12)
    assert model.predict(X).tolist() == classifier.predict(X).ravel().tolist()


def test_the_average_is_the_base_value(catboost):
    X, y = training_data(np.random.default_rng(3), 200, 2)
    y[:150] = 0
    classifier = train(catboost, X, y, boost_from_average=True)
    model = reader.convert(classifier)
    share = y.mean()
    assert model.ensembles[0].base_value == pytest.approx(np.log(share / (1.0 - share)), rel=1e-6)
    check_scores(model, classifier, X)


@pytest.mark.parametrize("labels", [[3, 7], [False, True], ["no", "yes"], [0.5, 2.0]])
def test_classes_are_those_of_the_labels(catboost, tmp_path, labels):
    X, y = training_data(np.random.default_rng(4), 100, 2)
    classifier = train(catboost, X, np.array(labels)[y])
    for model in (
        reader.convert(classifier),
        reader.convert_file(save(classifier, tmp_path / "m.cbm")),
    ):
        assert model.classes.tolist() == labels
        assert model.classes.dtype.kind == np.array(labels).dtype.kind
        assert [str(x) for x in model.predict(X)] == [str(x) for x in classifier.predict(X)]


@pytest.mark.filterwarnings("ignore:Found only")
@pytest.mark.parametrize("given", [{"class_names": [5, 6, 7, 8]}, {"classes_count": 9}])
def test_classes_without_examples_are_left_out(catboost, tmp_path, given):
    X, y = training_data(np.random.default_rng(4), 200, 3)
    y = np.array([5, 7, 8])[y] if "class_names" in given else np.array([0, 2, 8])[y]
    classifier = train(catboost, X, y, loss_function="MultiClass", **given)
    for model in (
        reader.convert(classifier),
        reader.convert_file(save(classifier, tmp_path / "m.json")),
    ):
        assert model.classes.tolist() == sorted(set(y.tolist()))
        assert model.predict(X).tolist() == classifier.predict(X).ravel().tolist()
        kept = np.searchsorted(classifier.classes_, model.classes)
        expected = classifier.predict_proba(X)[:, kept]
        np.testing.assert_allclose(model.predict_proba(X), expected, atol=1e-12)


def test_a_model_that_stopped_early_has_its_best_trees(catboost):
    rng = np.random.default_rng(3)
    X, y = training_data(rng, 400, 2)
    y[rng.random(400) < 0.3] = 1
    classifier = catboost.CatBoostClassifier(**options(iterations=300, early_stopping_rounds=3))
    classifier.fit(X[:250], y[:250], eval_set=(X[250:], y[250:]))
    model = reader.convert(classifier)
    assert len(model.ensembles[0].trees) == classifier.best_iteration_ + 1 < 300
    rate = classifier.get_all_params()["learning_rate"]
    assert model.ensembles[0].leverage[0] == pytest.approx(rate, rel=1e-6)
    check_scores(model, classifier, X)


def test_trees_that_are_single_leaves_are_read(catboost, tmp_path):
    X, y = training_data(np.random.default_rng(3), 100, 2)
    classifier = train(
        catboost, X, y, grow_policy="Lossguide", min_data_in_leaf=1000, boost_from_average=True
    )
    model = reader.convert(classifier)
    assert {tree.n_nodes for tree in model.ensembles[0].trees} == {1}
    check_scores(model, classifier, X)
    assert reader.convert_file(save(classifier, tmp_path / "m.json")) == model


@pytest.mark.parametrize("loss", ["CrossEntropy", "Focal:focal_alpha=0.4;focal_gamma=2.0"])
def test_other_losses_of_two_classes_are_logistic(catboost, loss):
    rng = np.random.default_rng(3)
    X, y = training_data(rng, 200, 2)
    target = y * 0.8 if loss == "CrossEntropy" else y
    model = catboost.CatBoost(options(loss_function=loss)).fit(X, target)
    ours = reader.convert(model)
    assert ours.classes.tolist() == [0, 1]
    check_scores(ours, model, X)
    expected = model.predict(X, prediction_type="Probability")
    np.testing.assert_allclose(ours.predict_proba(X), expected, atol=1e-12)


def test_a_catboost_object_is_read_by_its_loss(catboost):
    X, y = training_data(np.random.default_rng(3), 200, 3)
    model = catboost.CatBoost(options(loss_function="MultiClass")).fit(X, y)
    ours = reader.convert(model)
    assert ours.link == "softmax"
    check_scores(ours, model, X)
    with pytest.raises(UnsupportedModelError, match="RMSE"):
        reader.convert(catboost.CatBoost(options(loss_function="RMSE")).fit(X, y))


def test_a_sum_of_models_predicts_the_same_in_units_of_one(catboost):
    X, y = training_data(np.random.default_rng(3), 200, 2)
    parts = [train(catboost, X, y, learning_rate=rate) for rate in (0.1, 0.4)]
    total = catboost.sum_models(parts, weights=[0.5, 0.25])
    with pytest.warns(UserWarning, match="does not have its learning rate: 1 was taken"):
        model = reader.convert(total)
    check_scores(model, total, X)
    assert model.ensembles[0].leverage.tolist() == [1.0] * 12


def test_another_threshold_is_a_warning(catboost):
    X, y = training_data(np.random.default_rng(3), 200, 2)
    classifier = train(catboost, X, y)
    classifier.set_probability_threshold(0.3)
    with pytest.warns(UserWarning, match="at probability 0.3"):
        model = reader.convert(classifier)
    decided = model.predict_proba(X)[:, 1] > 0.3
    assert decided.astype(int).tolist() == classifier.predict(X).tolist()


def test_names_of_columns_and_ignored_ones_are_kept(catboost, require):
    pd = require("pandas")
    X, y = training_data(np.random.default_rng(3), 200, 2)
    table = pd.DataFrame(X, columns=["age", "Größe", "last"])
    classifier = train(catboost, table, y, ignored_features=["last"])
    model = reader.convert(classifier)
    assert model.feature_names == ("age", "Größe", "last")
    assert model.score(table) == pytest.approx(raw(classifier, table), rel=1e-12)


def test_regressors_rankers_and_other_objects_are_refused(catboost):
    X, y = training_data(np.random.default_rng(0), 100, 2)
    regressor = catboost.CatBoostRegressor(**options()).fit(X, y)
    ranker = catboost.CatBoostRanker(**options()).fit(X, y, group_id=np.arange(100) // 10)
    for model in (regressor, ranker, catboost.Pool(X, y)):
        assert find_library(model) == "catboost"
        with pytest.raises(UnsupportedModelError, match=f"got {type(model).__name__}"):
            reader.convert(model)
    assert find_library(X) is None


def test_a_model_that_is_not_fitted_is_refused(catboost):
    with pytest.raises(ValueError, match="must be fitted"):
        reader.convert(catboost.CatBoostClassifier())


def test_files_of_regressors_and_of_several_labels_are_refused(catboost, tmp_path):
    X, y = training_data(np.random.default_rng(0), 100, 2)
    regressor = catboost.CatBoostRegressor(**options()).fit(X, y)
    several = train(catboost, X, np.stack([y, 1 - y], axis=1), loss_function="MultiLogloss")
    for model, loss in ((regressor, "RMSE"), (several, "MultiLogloss")):
        for name in ("m.cbm", "m.json"):
            with pytest.raises(UnsupportedModelError, match=loss):
                reader.convert_file(save(model, tmp_path / name))
