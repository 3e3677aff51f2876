"""CatBoost's features: categories with their labels, and what is refused."""

import json

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import horotree
from horotree.importers import UnsupportedModelError
from horotree.importers.catboost import reader
from tests.importers.catboost.test_reader import options, raw, save
from tests.importers.foreign import training_data
from tests.importers.formats.test_flatbuffers import Numbers, encode

few = settings(
    max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None
)

CITIES = ["Bern", "Genève", "Oslo", "Rome", "7"]


@pytest.fixture
def catboost(require):
    return require("catboost")


@pytest.fixture
def pd(require):
    return require("pandas")


def mixed_table(pd, rng, n, *, unseen=False):
    X, _ = training_data(rng, n, 2)
    table = pd.DataFrame({"city": rng.choice(CITIES, n), "a": X[:, 0]})
    table["code"] = rng.choice([1, 2, 30, -4], n)
    table["b"] = X[:, 1]
    table["unused"] = "same"
    if unseen:
        table.loc[::3, "city"] = rng.choice(["", "Paris", "07", "7.0", "bern"], len(table[::3]))
        table.loc[::5, "code"] = 99
        table["unused"] = rng.choice(["same", "other"], n)
    return table


def fit_mixed(catboost, pd, seed=0, **parameters):
    rng = np.random.default_rng(seed)
    table = mixed_table(pd, rng, 300)
    score = np.nan_to_num(table.a) + 2.0 * table.city.isin(["Rome", "7"]) + (table.code == 30)
    score -= table.code == -4
    y = (score + rng.normal(0.0, 0.3, 300) > 0.8).astype(int)
    cats = ["city", "code", "unused"]
    given = options(one_hot_max_size=50, cat_features=cats, iterations=10, **parameters)
    classifier = catboost.CatBoostClassifier(**given).fit(table, y)
    return table, classifier, catboost.Pool(table, y, cat_features=cats)


@few
@given(
    st.sampled_from(["SymmetricTree", "Depthwise", "Lossguide"]),
    st.integers(1, 7),
    st.integers(0, 2**32 - 1),
)
def test_splits_by_categories_are_read_with_their_labels(
    catboost, pd, tmp_path, policy, depth, seed
):
    table, classifier, pool = fit_mixed(catboost, pd, seed, grow_policy=policy, depth=depth)
    model = reader.convert_file(save(classifier, tmp_path / "m.json", pool))
    assert model.feature_names == ("city", "a", "code", "b", "unused")
    assert model.categories[1] is None
    assert model.categories[4] == ()
    assert set(model.categories[0]) <= {*CITIES, 7}
    for seen in (table, mixed_table(pd, np.random.default_rng(seed), 200, unseen=True)):
        expected = raw(classifier, seen)
        np.testing.assert_allclose(model.score(seen), expected, rtol=1e-12, atol=1e-12)
        # CatBoost takes a whole number and its text for the same category.
        as_text = seen.assign(code=seen.code.astype(str))
        np.testing.assert_allclose(model.score(as_text), expected, rtol=1e-12, atol=1e-12)
        assert np.array_equal(raw(classifier, as_text), expected)


def test_a_model_with_categories_is_saved_and_loaded(catboost, pd, tmp_path):
    table, classifier, pool = fit_mixed(catboost, pd)
    model = reader.convert_file(save(classifier, tmp_path / "m.json", pool))
    assert any(len(tree.category) for tree in model.ensembles[0].trees)
    horotree.save(model, tmp_path / "m.horotree")
    loaded = horotree.load(tmp_path / "m.horotree")
    assert np.array_equal(loaded.score(table), model.score(table))


def test_splits_by_categories_without_labels_are_refused_with_what_to_do(catboost, pd, tmp_path):
    _, classifier, _ = fit_mixed(catboost, pd)
    with pytest.raises(UnsupportedModelError, match=r"hashes of feature 'city'.*pool=Pool"):
        reader.convert(classifier)
    for name in ("m.cbm", "m.json"):
        with pytest.raises(UnsupportedModelError, match=r"hashes of feature 'city'.*pool=Pool"):
            reader.convert_file(save(classifier, tmp_path / name))


