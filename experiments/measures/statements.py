"""What is measured of the paper's statements on trees and domains."""

import numpy as np
from scipy.stats import spearmanr

from experiments.measures.observed import Observed, Outcome, judge
from experiments.study.paper import DT_VS_MDT
from horotree.display.text.numbers import plain_number
from horotree.losses import inverse_link, link

SHOPPERS, SUPREME = "online_shoppers_intention", "analcatdata_supreme"
# What may be meant by a good look: all that was tried.
LOOKS = {
    "median": "median confidence",
    "leaf": "that of leaves",
    "shallow": "that of nodes near the root",
    "largest": "largest confidence",
    "root_gain": "gain of the root split",
}


def drift(observed: Observed) -> Outcome:
    """Measure whether nodes near the root move to the center."""
    first, tenth, last = (observed.over("shallow", r) for r in (1, 10, 200))
    n = len(first)
    fewer = [int((later < first).sum()) for later in (tenth, last)]
    medians = " → ".join(f"{np.median(x):.2f}" for x in (first, tenth, last))
    surest = [np.median(observed.over("largest", r)) for r in (1, 200)]
    text = (
        f"median of domains {medians} in rounds 1, 10 and the last; smaller than at first on "
        f"{fewer[0]} and {fewer[1]} of {n} domains. The surest nodes do not move in: "
        f"{surest[0]:.1f} → {surest[1]:.1f}"
    )
    return text, judge(*(k >= 0.9 * n for k in fewer))


def far_roots(observed: Observed) -> Outcome:
    """Measure where the first roots are."""
    far = [observed.at("root", name, 1) for name in (SHOPPERS, SUPREME)]
    near = observed.at("root", "abalone", 1)
    text = f"{SHOPPERS} {far[0]:.2f}, {SUPREME} {far[1]:.2f}, abalone {near:.4f}"
    return f"{text}: the logit of the class share", judge(min(far) > 1.0, near < 0.1)


def near_border(observed: Observed) -> Outcome:
    """Measure how near to the border leaves and the surest node are."""
    leaves = int((observed.all("leaf", SHOPPERS) > link(0.9)).sum())
    surest = int((observed.all("largest", SHOPPERS) > link(0.99)).sum())
    n = len(observed.trees[SHOPPERS])
    text = f"median leaf beyond .9 in {leaves} of {n} rounds, surest node beyond .99 in {surest}"
    return text, judge(leaves >= 10, surest >= 10)


def root_split(observed: Observed) -> Outcome:
    """Measure what the first split removes, and where the longest arc starts."""
    gain = [100.0 * observed.at("root_gain", SHOPPERS, r) for r in (1, 10)]
    others = [
        100.0 * float(np.median(observed.over("root_gain", r, but=SHOPPERS))) for r in (1, 10)
    ]
    longest = bool(observed.at("longest_at_root", SHOPPERS, 1))
    text = (
        f"it removes {gain[0]:.0f} % of the entropy (median of the others {others[0]:.0f} %), in "
        f"round 10 {gain[1]:.1f} % ({others[1]:.1f} %); the longest arc "
        f"{'starts' if longest else 'does not start'} at the root"
    )
    return text, judge(gain[0] > others[0], gain[1] > others[1], longest)


def lost_split(observed: Observed) -> Outcome:
    """Measure what the first split removes, in the first and the tenth tree."""
    first, tenth = (100.0 * observed.at("root_gain", "abalone", r) for r in (1, 10))
    text = f"it removes {first:.0f} % of the entropy, in round 10 {tenth:.1f} %"
    return text, judge(first > 10.0 and tenth < 0.1 * first)


def near_center(observed: Observed) -> Outcome:
    """Measure how many nodes are within the isoline .6."""
    first, tenth = (100.0 * observed.at("poor", "abalone", r) for r in (1, 10))
    median = float(inverse_link(observed.at("median", "abalone", 10)))
    text = f"{tenth:.0f} % of the nodes within .6 (first tree {first:.1f} %), median posterior "
    return f"{text}{median:.2f}", judge(tenth >= 25.0)


