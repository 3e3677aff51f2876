"""Whole model files of every format, small enough that damage hits what is read."""

import io
import re
import tempfile
import zipfile
from pathlib import Path

import numpy as np
import pandas as pd

from horotree import LogisticBoostClassifier, save
from tests.importers.foreign import training_data

N_ROWS, N_CODES = 120, 40


def write_sources():
    """Return the bytes of a file by its name; folders are zip archives of their files."""
    X, y = training_data(np.random.default_rng(0), N_ROWS, 3, codes=N_CODES)
    table = pd.DataFrame(X[:, :3], columns=["a", "b", "c"])
    labels = pd.Series(X[:, 3]).map(lambda code: f"c{code:.0f}", na_action="ignore")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        _write_own(folder, table.assign(s=pd.Categorical(labels)), y)
        _write_xgboost(folder, X, y)
        _write_lightgbm(folder, X, y)
        _write_catboost(folder, table, y)
        _write_ydf(folder, table.assign(s=labels.fillna("c0")), y)
        return {path.name: _read(path) for path in sorted(folder.iterdir())}


def _read(path):
    if path.is_file():
        return path.read_bytes()
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as parts:
        for part in sorted(path.iterdir()):
            parts.writestr(part.name, part.read_bytes())
    return archive.getvalue()


def _write_own(folder, table, y):
    save(LogisticBoostClassifier(n_estimators=3, max_leaf_nodes=8).fit(table, y), folder / "own")


def _write_xgboost(folder, X, y):
    import xgboost

    data = xgboost.DMatrix(X, y, feature_types=["q", "q", "q", "c"], enable_categorical=True)
    options = {"objective": "multi:softprob", "num_class": 3, "max_depth": 3, "nthread": 1}
    booster = xgboost.train(options, data, 2)
    for ending in ("json", "ubj"):
        booster.save_model(folder / f"xgboost.{ending}")


def _write_lightgbm(folder, X, y):
    import lightgbm

    options = {"objective": "multiclass", "num_class": 3, "verbose": -1, "num_threads": 1}
    options |= {"min_data_in_leaf": 3, "min_data_per_group": 2, "cat_smooth": 1.0}
    booster = lightgbm.train(options, lightgbm.Dataset(X, y, categorical_feature=[3]), 2)
    text = re.sub(r"tree_sizes=.*\n", "", booster.model_to_string())  # they show most damage
    (folder / "lightgbm.txt").write_text(text)


def _write_catboost(folder, table, y):
    import catboost

    options = {"iterations": 2, "depth": 3, "silent": True, "allow_writing_files": False}
    for policy in ("SymmetricTree", "Lossguide"):
        model = catboost.CatBoostClassifier(grow_policy=policy, thread_count=1, **options)
        model.fit(table, y)
        for ending in ("cbm", "json"):
            model.save_model(str(folder / f"catboost-{policy}.{ending}"), format=ending)


def _write_ydf(folder, table, y):
    import ydf

    ydf.verbose(0)
    for name in ("GradientBoostedTrees", "RandomForest"):
        learner = getattr(ydf, f"{name}Learner")
        options = {"num_trees": 2, "max_depth": 4, "num_threads": 1, "min_vocab_frequency": 1}
        model = learner(label="y", **options).train(table.assign(y=y), verbose=0)
        model.save(str(folder / f"ydf-{name}"))
