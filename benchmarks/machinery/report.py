"""The report: sections that are measured one by one, and written to a file as they are ready.

A section stands between two marks, so that one can be measured again and the others stay.
"""

import os
import platform
import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.limit import write_limit
from benchmarks.machinery.cores import IDLE_SHARE, STAT, others_seconds, tell_answers
from benchmarks.machinery.fit_report import write_fits
from benchmarks.machinery.rows import Scope, say
from benchmarks.memory import write_imports, write_memory
from benchmarks.models.classifiers import versions
from benchmarks.models.other_classifiers import OTHER_PACKAGES
from benchmarks.predict import write_predictions
from benchmarks.reach import write_reach
from benchmarks.scaling import write_slopes

DEFAULT_PATH = Path(__file__).parents[2] / "docs" / "performance.md"

HEAD = """# Performance

How fast horotree is next to LightGBM, XGBoost (histogram trees) and scikit-learn's
HistGradientBoosting. All are given the same data, as many trees and as many leaves. All else is as
it comes, but XGBoost has the learning rate of the others and grows leaf by leaf as they do, and
HistGradientBoosting does not stop early. ✓ and ✗ tell whether a goal is reached. By default ours
are 200 trees of at most 101 leaves, LightGBM's 100 of 31: fits with defaults do not compare.

This file is written by `python -m benchmarks.fit --report`; below each section stands what it was
measured with. Peers come with `pip install ".[peers]"`; rows that are not synthetic, but for
breast_cancer, need their files in the folder that `--data` names.
"""

