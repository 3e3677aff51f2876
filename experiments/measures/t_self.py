"""What is measured of the paper's statements on the t-self."""

import numpy as np

from experiments.measures.observed import NO_DATA, Observed, Outcome, judge
from horotree._checks import Floats
from horotree.display.text.numbers import plain_number
from horotree.geometry.tself import norm_t
from horotree.losses import link

SHOPPERS, CREDIT = "online_shoppers_intention", "give_me_some_credit"
# Pixels of 1,000 within which marks touch.
CLOSE = 6.0


def scaling(observed: Observed) -> Outcome:
    """Measure what t = 0 multiplies norms by."""
    root = observed.at("root", SHOPPERS, 1)
    distance = np.array([1e-6, max(root, 1e-6), float(link(0.9))])
    ratio = np.asarray(norm_t(distance, t=0.0)) / np.asarray(norm_t(distance, t=1.0))
    text = (
        f"norms are multiplied by {ratio[0]:.2f} at the center, by {ratio[2]:.2f} at .9; all nodes "
        f"of this tree within .9, from the root on, by {ratio[1]:.2f} to {ratio[2]:.2f}"
    )
    return text, judge(ratio[1] - ratio[2] < 0.1, ratio[0] - ratio[2] < 0.1)


def spacing(_: Observed) -> Outcome:
    """Measure the gaps between isolines below t = 1."""
    posteriors = np.array([0.5, 0.6, 0.7, 0.8, 0.9])
    parts, least = [], []
    for t in (0.6, 0.3, 0.0):
        gap = np.diff(np.asarray(norm_t(np.asarray(link(posteriors)), t=t)))
        least.append(float(gap.min() / gap.max()))
        parts.append(f"{least[-1]:.2f} at t = {plain_number(t)}")
    return f"smallest gap for the largest: {', '.join(parts)}", judge(*(x > 0.8 for x in least))


def crossing(observed: Observed) -> Outcome:
    """Measure how the surest nodes differ, and how many are beyond .999."""
    beyond = int(observed.at("beyond", SHOPPERS, 1))
    at_1, at_0 = (observed.at(f"spread_{t}", SHOPPERS, 1) for t in ("t1", "t0"))
    text = f"{beyond} node beyond .999; the five surest differ by {at_1:.1f} px of 1,000 at t = 1, "
    return f"{text}by {at_0:.0f} px at t = 0", judge(beyond == 1, at_1 < CLOSE < at_0)


def twitter(_: Observed) -> Outcome:
    """Say that there is nothing to measure."""
    return "data not available, and made data are no evidence", NO_DATA


def any_round(observed: Observed) -> Outcome:
    """Measure in how many rounds the surest nodes are told apart only at t = 0."""
    hidden = _hidden(observed, "hardware")
    parts = [int(part.sum()) for part in np.array_split(hidden, min(4, len(hidden)))]
    text = f"so in {int(hidden.sum())} of {len(hidden)} rounds: {', '.join(map(str, parts))} of "
    return f"{text}each quarter", judge(min(parts) > 0)


def _hidden(observed: Observed, domain: str) -> Floats:
    """Tell in which rounds the surest touch at t = 1, and are apart at t = 0."""
    at_1, at_0 = observed.all("spread_t1", domain), observed.all("spread_t0", domain)
    return np.asarray((at_1 < CLOSE) & (at_0 > CLOSE), np.float64)


def aligned(observed: Observed) -> Outcome:
    """Measure how the surest nodes of class 0 differ."""
    at_1, at_0 = (observed.at(f"negative_{t}", "hardware", 71) for t in ("t1", "t0"))
    text = f"the five surest of class 0 differ by {at_1:.1f} px at t = 1, by {at_0:.0f} px at t = 0"
    return text, judge(at_1 < CLOSE < at_0)


def credit(observed: Observed) -> Outcome:
    """Measure how the surest nodes of the first ten trees differ."""
    hidden = _hidden(observed, CREDIT)[:10]
    at_1, at_0 = (observed.all(f"spread_{t}", CREDIT)[:10] for t in ("t1", "t0"))
    rounds = [f"#{i}" for i in np.flatnonzero(hidden) + 1]
    text = (
        f"the five surest differ by {at_1[0]:.1f} px at t = 1 and {at_0[0]:.0f} px at t = 0 in #1, "
        f"by {at_1[-1]:.0f} and {at_0[-1]:.0f} px in #{len(at_1)}; so in {', '.join(rounds)}"
    )
    return text, judge(hidden[0] > 0.0, hidden.mean() > 0.5)


def pixels(observed: Observed) -> Outcome:
    """Measure how many of the best nodes share a pixel."""
    sure, at_1, at_0 = (
        sum(observed.all(name, domain)[:10].sum() for domain in observed.trees)
        for name in ("sure", "shared_t1", "shared_t0")
    )
    text = f"of {sure:.0f} nodes beyond .99 in the first ten trees, {at_1:.0f} share a pixel of "
    return f"{text}1,000 × 1,000 at t = 1, {at_0:.0f} at t = 0", judge(at_0 < 0.5 * at_1)
