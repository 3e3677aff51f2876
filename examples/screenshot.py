"""The viewer as it opens, photographed in Chromium: ``python -m examples.screenshot [FILE]``.

Needs the extra ``browser`` and an installed Chromium. ``python -m examples.screenshot
docs/images/viewer.png`` makes the README's picture.
"""

import sys
import tempfile
from pathlib import Path

from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

from benchmarks.machinery.chromium import start_chromium
from horotree import LogisticBoostClassifier, view


def main(target: Path) -> None:
    """Train a model, write its page, and take a picture of it."""
    X, digit = load_digits(return_X_y=True, as_frame=True)
    even = (digit % 2 == 0).map({True: "even", False: "odd"})
    X_train, X_test, y_train, y_test = train_test_split(X, even, random_state=0)
    classifier = LogisticBoostClassifier(smoothing=4.0).fit(X_train, y_train)
    with tempfile.TemporaryDirectory() as folder, start_chromium() as browser:
        page = Path(folder) / "digits.html"
        view(classifier, X_test, y_test, title="Is the digit even?").write_html(page)
        window = browser.new_page(viewport={"width": 1360, "height": 860})
        window.goto(page.as_uri())
        window.wait_for_timeout(1500.0)
        window.screenshot(path=target)
    print(target)


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "viewer.png"))
