"""Long names, shortened so that they stay distinct."""

from collections.abc import Iterator, Sequence

# A name is compared with this number of neighbors on each side, sorted from the start and from the
# end: these are the most similar ones.
NEIGHBORS = 6

# The first and the last position at which a name differs from another.
_Span = tuple[int, int]


def shorten(name: str, length: int) -> str:
    """Return a text of at most ``length`` characters, with "…" in its middle if it is cut."""
    if len(name) <= length:
        return name
    head = (length - 1) * 2 // 3
    return f"{name[:head]}…{name[len(name) - (length - 1 - head) :]}"


def shorten_all(names: Sequence[str], length: int) -> list[str]:
    """Shorten names to at most ``length`` characters so that different names stay different.

    A cut keeps the part in which a name differs from similar ones.

    Examples
    --------
    >>> from horotree.display.text.names import shorten_all
    >>> shorten_all([f"transactions in the last {n} months, all accounts" for n in (3, 12)], 20)
    ['…3 months,… accounts', '…12 months… accounts']
    """
    different = list(dict.fromkeys(names))
    long = [name for name in different if len(name) > length]
    short = {name: name for name in different if len(name) <= length}
    taken = set(short)
    near = _find_spans(long)
    times: dict[str, int] = {}
    for name in long:
        found = plain = _shorten_one(name, length, near[name])
        while found in taken:
            n = times[plain] = times.get(plain, 1) + 1
            found = f"{plain[: length - len(str(n)) - 1]}~{n}"
        taken.add(found)
        short[name] = found
    return [short[name] for name in names]


def _find_spans(names: Sequence[str]) -> dict[str, set[_Span]]:
    """Return for each name the spans in which it differs from its neighbors."""
    spans: dict[str, set[_Span]] = {name: set() for name in names}
    for order in (sorted(names), sorted(names, key=lambda name: name[::-1])):
        for i, name in enumerate(order):
            for other in order[max(i - NEIGHBORS, 0) : i + NEIGHBORS + 1]:
                if other != name:
                    end = _count_common(name[::-1], other[::-1])
                    spans[name].add((_count_common(name, other), len(name) - 1 - end))
    return spans


def _count_common(a: str, b: str) -> int:
    """Return the length of the common prefix of two texts."""
    pairs = zip(a, b, strict=False)
    return next((i for i, (c, d) in enumerate(pairs) if c != d), min(len(a), len(b)))


def _shorten_one(name: str, length: int, spans: set[_Span]) -> str:
    """Return the cut of a name that distinguishes it from most of its neighbors."""
    best, most = "", -1
    for pieces in _find_cuts(name, length, spans):
        seen = sum(any(a <= p < b for a, b in pieces for p in span) for span in spans)
        if seen > most:
            best, most = _join(name, pieces), seen
    return best


def _find_cuts(name: str, length: int, spans: set[_Span]) -> Iterator[list[_Span]]:
    """Yield candidates for a cut, the usual one first: the spans that are kept."""
    n = len(name)
    head = (length - 1) * 2 // 3
    tail = n - (length - 1 - head)
    yield [(0, head), (tail, n)]
    hidden = [start for start, end in spans if start >= head and end < tail]
    if not hidden:
        return
    room = length - 2
    # Start at the word with the first hidden difference.
    first = min(hidden)
    start = max((i for i in range(first + 1) if i == 0 or not name[i - 1].isalnum()), default=0)
    start = start if first - start < room // 3 else first
    if n - start < length:
        yield [(n - length + 1, n)]
        return
    half = room - room // 2
    yield [(start, min(start + half, n)), (max(n - room // 2, start + half), n)]
    yield [(start, min(start + room, n))]
    third = (room - 1) // 3
    yield [(0, third), (start, min(start + third, n)), (max(n - third, start + third), n)]


def _join(name: str, pieces: Sequence[_Span]) -> str:
    """Write pieces of a name, with "…" for each gap."""
    text, end = "", 0
    for start, stop in pieces:
        text += ("…" if start > end else "") + name[start:stop]
        end = stop
    return text + ("…" if end < len(name) else "")
