"""Model files that cannot be taken: the reason of the refusal, in one line, with what to do."""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer

import horotree
from horotree.importers.errors import SUPPORTED

from .running import refused, run

X, Y = load_breast_cancer(return_X_y=True)
X = X[:, :4]
TRAIN = "train a classifier, for only classes can be drawn."


def catboost_regressor(require, path):
    options = {"iterations": 2, "verbose": 0, "allow_writing_files": False, "thread_count": 1}
    model = require("catboost").CatBoostRegressor(**options).fit(X, Y)
    model.save_model(str(path), format=path.suffix[1:])


def catboost_of_text(require, path):
    words = np.where(Y == 1, "good words", "bad words")
    table = pd.DataFrame(X).assign(c=[f"{word} {j % 7}" for j, word in enumerate(words)])
    options = {"iterations": 3, "verbose": 0, "allow_writing_files": False, "thread_count": 1}
    model = require("catboost").CatBoostClassifier(**options, text_features=["c"])
    model.fit(table, Y).save_model(str(path))


def xgboost_regressor(require, path):
    require("xgboost").XGBRegressor(n_estimators=2, n_jobs=1).fit(X, Y).save_model(path)


def xgboost_linear(require, path):
    xgboost = require("xgboost")
    xgboost.XGBClassifier(n_estimators=2, booster="gblinear", n_jobs=1).fit(X, Y).save_model(path)


def lightgbm_regressor(require, path):
    model = require("lightgbm").LGBMRegressor(n_estimators=2, verbose=-1, n_jobs=1)
    model.fit(X, Y).booster_.save_model(path)


def lightgbm_linear(require, path):
    lightgbm = require("lightgbm")
    model = lightgbm.LGBMClassifier(n_estimators=2, linear_tree=True, verbose=-1, n_jobs=1)
    model.fit(X, Y).booster_.save_model(path)


def ydf_regressor(require, path):
    ydf = require("ydf")
    table = pd.DataFrame(X, columns=list("abcd")).assign(y=Y.astype(float))
    learner = ydf.RandomForestLearner(label="y", task=ydf.Task.REGRESSION, num_trees=2)
    learner.train(table, verbose=0).save(str(path))


REFUSED = {
    "r.cbm": (catboost_regressor, "CatBoost's loss must be one of Logloss,", "got 'RMSE'", TRAIN),
    "r.json": (catboost_regressor, "CatBoost's loss must be one of Logloss,", "'RMSE'", TRAIN),
    "text.cbm": (catboost_of_text, "got text features: train on numbers made from the text."),
    "x.json": (xgboost_regressor, "XGBoost's objective must be", "'reg:squarederror'", TRAIN),
    "x.ubj": (xgboost_regressor, "XGBoost's objective must be", "'reg:squarederror'", TRAIN),
    "l.json": (xgboost_linear, "got 'gblinear': a linear model has no trees."),
    "r.txt": (lightgbm_regressor, "LightGBM's objective must be", "got 'regression'", TRAIN),
    "l.txt": (lightgbm_linear, "train with linear_tree=False."),
    "ydf": (ydf_regressor, "model must classify, got regression of YDF", TRAIN),
}


@pytest.mark.parametrize("name", REFUSED)
def test_the_reason_of_a_refusal_is_printed(require, folder, tmp_path, name):
    make, *reasons = REFUSED[name]
    make(require, tmp_path / name)
    rest = {
        "predict": [folder / "test.csv"],
        "compare": [folder / "few.horotree", "--data", folder / "test.csv", "-t", "diagnosis"],
    }
    for command in ("view", "info", "predict", "compare"):
        line = refused(command, tmp_path / name, *rest.get(command, []))
        assert line.startswith(f"cannot show '{tmp_path / name}': ")
        assert all(reason in line for reason in reasons)
        assert len(line) < 300 + len(str(tmp_path))
        assert SUPPORTED not in line


def test_what_to_do_about_a_pickle_works(require, tmp_path):
    joblib = require("joblib")
    forest = pytest.importorskip("sklearn.ensemble").RandomForestClassifier(3).fit(X, Y)
    joblib.dump(forest, tmp_path / "m.joblib")
    assert "horotree.save(horotree.from_model(object), path)" in refused(
        "info", tmp_path / "m.joblib"
    )
    horotree.save(horotree.from_model(joblib.load(tmp_path / "m.joblib")), tmp_path / "m")
    assert "3 with " in run("info", tmp_path / "m").stdout


@pytest.mark.parametrize("content", [b"", b"x,y\n1,2\n", b"PAR1....", b'{"a": 1}'])
def test_a_file_of_no_library_lists_what_is_read(write, content):
    line = refused("view", write(content, "m.json"))
    assert "is not a known model file: pass a file that 'horotree fit'" in line
    assert SUPPORTED not in line  # which speaks of objects in Python
