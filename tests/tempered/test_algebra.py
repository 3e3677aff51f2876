"""Tempered algebra: accuracy, conventions, laws, array libraries, bad input."""

import inspect
import math
import subprocess
import sys
from functools import partial

import numpy as np
import pytest
from hypothesis import assume, given
from mpmath import mp
from numpy.testing import assert_allclose, assert_array_equal

from horotree import tempered
from horotree.tempered import (
    add_t,
    cosh_t,
    div_t,
    exp_t,
    lift,
    log_t,
    mul_t,
    sinh_t,
    sub_t,
    unlift,
)
from tests.reference import algebra as reference
from tests.strategies import positives, reals, temperatures

EPS = 2.0**-52
NEAR_ONE = [1.0 + sign * 10.0**-k for k in range(1, 16) for sign in (1, -1)]
LAST_BITS = [1.0 - 2.0**-53, 1.0 - 2.0**-52, 1.0, 1.0 + 2.0**-52]
UNARY = {
    "log_t": (log_t, reference.log_t),
    "exp_t": (exp_t, reference.exp_t),
    "lift": (lift, reference.lift),
    "unlift": (unlift, reference.unlift),
    "cosh_t": (cosh_t, reference.cosh_t),
    "sinh_t": (sinh_t, reference.sinh_t),
    "cosh_t printed": (partial(cosh_t, negation="classical"), reference.cosh_printed),
    "sinh_t printed": (partial(sinh_t, negation="classical"), reference.sinh_printed),
}
BINARY = {
    "add_t": (add_t, reference.add_t),
    "sub_t": (sub_t, reference.sub_t),
    "mul_t": (mul_t, reference.mul_t),
    "div_t": (div_t, reference.div_t),
}


def some_temperatures(rng):
    return [*rng.uniform(-5, 5, 20), *NEAR_ONE, *LAST_BITS, -5.0, -1.0, 0.0, 0.5, 1.5, 2.0, 5.0]


def some_operands(name, rng, t):
    """Operands of all sizes, next to where the function is zero, and next to its domain's end."""
    if name == "log_t":
        around_one = 1 + rng.choice([-1, 1], 2) * 10 ** rng.uniform(-15, -1, 2)
        return [*10 ** rng.uniform(-300, 308, 3), *around_one, 5e-324, sys.float_info.max]
    sizes = [
        *10 ** rng.uniform(-300, 308, 2),
        *10 ** rng.uniform(-3, 3, 2),
        *rng.uniform(0, 800, 2),
    ]
    edge = []
    if t != 1:  # the end of the domain; and the last results that do not overflow
        edge = [-(1 - 10 ** rng.uniform(-14, -0.1)) / (1 - t)]
        edge += [(709.7 + math.log(abs(1 - t))) / (1 - t), 709.7 / (1 - t), 709.5]
    return [*sizes, *(-z for z in sizes), sys.float_info.max, *edge]


def is_inside(name, z, s):
    """Whether z is in the domain and the result in the range of a double, roughly."""
    if name == "log_t":
        return abs(s * mp.log(z)) < 800
    if name == "lift":
        return abs(s * z) < 800
    ends = [z, -z] if "printed" in name else [z]
    if any(1 + s * end <= 0 for end in ends):
        return False
    return name == "unlift" or all(abs(reference.unlift(end, s)) < 800 for end in ends)


def assert_accurate(function, oracle, *operands, t):
    """Assert the promised error, with t as a number and as an array; tell if there was anything."""
    value, condition = reference.value_and_condition(oracle, *operands, t=t)
    if not sys.float_info.min < abs(value) < sys.float_info.max or 8 * EPS * condition > 1:
        return False  # not a normal double, or not determined by its arguments
    for temperature in (t, np.array([t])):
        got = np.ravel(function(*operands, t=temperature))[0]
        error = reference.relative_error(got, value)
        assert error <= 8 * EPS * max(1, condition), (operands, temperature, error / EPS, condition)
    return True


