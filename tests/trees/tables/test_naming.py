"""Classes and features are called as asked for; what y holds and what is predicted stay."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.ensemble import GradientBoostingClassifier, RandomForestClassifier

from horotree import LogisticBoostClassifier, from_model, io
from horotree.trees import Model, path_rule, rename, rename_with_tables
from tests.viewer.models import breast_cancer, iris, mixed


def arrays(n_rows=300, n_features=3, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, n_features))
    return X, (X[:, 0] + 0.5 * X[:, 1] > 0.2).astype(np.int64)


def named(X, names=("age", "income", "years")):
    return pd.DataFrame(X, columns=list(names))


def xgboost_model(X, y):
    import xgboost

    return xgboost.XGBClassifier(n_estimators=3, max_depth=3).fit(X, y)


def lightgbm_model(X, y):
    import lightgbm

    return lightgbm.LGBMClassifier(n_estimators=3, verbose=-1).fit(X, y)


def catboost_model(X, y):
    import catboost

    return catboost.CatBoostClassifier(
        iterations=3, depth=3, verbose=False, allow_writing_files=False
    ).fit(X, y)


FITS = {
    "horotree": lambda X, y: LogisticBoostClassifier(n_estimators=3).fit(X, y),
    "sklearn": lambda X, y: RandomForestClassifier(3, random_state=0).fit(X, y),
    "sklearn-gbt": lambda X, y: GradientBoostingClassifier(n_estimators=3).fit(X, y),
    "xgboost": xgboost_model,
    "lightgbm": lightgbm_model,
    "catboost": catboost_model,
}
# What each library calls columns without names.
UNNAMED = {
    "horotree": "x",
    "sklearn": "x",
    "sklearn-gbt": "x",
    "xgboost": "f",
    "lightgbm": "Column_",
    "catboost": "",
}


def fit(library, X, y, require):
    if library in {"xgboost", "lightgbm", "catboost"}:
        require(library)
    return FITS[library](X, y)


@pytest.mark.parametrize("library", FITS)
def test_a_model_without_names_takes_those_of_a_table(library, require):
    X, y = arrays()
    model = from_model(fit(library, X, y, require))
    assert model.feature_names == tuple(f"{UNNAMED[library]}{j}" for j in range(3))
    assert not model.has_names
    renamed = rename(model, table=named(X))
    assert renamed.feature_names == ("age", "income", "years")
    assert renamed.has_names
    assert "by position" in renamed.notes[-1]
    assert (renamed.score(named(X)) == model.score(X)).all()
    with pytest.raises(ValueError, match="the order differs"):
        renamed.score(named(X)[["income", "age", "years"]])


@pytest.mark.parametrize("library", FITS)
def test_names_of_training_are_never_replaced_by_those_of_a_table(library, require):
    X, y = arrays()
    model = from_model(fit(library, named(X, ("a", "b", "c")), y, require))
    assert model.has_names
    assert rename(model, table=named(X)) is model
    with pytest.raises(ValueError, match="unseen in training"):
        model.score(named(X))


@pytest.mark.parametrize("library", ["horotree", "sklearn", "xgboost", "catboost"])
def test_names_that_only_look_like_those_of_another_library_are_names(library, require):
    """LightGBM's files do not tell Column_0 from a column of that name; all others tell."""
    X, y = arrays()
    word = {"xgboost": "x", "catboost": "f"}.get(library, "f")
    names = [f"{word}{j}" for j in range(3)]
    model = from_model(fit(library, named(X, names), y, require))
    assert model.has_names
    assert rename(model, table=named(X)).feature_names == tuple(names)
    if (
        library != "catboost"
    ):  # names of its own kind, too, where training is known to have had them
        own = [f"{UNNAMED[library]}{j}" for j in range(3)]
        assert from_model(fit(library, named(X, own), y, require)).has_names


def test_a_table_of_another_width_or_order_gives_no_names():
    X, y = arrays()
    model = LogisticBoostClassifier(n_estimators=2).fit(X, y).model_
    for table in (X, named(X).iloc[:, :2], named(X, ("x1", "x0", "x2")), named(X, (0, 1, 2)), None):
        assert rename(model, table=table) is model


def test_polars_tables_give_names_and_follow_them():
    X, y = arrays()
    model = LogisticBoostClassifier(n_estimators=2).fit(X, y).model_
    table = pl.DataFrame(X, schema=["age", "income", "years"])
    assert rename(model, table=table).feature_names == ("age", "income", "years")
    trained = LogisticBoostClassifier(n_estimators=2).fit(table, y).model_
    renamed, followed = rename_with_tables(trained, table, feature_names=["A", "B", "C"])
    assert followed.columns == ["A", "B", "C"]
    assert (renamed.score(followed) == trained.score(table)).all()


