"""Numbers with a temperature t: the algebra and calculus in which ``x + y + (1-t)xy`` adds.

Importing this package loads NumPy only; quadrature and optimization load SciPy when first used.
"""

from .algebra import add_t, cosh_t, div_t, exp_t, lift, log_t, mul_t, sinh_t, sub_t, unlift
from .calculus import (
    Estimate,
    bracket_t,
    integral_t,
    primitive_t,
    product_integral,
    riemann_sum_t,
)
from .derivatives import MeanValue, derivative_t, mean_value_t
from .distortions import (
    Minimum,
    data_processing_gap,
    joint_convexity_gap,
    joint_convexity_temperatures,
    minimizer_t,
    t_self,
)
from .divergences import (
    bregman_divergence,
    chi2,
    f_divergence,
    generalized_kl,
    hellinger,
    itakura_saito,
    jensen_shannon,
    kl,
    reverse_kl,
    squared_euclidean,
    total_variation,
)
from .entropies import tempered_relative_entropy, to_cosimplex, tsallis

__all__ = [
    "Estimate",
    "MeanValue",
    "Minimum",
    "add_t",
    "bracket_t",
    "bregman_divergence",
    "chi2",
    "cosh_t",
    "data_processing_gap",
    "derivative_t",
    "div_t",
    "exp_t",
    "f_divergence",
    "generalized_kl",
    "hellinger",
    "integral_t",
    "itakura_saito",
    "jensen_shannon",
    "joint_convexity_gap",
    "joint_convexity_temperatures",
    "kl",
    "lift",
    "log_t",
    "mean_value_t",
    "minimizer_t",
    "mul_t",
    "primitive_t",
    "product_integral",
    "reverse_kl",
    "riemann_sum_t",
    "sinh_t",
    "squared_euclidean",
    "sub_t",
    "t_self",
    "tempered_relative_entropy",
    "to_cosimplex",
    "total_variation",
    "tsallis",
    "unlift",
]
