"""What the paper observes is measured from trees, and may come out either way."""

from dataclasses import replace

import numpy as np
import pytest

from experiments.context import MissingDataError
from experiments.drawing import pictures
from experiments.measures import statements, t_self
from experiments.measures.claims import CLAIMS, check
from experiments.measures.observed import FAILS, HOLDS, IN_PART, NO_DATA, Observed, judge
from experiments.measures.trees import measure_domain, measure_trees, spread
from experiments.results_table import read_table
from experiments.tables import observations
from horotree import embed, monotonic
from tests.experiments.made import quick_context

NAMES = ("online_shoppers_intention", "abalone", "hillnoise")


@pytest.fixture(scope="module")
def context(tmp_path_factory):
    return quick_context(tmp_path_factory.mktemp("observations"), *NAMES)


@pytest.fixture(scope="module")
def found(context):
    return {name: measure_domain(context.domain(name), context.n_trees) for name in NAMES}


def change(found, **figures):
    """Return the figures of trees with some replaced: a list by round, or one value for all."""
    return Observed(
        {
            name: [
                replace(tree, **{k: v[i] if isinstance(v, list) else v for k, v in figures.items()})
                for i, tree in enumerate(trees)
            ]
            for name, trees in found.items()
        }
    )


def test_the_table_has_a_line_a_claim_and_is_the_same_when_made_again(context):
    paths = observations.run(context)
    before = [path.read_bytes() for path in paths]
    page = observations.page(context.results)
    assert [path.read_bytes() for path in observations.run(context)] == before
    assert observations.page(context.results) == page
    lines = read_table(context.results, observations.NAME)
    assert [line["claim"] for line in lines] == [claim.text for claim in CLAIMS]
    assert {line["verdict"] for line in lines} <= {HOLDS, IN_PART, FAILS, NO_DATA}
    for line in page.splitlines():
        assert len(line) <= 100 or line.startswith("|"), line
        assert line.count("|") in (0, 5), line


def test_without_any_domain_nothing_is_claimed(tmp_path, capsys):
    with pytest.raises(MissingDataError, match="none of the paper's domains"):
        observations.run(quick_context(tmp_path))
    assert "left out" in capsys.readouterr().err


def test_a_claim_on_a_domain_that_is_not_there_has_no_verdict(found):
    only = Observed({"abalone": found["abalone"]})
    outcomes = [check(claim, only) for claim in CLAIMS]
    assert [verdict for _, verdict in outcomes].count(NO_DATA) > 10
    assert ("needs online_shoppers_intention", NO_DATA) in outcomes
    assert check(CLAIMS[0], only)[1] != NO_DATA


def test_a_verdict_is_in_part_if_some_of_it_holds():
    assert [judge(*holds) for holds in ([True, True], [True, False], [False])] == [
        HOLDS,
        IN_PART,
        FAILS,
    ]


def test_drift_is_found_if_it_is_there_and_not_if_it_is_not(found):
    falling, rising = [5.0, 4.0, 3.0, 2.0, 1.0], [1.0, 2.0, 3.0, 4.0, 5.0]
    text, verdict = statements.drift(change(found, shallow=falling))
    assert verdict == HOLDS
    assert "5.00 → 1.00 → 1.00" in text
    assert statements.drift(change(found, shallow=rising))[1] == FAILS


@pytest.mark.parametrize(("beyond", "at_1", "verdict"), [(1, 2.0, HOLDS), (3, 20.0, FAILS)])
def test_the_surest_must_touch_at_t_1_and_one_be_beyond(found, beyond, at_1, verdict):
    observed = change(found, beyond=beyond, spread_t1=at_1, spread_t0=30.0)
    assert t_self.crossing(observed)[1] == verdict


def test_the_depth_must_be_kept_in_all_trees(found):
    assert statements.same_depth(change(found, depth=4, kept_depth=4))[1] == HOLDS
    depths = {"depth": 4, "kept_depth": [4, 4, 4, 4, 3]}
    text, verdict = statements.same_depth(change(found, **depths))
    assert (text, verdict) == ("so in 80.0 % of 15 trees", FAILS)


def test_what_is_measured_of_a_tree_is_true_of_it(context):
    (ensemble,) = pictures.grow(context.domain("abalone"), 2).ensembles
    for figures, tree in zip(measure_trees("abalone", ensemble), ensemble.trees, strict=True):
        kept = monotonic(tree)
        assert (figures.nodes, figures.kept) == (tree.n_nodes, len(kept))
        assert figures.depth == max(tree.depth)
        assert 0 <= figures.kept_depth <= figures.depth
        assert figures.largest == kept.confidence.max()
        assert figures.error == embed(kept, "sarkar").error
        leaves = {int(node) for node in np.flatnonzero(tree.is_leaf)}
        lost = leaves - {int(node) for node in kept.node}
        assert figures.lost_leaves == pytest.approx(len(lost) / len(leaves))
        p = tree.posterior[[0, tree.left[0], tree.right[0]]]
        risk = -p * np.log(p) - (1.0 - p) * np.log1p(-p)
        w = tree.weight[[tree.left[0], tree.right[0]]] / tree.weight[0]
        assert figures.root_gain == pytest.approx(1.0 - w @ risk[1:] / risk[0], rel=1e-6)


def test_the_spread_is_that_of_the_five_largest():
    confidence = np.array([0.0, 9.0, 1.0, 2.0, 3.0, 4.0])
    assert spread(confidence, 1.0) == pytest.approx(500.0 * (np.tanh(4.5) - np.tanh(0.5)))
    assert spread(confidence, 0.0) == pytest.approx(500.0 * (9.0 / 11.0 - 1.0 / 3.0))
    assert spread(np.array([]), 1.0) == 0.0