@pytest.mark.parametrize("name", UNARY)
def test_relative_error_of_one_operand(name):
    function, oracle = UNARY[name]
    rng = np.random.default_rng(1)
    checked = 0
    for t in map(float, some_temperatures(rng)):
        for z in map(float, some_operands(name, rng, t)):
            if is_inside(name, mp.mpf(z), 1 - mp.mpf(t)):
                checked += assert_accurate(function, oracle, z, t=t)
    assert checked > 250


@pytest.mark.parametrize("name", BINARY)
def test_relative_error_of_two_operands(name):
    function, oracle = BINARY[name]
    rng = np.random.default_rng(2)
    checked = 0
    for t in map(float, some_temperatures(rng)):
        s = 1 - mp.mpf(t)
        sizes = np.concatenate([10 ** rng.uniform(-300, 300, 4), 10 ** rng.uniform(-3, 3, 8)])
        if name in ("add_t", "sub_t"):
            sizes = np.concatenate([10 ** rng.uniform(-300, 308, 4), rng.normal(size=8)])
            sizes *= rng.choice([-1, 1], 12)
        for x, y in zip(map(float, sizes), map(float, rng.permutation(sizes)), strict=True):
            if name in ("mul_t", "div_t") and s:
                powers = mp.mpf(x) ** s, mp.mpf(y) ** s
                inner = powers[0] + (powers[1] - 1 if name == "mul_t" else 1 - powers[1])
                if inner <= 0 or abs(mp.log(inner) / s) > 800:
                    continue
            checked += assert_accurate(function, oracle, x, y, t=t)
    assert checked > 400


def test_conventions_outside_the_domain():
    assert exp_t(-2.0, t=0.5) == 0 == exp_t(-3.0, t=0.5) == exp_t(-math.inf, t=0.5)
    assert exp_t(2.0, t=1.5) == math.inf == exp_t(3.0, t=1.5) == exp_t(math.inf, t=1.5)
    assert log_t(0.0, t=0.5) == -2
    assert log_t(0.0, t=-1.0) == -0.5
    assert log_t(0.0, t=1.0) == -math.inf == log_t(0.0, t=1.5)
    assert all(math.isnan(log_t(-1.0, t=t)) for t in (-1.0, 0.5, 1.0, 2.0))
    assert log_t(math.inf, t=3.0) == 0.5
    assert log_t(math.inf, t=0.5) == math.inf
    assert lift(-math.inf, t=0.5) == -2
    assert lift(math.inf, t=1.5) == 2
    assert unlift(-2.0, t=0.5) == -math.inf
    assert unlift(2.0, t=1.5) == math.inf


def test_sums_and_differences_with_infinity():
    inf = math.inf
    for t in (1.0, np.array([1.0])):
        assert add_t(inf, 1.0, t=t) == inf == add_t(inf, inf, t=t)
        assert sub_t(1.0, inf, t=t) == -inf
    for t in (0.5, np.array([0.5])):
        assert add_t(0.0, inf, t=t) == inf == add_t(inf, -1.0, t=t)
        assert add_t(inf, -3.0, t=t) == -inf  # 1 + (1-t) y is negative
        assert sub_t(1.0, inf, t=t) == -2.0
        assert sub_t(inf, 1.0, t=t) == inf
    assert add_t(1.5e308, 1.5e308, t=2.0) == -inf
    assert_allclose(sub_t(1.0, 1e308, t=-5.0), -1 / 6)
    assert_allclose(sub_t(1e308, -1e308, t=0.0), -2.0)
    assert_allclose(add_t(1e308, 1e-300, t=-5.0), 1e308)


