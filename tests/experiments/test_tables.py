"""The tables can be made from any data, are the same when made again, and have their sections."""

import numpy as np
import pytest

from experiments.context import MissingDataError
from experiments.results_table import read_table
from experiments.study.paper import DT_VS_MDT, SHAPES
from experiments.tables import (
    ablations,
    dt_vs_mdt,
    embedding,
    peers,
    twitter,
)
from experiments.tables import (
    domains as tab_domains,
)
from horotree.trees import Model
from tests.experiments.made import quick_context

TABLES = (ablations, tab_domains, dt_vs_mdt, embedding, peers, twitter)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Two domains, and all tables made of them."""
    context = quick_context(tmp_path_factory.mktemp("made"), "ionosphere", "german")
    return context, {module: module.run(context) for module in TABLES}


@pytest.mark.parametrize("module", TABLES, ids=lambda module: module.NAME)
def test_a_table_has_its_section_and_is_the_same_when_made_again(made, module):
    context, paths = made
    before = {path: path.read_bytes() for path in paths[module]}
    page = module.page(context.results)
    assert page.startswith("## ")
    assert module.run(context) == paths[module]
    assert {path: path.read_bytes() for path in paths[module]} == before
    assert module.page(context.results) == page


@pytest.mark.parametrize("module", TABLES, ids=lambda module: module.NAME)
def test_seconds_are_in_files_of_their_own(made, module):
    context, paths = made
    for path in paths[module]:
        if not path.stem.endswith("-times"):
            assert "second" not in path.read_text("utf-8")
    assert hasattr(module, "times") == any(p.stem.endswith("-times") for p in paths[module])
    if hasattr(module, "times"):
        assert "seconds" in module.times(context.results)


@pytest.mark.parametrize(
    "module",
    [module for module in TABLES if module not in (tab_domains, twitter)],
    ids=lambda module: module.NAME,
)
def test_without_any_domain_a_table_is_refused(tmp_path, module, capsys):
    with pytest.raises(MissingDataError, match="data not available"):
        module.run(quick_context(tmp_path))
    assert "left out" in capsys.readouterr().err


def test_trees_and_monotonic_versions_are_compared_on_the_same_folds(made):
    context, _ = made
    lines = read_table(context.results, "tab-dt-vs-mdt")
    assert [(line["setting"], line["domain"]) for line in lines] == [
        (setting, domain) for domain in ("ionosphere", "german") for setting in ("default", "paper")
    ]
    seeds = read_table(context.results, "tab-dt-vs-mdt-seeds")
    for line in lines:
        mine = [s for s in seeds if all(s[k] == line[k] for k in ("setting", "domain"))]
        assert [part["seed"] for part in mine] == ["0", "1"]
        assert mine[0]["dt"] == line["dt"]
        mean = np.mean([float(part["mdt"]) for part in mine])
        assert float(line["mdt_seeds"]) == pytest.approx(mean, rel=1e-4)
        printed = DT_VS_MDT[line["domain"]]
        away = (float(line["dt_seeds"]) - printed.dt) / (printed.dt_std / 10**0.5)
        assert float(line["away"]) == pytest.approx(away, rel=1e-3)


def test_the_three_predictors_are_the_trees_and_two_readings_of_their_monotonic_versions(tmp_path):
    context = quick_context(tmp_path, "german")
    dataset = context.domain("german")
    train, test = np.arange(0, 60), np.arange(60, 90)
    model = dt_vs_mdt.classifier(5, "paper")
    found = dt_vs_mdt.measure(model, dataset, train, test)
    table, y = dataset.take(test)
    trees = model.model_
    assert isinstance(trees, Model)
    for name, predictor in {
        "dt": trees,
        "mdt": trees.as_drawn(),
        "inner": trees.as_drawn(evaluate="inner"),
    }.items():
        assert found[name] == np.mean(predictor.predict(table) != y)
    assert found["trees"] == len(trees.ensembles[0].trees) == 5
    assert 1 <= found["kept"] <= found["nodes"] <= 201


@pytest.mark.parametrize(
    ("errors", "others", "p"),
    [
        ([1.0, 2.0, 3.0], [1.0, 2.0, 3.0], 1.0),
        ([1.0, 2.0, 3.0], [2.0, 3.0, 4.0], 0.0),
        ([1.0, 2.0, 4.0], [2.0, 3.0, 6.0], 0.05719096),
    ],
)
def test_the_p_value_is_students_paired(errors, others, p):
    # Differences 1, 1, 2: mean 4/3, deviation 1/√3, so t = 4 with two degrees of freedom.
    assert dt_vs_mdt._p(np.array(errors), np.array(others)) == pytest.approx(p, abs=1e-7)


def test_ranks_are_means_over_domains_and_the_best_is_first():
    def figures(error, auc):
        return {"error": error, "log_loss": error, "auc": auc}

    found = {
        "a": {"x": figures(0.1, 0.9), "y": figures(0.2, 0.8), "z": figures(0.2, 0.95)},
        "b": {"x": figures(0.3, 0.7), "y": figures(0.2, 0.8), "z": figures(0.4, 0.6)},
    }
    lines = peers._summarize(found)
    assert [line["error_rank"] for line in lines] == [1.5, 1.75, 2.75]
    assert [line["auc_rank"] for line in lines] == [2.0, 2.0, 2.0]
    assert lines[0]["error"] == pytest.approx(0.2)


def test_all_domains_are_listed_and_those_not_there_say_so(made):
    context, _ = made
    lines = {line["domain"]: line for line in read_table(context.results, "tab-domains")}
    assert list(lines) == list(SHAPES)
    assert (lines["german"]["m"], lines["german"]["d"], lines["german"]["positive"]) == (
        "90",
        "3",
        "50",
    )
    assert lines["ionosphere"]["categorical"] == "1"
    assert lines["twitter"]["m"] == ""
    (row,) = [line for line in tab_domains.page(context.results).splitlines() if "twitter" in line]
    assert "583,250 × 78" in row
    assert "data not available" in row


def test_exact_layouts_have_no_error_and_no_crossings(made):
    context, _ = made
    for line in read_table(context.results, "tab-embedding"):
        if line["method"].startswith("the exact"):
            assert float(line["error_worst"]) < 1e-9
            assert float(line["crossings_worst"]) == 0.0
        assert int(line["trees"]) + int(line["left_out"]) == context.n_trees


def test_boosted_monotonic_trees_are_their_own_monotonic_versions(made):
    context, _ = made
    for line in read_table(context.results, "tab-ablations"):
        if "monotonic" in line["change"]:
            assert line["dt_error"] == line["mdt_error"]
            assert line["dt_log_loss"] == line["mdt_log_loss"]


def test_made_data_as_large_as_twitter_never_go_by_its_name(made):
    context, _ = made
    (line,) = read_table(context.results, "tab-twitter")
    assert (line["data"], line["features"]) == ("synthetic", "78")
    assert "| twitter | data not available |" in twitter.page(context.results)
