"""What the paper's text and captions say of its pictures."""

from collections.abc import Callable
from dataclasses import dataclass

from experiments.measures import statements as measures
from experiments.measures import t_self
from experiments.measures.observed import NO_DATA, Observed, Outcome


@dataclass(frozen=True, slots=True)
class Claim:
    """A statement of the paper: where, what, what counts as holding, and how it is measured."""

    label: str
    text: str
    criterion: str
    measure: Callable[[Observed], Outcome]


def check(claim: Claim, observed: Observed) -> Outcome:
    """Return what was measured, and whether the claim holds; no data if a domain is missing."""
    try:
        return claim.measure(observed)
    except KeyError as error:
        return f"needs {error.args[0]}", NO_DATA


CLAIMS = (
    Claim(
        "sec:t-exp",
        "With the rounds of boosting, nodes near the root move to the center",
        "median confidence of nodes at most two tests down, smaller in rounds 10 and 200 than in "
        "round 1, on nine tenths of the domains",
        measures.drift,
    ),
    Claim(
        "sec:t-exp",
        "The first root is far out on imbalanced domains, near the center on balanced ones",
        "confidence above 1, and below .1 for abalone",
        measures.far_roots,
    ),
    Claim(
        "sec:t-exp",
        "online_shoppers_intention: for many rounds the bottommost nodes are near the border",
        "at least ten rounds",
        measures.near_border,
    ),
    Claim(
        "sec:t-exp",
        "online_shoppers_intention: a good split at the root of #1, with the longest arc; it is "
        "still there in #10",
        "gain above the median of the other domains",
        measures.root_split,
    ),
    Claim(
        "sec:t-exp",
        "abalone: a reasonably good split at the root of #1, which soon disappears",
        "more than 10 %, and a tenth of that in #10",
        measures.lost_split,
    ),
    Claim(
        "sec:t-exp",
        "abalone: many nodes of #10 are near the center",
        "a quarter of the nodes within the isoline .6",
        measures.near_center,
    ),
    Claim(
        "sec:t-exp",
        "abalone: the nodes of #10 are almost equally balanced between classes",
        "45 to 55 %",
        measures.balance,
    ),
    Claim(
        "sec:t-exp",
        "analcatdata_supreme: very soon all nodes are close to the center",
        "in #10, median posterior below .65 and none above .9",
        measures.all_near_center,
    ),
    Claim(
        "sec:t-exp",
        "analcatdata_supreme: many nodes keep the negative class",
        "three quarters, in all of #1 to #10",
        measures.negative,
    ),
    Claim(
        "sec:t-exp",
        "What the pictures show of domains aligns with their test errors",
        "rank correlation of the paper's errors with all of these, means of the first ten trees, "
        "below −.5",
        measures.performance,
    ),
    Claim(
        "tab:isolines-t-self",
        "Isolines up to .9 stay almost equidistant below t = 1",
        "no gap below .8 of the largest",
        t_self.spacing,
    ),
    Claim(
        "tab:self-vs-t-self",
        "What is within the isoline .9 is only scaled at t = 0",
        "factors within .1 of each other",
        t_self.scaling,
    ),
    Claim(
        "tab:self-vs-t-self",
        "online_shoppers_intention: the best of #1 look equal at t = 1; at t = 0 one of them is "
        "seen to cross .999",
        "one node beyond; less than 6 px at t = 1, more at t = 0",
        t_self.crossing,
    ),
    Claim(
        "tab:self-vs-t-self",
        "twitter: the best subtrees are spotted at once at t = 0",
        "",
        t_self.twitter,
    ),
    Claim(
        "tab:self-vs-t-self",
        "hardware: nodes that are told apart only at t = 0 appear at any round",
        "the five surest within 6 px at t = 1 and not at t = 0, in all quarters of the rounds",
        t_self.any_round,
    ),
    Claim(
        "tab:self-vs-t-self",
        "hardware: red nodes of j = 70 look aligned at t = 1, not at t = 0",
        "less than 6 px at t = 1, more at t = 0",
        t_self.aligned,
    ),
    Claim(
        "tab:kaggle-dt-exerpt",
        "give_me_some_credit: best subtrees that look equal differ clearly at t = 0",
        "as above, in #1 and in most of the first ten trees",
        t_self.credit,
    ),
    Claim(
        "tab:kaggle-dt-exerpt",
        "The best nodes fall on each other at t = 1, and not at t = 0",
        "half as many share a pixel",
        t_self.pixels,
    ),
    Claim(
        "fig:hyperbolicsum",
        "The error ρ of the placement is small (#7 of online_shoppers_intention)",
        "below 10 %, and so in the first ten trees of all domains",
        measures.small_error,
    ),
    Claim(
        "sec:t-dt",
        "The best embeddings of monotonic trees have all arcs going outward",
        "no arc ends nearer to the center than it starts, in both embeddings",
        measures.outward,
    ),
    Claim(
        "fig:dt-vs-mdt",
        "A monotonic tree has the depth of its tree",
        "all trees",
        measures.same_depth,
    ),
    Claim(
        "fig:dt-vs-mdt",
        "A monotonic tree is in general smaller than its tree",
        "nine tenths of the trees",
        measures.fewer_nodes,
    ),
    Claim(
        "tab:dt-vs-mdt-XAI",
        "ionosphere: the domain is too small for big trees",
        "half of the nodes allowed",
        measures.small_trees,
    ),
    Claim(
        "tab:dt-vs-mdt-XAI",
        "hillnoise: noise makes many nodes, leaves too, disappear in the monotonic tree",
        "a larger share of leaves than the median of the other domains",
        measures.noise,
    ),
)