def test_labels_that_are_not_all_there_are_refused(catboost, pd, tmp_path):
    _, classifier, pool = fit_mixed(catboost, pd)
    path = save(classifier, tmp_path / "m.json", pool)
    document = json.loads(path.read_text())
    document["features_info"]["cat_features_hash"] = [
        pair for pair in document["features_info"]["cat_features_hash"] if pair["value"] != "Rome"
    ]
    path.write_text(json.dumps(document))
    with pytest.raises(UnsupportedModelError, match="hashes of feature 'city'"):
        reader.convert_file(path)


def test_categories_that_no_tree_tests_are_columns(catboost, pd):
    X, y = training_data(np.random.default_rng(0), 200, 2)
    table = pd.DataFrame(X, columns=["a", "b", "c"])
    table.insert(1, "city", "Bern")
    classifier = catboost.CatBoostClassifier(**options(cat_features=["city"])).fit(table, y)
    model = reader.convert(classifier)
    assert model.feature_names == ("a", "city", "b", "c")
    assert model.categories == (None, (), None, None)
    np.testing.assert_allclose(model.score(table), raw(classifier, table), rtol=1e-12)


def test_statistics_by_category_are_refused_with_what_to_do(catboost, pd, tmp_path):
    rng = np.random.default_rng(0)
    X, y = training_data(rng, 200, 2)
    table = pd.DataFrame(X, columns=["a", "b", "c"]).assign(city=rng.choice(list("abcdefgh"), 200))
    y = y | (table.city == "a")
    classifier = catboost.CatBoostClassifier(**options(cat_features=["city"])).fit(table, y)
    for name in ("m.cbm", "m.json"):
        path = save(classifier, tmp_path / name)
        assert reader.matches_file(path.read_bytes()[:4096])
        with pytest.raises(UnsupportedModelError, match=r"CTR.*one_hot_max_size"):
            reader.convert_file(path)


@pytest.mark.parametrize("kind", ["text", "embedding"])
def test_texts_and_embeddings_are_refused(catboost, pd, kind):
    rng = np.random.default_rng(0)
    X, y = training_data(rng, 200, 2)
    table = pd.DataFrame(X, columns=["a", "b", "c"])
    table["t"] = rng.choice(["hello world", "x y", "one two three"], 200)
    if kind == "embedding":
        table["t"] = list(rng.normal(size=(200, 3)))
    given = options(**{f"{kind}_features": ["t"]})
    classifier = catboost.CatBoostClassifier(**given).fit(table, y)
    with pytest.raises(UnsupportedModelError, match=f"{kind} features.*train on"):
        reader.convert(classifier)


def old_file(bias, labels, treatment):
    """Return a .cbm file of a stump by a number and one by a category, of few fields."""
    number = [("bool", True), ("int32", 0), ("int32", 1), Numbers([0.5], "float32"), "size"]
    number += [("int8", treatment)]
    category = [("int32", 0), ("int32", 0), "city"]
    one_hot = [("int32", 0), Numbers([-5], "int32"), labels]
    trees = [("int32", 1), Numbers([0, 1], "int32"), Numbers([1, 1], "int32"), None]
    trees += [[category], [number], [one_hot], None, Numbers([1.0, 2.0, 10.0, 20.0], "float64")]
    trees += [None] * 6 + [None if bias is None else ("float64", bias)]
    params = {"loss_function": {"type": "Logloss"}, "boosting_options": {"learning_rate": 0.5}}
    core = encode([None, trees, [["params", json.dumps(params)]]])
    return b"CBM1" + len(core).to_bytes(4, "little") + core


@pytest.mark.parametrize("bias", [None, 3.0])
@pytest.mark.parametrize("treatment", [0, 1, 2])
def test_a_file_with_one_bias_labels_and_no_weights_is_read(pd, tmp_path, bias, treatment):
    path = tmp_path / "m.cbm"
    path.write_bytes(old_file(bias, ["Rome"], treatment))
    model = reader.convert_file(path)
    table = pd.DataFrame({"city": ["Rome", "Bern", "Rome"], "size": [0.5, 0.51, np.nan]})
    expected = np.array([1.0 + 20.0, 2.0 + 10.0, (2.0 if treatment == 2 else 1.0) + 20.0])
    assert model.score(table).tolist() == (expected + (bias or 0.0)).tolist()
    first, second = model.ensembles[0].trees
    assert first.value.tolist() == [3.0, 2.0, 4.0]
    assert second.value.tolist() == [30.0, 40.0, 20.0]
    assert np.isnan(first.weight).all()
    assert model.classes.tolist() == [0, 1]