@pytest.mark.parametrize("name", [*UNARY, *BINARY])
def test_an_array_of_temperatures_gives_what_each_temperature_gives(name):
    function, _ = (UNARY | BINARY)[name]
    z = np.array([0.0, 5e-324, 1e-300, 0.3, 1.0, 2.0, 1e300, math.inf, math.nan, -0.4, -math.inf])
    t = np.array([-2.0, 0.0, 0.5, 1.0, 1.0 + 2.0**-52, 1.5, 3.0])
    operands = [z[:, None]] if name in UNARY else [z[:, None], z[::-1, None]]
    each = np.stack([function(*(x[:, 0] for x in operands), t=float(u)) for u in t], axis=1)
    assert_allclose(function(*operands, t=t), each, rtol=4 * EPS)


def test_nan_stays_nan():
    for function, _ in UNARY.values():
        assert np.isnan(function(math.nan, t=0.5))
        assert np.isnan(function(math.nan, t=1.0))


@pytest.mark.parametrize("t", [-2.0, 0.0, 0.5, 0.9, 1.0, 1.1, 2.0])
def test_products_and_quotients_with_zero_and_infinity(t):
    s = 1 - t
    # x^s + y^s - 1 with the power of 0 (t < 1), and of infinity (t > 1), being 0
    small, large = (0.0, math.inf) if s > 0 else (math.inf, 0.0)
    if t != 1:
        assert_allclose(
            mul_t(small, 3.0**s, t=t), exp_t(log_t(3.0**s, t=t) - 1 / s, t=t), rtol=1e-13
        )
        assert mul_t(large, 3.0, t=t) == large
        assert div_t(small, small, t=t) == 1
        assert math.isnan(div_t(large, large, t=t))
    assert mul_t(0.0, 0.0, t=t) == 0
    assert div_t(7.0, 7.0, t=t) == 1
    assert mul_t(1e-300, 1.0, t=t) == 1e-300 == div_t(1e-300, 1.0, t=t)
    assert math.isnan(mul_t(-1.0, 2.0, t=t))
    assert math.isnan(div_t(2.0, -1.0, t=t))


@given(z=reals, t=temperatures)
def test_exp_t_undoes_log_t_of_exp(z, t):
    assume(-20 < (1 - t) * z < 300)
    # lift amplifies a relative error of its result by |s z| on the way back at most
    assert_allclose(unlift(lift(z, t=t), t=t), z, rtol=1e-14 * (1 + math.exp(max(0, -(1 - t) * z))))


@given(x=reals, y=reals, t=temperatures)
def test_the_lift_turns_sums_into_tempered_sums(x, y, t):
    assume(abs((1 - t) * (abs(x) + abs(y))) < 300)
    scale = abs(float(lift(x, t=t))) + abs(float(lift(y, t=t)))
    scale += abs((1 - t) * float(lift(x, t=t)) * float(lift(y, t=t)))
    got = add_t(lift(x, t=t), lift(y, t=t), t=t)
    assert_allclose(got, lift(x + y, t=t), rtol=1e-11, atol=1e-12 * scale)


@given(x=reals, y=reals, t=temperatures)
def test_sub_t_undoes_add_t(x, y, t):
    assume(abs(1 + (1 - t) * y) > 1e-3)
    scale = (abs(x) + abs(y) + abs((1 - t) * x * y)) / abs(1 + (1 - t) * y)
    assert_allclose(sub_t(add_t(x, y, t=t), y, t=t), x, rtol=1e-12, atol=1e-13 * scale)


@given(x=positives, y=positives, t=temperatures)
def test_tempered_product_is_exp_t_of_the_sum_of_log_t(x, y, t):
    with mp.workdps(50):
        s = 1 - mp.mpf(t)
        total = reference.log_t(mp.mpf(x), s) + reference.log_t(mp.mpf(y), s)
        assume(1 + s * total > 1e-6)
        expected = float(reference.exp_t(total, s))
    assert_allclose(float(mul_t(x, y, t=t)), expected, rtol=1e-7)


