"""Whole model files of every format, small enough that damage hits what is read."""

import json
import re
import tempfile
from functools import lru_cache
from pathlib import Path

import numpy as np
import pandas as pd

from horotree import LogisticBoostClassifier, save
from tests.importers.foreign import training_data

N_ROWS, N_CODES = 120, 40

# The sources: of each library its files, and folders (of YDF).
NAMES = {
    "own": ["own"],
    "xgboost": ["xgboost.json", "xgboost.ubj"],
    "lightgbm": ["lightgbm.txt"],
    "catboost": [
        "catboost-symmetric.cbm",
        "catboost-symmetric.json",
        "catboost-nested.cbm",
        "catboost-nested.json",
        "catboost-labels.json",
    ],
    "ydf": ["ydf-boosting", "ydf-forest", "ydf-gzip"],
}
FILES = [name for library, names in NAMES.items() if library != "ydf" for name in names]
FOLDERS = NAMES["ydf"]


def library_of(name):
    """Return the library that writes a source."""
    return re.split(r"[.-]", name)[0]


@lru_cache
def read_sources(library):
    """Return the files of each source of a library: the bytes of each by its name.

    A folder has several files, any other source has one, of its own name.
    """
    X, y = training_data(np.random.default_rng(0), N_ROWS, 3, codes=N_CODES)
    table = pd.DataFrame(X[:, :3], columns=["a", "b", "c"])
    labels = pd.Series(X[:, 3]).map(lambda code: f"c{code:.0f}", na_action="ignore")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if library == "own":
            _write_own(folder, table.assign(s=pd.Categorical(labels)), y)
        elif library == "catboost":
            _write_catboost(folder, X[:, :3], table, y)
        elif library == "ydf":
            _write_ydf(folder, table.assign(s=labels.fillna("c0"), t=table.a > 0.3), y)
        else:
            {"xgboost": _write_xgboost, "lightgbm": _write_lightgbm}[library](folder, X, y)
        found = {path.name: _read(path) for path in sorted(folder.iterdir())}
    assert sorted(found) == sorted(NAMES[library])
    return found


def _read(path):
    files = [path] if path.is_file() else sorted(path.iterdir())
    return {file.name: file.read_bytes() for file in files}


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
    (folder / "lightgbm.txt").write_text(booster.model_to_string())


def without_sizes(text):
    """Return a LightGBM file without the sizes of its trees, which show most damage."""
    return re.sub(r"^tree_sizes=.*\n", "", text, flags=re.MULTILINE)


def _write_catboost(folder, X, table, y):
    import catboost

    small = {"iterations": 2, "depth": 3, "silent": True, "allow_writing_files": False}
    small |= {"thread_count": 1, "random_seed": 0}
    city = np.random.default_rng(0).choice(["Rome", "Bern", "7"], len(y))
    labeled = table.assign(city=city)
    classifier = catboost.CatBoostClassifier
    one_hot = {"cat_features": ["city"], "one_hot_max_size": 9, "grow_policy": "Depthwise"}
    models = {
        "symmetric": classifier(**small).fit(table, y),
        "nested": classifier(**small, grow_policy="Lossguide").fit(X, y),
        "labels": classifier(**small, **one_hot).fit(
            labeled, np.where(city == "Rome", 0, np.minimum(y, 1))
        ),
    }
    for name in NAMES["catboost"]:
        stem, ending = name.removeprefix("catboost-").split(".")
        pool = catboost.Pool(labeled, cat_features=["city"]) if stem == "labels" else None
        path = folder / name
        models[stem].save_model(str(path), format=ending, pool=pool)
        if ending == "json":
            path.write_bytes(_shorten(path.read_bytes()))


def _shorten(data):
    """Return JSON without what is not read, so that changes hit what is."""
    document = json.loads(data)
    info = document["model_info"]
    params = {key: info["params"][key] for key in ("loss_function", "boosting_options")}
    document["model_info"] = {"params": params, "class_params": info["class_params"]}
    return json.dumps(document, separators=(",", ":")).encode()


def _write_ydf(folder, table, y):
    import ydf

    ydf.verbose(0)
    options = {"num_trees": 2, "max_depth": 4, "num_threads": 1, "min_vocab_frequency": 1}
    for name in NAMES["ydf"]:
        learner = ydf.RandomForestLearner if "forest" in name else ydf.GradientBoostedTreesLearner
        model = learner(label="y", **options).train(table.assign(y=y), verbose=0)
        if "gzip" in name:
            model.set_node_format(ydf.NodeFormat.BLOB_SEQUENCE_GZIP)
        model.save(str(folder / name))
