"""Settings shared by all tests: hypothesis profiles, and what a missing package means."""

import importlib
import os

import hypothesis
import matplotlib as mpl
import pytest

mpl.use("Agg")

hypothesis.settings.register_profile("fast", max_examples=50, deadline=None)
# The same examples every time, so that a run on one commit means something on the next.
hypothesis.settings.register_profile("thorough", max_examples=200, deadline=None, derandomize=True)
hypothesis.settings.load_profile("thorough" if os.environ.get("CI") else "fast")

# No extra installs these (gigabytes): they are tested where they are, and may always be missing.
OPTIONAL_ALWAYS = {"torch", "jax"}


@pytest.fixture
def require():
    """Import a package, or skip; under HOROTREE_REQUIRE=all a package of an extra must be there."""

    def require(name: str):
        try:
            return importlib.import_module(name)
        except ImportError:
            if os.environ.get("HOROTREE_REQUIRE") == "all" and name not in OPTIONAL_ALWAYS:
                pytest.fail(f"HOROTREE_REQUIRE=all, but {name} is not installed")
            pytest.skip(f"{name} is not installed")

    return require
