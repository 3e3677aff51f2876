"""Small domains that are made: files as the experiments read them."""

import numpy as np
import pandas as pd

from experiments.context import Context


def write_domain(folder, name, *, n_rows=90, seed=0, with_category=True):
    generator = np.random.default_rng(seed)
    table = pd.DataFrame(generator.normal(size=(n_rows, 3)).round(2), columns=list("abc"))
    score = table["a"] - table["b"] + 0.5 * generator.normal(size=n_rows)
    if with_category:
        table["kind"] = generator.choice(["p", "q", "r"], n_rows)
        score += table["kind"] == "p"
    table.loc[generator.random(n_rows) < 0.05, "c"] = np.nan
    table["target"] = (score > score.median()).astype(int)
    folder.mkdir(parents=True, exist_ok=True)
    table.to_csv(folder / f"{name}.csv.gz", index=False)


def quick_context(folder, *names, **others):
    """Return a quick context on made domains, below a folder; nothing is fetched."""
    for seed, name in enumerate(names):
        write_domain(folder / "data", name, seed=seed, with_category=seed % 2 == 0)
    return Context(
        data=folder / "data",
        output=folder / "output",
        results=folder / "results",
        pictures=folder / "images",
        formats=("png",),
        dpi=50.0,
        quick=True,
        offline=True,
        **others,
    )