TAIL = """
## What makes it fast, and what does not

Every step keeps trees the same to the bit, and has its slow NumPy version among the tests.

- Rows of a node lie side by side, and are exchanged in place within their class: only those on the
  wrong side move, few if few leave a large node, and there is no second copy of the data. Flags are
  bits, so that 64 rows that stay take one look; one comparison makes a flag, of a bin where it is
  in its word, the missing included. With AVX-512 one makes eight flags, by hand, since compilers do
  not see it, and one writes the places of those among sixteen rows that are on the wrong side.
  How many that are is hard to foretell, and so is the side of a row in a last split: elsewhere two
  places of a word are listed whether there are so many or not, and leaves are told without a
  branch.
- Eight columns are counted at a time. If those that are left over are few, and have few bins, they
  are counted with the eight before them: most rows are in the same bins then, and each addition
  waits for the last one there, alone as long as with others.
- Columns are sorted by digits, in long ones of 11 bits, where their values differ: most whole
  numbers need two. It takes less than half of the time that NumPy's sort does here, and threads
  share the columns.
- Two bounds of a gain, the chi-square and one of third order, rule out most features without a
  division or a logarithm; a third, on log(1 + chi-square), rules out most cuts of the others. What
  was the best feature of a node is tried first in the next, and threads tell each other the best
  gain so far: both rule out more. Nothing is better than two pure children.
- The same bounds rule out eight bins at once, before sums over the first bins are made: no cut
  among them gains more than one that has all their positive weight on its left and none of the
  negative, or the other way round. With looser bounds (chi-square alone) or longer runs too many
  remain. Where the best gain is so small that all would, nobody looks. A set of categories gains no
  more than a child for each: most features of categories are ruled out before they are sorted.
- Nodes of few rows need no histogram, if bins have 8 bits and leaves may have a single row: a bit
  set tells which bins have rows, so that empty ones are skipped. The rows of such a child, and of a
  pure one, are taken away from their parent's histogram one by one: nothing is built, cleared or
  subtracted. So are those of a smaller child that has fewer than two rows a bin: to count them
  again, if it is searched, takes less than its own histogram. In larger nodes, to leave out the
  bins that splits above have emptied was tried and dropped: to find out which, and loops of another
  length for each, take longer than these bins.
- Large nodes are worked on by all threads, each with a block of the rows that it alone exchanges,
  then with some of the features. Rows are counted some thousands at a time, and who is faster
  counts more: cores of a shared machine seldom are equally fast. After that each thread searches
  nodes of its own, with nothing to wait for: which nodes are split does not depend on the order in
  which they are searched, since none is heavier than its parent. How heavy the lightest inner node
  of the last tree was tells which nodes are worth it; what turns out not to be in the tree is left
  out. The heaviest leaf is mostly a child of the one before: if there is only one node, all threads
  look at its features.
- To share the features of every node, always the same for a thread, came first: on small tables two
  threads were no faster than one, because a message and what it is about take as long as the work.
- Threads look for work for about a millisecond before they sleep, are told by one store to a line
  of the cache that nothing else is in, and nobody waits for one that has not begun. Each has the
  same rows in every step of a round, unless it is late: to write what another core has read since
  is slow.
  Cores must be near each other: a host may keep them in different parts of its processor, where an
  answer takes three times as long by `python -m benchmarks.machinery.cores`. There the report's
  goal for two threads is missed on give_me_some_credit (about 1.2) and on medium (about 1.4, less
  than LightGBM's, which moves no rows): nodes that one thread searches have rows of both, and
  exchanging them takes most of what is lost. The table of speed-ups tells how far they were.
  On small tables one thread is tried from time to time, and goes on while it is faster, by the
  median of three trees: the host may interrupt one of them. The one before these does not count,
  since it finds rows in the cache of another core. Of nodes that are likely to be in the tree a
  thread takes its own first, also if others have heavier ones, for the same reason.
- Vector instructions are chosen when loading (GCC 12 on Linux), for bounds, flags and lists, shared
  lanes, sorting, weights, the search among cuts and prediction; elsewhere it is what all processors
  have.
- Rounds follow each other in native code, unless somebody looks at each tree. Python had less to do
  between two of them than for a small tree, but on a large table the rows have pushed all that it
  needs out of the caches, and it takes several times as long, on one thread. What threads need to
  grow a tree is made once for all of them, and nodes keep their memory: to ask for it took most of
  what is done for a node beside its rows. One thread makes the nodes of a complete tree and judges
  them while others tell the rows their leaves, and keeps them while others update the odds. Trees
  come back in arrays that are not copied.
- Prefetching helps where columns are read from rows in the order of classes. For the exchange of
  rows it was tried and dropped, to read and to write: processors foresee it. Histograms read rows
  that are contiguous.
- A row's weight is next to its id: that is one array less to exchange, and one line less to wait
  for where another core has changed it. With few columns it is a gain; with many, where weights are
  read once for eight columns and then are twice as long, it is none. Lists of the rows to exchange
  in pieces that stay in the first cache were dropped, and so were rows in the order of the first
  tree's leaves: large nodes are then shared unevenly.
- Blocks that are longer for faster threads were dropped: what moves from one to the other has its
  weight and its leaf next to those of another thread's rows. So was to let each thread do its
  blocks of several large nodes, and who is last the rest, so that nobody waits: that is faster in
  trees that have several, but most large nodes are the only ones there are, and a thread that looks
  at light ones meanwhile is late. Whole fits took longer. A small block beside each thread's own,
  for whoever comes first, gains nothing: nodes then are in twice as many pieces.
- To exchange the odds of rows with all else, so that leaves and weights need no look at ids, was
  dropped: it gains where few rows move, and loses where many do. So was to update odds leaf by
  leaf, at the ids of its rows, instead of all in their order: no gain.
- To copy the rows of a node that one thread searches to memory of its own, so that it never
  writes to what is in another core's cache, was dropped: the copies take longer, near cores or far.
  So was to fetch rows for writing ahead of their exchange: one thread then takes longer, and two
  gain nothing by it.
- To have each thread exchange the rows of its block in all nodes, also in those that another one
  searches, was dropped: rows are read there, and to write them again takes longer than if they had
  been written. So was to search all nodes that are likely to be in the tree together, step by step:
  threads wait more often, and read each other's rows. So was to wait a little for a thread that is
  late before taking its work: a gain where cores are far from each other, a loss on a busy machine.
- A line that both cores have read takes several times as long to write as to fetch one that the
  other has written. To write to each line that is read first, so that it is never in both, was
  tried, where far cores gain hardly more than near ones lose; and to do so while the root is
  counted, which takes longer everywhere.
- Where threads begin to work by themselves, it was tried to apply all splits together first, to
  take nodes of many rows first, and to fetch for writing what another core has changed: no gain.
- To apply the split of a large node while one thread notes its children, to give the thread that
  begins first a few rows more, and to count what is left over of a thread's columns with those
  before it, all so that threads wait less for each other: no gain.
- To update odds and weights in one pass over the rows takes longer than two do. To find the largest
  odds, and so the largest weight, while odds are updated spares a pass: one thread gains hardly
  anything, two nothing. To find a first gain among every eighth cut, before a node's first
  feature is searched, gains nothing either: most nodes' gains are too small to rule out eight bins.
- Prediction makes all tests of a tree on a block of rows, with features as ranks in bytes; trees of
  more than 256 nodes are walked, eight rows in turn.
- To write a node's rows anew with compressing stores, one child after the other, was dropped:
  exchanging moves fewer. For the sums over the first bins they would take as many instructions as
  the loop without branches.
- To put in front the child that fewer rows must move for was tried: hardly any fewer would move.
- New memory for every tree is slow (a page at a time): leaves, weights, lists and histograms are
  kept from tree to tree. Large pages for them were tried: no gain.
- Features of few bins share a byte: eight flags have 256 codes, which take one addition a row
  instead of eight, and are summed to the bins of each flag when a node is searched. That holds for
  any features, whether one excludes the other or not, and trees are the same to the bit. It is done
  where there are rows enough for each code; constant columns take no room at all. Of the tables
  above, one_hot has most to gain, and give_me_some_credit one pair of columns.
- To let fields of any width follow each other in a word, so that ten columns of
  give_me_some_credit take one word instead of two, was tried on the histogram alone and dropped: to
  take each field out by itself takes longer than the other word.
"""


