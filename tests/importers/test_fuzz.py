"""Files are untrusted: what is damaged is refused with a sentence, in little time and memory."""

import json
import re
import time

import numpy as np
import pytest

from horotree.importers import UnsupportedModelError
from horotree.importers.shared import documents, forest
from horotree.importers.xgboost import reader as xgboost_reader
from tests.fuzz.harness import memory_below, read_or_refuse, reader_of
from tests.fuzz.sources import read_sources, without_sizes

NAMES = {"json": "xgboost.json", "ubj": "xgboost.ubj", "txt": "lightgbm.txt"}
ENDINGS = sorted(NAMES)


@pytest.fixture
def sources(require):
    require("xgboost")
    require("lightgbm")
    files = read_sources("xgboost") | read_sources("lightgbm")
    return {ending: files[name][name] for ending, name in NAMES.items()}


def convert(tmp_path, ending, data):
    return read_or_refuse(reader_of(NAMES[ending]), write(tmp_path, ending, data))


def write(tmp_path, ending, data):
    path = tmp_path / f"m.{ending}"
    path.write_bytes(data)
    return path


def xgboost_tree(document):
    return document["learner"]["gradient_booster"]["model"]["trees"][0]


CHANGES = {
    "cycle": lambda tree: tree["left_children"].__setitem__(1, 0),
    "two parents": lambda tree: tree["left_children"].__setitem__(1, 2),
    "self": lambda tree: tree["right_children"].__setitem__(1, 1),
    "outside": lambda tree: tree["left_children"].__setitem__(0, 10**6),
    "negative": lambda tree: tree["left_children"].__setitem__(0, -7),
    "one child": lambda tree: tree["left_children"].__setitem__(0, -1),
    "feature": lambda tree: tree["split_indices"].__setitem__(0, 2**31 - 1),
    "short": lambda tree: tree["sum_hessian"].pop(),
    "text": lambda tree: tree["left_children"].__setitem__(0, "1"),
    "nested": lambda tree: tree["left_children"].__setitem__(0, [1]),
    "weight": lambda tree: tree["sum_hessian"].__setitem__(-1, -5.0),
    "infinite": lambda tree: tree["split_conditions"].__setitem__(-1, 1e300),
    "vector": lambda tree: tree["tree_param"].update(size_leaf_vector="3"),
    "no node": lambda tree: tree.update(left_children=[]),
    "sets": lambda tree: tree.update(categories_nodes=[0], categories_sizes=[10**9]),
}


@pytest.mark.parametrize("change", sorted(CHANGES))
def test_damaged_trees_of_xgboost_are_refused(sources, tmp_path, change):
    document = json.loads(sources["json"])
    CHANGES[change](xgboost_tree(document))
    assert convert(tmp_path, "json", json.dumps(document).encode()) is None


def test_huge_codes_and_features_are_refused_without_memory(sources, tmp_path):
    document = json.loads(sources["json"])
    document["learner"]["learner_model_param"]["num_feature"] = str(2**31 - 1)
    huge_features = json.dumps(document).encode()
    document = json.loads(sources["json"])
    trees = document["learner"]["gradient_booster"]["model"]["trees"]
    tree = next(tree for tree in trees if tree["categories"])
    tree["categories"][-1] = 2**24 - 1
    text = sources["txt"].decode()
    cases = [("json", huge_features), ("json", json.dumps(document).encode())]
    for name in ("max_feature_idx", "num_class", "num_leaves", "num_tree_per_iteration"):
        changed = re.sub(rf"^{name}=\d+$", f"{name}=2000000000", text, flags=re.MULTILINE)
        cases.append(("txt", changed.encode()))
    for ending, data in cases:
        with memory_below(2e7):
            assert convert(tmp_path, ending, data) is None


@pytest.mark.parametrize(
    ("name", "value"),
    [("left_child", "0 0 0"), ("left_child", "1 1"), ("right_child", "-9 -9 -9")],
)
def test_damaged_trees_of_lightgbm_are_refused(sources, tmp_path, name, value):
    text = sources["txt"].decode()

    def change(match):
        n = len(match.group(1).split())
        return f"{name}={' '.join((value.split() * n)[:n])}"

    changed = re.sub(rf"^{name}=(.*)$", change, text, flags=re.MULTILINE)
    assert convert(tmp_path, "txt", changed.encode()) is None


@pytest.mark.clock
def test_a_chain_of_many_nodes_takes_little_time(sources, tmp_path):
    n = 20_001
    data = xgboost_chain(json.loads(sources["json"]), n)
    start = time.perf_counter()
    model = convert(tmp_path, "json", data)
    assert time.perf_counter() - start < 20.0
    assert model.ensembles[0].trees[0].n_nodes == n


HEAD = """tree
num_class=1
num_tree_per_iteration=1
max_feature_idx=0
objective=binary sigmoid:1
feature_names=a

"""


