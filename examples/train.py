"""Train on a table with categories and missing values, look at the model, save it, load it.

Run it with ``python examples/train.py``; it needs no download and takes a few seconds.
"""

import tempfile
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.metrics import log_loss
from sklearn.model_selection import train_test_split

import horotree


def make_table(n: int = 4000, seed: int = 0) -> tuple[pd.DataFrame, np.ndarray]:
    """Return customers of a shop, and whether they came back."""
    rng = np.random.default_rng(seed)
    age = rng.integers(18, 80, n)
    city = rng.choice(["Bern", "Oslo", "Rome", "Turin"], n)
    spent = rng.lognormal(3.0, 1.0, n)
    score = 0.8 * np.log(spent) - 2.0 + np.isin(city, ["Oslo", "Turin"]) - 0.5 * (age > 60)
    came_back = rng.random(n) < 1.0 / (1.0 + np.exp(-score))
    spent[rng.random(n) < 0.1] = np.nan
    table = pd.DataFrame({"age": age, "city": pd.Categorical(city), "spent": spent})
    return table, np.where(came_back, "yes", "no")


def main() -> None:
    """Train, compare, save and load."""
    X, y = make_table()
    X_train, X_test, y_train, y_test = train_test_split(X, y, stratify=y, random_state=0)

    classifiers = {
        "one tree": horotree.LogLossTreeClassifier(max_leaf_nodes=16),
        "200 trees": horotree.LogisticBoostClassifier(),
        "stopped early": horotree.LogisticBoostClassifier(early_stopping=True, random_state=0),
        "smoothing chosen": horotree.LogisticBoostClassifier(
            smoothing="auto", max_leaf_nodes=16, random_state=0, n_jobs=-1
        ),
    }
    for name, classifier in classifiers.items():
        classifier.fit(X_train, y_train)
        loss = log_loss(y_test, classifier.predict_proba(X_test))
        error = 1.0 - classifier.score(X_test, y_test)
        print(f"{name:>18}: log-loss {loss:.4f}, error {100 * error:.1f} %")

    best = classifiers["stopped early"]
    importance = pd.Series(best.feature_importances_, index=X.columns).round(3).to_dict()
    print(f"{best.n_estimators_} trees, importance of features: {importance}")

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "shop.horotree"
        horotree.save(best, path)
        model = horotree.load(path)
        print(f"{path.name}: {path.stat().st_size / 1024:.0f} kB, {model}")
    same = np.array_equal(model.score(X_test), best.decision_function(X_test))
    print(f"scores after loading are the same to the bit: {same}")


if __name__ == "__main__":
    main()
