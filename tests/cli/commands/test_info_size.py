"""What `horotree info` takes for models of many classes and features."""

import numpy as np

from horotree.cli.commands.info import describe_features
from horotree.trees import Ensemble, Model
from horotree.trees.importance import find_importance


def test_features_without_a_test_share_their_list():
    ensembles = (Ensemble((), [], [], 0.0),) * 3
    model = Model(ensembles, "softmax", np.arange(3), ("a", "b"), (None, None), "float64")
    first, second = describe_features(model, find_importance(model))
    assert first["direction"] == [None] * 3
    assert first["direction"] is second["direction"]
