"""Folds and grids on a cluster: many fits of data that one worker can hold, through joblib.

``python -m examples.folds_on_dask`` starts two workers on this machine; give ``Client`` the address
of your scheduler instead. For data that no worker can hold there is
``horotree.distributed.DaskLogisticBoostClassifier``.
"""

import joblib
from distributed import Client
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import GridSearchCV, cross_val_score

from horotree import LogisticBoostClassifier

GRID = {"smoothing": [4.0, 20.0, 100.0], "max_leaf_nodes": [8, 31]}


def main() -> None:
    """Search a grid, then tell the accuracy of what was found on other folds."""
    X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    options = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None}
    with Client(host="127.0.0.1", **options) as client, joblib.parallel_backend("dask"):
        search = GridSearchCV(LogisticBoostClassifier(n_estimators=50), GRID, cv=5)
        search.fit(X, y)
        n_fits = 5 * len(search.cv_results_["params"])
        print(f"{n_fits} fits on {len(client.nthreads())} workers; best: {search.best_params_}")
        scores = cross_val_score(search.best_estimator_, X, y, cv=10)
        print(f"accuracy on ten other folds: {scores.mean():.3f}")


if __name__ == "__main__":
    main()
