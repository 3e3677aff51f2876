"""A credit job, from data to pages: ``python -m examples.credit [FOLDER]``.

Made data: loans of two months, of which about 2 % default. In the second month a new driver appears
(loans that were sold by phone), which no model of the first month can know. Writes a page for each
month about one XGBoost model of the first; needs the extra ``peers``.
"""

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import horotree

# Loans in a month, of which a half is to train on.
N_LOANS = 40_000

PURPOSES = ("car", "debt", "education", "home", "medical", "other")


def make_loans(n: int = N_LOANS, month: int = 1, seed: int = 0) -> tuple[pd.DataFrame, pd.Series]:
    """Return loans and whether they default: by utilization, late payments, income and purpose.

    Parameters
    ----------
    n : int
        The number of loans.
    month : {1, 2}
        In the second month loans sold by phone default seven times as often.
    seed : int
        Of the random numbers.

    Returns
    -------
    table, defaults : DataFrame, Series of int
    """
    rng = np.random.default_rng((seed, month))
    utilization = rng.beta(1.2, 2.5, n).round(3)
    late = rng.poisson(rng.gamma(0.6, 0.7, n))
    income = rng.lognormal(10.6, 0.5, n).round(-2)
    table = pd.DataFrame(
        {
            "utilization": utilization,
            "late_payments": late,
            "income": np.where(rng.random(n) < 0.08, np.nan, income),
            "debt_ratio": rng.lognormal(-1.2, 0.7, n).round(3),
            "age": rng.integers(19, 85, n),
            "loans_open": rng.poisson(3.0, n),
            "months_employed": rng.gamma(1.5, 50.0, n).round(),
            "purpose": pd.Categorical(rng.choice(PURPOSES, n), categories=PURPOSES),
            "sold_by_phone": (rng.random(n) < 0.1).astype(int),
        }
    )
    logit = (
        -6.15
        + 3.6 * utilization
        + 0.95 * np.minimum(late, 4)
        - 0.9 * np.log(income / 40_000.0)
        + 0.9 * ((table["purpose"] == "medical") & (table["debt_ratio"] > 0.4))
        - 0.015 * (table["age"] - 45)
        + (1.9 * table["sold_by_phone"] if month == 2 else 0.0)
    )
    defaults = pd.Series((rng.random(n) < 1.0 / (1.0 + np.exp(-logit))).astype(int), name="default")
    return table, defaults


def fit_model(X: pd.DataFrame, y: pd.Series) -> Any:
    """Return the model that is to be explained: XGBoost at its defaults, 200 trees."""
    from xgboost import XGBClassifier

    return XGBClassifier(
        n_estimators=200, max_depth=4, learning_rate=0.1, enable_categorical=True, random_state=0
    ).fit(X, y)


def main() -> None:
    """Write the pages."""
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "horotree-credit")
    folder.mkdir(parents=True, exist_ok=True)
    X, y = make_loans()
    half = N_LOANS // 2
    model = fit_model(X[:half], y[:half])
    for month, data in ((1, (X[half:], y[half:])), (2, make_loans(month=2))):
        page = horotree.view(model, *data, title=f"Loans that default, month {month}")
        print(page.write_html(folder / f"month-{month}.html"))


if __name__ == "__main__":
    main()
