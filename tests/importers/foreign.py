"""Data and numbers for models of other libraries: adversarial rows around thresholds."""

import numpy as np

TINY = [0.0, -0.0, 5e-324, -5e-324, 1e-40, -1e-40, 1e-35, -1e-35, 1.1e-35, 1e-45]
HUGE = [1e30, -1e30, 3.4e38, -3.4e38]
EDGES = np.array([*TINY, *HUGE])


def training_data(rng, n, n_classes, *, codes=0, missing=0.1):
    """Return numbers, of which many are tied, a column of codes if wanted, and classes."""
    X = np.stack(
        [
            rng.normal(size=n),
            rng.integers(-3, 4, n).astype(float),
            np.where(rng.random(n) < 0.5, 0.0, rng.normal(size=n)),
        ],
        axis=1,
    )
    score = X[:, 0] + 0.5 * X[:, 1] - X[:, 2] ** 2 + rng.normal(0.0, 0.5, n)
    if codes:
        code = rng.integers(0, codes, n).astype(float)
        X = np.column_stack([X, code])
        score += 2.0 * (code % 3 == 1)
    X[rng.random(X.shape) < missing] = np.nan
    y = np.digitize(score, np.quantile(score, np.arange(1, n_classes) / n_classes))
    y[:n_classes] = np.arange(n_classes)
    return X, y


def adversarial_rows(rng, model, n=300, *, codes=0, dtype=np.float64):
    """Return rows on, next to and far from thresholds; codes also beyond those in training."""
    pools = [[*EDGES, np.nan, np.nan, *rng.normal(size=5)] for _ in model.feature_names]
    for tree in (tree for ensemble in model.ensembles for tree in ensemble.trees):
        inner = tree.feature >= 0
        for j, s in zip(tree.feature[inner].tolist(), tree.threshold[inner].tolist(), strict=True):
            with np.errstate(over="ignore"):
                near = np.nextafter(dtype(s), np.array([-np.inf, np.inf], dtype))
            pools[j] += [s, *near.tolist()]
    X = np.stack([rng.choice(np.array(pool), n) for pool in pools], axis=1)
    X[np.abs(X) > 3.4e38] = 0.0
    if codes:
        X[:, -1] = rng.integers(0, codes + 5, n)
        X[rng.random(n) < 0.2, -1] = np.nan
    return X
