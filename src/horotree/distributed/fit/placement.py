"""Which worker gets which partition: equal shares, and little data is moved."""

from collections.abc import Collection, Sequence


def place(
    sizes: Sequence[int], holders: Sequence[Collection[str]], workers: Sequence[str]
) -> list[str]:
    """Return the worker of each partition, given its rows and the workers that hold it now.

    From the largest partition on, each goes to a worker that holds it, if that worker stays within
    an equal share of all rows; else to the one that has the fewest rows. So no worker has more than
    an equal share and one partition.

    Examples
    --------
    >>> from horotree.distributed.fit.placement import place
    >>> place([10, 10, 10, 10], [["a"], ["a"], ["a"], ["b"]], ["a", "b"])
    ['a', 'a', 'b', 'b']
    """
    share = sum(sizes) / len(workers)
    load = dict.fromkeys(workers, 0)
    n_parts = dict.fromkeys(workers, 0)
    chosen = [""] * len(sizes)
    later = []

    def give(part: int, worker: str) -> None:
        chosen[part] = worker
        load[worker] += sizes[part]
        n_parts[worker] += 1

    for part in sorted(range(len(sizes)), key=lambda part: -sizes[part]):
        here = [w for w in workers if w in holders[part] and load[w] + sizes[part] <= share]
        if here:
            give(part, min(here, key=lambda w: (load[w], n_parts[w])))
        else:
            later.append(part)
    for part in later:
        give(part, min(workers, key=lambda w: (load[w], n_parts[w], w not in holders[part])))
    return chosen
