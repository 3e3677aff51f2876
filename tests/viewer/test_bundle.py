"""The viewer that is shipped is built from the sources beside it."""

import gzip
import hashlib
import re
from pathlib import Path

import pytest

from horotree.viewer.page import read_script

FRONTEND = Path(__file__).parents[2] / "frontend"


def source_paths():
    """Return the sources of the bundle, as build.mjs sorts them."""
    files = [path for path in (FRONTEND / "src").rglob("*") if path.is_file()]
    files += [FRONTEND / "package.json", FRONTEND / "build.mjs"]
    return sorted(files, key=lambda path: path.relative_to(FRONTEND).as_posix())


def test_the_bundle_was_built_from_these_sources():
    if not (FRONTEND / "src").is_dir():
        pytest.skip("the sources of the viewer are not here: they come with a clone")
    digest = hashlib.sha256()
    for path in source_paths():
        digest.update(f"{path.relative_to(FRONTEND).as_posix()}\n".encode())
        digest.update(path.read_bytes() + b"\n")
    told = re.match(r"/\* horotree viewer; sources sha256 ([0-9a-f]{64}) \*/", read_script())
    assert told, "viewer.js must begin with the hash of its sources"
    assert told[1] == digest.hexdigest(), "run `npm run build` in frontend/"


def test_the_bundle_is_small():
    assert len(gzip.compress(read_script().encode(), 9)) <= 60_000