@given(z=reals, t=temperatures)
def test_hyperbolic_functions_of_the_lift_are_the_classical_ones(z, t):
    assume(abs((1 - t) * z) < 30 and abs(z) < 30)
    # the way there and back loses exp(|s z|)
    rtol = 1e-13 * math.exp(abs((1 - t) * z))
    assert_allclose(cosh_t(lift(z, t=t), t=t), math.cosh(z), rtol=rtol)
    assert_allclose(sinh_t(lift(z, t=t), t=t), math.sinh(z), rtol=rtol)


@given(z=reals, t=temperatures)
def test_printed_hyperbolic_functions_are_half_sums_of_exp_t(z, t):
    up, down = float(exp_t(z, t=t)), float(exp_t(-z, t=t))
    assume(max(up, down) < 1e300)
    assert_allclose(cosh_t(z, t=t, negation="classical"), (up + down) / 2, rtol=1e-13)
    sinh = sinh_t(z, t=t, negation="classical")
    assert_allclose(sinh, (up - down) / 2, rtol=1e-13, atol=1e-15 * max(1.0, up, down))


def test_blocks_give_what_one_call_gives():
    rng = np.random.default_rng(0)
    z = rng.uniform(0, 5, 30_000)
    z[::7] = 0
    z[::11] = 1e-310
    for function, _ in UNARY.values():
        pieces = np.concatenate([function(part, t=0.3) for part in np.split(z, 30)])
        assert_allclose(function(z, t=0.3), pieces, rtol=4 * EPS)
    t = np.array([0.0, 1.0, 2.0])
    assert_allclose(lift(z[:, None], t=t)[:, 1], z)
    assert_allclose(lift(z[:, None], t=t)[17], lift(z[17], t=t), rtol=4 * EPS)
    fortran = np.asfortranarray(z.reshape(300, 100))
    assert_array_equal(lift(fortran[:, ::2], t=0.3), lift(fortran[:, ::2].copy(), t=0.3))


def test_shapes_and_dtypes():
    assert isinstance(lift(1, t=0), np.float64)
    assert lift([1, 2], t=[0.0, 1.0]).shape == (2,)
    assert lift(np.ones((4, 1)), t=np.zeros(3)).shape == (4, 3)
    assert lift(np.zeros((0, 3)), t=0.5).shape == (0, 3)
    assert lift(np.ones(3, np.float32), t=0.5).dtype == np.float32
    assert lift(np.float32(1), t=0.5).dtype == np.float32
    assert lift(np.float16([0.0, 1.0]), t=1 - 2.0**-53).tolist() == [0.0, 1.0]
    assert lift(np.ones(3, np.float32), t=np.float64(0.5)).dtype == np.float32
    assert lift(np.ones(3, np.float32), t=np.zeros(3)).dtype == np.float64
    assert lift(np.arange(3), t=1).dtype == np.float64
    assert add_t(np.ones(2), 1, t=0).tolist() == [3.0, 3.0]
    # in float32, a plain t is not rounded before 1 - t is formed
    assert_allclose(log_t(np.float32([10.0]), t=1 - 1e-10), np.float32(math.log(10)), rtol=1e-6)


def test_operands_are_not_changed():
    z = np.linspace(0, 1, 20_000)
    before = z.copy()
    for function, _ in UNARY.values():
        for t in (0.5, 1.0):
            assert not np.shares_memory(function(z, t=t), z)
            assert not np.shares_memory(function(z[:5], t=t), z)
    assert_array_equal(z, before)


@pytest.mark.parametrize("name", [*UNARY, *BINARY])
@pytest.mark.parametrize("t", [0.5, 1.0, 1.5, "array"])
def test_the_array_api_is_enough(require, name, t):
    strict = require("array_api_strict")
    function, _ = (UNARY | BINARY)[name]
    z = np.array([0.1, 0.5, 1.0, 1.7])
    operands = [z] if name in UNARY else [z, z[::-1].copy()]
    t_numpy, t_strict = t, t
    if t == "array":
        t_numpy = np.array([0.5, 1.0, 1.5, 0.0])
        t_strict = strict.asarray(t_numpy)
    got = function(*(strict.asarray(x) for x in operands), t=t_strict)
    assert type(got) is type(strict.asarray(z))
    assert_allclose(np.asarray(got), function(*operands, t=t_numpy), rtol=4 * EPS)


