"""What reading a damaged file may do: return a model, or raise a ValueError with a sentence."""

import contextlib
import importlib
import tracemalloc
import warnings

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from horotree import load
from horotree.trees import Model
from tests.fuzz.sources import library_of

# Warnings about models that are read as they are.
EXPECTED = (
    "the model does not have its learning rate",
    "CatBoost decides between",
    "this model does not treat labels",
)

attack = settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)

shares = st.floats(0.0, 1.0, exclude_max=True)
flips = st.lists(st.tuples(shares, st.integers(0, 7)), min_size=1)
values = st.recursive(
    st.sampled_from([None, True, -1, 0, 1, 2**40, 10**30, 0.5, -1e300, "", "x", "1", "[1,2]"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=2), inner),
    max_leaves=4,
)


def reader_of(name):
    """Return the function that reads a file of a source's library, whatever its first bytes."""
    library = library_of(name)
    if library == "own":
        return load
    return importlib.import_module(f"horotree.importers.{library}.reader").convert_file


def read_or_refuse(read, path):
    """Return the model; None if the file is refused. Any other exception or warning is raised."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for message in EXPECTED:
            warnings.filterwarnings("ignore", message)
        try:
            model = read(path)
        except ValueError as error:
            assert len(str(error)) > 10  # noqa: PT017 - either is right
            return None
    assert isinstance(model, Model)
    return model


def convert(folder, name, data):
    """Read or refuse the bytes of a file of a source's name."""
    path = folder / name
    path.write_bytes(data)
    return read_or_refuse(reader_of(name), path)


@contextlib.contextmanager
def memory_below(n_bytes):
    """Check that what runs here allocates less than so many bytes."""
    tracemalloc.start()
    try:
        yield
        assert tracemalloc.get_traced_memory()[1] < n_bytes
    finally:
        tracemalloc.stop()