def test_class_names_are_shown_and_labels_stay():
    classifier, X, _ = breast_cancer()
    by_label = rename(classifier.model_, class_names={1: "benign"})
    assert by_label.class_names == ("0", "benign")
    in_order = rename(classifier.model_, class_names=np.array(["malignant", "benign"]))
    assert in_order.class_names == ("malignant", "benign")
    assert in_order.classes.tolist() == [0, 1]
    assert (in_order.predict(X) == classifier.predict(X)).all()
    assert set(in_order.predict(X)) == {0, 1}


def test_numpy_and_boolean_labels_are_found():
    classifier, _, _ = breast_cancer()
    assert rename(
        classifier.model_, class_names={np.int64(0): "a", np.int64(1): "b"}
    ).class_names == (
        "a",
        "b",
    )


def test_features_are_renamed_one_by_one_or_all():
    classifier, X, _ = mixed()
    one = rename(classifier.model_, feature_names={"home town": "city"})
    assert one.feature_names == ("age", "city", "shoe", "income")
    model, followed, other = rename_with_tables(
        classifier.model_, X, X.to_numpy(), feature_names=list("abcd")
    )
    assert list(followed.columns) == list("abcd")
    assert isinstance(other, np.ndarray)
    assert (model.score(followed) == classifier.model_.score(X)).all()
    assert list(X.columns) == ["age", "home town", "shoe", "income"]  # the caller's table stays
    renamed_already = X.set_axis(list("abcd"), axis="columns")
    assert rename_with_tables(classifier.model_, renamed_already, feature_names=list("abcd"))[
        1
    ] is (renamed_already)


def test_rules_are_written_with_new_names_and_select_the_same_rows():
    classifier, X, _ = mixed()
    model, table = rename_with_tables(classifier.model_, X, feature_names=["a b", "c", "d", "e'f"])
    tree, plain = model.ensembles[0].trees[0], classifier.model_.ensembles[0].trees[0]
    leaf = int(np.flatnonzero(tree.is_leaf)[-1])
    new = path_rule(tree, leaf).to_pandas(model.columns)
    old = path_rule(plain, leaf).to_pandas(classifier.model_.columns)
    names = {"df": table, "pd": pd}
    assert new != old
    assert (eval(new, names) == eval(old, {"df": X, "pd": pd})).all()  # noqa: S307  our own rules


@pytest.mark.parametrize(
    ("names", "error", "match"),
    [
        (["one"], ValueError, "one name a class, got 1 for 3"),
        (["a", "b", "a"], ValueError, "'a' twice"),
        (["a", " ", "c"], ValueError, "must not be empty"),
        (["a", 1, "c"], TypeError, "must be texts, got 1"),
        ({"other": "a"}, ValueError, "got 'other': it has 'setosa', 'versicolor', 'virginica'"),
        ({"setosa": "virginica"}, ValueError, "'virginica' twice"),
        ("abc", TypeError, "a list or mapping"),
    ],
)
def test_wrong_names_of_classes_are_refused(names, error, match):
    classifier, _, _ = iris()
    with pytest.raises(error, match=match):
        rename(classifier.model_, class_names=names)


@pytest.mark.parametrize(
    ("names", "match"),
    [
        (["a"], "one name a feature, got 1 for 30"),
        ({"radius": "r"}, "must name a feature of the model, got 'radius'"),
        ({"mean radius": "mean texture"}, "'mean texture' twice"),
        ({"mean radius": ""}, "must not be empty"),
    ],
)
def test_wrong_names_of_features_are_refused(names, match):
    with pytest.raises(ValueError, match=match):
        rename(breast_cancer()[0].model_, feature_names=names)


def test_names_are_saved_with_the_model(tmp_path):
    X, y = arrays()
    model = rename(
        LogisticBoostClassifier(n_estimators=2).fit(X, y).model_,
        class_names=["stays", "leaves"],
        feature_names=["x0", "x1", "f2"],
    )
    io.save(model, tmp_path / "m.horotree")
    back = io.load(tmp_path / "m.horotree")
    assert back == model
    assert back.class_names == ("stays", "leaves")
    really_x = LogisticBoostClassifier(n_estimators=2).fit(named(X, ("x0", "x1", "x2")), y).model_
    assert really_x.has_names
    io.save(really_x, tmp_path / "x.horotree")
    assert io.load(tmp_path / "x.horotree").has_names


def test_a_model_has_one_name_a_class():
    model = breast_cancer()[0].model_
    for names in (("a",), ("a", 1)):
        with pytest.raises(ValueError, match="2 texts, one a class"):
            Model(
                model.ensembles,
                model.link,
                model.classes,
                model.feature_names,
                model.categories,
                model.input_dtype,
                class_names=names,
            )
