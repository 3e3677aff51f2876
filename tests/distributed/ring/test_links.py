"""Messages between two machines: what was changed, sent again or sent elsewhere is refused."""

import socket
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from horotree.distributed.ring.links import SHORT, TAG, Link, Links, Shortener, WorkerLostError

HERE, THERE, SECRET = b"h" * 32, b"t" * 32, b"s" * 32
SIZES = (0, 8, SHORT, SHORT + 8, 80_000)


@pytest.fixture
def pair():
    """Return both ends of a connection."""
    a, b = socket.socketpair()
    with a, b:
        yield (
            Link(a, HERE, THERE, Shortener(SECRET)),
            Link(b, THERE, HERE, Shortener(SECRET)),
        )


def draw(size, seed=0):
    return np.random.default_rng(seed).bytes(size)


def test_messages_come_as_they_were_sent_both_ways(pair):
    here, there = pair
    for size in SIZES:
        for seed in range(3):
            message = draw(size, seed)
            assert there.open(message + here.seal(message)) == message
            assert here.open(message + there.seal(message)) == message


@pytest.mark.parametrize("size", SIZES)
def test_a_message_with_any_changed_bit_is_refused(pair, size):
    here, there = pair
    sealed = draw(size) + here.seal(draw(size))
    bits = np.random.default_rng(1).integers(0, 8 * len(sealed), 50)
    for bit in [*bits, 8 * size - 1, 8 * len(sealed) - 1]:
        changed = bytearray(sealed)
        changed[bit // 8] ^= 1 << bit % 8
        there._n_received = 0
        with pytest.raises(WorkerLostError, match="changed on its way"):
            there.open(changed)
    there._n_received = 0
    assert there.open(bytearray(sealed)) == draw(size)


@pytest.mark.parametrize("size", SIZES)
def test_a_message_is_good_for_one_place_and_one_direction(pair, size):
    here, there = pair
    first, second = (draw(size) + here.seal(draw(size)) for _ in range(2))
    assert there.open(bytearray(first)) == draw(size)
    for again in (first, draw(size) + there.seal(draw(size)), bytes(size + TAG)):
        there._n_received = 1
        with pytest.raises(WorkerLostError, match="changed on its way"):
            there.open(bytearray(again))
    there._n_received = 1
    assert there.open(bytearray(second)) == draw(size)


def test_short_words_differ_wherever_messages_do():
    """The worst are differences in the highest bits, which one sum alone may miss."""
    shorten = Shortener(SECRET)
    words = np.frombuffer(draw(8 * 1_000), np.uint64)
    whole = shorten(words.tobytes())
    assert len(whole) == 16
    assert shorten(words[:200].tobytes()) == Shortener(SECRET)(words[:200].tobytes())
    assert Shortener(HERE)(words.tobytes()) != whole
    for bit in range(64):
        for changed in ([3], [3, 700], range(1_000)):
            other = words.copy()
            other[list(changed)] ^= np.uint64(1 << bit)
            assert shorten(other.tobytes()) != whole


def test_large_messages_pass_each_other_and_silence_is_waited_for(pair):
    large = draw(8_000_000)
    ends = [Links({1 - i: link}, 0.3, lambda: None) for i, link in enumerate(pair)]

    def swap(i):
        return ends[i].swap({1 - i: large}, {1 - i: len(large)})[1 - i] == large

    with ThreadPoolExecutor(2) as pool:
        assert list(pool.map(swap, range(2))) == [True, True]
    with pytest.raises(WorkerLostError, match=r"has not answered for 0\.3 s"):
        ends[0].swap({}, {1: 8})

    def give_up():
        raise RuntimeError("nobody waits")

    with pytest.raises(RuntimeError, match="nobody waits"):
        Links({1: pair[0]}, 60.0, give_up).swap({}, {1: 8})
    ends[1].close()
    with pytest.raises(WorkerLostError, match="another worker has left"):
        ends[0].swap({}, {1: 8})
