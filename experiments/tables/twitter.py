"""A fit as large as twitter, on the domain if it is there, and on made data of the same shape."""

import time
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.model_selection import train_test_split

from benchmarks.machinery.data import Dataset
from experiments.context import Context, MissingDataError
from experiments.page import table
from experiments.progress import say
from experiments.results_table import read_table, write_table
from experiments.study.checksum import checksum
from experiments.study.kept import describe, digest, run_kept
from experiments.study.models import classifier
from experiments.study.synthetic import twitter_like
from horotree.embedding import embed_model

LABEL = "twitter"
ORDER = 55
NAME = "tab-twitter"
QUICK_ROWS = 2_000
STEPS = {
    "fit": "fit of 200 trees",
    "score": "score of a quarter",
    "embed": "embedding of all trees",
}
INTRODUCTION = """## As large as twitter

The paper shows one tree of twitter (583,250 × 78), which may not be at hand: `twitter.csv.gz` is
read if it is there. Made data of the same shape, skewed counts and rare positives, stand in for
the size, not for the domain. Our default, trained on three quarters and tested on the rest; seconds
are in the last section.
"""


def run(context: Context) -> list[Path]:
    """Write a line for each of the two, and one of seconds."""
    lines, seconds = [], []
    for dataset in _datasets(context):
        make = partial(classifier, context.n_trees)
        key = digest(checksum(dataset), describe(measure), describe(make))
        path = context.output / "folds" / dataset.name / f"{key}-size.json"
        (found,) = run_kept(context, dataset.name, {path: partial(measure, make, dataset)})
        head = {"data": dataset.name, "rows": dataset.X.shape[0], "features": dataset.X.shape[1]}
        lines.append({**head, **{name: found[name] for name in found if name not in STEPS}})
        seconds.append({"data": dataset.name, **{name: round(found[name], 1) for name in STEPS}})
    made = {"trees": context.n_trees}
    return [
        write_table(context, NAME, lines, **made),
        write_table(context, f"{NAME}-times", seconds, **made),
    ]


def _datasets(context: Context) -> list[Dataset]:
    made = twitter_like(QUICK_ROWS if context.quick else None)
    try:
        return [context.domain("twitter"), made]
    except MissingDataError as error:
        say(str(error))
        return [made]


def measure(make: partial[Any], dataset: Dataset) -> dict[str, float]:
    """Return errors in % on a quarter of the rows, and the seconds of each step."""
    rows = np.arange(len(dataset.y))
    train, test = train_test_split(rows, test_size=0.25, random_state=0, stratify=dataset.y)
    X, y = dataset.take(train)
    start = time.process_time()
    model = make().fit(X, y).model_
    fitted = time.process_time()
    X, y = dataset.take(test)
    ready = time.process_time()
    score = model.score(X)
    scored = time.process_time()
    embed_model(model)
    embedded = time.process_time()
    return {
        "positive": 100.0 * float(dataset.y.mean()),
        "dt_error": 100.0 * float(np.mean((score > 0.0) != (y == 1))),
        "mdt_error": 100.0 * float(np.mean((model.as_drawn().score(X) > 0.0) != (y == 1))),
        "fit": fitted - start,
        "score": scored - ready,
        "embed": embedded - scored,
    }


def page(results: Path) -> str:
    """Return the section."""
    lines = read_table(results, NAME)
    rows = [
        [
            line["data"],
            f"{int(line['rows']):,} × {int(line['features'])}",
            *(f"{float(line[name]):.2f}" for name in ("positive", "dt_error", "mdt_error")),
        ]
        for line in lines
    ]
    if "twitter" not in [line["data"] for line in lines]:
        rows.insert(0, ["twitter", "data not available", "", "", ""])
    head = ["data", "m × d", "class 1, %", "DT error %", "MDT error %"]
    return "\n".join([INTRODUCTION, table(head, rows)])


def times(results: Path) -> str:
    """Return the seconds of each step."""
    lines = read_table(results, f"{NAME}-times")
    rows = [[line["data"], *(line[name] for name in STEPS)] for line in lines]
    return table(["as large as twitter, seconds", *STEPS.values()], rows)
