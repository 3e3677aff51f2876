"""Fingerprints of the tempered numbers, the geometry and the losses: functions of numbers."""

import importlib
import inspect
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import numpy as np

import horotree
from horotree import geometry, tempered

from .hashes import Prints

TEMPERATURES = (1.0, 0.3, 1.4, -0.5)


def print_all(prints: Prints) -> None:
    """Add what all public functions give for several kinds of arguments, or what they raise."""
    losses = importlib.import_module(f"{horotree.__name__}.losses")
    spaces = [getattr(geometry, name) for name in geometry.__all__]
    for module in (tempered, losses, *spaces):
        for name, function in _functions(module):
            prints.run(
                f"numbers/{module.__name__.removeprefix('horotree.')}/{name}", _call, function
            )
    prints.run("numbers/others", _call_others)


def _functions(module: ModuleType) -> Iterator[tuple[str, Any]]:
    for name in sorted(getattr(module, "__all__", vars(module))):
        found = getattr(module, name)
        is_own = getattr(found, "__module__", "").startswith(module.__name__)
        if inspect.isfunction(found) and is_own and not name.startswith("_"):
            yield name, found


def _arguments(n: int) -> dict[str, list[Any]]:
    """Return n arguments of each kind: some are right for a function, others are refused."""
    rng = np.random.default_rng(0)
    shares = rng.dirichlet(np.ones(5), n)
    return {
        "numbers": list(rng.uniform(0.02, 0.98, (n, 60))),
        "large numbers": list(10.0 ** rng.uniform(-12.0, 2.5, (n, 60))),
        "negative numbers": list(rng.normal(0.0, 3.0, (n, 60))),
        "points": list(rng.uniform(-0.6, 0.6, (n, 30, 2))),
        "shares": list(shares),
        "a function": [np.exp, 0.1, 0.9, 0.4][:n],
        "a distortion": [tempered.kl, *shares][:n],
    }


def _call(prints: Prints, name: str, function: Any) -> None:
    parameters = inspect.signature(function).parameters
    needed = [
        p for p in parameters.values() if p.default is p.empty and p.kind is not p.VAR_KEYWORD
    ]
    for kind, arguments in _arguments(len(needed)).items():
        for t in TEMPERATURES if "t" in parameters else (None,):
            options = {} if t is None else {"t": t}
            where = f"{name}/{kind}" if t is None else f"{name}/{kind} t {t}"
            try:
                prints.add(where, function(*arguments, **options))
            except Exception as error:  # noqa: BLE001 - that it is refused is a result, too
                prints.add(where, f"raises {type(error).__name__}")


def _call_others(prints: Prints, name: str) -> None:
    """Add what functions give that need arguments of their own kind."""
    rng = np.random.default_rng(1)
    p, q, r, s = rng.dirichlet(np.ones(4), 4)
    x = rng.uniform(-0.6, 0.6, (2, 30, 2))
    lifted = [geometry.poincare.to_lorentz(points) for points in x]
    sides = 1.0 + rng.random((3, 50))
    gaps = np.linalg.norm(x[0][:12, None] - x[0][:12], axis=-1)
    says = rng.random(50) < 0.4
    bregman = tempered.bregman_divergence(lambda z: np.sum(z**4, axis=-1), lambda z: 4.0 * z**3)
    triangular = tempered.f_divergence(
        lambda u: (u - 1.0) ** 2 / (u + 1.0), at_zero=1.0, slope_at_infinity=1.0
    )
    losses = importlib.import_module(f"{horotree.__name__}.losses")
    made = {
        "bregman": bregman(p, q),
        "f_divergence": triangular(p, q),
        "data_processing_gap": tempered.data_processing_gap(tempered.kl, p, q, [p, q, r, s]),
        "gromov_four_point": geometry.hyperbolicity.gromov_four_point(gaps),
        "lorentz.distance": geometry.lorentz.distance(*lifted),
        "near_metric": geometry.lorentz.near_metric(0.4),
        "from_lorentz": geometry.poincare.from_lorentz(lifted[0]),
        "to_polar": geometry.poincare.to_polar(x[0]),
        "ray_offset": geometry.polar.ray_offset(sides[0], sides[1], 1.0 + sides[2]),
        "log_loss": losses.log_loss(says, sides[0] / 2.1),
        "logistic_loss": losses.logistic_loss(says, sides[0] - 1.5, sides[1]),
    }
    prints.add_each(name, made)
    for t in TEMPERATURES:
        prints.add_each(f"{name}/t {t}", _at(t, (p, q, r, s), lifted, sides))


def _at(t: float, shares: Any, lifted: Any, sides: Any) -> dict[str, Any]:
    """Return what functions give at a temperature."""
    kl, triangle = tempered.kl, geometry.hyperbolicity.triangle_hyperbolicity
    minimum = tempered.minimizer_t(tempered.generalized_kl, shares, t=t)
    return {
        "t_self": tempered.t_self(kl, t=t)(*shares[:2]),
        "primitive_t": tempered.primitive_t(np.cos, 0.0, t=t)([0.1, 0.2, 0.5]),
        "riemann_sum_t": tempered.riemann_sum_t(np.cos, [0, 0.5, 1], [0.2, 0.7], t=t),
        "joint_convexity_gap": tempered.joint_convexity_gap(kl, *shares, 0.4, t=t),
        "minimizer_t": minimum.point,
        "triangle_hyperbolicity": triangle(*sides, t=t),
        "lorentz.distortion": geometry.lorentz.distortion(*lifted, t=t),
    }
