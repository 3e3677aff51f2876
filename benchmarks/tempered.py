"""Tempered functions on ten million doubles, against the NumPy functions they are made of.

Run as ``python -m benchmarks.tempered``. A ratio of 1 would mean that guarding against
cancellation, overflow and the edges of the domain costs nothing.
"""

import argparse
from collections.abc import Callable

import numpy as np

from benchmarks.machinery.timing import alternate
from horotree.tempered import exp_t, lift, log_t

TEMPERATURES = (-2.0, 0.0, 0.5, 0.999, 1.5)


def pairs(z: np.ndarray, t: float) -> dict[str, tuple[Callable[[], object], Callable[[], object]]]:
    """Return (ours, NumPy's) by function: the definition with expm1 and log1p, unguarded."""
    s = 1.0 - t
    return {
        "lift": (lambda: lift(z, t=t), lambda: np.expm1(s * z) / s),
        "log_t": (lambda: log_t(z, t=t), lambda: np.expm1(s * np.log(z)) / s),
        "exp_t": (lambda: exp_t(z, t=t), lambda: np.exp(np.log1p(s * z) / s)),
    }


def main() -> None:
    """Print one row per operand set, function and temperature."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=10_000_000)
    parser.add_argument("--repeats", type=int, default=5)
    options = parser.parse_args()
    rng = np.random.default_rng(0)
    ordinary = rng.uniform(0.1, 10.0, options.size)
    operands = {"in (0.1, 10)": ordinary, "10 % zeros": np.where(ordinary < 1.09, 0.0, ordinary)}
    print(f"{options.size:,} doubles, median of {options.repeats}, alternating\n")
    print("| operands | function | t | ns a value | NumPy's | ratio |\n|---|---|---|---|---|---|")
    for description, z in operands.items():
        for t in TEMPERATURES:
            for name, (ours, numpys) in pairs(z, t).items():
                with np.errstate(all="ignore"):
                    times = alternate({"ours": ours, "numpy": numpys}, options.repeats)
                ns = {key: value * 1e9 / options.size for key, value in times.items()}
                print(
                    f"| {description} | {name} | {t:g} | {ns['ours']:.1f} | {ns['numpy']:.1f} "
                    f"| {ns['ours'] / ns['numpy']:.2f} |"
                )


if __name__ == "__main__":
    main()
