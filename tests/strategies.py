"""What hypothesis draws: temperatures (also next to 1), reals of all sizes."""

from hypothesis import strategies as st

# 1 - 10^-k and 1 + 10^-k down to the last bit of a double, on either side of the classical case.
near_one = st.builds(
    lambda k, sign: 1.0 + sign * 10.0**-k, st.floats(1.0, 15.9), st.sampled_from([-1.0, 1.0])
) | st.sampled_from([1.0 - 2.0**-53, 1.0, 1.0 + 2.0**-52])

temperatures = st.floats(-5.0, 5.0) | near_one

# Numbers a user meets, away from where float64 itself gives out.
reals = st.floats(-50.0, 50.0)
positives = st.builds(lambda e: 10.0**e, st.floats(-6.0, 6.0))

# Polynomials of a low degree, by their coefficients.
coefficients = st.lists(st.floats(-2.0, 2.0), min_size=1, max_size=4)


def polynomial(c):
    return lambda x: sum(a * x**k for k, a in enumerate(c))
