"""YDF's models: the same leaves, and probabilities to the last bits of its float32."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from horotree.importers import UnsupportedModelError, find_library
from horotree.importers.ydf import reader
from tests.importers.foreign import adversarial_rows, training_data

few = settings(
    max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None
)

NUMBERS = ["a", "b", "c"]


@pytest.fixture
def ydf(require):
    library = require("ydf")
    library.verbose(0)
    return library


@pytest.fixture
def pd(require):
    return require("pandas")


def make_table(pd, rng, n, n_classes, missing=0.1):
    """Return numbers, categories (some of them rare) with missing ones, booleans, and classes."""
    X, y = training_data(rng, n, n_classes, codes=12, missing=missing)
    table = pd.DataFrame(X[:, :3], columns=NUMBERS)
    table["s"] = names_of(X[:, 3])
    table["t"] = rng.random(n) < 0.4
    return table, (y + (table.t & (rng.random(n) < 0.3))) % n_classes


def names_of(codes):
    names = np.array([f"c{code:.0f}" for code in np.nan_to_num(codes)], object)
    names[np.isnan(codes)] = None
    return names


def odd_rows(pd, rng, model, n=300):
    """Return rows on and next to thresholds, with missing and unseen values."""
    X = np.concatenate(
        [adversarial_rows(rng, model, n, codes=12, dtype=dtype) for dtype in (np.float32, float)]
    )
    table = pd.DataFrame(X[:, :3], columns=NUMBERS)
    table["s"] = names_of(X[:, 4])
    table["t"] = rng.random(len(X)) < 0.5
    return table


def put_other(model, rows):
    """Return rows with "<OOD>" in place of labels that are out of the dictionary, if it is one."""
    if "<OOD>" not in model.categories[3]:
        return rows
    known = rows.s.isna() | rows.s.isin(list(model.categories[3]))
    names = rows.s.to_numpy(object).copy()
    names[~known] = "<OOD>"
    return rows.assign(s=names)


def train(learner, table, y, **options):
    return learner(label="y", num_threads=1, **options).train(table.assign(y=y), verbose=0)


def probabilities(foreign, rows, *, slow=True):
    found = foreign.predict(rows, use_slow_engine=slow)
    return np.stack([1.0 - found, found], axis=1) if found.ndim == 1 else found


def texts(classes):
    """Return classes as YDF writes them."""
    return [str(x).lower() if isinstance(x, bool) else str(x) for x in classes.tolist()]


def check(model, foreign, rows, tolerance=1e-6):
    """Compare probabilities, classes and leaves. Leaves are numbered differently."""
    assert model.feature_names == tuple(foreign.input_feature_names())
    expected = probabilities(foreign, rows)
    np.testing.assert_allclose(model.predict_proba(rows), expected, atol=tolerance, rtol=0)
    best = np.sort(expected, axis=1)
    clear = best[:, -1] - best[:, -2] > 2.0 * tolerance
    classes = foreign.predict_class(rows, use_slow_engine=True)
    assert (np.array(texts(model.predict(rows))) == classes)[clear].all()
    leaves = foreign.predict_leaves(rows.assign(y=model.classes[0], w=1.0))
    n = len(model.ensembles)
    for k, ensemble in enumerate(model.ensembles):
        ours = ensemble.apply(model.to_matrix(rows))
        theirs = leaves if model.link == "mean" else leaves[:, k::n]
        assert ours.shape == theirs.shape
        for j in range(ours.shape[1]):
            pairs = set(zip(ours[:, j].tolist(), theirs[:, j].tolist(), strict=True))
            assert len(pairs) == len(np.unique(ours[:, j])) == len(np.unique(theirs[:, j]))


boosting_options = st.fixed_dictionaries(
    {
        "num_trees": st.integers(1, 6),
        "shrinkage": st.sampled_from([0.05, 0.3, 1.0]),
        "max_depth": st.integers(2, 6),
        "min_examples": st.integers(2, 9),
        "l2_regularization": st.sampled_from([0.0, 1.5]),
        "use_hessian_gain": st.booleans(),
        "subsample": st.sampled_from([0.6, 1.0]),
        "early_stopping": st.sampled_from(["NONE", "LOSS_INCREASE"]),
        "discretize_numerical_columns": st.booleans(),
        "categorical_algorithm": st.sampled_from(["CART", "RANDOM"]),
        "growing_strategy": st.sampled_from(["LOCAL", "BEST_FIRST_GLOBAL"]),
        "missing_value_policy": st.sampled_from(["GLOBAL_IMPUTATION", "LOCAL_IMPUTATION"]),
        "random_seed": st.integers(0, 1000),
    }
)


# From one tree of three nodes nobody can tell the learning rate and an l2 regularization apart.
@pytest.mark.filterwarnings("ignore:the model does not have its learning rate")
@pytest.mark.filterwarnings("ignore:this model does not treat labels")
@few
@given(boosting_options, st.integers(2, 4), st.integers(0, 2**32 - 1))
def test_boosted_trees_predict_what_ydf_does(ydf, pd, options, n_classes, seed):
    rng = np.random.default_rng(seed)
    table, y = make_table(pd, rng, 200, n_classes)
    foreign = train(ydf.GradientBoostedTreesLearner, table, y, **options)
    model = reader.convert(foreign)
    assert len(model.ensembles[0].trees) * len(model.ensembles) == foreign.num_trees()
    check(model, foreign, put_other(model, table))
    rows = put_other(model, odd_rows(pd, rng, model))
    check(model, foreign, rows)
    if options["missing_value_policy"] == "GLOBAL_IMPUTATION":  # others have no fast engine
        expected = probabilities(foreign, rows, slow=False)
        np.testing.assert_allclose(model.predict_proba(rows), expected, atol=1e-6, rtol=0)


forest_options = st.fixed_dictionaries(
    {
        "num_trees": st.integers(1, 9),
        "max_depth": st.integers(2, 12),
        "min_examples": st.integers(1, 9),
        "winner_take_all": st.booleans(),
        "honest": st.booleans(),
        "bootstrap_training_dataset": st.booleans(),
        "keep_non_leaf_label_distribution": st.booleans(),
        "discretize_numerical_columns": st.booleans(),
        "categorical_algorithm": st.sampled_from(["CART", "RANDOM"]),
        "missing_value_policy": st.sampled_from(["GLOBAL_IMPUTATION", "LOCAL_IMPUTATION"]),
        "pure_serving_model": st.booleans(),
        "random_seed": st.integers(0, 1000),
    }
)


@pytest.mark.filterwarnings("ignore:this model does not treat labels")
@few
@given(forest_options, st.integers(2, 4), st.integers(0, 2**32 - 1))
def test_random_forests_predict_what_ydf_does(ydf, pd, options, n_classes, seed):
    rng = np.random.default_rng(seed)
    table, y = make_table(pd, rng, 200, n_classes)
    foreign = train(ydf.RandomForestLearner, table, y, compute_oob_performances=False, **options)
    model = reader.convert(foreign)
    check(model, foreign, put_other(model, table))
    rows = put_other(model, odd_rows(pd, rng, model))
    check(model, foreign, rows)
    if options["missing_value_policy"] == "GLOBAL_IMPUTATION":  # others have no fast engine
        expected = probabilities(foreign, rows, slow=False)
        np.testing.assert_allclose(model.predict_proba(rows), expected, atol=1e-6, rtol=0)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_a_single_tree_predicts_what_ydf_does(ydf, pd, n_classes):
    rng = np.random.default_rng(1)
    table, y = make_table(pd, rng, 500, n_classes)
    foreign = train(ydf.CartLearner, table, y)
    model = reader.convert(foreign)
    assert model.link == "mean"
    assert len(model.ensembles[0].trees) == 1
    check(model, foreign, table)
    check(model, foreign, odd_rows(pd, rng, model))
    tree = model.ensembles[0].trees[0]
    assert tree.count[0] == foreign.get_tree(0).root.value.num_examples


@pytest.mark.parametrize("policy", ["LOCAL_IMPUTATION", "GLOBAL_IMPUTATION"])
@pytest.mark.parametrize("learner", ["GradientBoostedTreesLearner", "RandomForestLearner"])
@pytest.mark.filterwarnings("ignore:this model does not treat labels")
def test_missing_values_that_mean_something(ydf, pd, policy, learner):
    rng = np.random.default_rng(2)
    table, y = make_table(pd, rng, 800, 2, missing=0.3)
    y = y ^ (table.a.isna() & ~table.s.isna())
    more = {"missing_value_policy": policy, "allow_na_conditions": True, "num_trees": 12}
    foreign = train(getattr(ydf, learner), table, y, **more)
    model = reader.convert(foreign)
    asks_missing = [(tree.threshold > 1e300).any() for tree in model.ensembles[0].trees]
    assert any(asks_missing)
    for rows in (table, odd_rows(pd, rng, model)):
        check(model, foreign, put_other(model, rows))


@pytest.mark.parametrize("n_trees", [1, 2, 6, 10, 20, 22, 30, 100])
def test_ties_of_votes_are_decided_as_by_ydf(ydf, pd, n_trees):
    rng = np.random.default_rng(3)
    table, y = make_table(pd, rng, 300, 2)
    y = np.where(rng.random(300) < 0.4, 1 - y, y)
    foreign = train(
        ydf.RandomForestLearner,
        table,
        y,
        num_trees=n_trees,
        max_depth=4,
        compute_oob_performances=False,
    )
    rows = odd_rows(pd, rng, reader.convert(foreign), 500)
    classes = foreign.predict_class(rows)
    assert (reader.convert(foreign).predict(rows).astype(str) == classes).all()


def test_shares_are_drawn_and_votes_added(ydf, pd):
    rng = np.random.default_rng(4)
    table, y = make_table(pd, rng, 400, 3)
    foreign = train(ydf.RandomForestLearner, table, y, num_trees=3)
    model = reader.convert(foreign)
    shares = foreign.get_tree(1).root.value.probability
    for k, ensemble in enumerate(model.ensembles):
        tree = ensemble.trees[1]
        assert tree.posterior[0] == pytest.approx(shares[k], rel=1e-12)
        assert set(tree.output[tree.is_leaf]) <= {0.0, 1.0}
        assert tree.weight[0] == tree.count[0] == 400
        pure = tree.is_leaf & (tree.confidence == np.log1p(2.0 * tree.weight))
        assert pure.any()


def test_examples_that_weigh_more(ydf, pd):
    rng = np.random.default_rng(5)
    table, y = make_table(pd, rng, 400, 2)
    weighted = table.assign(w=rng.random(400) * 5.0)
    for learner in (ydf.RandomForestLearner, ydf.GradientBoostedTreesLearner):
        foreign = train(learner, weighted, y, num_trees=4, weights="w")
        model = reader.convert(foreign)
        check(model, foreign, table)
        tree = model.ensembles[0].trees[0]
        assert tree.weight[0] != pytest.approx(tree.count[0], rel=1e-3)
        below = tree.weight[tree.left[0]] + tree.weight[tree.right[0]]
        assert tree.weight[0] == pytest.approx(below, rel=1e-6)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"shrinkage": 0.03},
        {"shrinkage": 0.2, "l2_regularization": 2.0},
        {"shrinkage": 0.2, "l1_regularization": 1.0},
        {"shrinkage": 0.15, "l1_regularization": 1.0, "l2_regularization": 3.0},
        {"shrinkage": 0.25, "use_hessian_gain": True, "l2_regularization": 2.0},
        {"shrinkage": 0.4, "sampling_method": "GOSS"},
        {"shrinkage": 0.4, "subsample": 0.5, "early_stopping": "NONE"},
        {"forest_extraction": "DART", "dart_dropout": 0.3},
    ],
)
@pytest.mark.parametrize("n_classes", [2, 3])
def test_the_leverage_is_the_shrinkage(ydf, pd, options, n_classes):
    table, y = make_table(pd, np.random.default_rng(6), 600, n_classes)
    foreign = train(ydf.GradientBoostedTreesLearner, table, y, num_trees=5, **options)
    ensemble = reader.convert(foreign).ensembles[0]
    assert ensemble.leverage.tolist() == [options.get("shrinkage", 0.1)] * len(ensemble.trees)
    assert ensemble.base_value == pytest.approx(foreign.initial_predictions()[0], abs=1e-12)
    tree = ensemble.trees[0]
    leaf = tree.is_leaf
    mean = np.average(tree.value[leaf], weights=tree.weight[leaf])
    assert tree.value[0] == pytest.approx(mean, abs=1e-12)
    assert tree.count[0] == tree.weight[0] > 200


@pytest.mark.parametrize(
    ("n_classes", "options"),
    [
        (2, {"loss": "BINARY_FOCAL_LOSS"}),
        (2, {"pure_serving_model": True}),
        (2, {"loss": "MULTINOMIAL_LOG_LIKELIHOOD", "pure_serving_model": True}),
        (3, {"multinomial_initial_class_priors": True, "pure_serving_model": True}),
    ],
)
def test_where_the_shrinkage_is_not_known_it_is_said(ydf, pd, n_classes, options):
    table, y = make_table(pd, np.random.default_rng(7), 400, n_classes)
    foreign = train(ydf.GradientBoostedTreesLearner, table, y, num_trees=5, **options)
    with pytest.warns(UserWarning, match="does not have its learning rate: 1 was taken"):
        model = reader.convert(foreign)
    assert model.ensembles[0].leverage.tolist() == [1.0] * len(model.ensembles[0].trees)
    check(model, foreign, table)


def test_class_priors_and_logits(ydf, pd):
    rng = np.random.default_rng(8)
    table, y = make_table(pd, rng, 400, 3)
    options = {"num_trees": 5, "multinomial_initial_class_priors": True}
    foreign = train(ydf.GradientBoostedTreesLearner, table, y, **options)
    model = reader.convert(foreign)
    assert all(ensemble.base_value != 0.0 for ensemble in model.ensembles)
    check(model, foreign, table)
    options = {"num_trees": 40, "apply_link_function": False}
    foreign = train(ydf.GradientBoostedTreesLearner, table, y > 0, **options)
    margin = foreign.predict(table)
    np.testing.assert_allclose(reader.convert(foreign).score(table), margin, atol=2e-6)


def test_categories_of_other_types(ydf, pd):
    rng = np.random.default_rng(9)
    n = 600
    table = pd.DataFrame(
        {
            "k": rng.integers(-3, 9, n),
            "g": rng.integers(0, 7, n),
            "f": rng.random(n) < 0.5,
            "s": rng.choice(["é", "x", "ß y"], n),
        }
    )
    y = (table.k % 3 == 1) ^ (table.g == 3) ^ (table.f & (table.s == "é"))
    features = [
        ydf.Feature("k", ydf.Semantic.CATEGORICAL),
        ydf.Feature("g", ydf.Semantic.CATEGORICAL, is_already_integerized=True),
        ydf.Feature("f", ydf.Semantic.CATEGORICAL),
        "s",
    ]
    foreign = train(ydf.GradientBoostedTreesLearner, table, y, num_trees=9, features=features)
    model = reader.convert(foreign)
    assert sorted(model.categories[0]) == list(range(-3, 9))
    assert model.categories[1] == tuple(range(7))
    assert model.categories[2] == (False, True)
    assert sorted(model.categories[3]) == ["x", "ß y", "é"]
    assert model.classes.tolist() == [False, True]
    rows = table.assign(k=rng.integers(-9, 20, n), g=rng.integers(-1, 7, n))
    for X in (table, rows):
        np.testing.assert_allclose(
            model.predict_proba(X)[:, 1], foreign.predict(X), rtol=0, atol=1e-6
        )


def test_many_categories_of_which_few_are_asked(ydf, pd):
    rng = np.random.default_rng(10)
    table, y = make_table(pd, rng, 3000, 2)
    table["s"] = [f"c{code}" for code in rng.zipf(1.3, 3000) % 900]
    y = y ^ (table.s == "c5")
    foreign = train(ydf.GradientBoostedTreesLearner, table, y, num_trees=4, min_vocab_frequency=1)
    model = reader.convert(foreign)
    assert len(model.categories[3]) > 60
    check(model, foreign, table)


@pytest.mark.parametrize(
    "labels", [["no", "yes"], [0, 1], [7, -2], [True, False], ["x", "é", "z"], [3, 10, 2]]
)
def test_classes_are_as_they_were_in_training(ydf, pd, labels):
    table, y = make_table(pd, np.random.default_rng(11), 200, len(labels))
    foreign = train(ydf.CartLearner, table, np.array(labels)[y])
    model = reader.convert(foreign)
    assert sorted(model.classes.tolist()) == sorted(labels)
    assert texts(model.predict(table)) == foreign.predict_class(table).tolist()
    expected = probabilities(foreign, table)
    np.testing.assert_allclose(model.predict_proba(table), expected, atol=1e-6)


@pytest.mark.parametrize("name", ["BLOB_SEQUENCE", "BLOB_SEQUENCE_GZIP"])
def test_saved_folders(ydf, pd, tmp_path, name):
    table, y = make_table(pd, np.random.default_rng(12), 300, 3)
    foreign = train(ydf.RandomForestLearner, table, y, num_trees=5)
    foreign.set_node_format(ydf.NodeFormat[name])
    path = tmp_path / "model"
    foreign.save(str(path))
    assert reader.matches_folder(path)
    model = reader.convert(foreign)
    assert reader.convert_file(path) == model
    options = ydf.ModelIOOptions(file_prefix="mine_")
    foreign.save(str(tmp_path / "other"), options)
    assert reader.matches_folder(tmp_path / "other")
    assert reader.convert_file(tmp_path / "other") == model
    foreign.save(str(tmp_path / "pure"), pure_serving=True)
    check(reader.convert_file(tmp_path / "pure"), foreign, table)


def test_columns_are_those_of_the_training_table_and_of_numpy(ydf):
    rng = np.random.default_rng(13)
    X = rng.normal(size=(300, 3)).astype(np.float32)
    y = (X[:, 0] + X[:, 2] > 0).astype(int)
    foreign = ydf.GradientBoostedTreesLearner(label="y", num_trees=4).train({"x": X, "y": y})
    model = reader.convert(foreign)
    assert model.feature_names == ("x.0_of_3", "x.1_of_3", "x.2_of_3")
    found = model.predict_proba(X)[:, 1]
    np.testing.assert_allclose(found, foreign.predict({"x": X}), atol=1e-6)


def make_refused(ydf, pd):
    """Return functions that make models of other kinds."""
    rng = np.random.default_rng(14)
    table, y = make_table(pd, rng, 200, 2)
    table = table[NUMBERS].fillna(0.0)
    boosting, forest, task = ydf.GradientBoostedTreesLearner, ydf.RandomForestLearner, ydf.Task
    ranked = table.assign(group=np.repeat(np.arange(20), 10).astype(str))
    treated = table.assign(treated=rng.choice(["0", "1"], 200))
    data = {name: table[name].to_numpy() for name in NUMBERS} | {"y": np.asarray(y)}
    data["w"] = np.array([["x", "y"][: j % 3] for j in range(200)], object)
    words = [*NUMBERS, ("w", ydf.Semantic.CATEGORICAL_SET)]
    few = {"num_trees": 2}
    ranking = {"task": task.RANKING, "ranking_group": "group"}
    uplift = {"task": task.CATEGORICAL_UPLIFT, "uplift_treatment": "treated"}
    return {
        "oblique": lambda: train(forest, table, y, split_axis="SPARSE_OBLIQUE", **few),
        "regression": lambda: train(boosting, table, table.a, task=task.REGRESSION, **few),
        "ranking": lambda: train(boosting, ranked, y.astype(float), **ranking, **few),
        "uplift": lambda: train(forest, treated, y, **uplift, **few),
        "sets": lambda: boosting(label="y", features=words, **few).train(data, verbose=0),
        "anomaly": lambda: ydf.IsolationForestLearner(**few).train(table, verbose=0),
        "learner": lambda: boosting(label="y"),
    }


@pytest.mark.parametrize(
    ("kind", "reason"),
    [
        ("oblique", "oblique: train with split_axis"),
        ("regression", "got regression"),
        ("ranking", "got ranking"),
        ("uplift", "got uplift"),
        ("anomaly", "got anomaly"),
        ("sets", "sets of categories in column 'w'"),
        ("learner", "GradientBoostedTreesLearner"),
    ],
)
def test_what_is_no_classifier_of_plain_trees_is_refused(ydf, pd, kind, reason):
    foreign = make_refused(ydf, pd)[kind]()
    assert find_library(foreign) == "ydf"
    with pytest.raises(UnsupportedModelError, match=reason):
        reader.convert(foreign)


def test_other_objects_do_not_match():
    assert find_library(object()) is None
    assert find_library("ydf") is None
