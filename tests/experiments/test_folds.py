"""Folds run in parallel on any backend; those that are finished are kept."""

import signal
import subprocess
import sys
import textwrap
import time
from functools import partial
from pathlib import Path

import joblib
import numpy as np
import pytest

from experiments.study import kept
from experiments.study.folds import run_folds
from experiments.study.models import classifier, fingerprint
from tests.experiments.made import quick_context

ROOT = Path(__file__).parents[2]
MODELS = {"small": partial(classifier, 2), "large": partial(classifier, 3, "paper")}


def measure(model, dataset, train, test):
    score = model.fit(*dataset.take(train)).decision_function(dataset.take(test)[0])
    return {"first": float(score[0]), "n": len(test), "row": int(test[0])}


def kept_files(context):
    return sorted(path.name for path in (context.output / "folds").rglob("*") if path.is_file())


def test_every_model_meets_every_fold_of_every_seed_in_order(tmp_path):
    context = quick_context(tmp_path, "german")
    folds = run_folds(context, context.domain("german"), MODELS, measure, seeds=(0, 1))
    expected = [(m, s, f) for s in (0, 1) for m in MODELS for f in range(context.n_folds)]
    assert [(fold.model, fold.seed, fold.fold) for fold in folds] == expected
    assert sum(f.figures["n"] for f in folds if (f.model, f.seed) == ("small", 0)) == 90
    first = [fold.figures["row"] for fold in folds if fold.model == "small"]
    assert first == [fold.figures["row"] for fold in folds if fold.model == "large"]


def test_what_is_kept_is_not_measured_again_and_what_is_missing_is(tmp_path, monkeypatch):
    context = quick_context(tmp_path, "german")
    dataset = context.domain("german")
    before = run_folds(context, dataset, MODELS, measure)
    files = kept_files(context)
    lost = next((context.output / "folds").rglob("*-seed0-fold1.json"))
    lost.unlink()
    done = []
    monkeypatch.setattr(kept, "_keep", partial(_note, kept._keep, done))
    assert run_folds(context, dataset, MODELS, measure) == before
    assert done == [lost]
    assert kept_files(context) == files


def _note(keep, done, path, figures):
    done.append(path)
    keep(path, figures)


@pytest.mark.parametrize(
    "change", ["nothing", "table", "setting", "measure", "version", "behavior"]
)
def test_folds_of_anything_else_are_not_taken_for_it(tmp_path, monkeypatch, change):
    context = quick_context(tmp_path, "german")
    dataset = context.domain("german")
    models = {"small": partial(classifier, 2)}
    run_folds(context, dataset, models, measure)
    before = kept_files(context)
    if change == "table":
        dataset.X.iloc[0, 0] += 1.0
    if change == "setting":
        models = {"small": partial(classifier, 2, smoothing=1.0)}
    if change == "behavior":
        monkeypatch.setattr(kept, "fingerprint", lambda: "other")
    function = shares if change == "measure" else measure
    versions = ["1"] if change == "version" else []
    run_folds(context, dataset, models, function, versions=versions)
    assert len(kept_files(context)) == len(before) * (1 if change == "nothing" else 2)


def test_the_fingerprint_is_of_what_fits_come_out_as(monkeypatch):
    before = fingerprint()
    assert fingerprint.__wrapped__() == before
    monkeypatch.setattr("experiments.study.models.PROBES", ({"learning_rate": 0.49},))
    assert fingerprint.__wrapped__() != before


@pytest.mark.parametrize("backend", ["loky", "threading", "multiprocessing", "sequential"])
def test_any_backend_of_joblib_gives_the_same(tmp_path, backend):
    context = quick_context(tmp_path, "german", jobs=2)
    dataset = context.domain("german")
    with joblib.parallel_config(backend, n_jobs=2):
        folds = run_folds(context, dataset, MODELS, measure)
    alone = run_folds(quick_context(tmp_path / "b", "german"), dataset, MODELS, measure)
    assert folds == alone


def test_a_run_that_was_killed_goes_on_where_it_was(tmp_path):
    script = """
        import sys, time
        from functools import partial
        from pathlib import Path
        from experiments.study.folds import run_folds
        from experiments.study.models import classifier
        from tests.experiments.made import quick_context

        def measure(model, dataset, train, test):
            with open(sys.argv[2], "a") as file:
                file.write(f"{test[0]}\\n")
            if len(open(sys.argv[2]).readlines()) == 3 and len(sys.argv) > 3:
                time.sleep(60.0)
            return {"row": int(test[0])}

        context = quick_context(Path(sys.argv[1]), "german")
        models = {"a": partial(classifier, 2), "b": partial(classifier, 3)}
        print(len(run_folds(context, context.domain("german"), models, measure)))
    """
    log = tmp_path / "log"
    command = [sys.executable, "-c", textwrap.dedent(script), str(tmp_path), str(log)]
    with subprocess.Popen([*command, "slow"], cwd=ROOT, stderr=subprocess.DEVNULL) as process:
        while not log.exists() or len(log.read_text().splitlines()) < 3:
            assert process.poll() is None
            time.sleep(0.02)
        process.send_signal(signal.SIGKILL)
    finished = list((tmp_path / "output" / "folds").rglob("*.json"))
    assert len(finished) == 2
    again = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    assert again.stdout == "6\n"
    assert len(log.read_text().splitlines()) == 3 + 4


def test_splits_are_stratified(tmp_path):
    context = quick_context(tmp_path, "german")
    dataset = context.domain("german")
    folds = run_folds(context, dataset, {"a": partial(classifier, 1)}, shares)
    assert np.ptp([fold.figures["share"] for fold in folds]) < 0.05


def shares(model, dataset, train, test):
    return {"share": float(dataset.y[test].mean())}