def lightgbm_chain(n, *, kind="2", **fields):
    """Return a tree whose right children are a chain of n nodes."""
    fields = {
        "num_leaves": n + 1,
        "split_feature": "0 " * n,
        "threshold": " ".join(map(str, range(n))),
        "decision_type": f"{kind} " * n,
        "left_child": " ".join(str(~j) for j in range(n)),
        "right_child": " ".join(map(str, [*range(1, n), ~n])),
        "leaf_value": "0 " * (n + 1),
        "shrinkage": 1,
        **fields,
    }
    lines = "\n".join(f"{name}={value}" for name, value in fields.items())
    return f"{HEAD}Tree=0\n{lines}\n\nend of trees\n".encode()


def xgboost_chain(document, n):
    """Return the document with a chain of n nodes as its first tree."""
    inner = np.arange(0, n - 1, 2)
    left, right = np.full(n, -1), np.full(n, -1)
    left[inner], right[inner] = inner + 1, inner + 2
    tree = xgboost_tree(document)
    tree.update(
        {name: [0] * n for name in tree if isinstance(tree[name], list) and "cat" not in name}
    )
    tree.update(left_children=left.tolist(), right_children=right.tolist())
    tree.update({name: [] for name in tree if name.startswith("categories")})
    return json.dumps(document).encode()


def refused(tmp_path, ending, data, match, memory):
    """Check that bytes are refused for this reason with little memory (in bytes)."""
    path = write(tmp_path, ending, data)
    with memory_below(memory), pytest.raises(ValueError, match=match):
        reader_of(NAMES[ending])(path)


@pytest.mark.filterwarnings("ignore:the model does not have its learning rate")
def test_trees_that_are_too_deep_are_refused(sources, tmp_path):
    n = 40_000
    refused(tmp_path, "txt", lightgbm_chain(n), "up to 16384 levels deep", 1e8)
    data = xgboost_chain(json.loads(sources["json"]), 2 * n + 1)
    refused(tmp_path, "json", data, "up to 16384 levels deep", 2e8)


def test_a_large_tree_that_is_not_deep_is_read(tmp_path):
    n = 2**16 - 1
    child = np.arange(1, 2 * n + 1)
    leaf = np.where(child < n, child, n - 1 - child)  # the leaves are -1, -2, ...
    sides = {
        side: " ".join(map(str, leaf[j::2].tolist()))
        for j, side in enumerate(("left_child", "right_child"))
    }
    model = convert(tmp_path, "txt", lightgbm_chain(n, **sides))
    assert model.ensembles[0].trees[0].n_nodes == 2 * n + 1


def test_too_many_trees_are_refused(sources, tmp_path, monkeypatch):
    block = "Tree=0\nnum_leaves=1\nleaf_value=0\nshrinkage=1\n\n"
    data = f"{HEAD}{block * (2**17 + 1)}end of trees\n".encode()
    refused(tmp_path, "txt", data, "up to 131072 trees, got 131073", 6 * len(data))
    monkeypatch.setattr(forest, "MAX_TREES", 5)
    for ending in ENDINGS:
        refused(tmp_path, ending, sources[ending], "up to 5 trees, got 6", 1e7)


def test_sets_of_too_many_categories_are_refused_before_they_are_made(tmp_path, monkeypatch):
    n, words = 16, 2**12
    ends = " ".join(str(words * j) for j in range(n + 1))
    options = {"kind": "1", "num_cat": n, "cat_boundaries": ends}
    data = lightgbm_chain(n, cat_threshold="4294967295 " * (n * words), **options)
    assert convert(tmp_path, "txt", data) is not None
    monkeypatch.setattr(forest, "MAX_SET_CODES", 2**20)
    refused(tmp_path, "txt", data, "up to 1048576 codes together", 10 * len(data))
    sparse = lightgbm_chain(n, cat_threshold=("1 " + "0 " * (words - 1)) * n, **options)
    assert convert(tmp_path, "txt", sparse).ensembles[0].trees[0].category.tolist() == [0] * n
    wide = lightgbm_chain(
        1, kind="1", num_cat=1, cat_boundaries="0 40000", cat_threshold="1 " * 40_000
    )
    refused(tmp_path, "txt", wide, "codes must be from 0 to 1048575", 1e7)


def test_documents_of_too_many_lists_are_refused(tmp_path, monkeypatch):
    data = b'{"learner":[' + b"[]," * 2**21 + b"[]]}"
    refused(tmp_path, "json", data, "up to 2097152 lists", 6 * len(data))
    monkeypatch.setattr(documents, "MAX_VALUES", 10**5)
    data = b'{"learner":[' + b"1.5," * 10**5 + b",1]}"
    refused(tmp_path, "json", data, "up to 100000 values", 6 * len(data))


def test_large_and_old_files_are_refused(sources, tmp_path, monkeypatch):
    path = tmp_path / "m.json"
    path.write_bytes(b"binf" + bytes(100))
    assert xgboost_reader.matches_file(path.read_bytes())
    with pytest.raises(UnsupportedModelError, match="old binary"):
        xgboost_reader.convert_file(path)
    monkeypatch.setattr(documents, "MAX_FILE_BYTES", 1000)
    path.write_bytes(sources["json"])
    with pytest.raises(ValueError, match="may have up to 1000 bytes"):
        xgboost_reader.convert_file(path)


