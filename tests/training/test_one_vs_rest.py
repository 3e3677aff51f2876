"""An ensemble for each class: rows are binned and packed once, whatever is fitted on them."""

from dataclasses import replace

import numpy as np
import pytest

from horotree.training import (
    Binning,
    Labeled,
    LocalTrainer,
    Plan,
    Settings,
    choose_smoothing,
    smoothing,
)
from tests.training.samples import boost_table, draw_large

SETTINGS = Settings(n_estimators=4, max_leaf_nodes=8, subsample=0.8, seed=2)


def four_classes(n=2_000):
    data = draw_large(n)
    y = np.digitize(np.nan_to_num(data.X[:, 0]) + 0.1 * data.X[:, 5], [0.5, 1.5, 2.5])
    train = Labeled(data.X, y.astype(np.intp), data.sample_weight)
    return train, Plan(data.n_categories, 4, SETTINGS)


@pytest.fixture
def packed(monkeypatch):
    """Count how often rows are packed."""
    pack, calls = Binning.pack, []

    def count(self, *args, **options):
        calls.append(len(args[0]))
        return pack(self, *args, **options)

    monkeypatch.setattr(Binning, "pack", count)
    return calls


def test_each_ensemble_is_that_of_a_fit_of_its_own(packed):
    train, plan = four_classes()
    trainer = LocalTrainer(train, plan)
    first = trainer.fit(plan)
    again = trainer.fit(replace(plan, settings=replace(SETTINGS, smoothing=7.0)))
    assert packed == [2_000]
    for target, result, other in zip(range(4), first, again, strict=True):
        for found, settings in ((result, SETTINGS), (other, replace(SETTINGS, smoothing=7.0))):
            assert found.losses == []
            assert found.ensemble == boost_table(
                train.X,
                train.y == target,
                train.weight,
                n_categories=plan.n_categories,
                settings=settings,
            )


def test_all_candidates_of_smoothing_are_fitted_on_the_same_bins(packed, monkeypatch):
    train, plan = four_classes(900)
    choose_smoothing(train, plan)
    assert len(packed) == 3
    assert sum(packed) == 2 * 900
    packed.clear()
    monkeypatch.setattr(smoothing, "FEW_EXAMPLES", 900)
    choose_smoothing(train, plan)
    assert len(packed) == 1
