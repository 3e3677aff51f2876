"""Models of other libraries: boosting as large as ours and as it comes, forests, single trees."""

from functools import partial
from importlib.util import find_spec
from typing import Any

import pandas as pd

from benchmarks.models.classifiers import PACKAGES, PEERS, our_tree
from experiments.study.models import classifier

# Of the paper's trees.
LEAVES = 101
# What each library is called in the table.
NAMES = {"HGB": "HistGradientBoosting", "LightGBM": "LightGBM", "XGBoost": "XGBoost"}


def find_models(n_trees: int) -> tuple[dict[str, partial[Any]], list[str]]:
    """Return what makes each model by name, and the libraries that are not installed."""
    there = [name for name in NAMES if find_spec(PACKAGES[name])]
    models: dict[str, partial[Any]] = {"horotree": partial(classifier, n_trees)}
    models["horotree, monotonic"] = partial(classifier, n_trees, weak_learner="monotonic")
    for name in there:
        models[f"{NAMES[name]} 200 × 101"] = partial(PEERS[name], 1, n_trees, LEAVES)
    for name in there:
        as_it_comes = partial(xgboost) if name == "XGBoost" else partial(PEERS[name], 1)
        models[f"{NAMES[name]}, its default"] = as_it_comes
    models["RandomForest"] = partial(forest, n_trees)
    models["AdaBoost, stumps"] = partial(stumps, n_trees)
    models["one tree, horotree"] = partial(our_tree, 1)
    models["one tree, scikit-learn"] = partial(tree, LEAVES)
    return models, [NAMES[name] for name in NAMES if name not in there]


def xgboost() -> Any:
    """Return XGBoost's classifier as it comes, but for the columns that are categories."""
    from xgboost import XGBClassifier

    return XGBClassifier(enable_categorical=True, n_jobs=1)


def forest(n_trees: int) -> Any:
    """Return scikit-learn's forest of so many trees, else as it comes."""
    from sklearn.ensemble import RandomForestClassifier

    return OneHot(RandomForestClassifier(n_trees, random_state=0, n_jobs=1))


def stumps(n_trees: int) -> Any:
    """Return scikit-learn's AdaBoost of so many stumps; medians stand for missing values."""
    from sklearn.ensemble import AdaBoostClassifier
    from sklearn.impute import SimpleImputer
    from sklearn.pipeline import make_pipeline

    boosting = AdaBoostClassifier(n_estimators=n_trees, random_state=0)
    return OneHot(make_pipeline(SimpleImputer(strategy="median"), boosting))


def tree(leaves: int) -> Any:
    """Return scikit-learn's tree with so many leaves, else as it comes."""
    from sklearn.tree import DecisionTreeClassifier

    return OneHot(DecisionTreeClassifier(max_leaf_nodes=leaves, random_state=0))


class OneHot:
    """A classifier that has no categories, on a column of zeros and ones for each of them."""

    def __init__(self, model: Any) -> None:
        self.model = model

    def fit(self, X: Any, y: Any) -> "OneHot":
        """Learn."""
        self.model.fit(_one_hot(X), y)
        return self

    def predict_proba(self, X: Any) -> Any:
        """Return the shares of both classes."""
        return self.model.predict_proba(_one_hot(X))


def _one_hot(X: Any) -> Any:
    # The categories are those of the dtype, so that all parts of a table have the same columns.
    return pd.get_dummies(X).to_numpy(float) if isinstance(X, pd.DataFrame) else X
