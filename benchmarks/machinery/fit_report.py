"""The part of the report on fits: times next to what they must be, and what threads bring."""

import math
from collections.abc import Mapping, Sequence
from functools import partial

from benchmarks.machinery.cores import IDLE_SHARE, WHOLE, tell_answers
from benchmarks.machinery.race import MOST_TRIES, Entry, Result, evaluate, measure, race
from benchmarks.machinery.rows import LEAVES, ROWS, Scope, Split, judged, say, split, table
from benchmarks.models.other_classifiers import OTHERS, find_others

# The rows on which peers that are slow, or of another kind, are measured, too; if quick, the first.
ONCE = ("online_shoppers", "small")

# From so many rows on, two threads must bring this.
MANY_ROWS = 80_000
SPEED_UP = 1.7

TEXT = """\
Seconds to fit trees of {leaves} leaves, binning included: CPU time on one thread, wall time on two,
all models in turn, median of {repeats}. A fit is timed again, up to {tries} times in all, if other
processes took over {others:.0%} of the cores meanwhile, or if there were no two whole cores before
or after it: a host may put two virtual cores on one real one, or another guest on half of it. To
tell, two threads hash the same bytes as one, and must not take over {limit:.0%} of its time. Where
that never ends, a ? stands for ✓ or ✗. Ratios are to the fastest peer of the row. Leaves, error and
log-loss (on a fifth of the examples, kept apart) are those of the fits on one thread."""

SPEED_UP_TEXT = """\
From one thread to two, wall time in the same run. Ours must be {speed_up} times as fast from
{rows:,} rows on; it counts only if a peer is faster on two threads, too, and has no mark else. The
time in which a core answers the other one, before and after the row, tells if a host has kept them
far apart. *Again* is how many fits were timed again, on one thread and on two."""

Results = Mapping[Entry, Result]


def write_fits(scope: Scope) -> str:
    """Measure all rows, on one thread and on two; return the tables."""
    names = ["ours", *scope.peers]
    rows: list[list[str]] = []
    once: list[list[str]] = []
    speed_ups: list[list[str]] = []
    for name, load in scope.loaders.items():
        data, trees = split(name, load()), scope.n_trees(name)
        say(f"{name}: {trees} trees, one thread and two")
        answers = tell_answers()
        results = measure(data, trees, names, (1, 2), scope.repeats)
        rows += fit_rows(data, trees, results)
        if name in (ONCE[:1] if scope.quick else ONCE):
            once += once_rows(data, trees, results["ours", 1])
        if len(data.y) >= MANY_ROWS:
            speed_ups += speed_up_rows(data, results, f"{answers}, {tell_answers()}")
    text = TEXT.format(
        leaves=LEAVES,
        repeats=scope.repeats,
        tries=MOST_TRIES,
        others=IDLE_SHARE,
        limit=1.0 / WHOLE,
    )
    return "\n\n".join([text, _fit_table(rows), *_tell_once(once), *_tell_speed_ups(speed_ups)])


def fit_rows(data: Split, trees: int, results: Results) -> list[list[str]]:
    """Return the lines of one row of the table, ours first."""
    row = ROWS[data.name]
    peers = [name for name, n in results if name != "ours" and n == 1]
    fastest_cpu = min((results[name, 1].cpu for name in peers), default=math.nan)
    fastest_wall = min((results[name, 2].wall for name in peers), default=math.nan)
    lines = []
    for name in dict.fromkeys(name for name, _ in results):
        one, two = results[name, 1], results[name, 2]
        cpu, wall = one.cpu / fastest_cpu, two.wall / fastest_wall
        count = [all(r.counts for (_, n), r in results.items() if n == k) for k in (1, 2)]
        ours = name == "ours"
        lines.append(
            [
                data.title,
                str(trees),
                name,
                f"{one.cpu:.3f}",
                judged(cpu, row.cpu_target, counts=count[0]) if ours else f"{cpu:.2f}",
                f"{row.cpu_target:.2f}" if ours else "",
                f"{two.wall:.3f}",
                judged(wall, row.wall_target, counts=count[1]) if ours else f"{wall:.2f}",
                f"{row.wall_target:.2f}" if ours else "",
                *_quality(one),
            ]
        )
    return lines


def once_rows(data: Split, trees: int, ours: Result) -> list[list[str]]:
    """Fit each of the other peers once, on one thread."""
    lines = []
    for name in find_others():
        say(f"{data.name}: {name}, once")
        make = OTHERS[name]
        make(1, 2, LEAVES).fit(data.X[:400], data.y[:400])  # load the library
        call = partial(make(1, trees, LEAVES).fit, data.X, data.y)
        timed = race({(name, 1): call}, 1)[name, 1]
        result = evaluate(timed.returned, data, cpu=timed.cpu, wall=timed.wall)
        ratio = f"{ours.cpu / result.cpu:.2f}"
        lines.append([data.title, str(trees), name, f"{result.cpu:.3f}", ratio, *_quality(result)])
    return lines


def speed_up_rows(data: Split, results: Results, answers: str) -> list[list[str]]:
    """Return the wall times on one thread and on two; only ours has something to reach."""
    lines = []
    names = list(dict.fromkeys(name for name, _ in results))
    ratios = {name: results[name, 1].wall / results[name, 2].wall for name in names}
    is_judged = any(ratio > 1.0 for name, ratio in ratios.items() if name != "ours")
    for name, ratio in ratios.items():
        one, two = results[name, 1], results[name, 2]
        text = f"{ratio:.2f}"
        if name == "ours" and is_judged:
            text = judged(ratio, SPEED_UP, most=False, counts=one.counts and two.counts)
        times = [f"{one.wall:.3f}", f"{two.wall:.3f}"]
        lines.append([data.title, name, *times, text, answers, f"{one.n_again}, {two.n_again}"])
    return lines


def _quality(result: Result) -> list[str]:
    return [f"{result.leaves:.1f}", f"{100 * result.error:.2f}", f"{result.log_loss:.4f}"]


def _fit_table(rows: Sequence[Sequence[str]]) -> str:
    heads = ["train data", "trees", "model", "CPU s, 1 thread", "to fastest peer", "must reach"]
    heads += ["wall s, 2 threads", "to fastest peer", "must reach"]
    return table([*heads, "leaves a tree", "error %", "log-loss"], rows)


def _tell_once(rows: Sequence[Sequence[str]]) -> list[str]:
    if not rows:
        return []
    heads = ["train data", "trees", "model", "CPU s, 1 thread", "ours / it"]
    text = "Peers that are measured once, on one thread:"
    return [text, table([*heads, "leaves a tree", "error %", "log-loss"], rows)]


def _tell_speed_ups(rows: Sequence[Sequence[str]]) -> list[str]:
    if not rows:
        return []
    text = SPEED_UP_TEXT.format(speed_up=SPEED_UP, rows=MANY_ROWS)
    heads = ["train data", "model", "1 thread", "2 threads", "speed-up", "cores answer in", "again"]
    return [text, table(heads, rows)]
