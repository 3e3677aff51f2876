"""The page on training with a cluster: what is said, and where measurements stand in it."""

from collections.abc import Mapping
from pathlib import Path

PAGE = """# Training on a cluster

`horotree.distributed.DaskLogisticBoostClassifier` is `LogisticBoostClassifier` for data that one
machine cannot hold. Dask has the data and starts one long task on each worker; within it, workers
add up histograms over connections of their own, in about a millisecond. `pip install
"horotree[dask]"` brings Dask. This page is written by `python -m benchmarks.distributed --report`.

```python
import dask.dataframe as dd
from distributed import Client
from horotree import view
from horotree.distributed import DaskLogisticBoostClassifier

client = Client("scheduler:8786")
table = dd.read_parquet("events/")
X, y = table.drop(columns="clicked"), table["clicked"]
classifier = DaskLogisticBoostClassifier(n_estimators=200, client=client).fit(X, y)
posterior = classifier.predict_proba(X)  # a dask array, to be computed
view(classifier.to_local())  # LogisticBoostClassifier, with the same model_
```

It takes Dask DataFrames and Arrays, and lists of delayed tables; categories, missing values,
weights, several classes, `eval_set` and parameters are as on one machine, but for
`smoothing="auto"`, which is refused, `n_jobs`, which counts threads of each worker, and the
examples that early stopping keeps apart where there is no `eval_set`. `examples/folds_on_dask.py`
shows the other use of a cluster: many fits of data that one worker can hold, over folds and
grids, through joblib.

## The same trees

Weights are whole numbers (fixed point, one scale for all machines), so that sums over machines
are exact. From these the first worker takes every decision that needs a logarithm, which
processors and libraries round differently, and sends it to the others: each split, and after a
tree the values of its nodes, its leverage and the factors of weights. So **trees are those of one
machine, to the bit, whenever the cuts are the same**, for any number of workers and any
partitions. Tests compare them, with weights, missing values, categories, several classes, draws
of rows and features, early stopping, and workers that are killed. (With
`class_weight="balanced"` and weights that are not whole numbers, the factors of the classes are
sums of floats, and may differ in the last bit.)

**Cuts.** Each partition is sketched column by column: distinct values and how often they occur.
With at most 131,072 rows, or `max_bins=None`, nothing is left out, and cuts are those of one
machine. With more rows a sketch keeps 4,096 values: columns with fewer distinct values stay
exact, and if these are at most `max_bins` (255) cuts are again the same. In all other columns one
machine takes quantiles of a sample; here they come from merged sketches. To shorten a sketch of n
values moves no rank by more than n / 4096, to merge adds up, and 16 are merged at a time: with P
partitions, ranks in the sketch are off by at most (1 + ⌈log₁₆ P⌉) / 4096 of all rows. Cuts are
values of the sketch, the next of which may be as far. So the share of rows below a cut is off by at
most (2 + ⌈log₁₆ P⌉) / 4096, which is a quarter of a bin for 256 partitions. `cut_error_` tells the
bound that was reached. The categories of a
column have the order of their dtype if all partitions have the same one; else they are sorted;
else, if they cannot be compared, in the order of partitions.

## Where rows are

Partitions are computed where Dask likes, then placed: each stays on a worker that holds it,
unless that has its equal share of all rows already. No worker has more than an equal share and
one partition. A worker bins a partition (1 byte a value with up to 255 bins), and Dask releases
the raw one at once. Until then raw partitions are in the memory of the cluster, as with LightGBM
and XGBoost; Dask spills them to disk if they do not fit. While trees grow, a worker holds its
share of the bins and about 50 bytes a row: weights, odds, places and space to move rows in.

## When a worker dies

The other workers notice at once, because its connections end: a sum is complete, or it fails. The
client has every finished tree. It waits a second, finds the workers that answer (also new ones),
distributes all partitions over them, and has them computed and binned again with the same cut
points. Then the fit continues. The trees are those of an undisturbed fit, to the bit, because the
factors of weights are stored with the trees. The client warns, and gives up after `n_restarts` (2).
A worker that does not answer for `timeout` (300) seconds counts as dead. Raw data that was only in
the memory of the dead worker (`scatter`) is lost: Dask raises an error.

Parallel fits on the same workers take turns. If a fit has fewer partitions than there are workers
while another one needs all, or if another long task occupies one of its workers, the workers that
are ready wait `timeout` seconds for the others, and then the fit counts them as lost: raise
`timeout`, or give each fit its own workers.

## Security

**Dask is trusted.** Everybody who can connect to the scheduler or to a worker can run any code
there, by design of Dask; so can everybody who can change the traffic between them, unless Dask
encrypts it. On a shared network, give Dask certificates (`distributed.Security`).

**Nothing else is trusted.** Workers of a fit exchange numbers over connections that horotree makes:

- Each worker listens on the address of its Dask worker, on a port of the system's choice, from the
  time its rows are binned until all workers of the fit are connected: none listens while trees
  grow.
  If that address is not the machine's own (a name, or a translated address), it listens where Dask
  does.
- If Dask is encrypted, so are these connections, with the certificate of the worker; a peer needs
  one of the same authority. A worker without a certificate on an encrypted cluster is an error;
  plain connections are not possible there.
- Both sides prove that they have the key of the fit, 256 random bits that travel over Dask's
  connections, are new after each loss, and are never sent over these. The proofs
  of one connection are not valid for another one.
- Only numbers travel, as many as the receiver expects, and each message has a code that needs the
  key and fits in one place of one connection. A message that was changed, or that comes a second
  time, is an error, and the fit restarts, as after the loss of a worker. A long message is forged
  with a probability of at most 2⁻³³, and a failed try ends the attempt and its key.

Without certificates these connections are not encrypted: an observer of the network sees histograms
of the classes by feature, as well as the rows that Dask moves. An attacker who can reach the ports
can keep workers from connecting, by connecting faster than they refuse: then the fit ends after
`timeout` seconds and names the workers that are missing. [SECURITY.md](../SECURITY.md) says what
else is promised.

## Measured

Workers are processes of one thread on one machine, so that with more workers than cores they take
turns: the columns to read are ratios, and what does not depend on cores. Peers are fitted on the
same cluster and collections in the same run. Seconds a tree are the difference of a fit with many
trees and one with few, divided by the trees between; what comes before them is data, cuts and
bins.

{race}

Ours, of one worker. Sums are those of histograms, decisions are told by the first worker, and
"waiting" is the share of its time that a worker spends in both, most of it until the slowest has
come. "MB of bins" is its share of the data, "MB at rest" the memory of its process before a fit
for which workers made the data themselves, "training" as training ended, and "at most" its
largest since it began, which is when raw partitions were there.

{ours}

## A model of the cost

With n rows, F features and w workers, a tree of {leaves} leaves takes

    t = F (a n / w + b) + E · 2 (w - 1) (h + S / (w B)) + D (w - 1) h

a is the work for each value, b that for each feature whatever the rows (histograms are added up
and searched), E the number of sums, S the bytes of each (16 times the bins of all features), D
the number of decisions, h the time from one worker to another and B the bandwidth between two. A
sum goes around a ring twice, so that its time grows with w; the first worker sends a decision to
one after another, which takes less than h each.
With more workers than cores, the first term is multiplied by workers / cores. {network}

{model}

**A larger cluster.** The model, with the a and b that were measured here on one thread, and
networks that were not measured but for the first. That 16 threads are 16 times as fast is an
assumption, too.

{large}

{stamp}
"""


def write_page(path: Path, tables: Mapping[str, str], stamp: str, leaves: int) -> None:
    """Write the page with these tables."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(PAGE.format(**tables, stamp=stamp, leaves=leaves), encoding="utf-8")