def edit_tree(sources, change):
    """Return the XGBoost JSON file with a tree that ``change`` has edited."""
    document = json.loads(sources["json"])
    model = document["learner"]["gradient_booster"]["model"]
    changed = [tree for tree in model["trees"] if change(tree)]
    assert changed
    return json.dumps(document).encode()


def test_a_way_for_missing_values_that_is_neither_left_nor_right_is_refused(sources, tmp_path):
    def change(tree):
        tree["default_left"][0] = 2
        return True

    path = tmp_path / "m.json"
    path.write_bytes(edit_tree(sources, change))
    with pytest.raises(ValueError, match="default_left must be 0 or 1, got 2"):
        xgboost_reader.convert_file(path)


@pytest.mark.filterwarnings("ignore:the model does not have its learning rate")
def test_a_column_tested_as_a_number_and_by_sets_is_refused(sources, tmp_path):
    def change(tree):
        numeric = [
            node
            for node, child in enumerate(tree["left_children"])
            if child >= 0 and not tree["split_type"][node]
        ]
        if numeric:
            tree["split_indices"][numeric[0]] = 3  # the column of codes
        return bool(numeric)

    path = tmp_path / "m.json"
    path.write_bytes(edit_tree(sources, change))
    with pytest.raises(ValueError, match="either a number or a category, got both"):
        xgboost_reader.convert_file(path)


# What LightGBM reads otherwise than all of the text says, most with fewer trees or other numbers.
LIGHTGBM_OTHERWISE = {
    "fewer sizes": lambda text: re.sub(r"(tree_sizes=.*) \d+\n", r"\1\n", text),
    "no size": lambda text: re.sub(r"tree_sizes=.*\n", "tree_sizes=\n", text),
    "sizes that are none": lambda text: re.sub(r"tree_sizes=.*\n", "tree_sizes=x\n", text),
    "a line between trees": lambda text: without_sizes(text).replace("\nTree=1\n", "\nx\nTree=1\n"),
    "a blank line": lambda text: without_sizes(text).replace("\nshrinkage=", "\n\nshrinkage=", 1),
    "an end within a tree": lambda text: without_sizes(text).replace(
        "\nshrinkage=", "\nend of trees\nshrinkage=", 1
    ),
    "no line between trees": lambda text: re.sub(r"\n+Tree=1\n", "\nTree=1\n", without_sizes(text)),
    "a tab": lambda text: without_sizes(text).replace("\nsplit_feature=", "\nsplit_feature=\t", 1),
    "an underscore": lambda text: text.replace("num_class=3", "num_class=0_3"),
    "another script": lambda text: text.replace("num_class=3", "num_class=\u0663"),
    "a number with categories": lambda text: re.sub(
        r"feature_infos=\S+", "feature_infos=-1:0:1:2", text
    ),
}


@pytest.mark.parametrize("kind", LIGHTGBM_OTHERWISE)
def test_texts_that_lightgbm_reads_otherwise_are_refused(sources, tmp_path, kind):
    text = sources["txt"].decode()
    assert convert(tmp_path, "txt", without_sizes(text).encode()) is not None
    assert convert(tmp_path, "txt", text.replace("\n", "\r\n").encode()) is not None
    changed = LIGHTGBM_OTHERWISE[kind](text)
    assert changed not in (text, without_sizes(text))
    assert convert(tmp_path, "txt", changed.encode()) is None


def test_lightgbm_leaves_out_trees_that_have_no_size(sources, require):
    text = LIGHTGBM_OTHERWISE["fewer sizes"](sources["txt"].decode())
    assert require("lightgbm").Booster(model_str=text).num_trees() == 5


def _first(document):
    return document["learner"]["gradient_booster"]["model"]["trees"][0]


def _swap_trees(document):
    trees = document["learner"]["gradient_booster"]["model"]["trees"]
    trees[0], trees[1] = trees[1], trees[0]


# What XGBoost reads otherwise, or not at all: trees by their ids, splits by categories_nodes.
XGBOOST_OTHERWISE = {
    "trees in another order": _swap_trees,
    "a tree that is none": lambda document: document["learner"]["gradient_booster"]["model"][
        "trees"
    ].__setitem__(1, None),
    "rounds from another tree on": lambda document: document["learner"]["gradient_booster"][
        "model"
    ].update(iteration_indptr=[3, 3, 6]),
    "a category without a set": lambda document: _first(document).update(
        {name: [] for name in ("categories", *_SETS)},
        split_type=[1] * len(_first(document)["split_type"]),
    ),
    "a number with categories": lambda document: document["learner"].update(
        feature_types=["c", "c", "c", "c"]
    ),
    "an underscore": lambda document: document["learner"]["learner_model_param"].update(
        base_score="1_0"
    ),
}
_SETS = ("categories_nodes", "categories_segments", "categories_sizes")


@pytest.mark.parametrize("kind", XGBOOST_OTHERWISE)
def test_documents_that_xgboost_reads_otherwise_are_refused(sources, tmp_path, kind):
    document = json.loads(sources["json"])
    XGBOOST_OTHERWISE[kind](document)
    assert convert(tmp_path, "json", json.dumps(document).encode()) is None
