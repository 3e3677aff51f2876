"""YDF's (Yggdrasil Decision Forests') models and their folders as Models.

Folders are read without YDF, and objects as the folders that they would save. In gradient boosted
trees a node's value is the mean of its leaves in units of the learning rate, which is the leverage;
in random forests and single trees it is the logit of the node's class share.
"""

import tempfile
from pathlib import Path
from typing import Any

from horotree.importers.errors import TRAIN_A_CLASSIFIER, UnsupportedModelError
from horotree.importers.shared.forest import check_sets
from horotree.trees import Model

from .boosting import read_boosting
from .columns import read_categories, read_classes, read_columns, read_features
from .folder import DATA_SPEC, HEADER, find_prefix, find_prefixes, read_message, read_records
from .nodes import read_nodes
from .shares import read_shares
from .trees import read_forest

# The models that are read by their name in header.pb; and where their own header has the number of
# files, the number of trees, and the format of nodes.
KINDS = {
    "GRADIENT_BOOSTED_TREES": ("gradient_boosted_trees_header.pb", read_boosting),
    "RANDOM_FOREST": ("random_forest_header.pb", read_shares),
}
N_SHARDS, N_TREES, NODE_FORMAT = 1, 2, 7

CLASSIFICATION = 1
TASKS = {
    2: "regression",
    3: "ranking",
    4: "uplift",
    5: "uplift",
    6: "anomaly detection",
    7: "survival analysis",
}


def convert(model: Any) -> Model:
    """Return what a learner's ``train`` returned as a Model, like ``convert_file``."""
    kinds = {kind.__name__ for kind in type(model).__mro__}
    if "GenericCCModel" not in kinds and "DecisionForestModel" not in kinds:
        raise UnsupportedModelError(
            f"model must be what a learner of YDF has trained, got {type(model).__name__} of YDF."
        )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model"
        model.save(str(path))
        return convert_file(path)


def matches_folder(path: Path) -> bool:
    """Tell by the names of its files whether a folder has a model of YDF."""
    return bool(find_prefixes(Path(path)))


def convert_file(path: Path) -> Model:
    """Return the folder that ``save`` wrote as a Model.

    Scores of gradient boosted trees are the arguments of YDF's sigmoid or softmax. Classes and
    categories are texts, or whole numbers or booleans if they were in training. Labels that are not
    in the dictionary are missing, which for most models is the same to YDF. For others there is a
    warning, and the label "<OOD>" stands for them.
    """
    path = Path(path)
    prefix = find_prefix(path)
    general = read_message(path / (prefix + HEADER))
    name, task = general.text(1), general.whole(2)
    if task != CLASSIFICATION:
        raise UnsupportedModelError(
            f"model must classify, got {TASKS.get(task, 'an unknown task')} of YDF: "
            f"{TRAIN_A_CLASSIFIER}."
        )
    if name not in KINDS:
        raise UnsupportedModelError(
            f"a model of YDF must be one of {', '.join(KINDS)}, got {name[:40]!r}."
        )
    file, read_ensembles = KINDS[name]
    columns = read_columns(read_message(path / (prefix + DATA_SPEC)))
    features = read_features(columns, general)
    classes = read_classes(columns, general)
    header = read_message(path / (prefix + file))
    node_format = header.text(NODE_FORMAT, "TFE_RECORDIO")
    records = read_records(path, prefix, header.whole(N_SHARDS), node_format)
    nodes = read_nodes(records)
    forest, kept = read_forest(nodes, header.whole(N_TREES), columns, features)
    check_sets(forest, len(features))
    ensembles, link, notes, steps = read_ensembles(header, nodes, forest, len(classes))
    used = [columns[j] for j in features]
    return Model(
        ensembles=tuple(ensembles),
        link=link,
        classes=classes,
        feature_names=tuple(column.name for column in used),
        categories=tuple(read_categories(used, [j in kept for j in features])),
        input_dtype="float32",
        notes=notes,
        value_kind="share" if link == "mean" else "margin",
        has_names=True,
        steps=steps,
    )
