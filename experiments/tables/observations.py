"""What the paper's text observes on its pictures, measured."""

from collections import Counter
from dataclasses import asdict
from pathlib import Path

from experiments.context import Context, MissingDataError
from experiments.measures.claims import CLAIMS, check
from experiments.measures.observed import FAILS, HOLDS, IN_PART, NO_DATA, Observed
from experiments.measures.trees import measure_domain
from experiments.page import table
from experiments.progress import progress
from experiments.results_table import read_table, write_table
from experiments.study.paper import SHAPES

LABEL = "sec:t-exp"
ORDER = 20
NAME = "tab-observations"
ROUNDS = (*range(1, 11), 20, 50, 100, 200)
VERDICTS = {
    HOLDS: "hold",
    IN_PART: "hold in part",
    FAILS: "do not hold",
    NO_DATA: "lack the data",
}
TEXT = """## Observations on the pictures, measured

{n} statements of the paper's text and captions on what its pictures show, each with a number:
{text}.

Trees are those of the pictures above, up to round 200, of {n_domains} domains. *Confidence* is the
distance from the center. Pixels are those of a disk 1,000 px wide, on which marks nearer than 6 px
touch. The paper gives no thresholds: what counts as holding is our choice, made with the figures
known, so read those rather than the verdicts. The trees are not the authors': theirs come from one
fold, and look at 2,000 tests a node drawn at random, so a statement on single nodes of a single
tree may well be true of theirs and not of ours.
`experiments/results/{trees}.csv` has the figures of trees by round.

"""


def run(context: Context) -> list[Path]:
    """Write a line a claim, and the figures of some trees of all domains."""
    names = [name for name in SHAPES if name != "twitter"]
    found = {}
    domains = context.domains(names)
    with progress(NAME, len(domains)) as count:
        for data in domains:
            found[data.name] = measure_domain(data, context.n_trees)
            count()
    if not found:
        raise MissingDataError("data not available: none of the paper's domains; pass --data DIR")
    observed = Observed(found)
    claims = []
    for claim in CLAIMS:
        measured, verdict = check(claim, observed)
        line = {"label": claim.label, "claim": claim.text, "criterion": claim.criterion}
        claims.append({**line, "measured": measured, "verdict": verdict})
    trees = [asdict(tree) for of in found.values() for tree in of if tree.round in ROUNDS]
    made = {"trees": context.n_trees, "setting": "paper"}
    return [
        write_table(context, NAME, claims, **made),
        write_table(context, f"{NAME}-trees", trees, **made),
    ]


def page(results: Path) -> str:
    """Return the section of the page."""
    claims = read_table(results, NAME)
    counts = Counter(claim["verdict"] for claim in claims)
    text = ", ".join(f"{counts[verdict]} {words}" for verdict, words in VERDICTS.items())
    n_domains = len({tree["domain"] for tree in read_table(results, f"{NAME}-trees")})
    rows = [[c["claim"], c["measured"], c["criterion"] or "–", c["verdict"]] for c in claims]
    head = ["the paper says", "measured", "counts as holding", "verdict"]
    text = TEXT.format(n=len(claims), text=text, n_domains=n_domains, trees=f"{NAME}-trees")
    return text + table(head, rows).replace("--:", "---")
