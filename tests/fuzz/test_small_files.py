"""Small files that say much: they are refused, or used in little time and memory."""

import json
import multiprocessing
import sys
import time

import numpy as np
import pytest

from horotree.io.file_format import to_bytes
from horotree.trees import Ensemble, Model
from tests.factories import stump
from tests.fuzz.__main__ import _limit_memory, try_one
from tests.fuzz.damage import signed

# Small machines that do other work, too, take their time.
SECONDS = 60


def own(n_classes=2, n_features=1, **changes):
    """Return a file of stumps, one a class, whose header is changed after that."""
    n = 1 if n_classes == 2 else n_classes
    ensembles = tuple(
        Ensemble((stump(weight=[2.0, 1.0, 1.0], count=[2, 1, 1]),), [1.0], [0.1], 0.0)
        for _ in range(n)
    )
    link = "logistic" if n == 1 else "softmax"
    names = tuple(f"{j:x}." for j in range(n_features))
    classes = np.arange(n_classes)
    content = to_bytes(Model(ensembles, link, classes, names, (None,) * n_features, "float64"))
    return signed(content, changes)


def xgboost(n_classes=0, n_features=1):
    fields = ("left_children", "right_children", "split_indices", "default_left", "split_type")
    tree = dict(zip(fields, ([1, -1, -1], [2, -1, -1], [0] * 3, [0] * 3, [0] * 3), strict=True))
    tree |= {"split_conditions": [0.5, -1.0, 1.0], "sum_hessian": [2.0, 1.0, 1.0]}
    tree |= {
        "base_weights": [0.0, -1.0, 1.0],
        "tree_param": {"num_nodes": "3", "size_leaf_vector": "0"},
    }
    model = {"trees": [tree], "tree_info": [0]}
    size = {"base_score": "0.5", "num_class": str(n_classes), "num_feature": str(n_features)}
    name = "multi:softprob" if n_classes else "binary:logistic"
    learner = {
        "gradient_booster": {"name": "gbtree", "model": model},
        "learner_model_param": size,
        "objective": {"name": name},
    }
    return json.dumps({"learner": learner}, separators=(",", ":")).encode()


LONG = ["a" * 1_000_000, *(f"c{j}" for j in range(59))]
WORST = {
    "a long class among many": (
        "own",
        lambda: own(60, classes={"dtype": "str", "values": LONG}),
        "refused",
    ),
    "a name twice": (
        "own",
        lambda: own(
            feature_names=[*map(str, range(150_000)), "149999"], categories=[None] * 150_001
        ),
        "refused",
    ),
    "many notes": ("own", lambda: own(notes=["a"] * 100_000), "refused"),
    "a long note": ("own", lambda: own(notes=["a " * 100_000]), "refused"),
    "classes times features": ("own", lambda: own(3_000, 100_000), "read"),
    "classes times features, XGBoost": ("xgboost.json", lambda: xgboost(4_096, 2**18), "read"),
    "many features": ("xgboost.json", lambda: xgboost(0, 2**19), "read"),
}


def run(name, content, result):
    _limit_memory()
    import tests.fuzz.__main__ as fuzz

    fuzz.SECONDS = SECONDS
    result.put(try_one(name, {name: content}))


@pytest.mark.skipif(sys.platform != "linux", reason="memory is limited as Linux does it")
@pytest.mark.parametrize("kind", WORST)
@pytest.mark.filterwarnings("ignore")
def test_small_files_take_little(kind):
    name, write, expected = WORST[kind]
    content = write()
    assert len(content) < 8_000_000
    context = multiprocessing.get_context("spawn")
    result = context.Queue()
    process = context.Process(target=run, args=(name, content, result))
    process.start()
    try:
        end = time.monotonic() + 3 * SECONDS
        while process.is_alive() and result.empty() and time.monotonic() < end:
            time.sleep(0.05)
        assert not result.empty(), "the process ended or hangs"
        assert result.get() == expected
    finally:
        process.kill()
        process.join()