def balance(observed: Observed) -> Outcome:
    """Measure the share of nodes of class 1."""
    share = 100.0 * observed.at("positive", "abalone", 10)
    return f"{share:.0f} % of the nodes of #10 say class 1", judge(45.0 <= share <= 55.0)


def all_near_center(observed: Observed) -> Outcome:
    """Measure the median node and the surest one of the tenth tree."""
    median, surest = (
        float(inverse_link(observed.at(name, SUPREME, 10))) for name in ("median", "largest")
    )
    text = f"in #10 the median posterior is {median:.2f}, the surest node's {surest:.2f}"
    return text, judge(median < 0.65 and surest < 0.9)


def negative(observed: Observed) -> Outcome:
    """Measure the share of nodes of class 0."""
    share = 100.0 * (1.0 - observed.all("positive", SUPREME)[:10])
    text = f"{share[0]:.0f} % of the nodes of #1 say class 0, {share[-1]:.0f} % of #10"
    return text, judge(share.min() > 75.0)


def performance(observed: Observed) -> Outcome:
    """Measure whether domains with a larger error look worse."""
    names = [name for name in DT_VS_MDT if name in observed.trees]
    if len(names) < 3:
        raise KeyError("the domains of tab:dt-vs-mdt-XAI")
    errors = [DT_VS_MDT[name].dt for name in names]
    parts, found = [], []
    for name, words in LOOKS.items():
        means = [observed.all(name, domain)[:10].mean() for domain in names]
        rank = float(spearmanr(errors, means).statistic)
        parts.append(f"{words} {plain_number(rank, digits=2)}")
        found.append(rank < -0.5)
    return f"rank correlation with {', '.join(parts)} ({len(names)} domains)", judge(*found)


def small_error(observed: Observed) -> Outcome:
    """Measure ρ."""
    own = 100.0 * observed.at("error", SHOPPERS, 7)
    errors = 100.0 * np.concatenate([observed.all("error", d)[:10] for d in observed.trees])
    text = f"{own:.1f} %; first ten trees of all domains: median {np.median(errors):.1f} %, "
    return f"{text}worst {errors.max():.0f} %", judge(own < 10.0, errors.max() < 10.0)


def outward(observed: Observed) -> Outcome:
    """Measure whether arcs end farther out than they start."""
    inward = observed.together("inward")
    text = (
        f"in the exact layout all end farther out than they start; in the paper's placement not "
        f"all in {100.0 * np.mean(inward > 0.0):.1f} % of the trees, where up to "
        f"{100.0 * inward.max():.0f} % of the arcs do not"
    )
    return text, judge(True, not inward.any())


def same_depth(observed: Observed) -> Outcome:
    """Measure in how many trees the depth is the same."""
    same = observed.together("depth") == observed.together("kept_depth")
    return f"so in {100.0 * same.mean():.1f} % of {len(same):,} trees", judge(bool(same.all()))


def fewer_nodes(observed: Observed) -> Outcome:
    """Measure how many nodes are kept."""
    nodes, kept = observed.together("nodes"), observed.together("kept")
    share = 100.0 * kept.sum() / nodes.sum()
    text = (
        f"smaller in {100.0 * np.mean(kept < nodes):.1f} % of the trees; {share:.0f} % of all nodes"
    )
    return f"{text} are kept", judge(float(np.mean(kept < nodes)) > 0.9)


def small_trees(observed: Observed) -> Outcome:
    """Measure how large trees get."""
    nodes = observed.all("nodes", "ionosphere").mean()
    return f"{nodes:.0f} nodes on the mean, of the 201 allowed", judge(nodes < 100.5)


def noise(observed: Observed) -> Outcome:
    """Measure how many leaves monotonic trees lose."""
    lost = {name: 100.0 * observed.all("lost_leaves", name).mean() for name in observed.trees}
    own = lost.pop("hillnoise")
    others = list(lost.values())
    if not others:
        raise KeyError("another domain")
    text = f"{own:.0f} % of the leaves are lost; on the other domains {min(others):.0f} to "
    return f"{text}{max(others):.0f} %", judge(own > float(np.median(others)))
