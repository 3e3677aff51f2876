"""Some thousand damaged files of all formats: each is read or refused, at little cost."""

import re
import subprocess
import sys

import pytest


@pytest.mark.skipif(sys.platform == "win32", reason="limits of time and memory are POSIX's")
def test_damaged_files_are_read_or_refused(require):
    for name in ("xgboost", "lightgbm", "catboost", "ydf"):
        require(name)
    command = [sys.executable, "-m", "tests.fuzz", "--files", "2000"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=900, check=False)
    assert done.returncode == 0, done.stderr[-5_000:] + done.stdout
    for outcome in ("read", "refused"):
        found = re.search(rf"(\d+) {outcome}\b", done.stdout)
        assert found, done.stdout
        assert int(found[1]) > 200, done.stdout