DERIVATIVE_POINTS = [(1.2, 0.4), (0.8, 1.6), (1.3, 1.0), (2.0, 1 - 1e-9), (0.6, 1 + 1e-14)]


def derivatives(oracle, z, t):
    """Return f_z, f_t and f_tt in high precision; at t = 1 those next to it."""
    with mp.workdps(200):
        s = 1 - mp.mpf(t) or mp.mpf(10) ** -30
        f_z = mp.diff(lambda x: oracle(x, s), mp.mpf(z), h=mp.mpf(10) ** -20)
        step = abs(s) * mp.mpf(10) ** -15
        low, mid, high = (oracle(mp.mpf(z), s + k * step) for k in (-1, 0, 1))
        return float(f_z), float((low - high) / (2 * step)), float((low - 2 * mid + high) / step**2)


@pytest.mark.parametrize("name", UNARY)
@pytest.mark.parametrize(("z", "t"), DERIVATIVE_POINTS)
def test_torch_differentiates_in_z_and_t(require, name, z, t):
    torch = require("torch")
    function, oracle = UNARY[name]
    z_ = torch.tensor([z], dtype=torch.float64, requires_grad=True)
    t_ = torch.tensor([t], dtype=torch.float64, requires_grad=True)
    value = function(z_, t=t_)
    assert isinstance(value, torch.Tensor)
    assert value.dtype == torch.float64
    f_z, f_t = torch.autograd.grad(value.sum(), (z_, t_), create_graph=True)
    (f_tt,) = torch.autograd.grad(f_t.sum(), t_)
    expected = derivatives(oracle, z, t)
    assert_allclose(f_z.item(), expected[0], rtol=1e-10)
    assert_allclose(f_t.item(), expected[1], rtol=1e-6, atol=1e-9)
    if abs(1 - t) > 1e-2 or t == 1:
        assert_allclose(f_tt.item(), expected[2], rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize("t", [0.5, 1.5])
def test_torch_gradients_outside_the_domain_are_zero(require, t):
    torch = require("torch")
    z = torch.tensor([-5.0, 5.0], dtype=torch.float64, requires_grad=True)
    outside = 0 if t < 1 else 1
    for function in (exp_t, unlift):
        (gradient,) = torch.autograd.grad(function(z, t=t)[outside], z)
        assert gradient.tolist() == [0.0, 0.0]


@pytest.mark.parametrize("t", [-1.0, 0.0, 0.5, 0.9])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_torch_gradients_of_log_t_hold_for_small_operands(require, t, dtype):
    torch = require("torch")
    exponents = np.array([-1.0, -4.0, -8.0, -12.0, -16.0, -25.0])
    z = torch.tensor(10.0**exponents, dtype=getattr(torch, dtype), requires_grad=True)
    (gradient,) = torch.autograd.grad(log_t(z, t=t).sum(), z)
    rtol = 1e-4 if dtype == "float32" else 1e-12
    expected = z.detach().numpy().astype(float) ** -t
    assert_allclose(gradient.numpy(), expected, rtol=rtol, atol=1e-24 if dtype == "float32" else 0)
    at_zero = torch.zeros(1, dtype=getattr(torch, dtype), requires_grad=True)
    (gradient,) = torch.autograd.grad(log_t(at_zero, t=t).sum(), at_zero)
    assert torch.isfinite(gradient).all()


def test_torch_maps_over_temperatures(require):
    torch = require("torch")
    t = torch.tensor([0.0, 0.5, 1.0, 1.5], dtype=torch.float64)
    got = torch.func.vmap(lambda u: lift(torch.tensor(2.0, dtype=torch.float64), t=u))(t)
    assert_allclose(got.numpy(), lift(2.0, t=t.numpy()), rtol=1e-14)


@pytest.mark.parametrize("name", UNARY)
@pytest.mark.parametrize(("z", "t"), DERIVATIVE_POINTS)
def test_jax_differentiates_and_compiles(require, name, z, t):
    jax = require("jax")
    function, oracle = UNARY[name]
    with jax.enable_x64(True):
        call = jax.jit(lambda z, t: function(z, t=t))
        z_, t_ = jax.numpy.asarray(z), jax.numpy.asarray(t)
        assert isinstance(call(z_, t_), jax.Array)
        assert_allclose(call(z_, t_), function(z, t=t), rtol=1e-13)
        f_z, f_t = jax.grad(call, argnums=(0, 1))(z_, t_)
        expected = derivatives(oracle, z, t)
        assert_allclose(f_z, expected[0], rtol=1e-10)
        assert_allclose(f_t, expected[1], rtol=1e-6, atol=1e-9)
        assert np.isnan(call(z_, jax.numpy.asarray(math.nan)))  # seen too late to be refused


def test_other_libraries_give_the_same_values(require):
    torch = require("torch")
    z = np.concatenate([np.linspace(0, 4, 50), [1e-300, 1e300, math.inf]])
    for name, (function, _) in (UNARY | BINARY).items():
        operands = [z] if name in UNARY else [z, z[::-1].copy()]
        for t in (-1.0, 0.5, 1.0, 2.0):
            got = function(*map(torch.from_numpy, operands), t=t)
            assert_allclose(got.numpy(), function(*operands, t=t), rtol=1e-13)


@pytest.mark.parametrize("t", ["hot", None, 1j, [0.5, "x"], object()])
def test_a_temperature_that_is_no_number_is_refused(t):
    with pytest.raises(TypeError, match="real number"):
        lift(1.0, t=t)


@pytest.mark.parametrize("t", [math.nan, math.inf, -math.inf, np.array([0.5, math.nan])])
def test_a_temperature_that_is_not_finite_is_refused(t):
    with pytest.raises(ValueError, match="t must be finite"):
        lift(1.0, t=t)


@pytest.mark.parametrize("z", ["1", None, 1j, np.array([1j]), np.array(["1"]), {"a": 1}])
def test_operands_that_are_no_real_numbers_are_refused(z):
    with pytest.raises(TypeError, match="expected real numbers"):
        lift(z, t=0.5)


def test_shapes_that_do_not_broadcast_are_refused():
    with pytest.raises(ValueError, match=r"must broadcast, got the shapes \(3,\), \(4,\): make"):
        add_t(np.ones(3), np.ones(4), t=0.5)
    with pytest.raises(ValueError, match="expected a regular array"):
        lift([[1.0, 2.0], [3.0]], t=0.5)


def test_masked_arrays_are_refused():
    with pytest.raises(TypeError, match="lose their mask"):
        lift(np.ma.masked_array([1.0, 2.0], [True, False]), t=0.5)


def test_two_libraries_at_once_are_refused(require):
    strict = require("array_api_strict")
    with pytest.raises(TypeError, match="one library, got arrays of array_api_strict, numpy"):
        add_t(strict.asarray([1.0]), np.ones(1), t=0.5)


def test_an_unknown_negation_is_refused():
    with pytest.raises(ValueError, match="negation must be"):
        cosh_t(1.0, t=0.5, negation="none")


@pytest.mark.parametrize("name", [name for name in tempered.__all__ if name.endswith("_t")])
def test_the_temperature_is_keyword_only_and_classical_by_default(name):
    parameter = inspect.signature(getattr(tempered, name)).parameters["t"]
    assert parameter.kind is inspect.Parameter.KEYWORD_ONLY
    assert parameter.default == 1.0


def test_importing_tempered_loads_numpy_only():
    code = (
        "import sys, horotree.tempered; "
        "print([m for m in ('scipy', 'sklearn', 'matplotlib', 'pandas') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