@dataclass(frozen=True, slots=True)
class Section:
    """A title, and what measures and tells."""

    title: str
    write: Callable[[Scope], str]


SECTIONS = {
    "fit": Section("Fitting", write_fits),
    "reach": Section("Time to LightGBM's log-loss", write_reach),
    "predict": Section("Predicting", write_predictions),
    "memory": Section("Memory", write_memory),
    "import": Section("Importing", write_imports),
    "slopes": Section("Cost in rows, features and trees", write_slopes),
    "limit": Section("How far from the limit", write_limit),
}


def write_report(path: Path, scope: Scope, names: Sequence[str], command: str) -> None:
    """Measure these sections, and write each at once; others stay as they are in the file."""
    texts = read_sections(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    for name in names:
        say(f"== {name}")
        watch = Watch()
        text = SECTIONS[name].write(scope)
        seconds = time.perf_counter() - watch.start
        texts[name] = f"{text}\n\n{_stamp(command, watch)}"
        path.write_text(_join(texts), encoding="utf-8")
        say(f"{name}: {seconds:.0f} s, written to {path}")


class Watch:
    """What the machine does meanwhile: times mean little if others use its cores."""

    def __init__(self) -> None:
        self.load = os.getloadavg()[0]
        self._answers = tell_answers()
        self.start = time.perf_counter()
        self._others = others_seconds()

    def tell(self) -> str:
        """Return how long it took, the load before, and what others took of the cores."""
        seconds, others = time.perf_counter() - self.start, others_seconds() - self._others
        text = f"{seconds:.0f} s, load {self.load:.1f} before"
        text += f", cores answer in {self._answers} before and {tell_answers()} after"
        if not STAT.exists():
            return text
        share = max(0.0, others / (seconds * (os.cpu_count() or 1)))
        if share > IDLE_SHARE:
            say(f"others took {share:.0%} of the cores: measure again when they are idle")
        return f"{text}, other processes {100 * share:.0f} % of the cores"


def read_sections(path: Path) -> dict[str, str]:
    """Return the sections of a report by name, none if there is no file."""
    if not path.exists():
        return {}
    found = re.findall(
        r"^<!-- begin (\w+) -->\n## .*?\n\n(.*?)\n<!-- end \1 -->$",
        path.read_text(encoding="utf-8"),
        flags=re.DOTALL | re.MULTILINE,
    )
    return {name: text for name, text in found if name in SECTIONS}


def _join(texts: Mapping[str, str]) -> str:
    parts = [
        f"\n<!-- begin {name} -->\n## {section.title}\n\n{texts[name]}\n<!-- end {name} -->\n"
        for name, section in SECTIONS.items()
        if name in texts
    ]
    return HEAD + "".join(parts) + TAIL


def _stamp(command: str, watch: Watch) -> str:
    others = [package for package in OTHER_PACKAGES.values() if package != "sklearn"]
    return (
        f"<sub>`{command}` on {os.cpu_count()} cores ({_processor()}): {watch.tell()};\n"
        f"{versions(*others)}.</sub>"
    )


def _processor() -> str:
    path = Path("/proc/cpuinfo")
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    found = re.search(r"^model name\s*: (.+)$", text, flags=re.MULTILINE)
    return found[1] if found else platform.machine()
