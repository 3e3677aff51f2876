"""A model to look at: a page in one file, a widget in a notebook, or a picture."""

import base64
import contextlib
import os
import sys
import tempfile
import warnings
from functools import cached_property
from pathlib import Path
from typing import Any

from horotree._files import whole_file
from horotree.io import from_model
from horotree.trees import Model, rename_with_tables
from horotree.trees.naming import Names

from .notebook import find_shell, is_live
from .page import to_html, to_iframe
from .payload import encode
from .progress import ProgressBar
from .selection import Trees
from .widget import make_widget

# A picture of a tree with more nodes takes more than 3 s.
MAX_PICTURED = 20_000


class View:
    """What ``view`` returns: a model, ready to be shown or written.

    In a notebook it shows itself: as a widget where anywidget is installed and somebody looks on,
    else as the page in a frame that can neither read nor change the notebook, else as a picture of
    the first tree. So notebooks that a program runs (``nbconvert --execute``) have the page.

    Parameters
    ----------
    model : Model
        What is shown.
    payload : bytes
        What ``encode`` made of it.
    title : str
        Of the page.
    center : {"auto", "base", "half"}
        What is at the center of the disk, as in ``view``.

    See Also
    --------
    view : Makes it.
    """

    def __init__(self, model: Model, payload: bytes, title: str, center: str = "auto") -> None:
        self.model = model
        self.payload = payload
        self.title = title
        self.center = center

    def __repr__(self) -> str:
        n_trees = sum(len(ensemble.trees) for ensemble in self.model.ensembles)
        return f"View({n_trees} trees; show() opens it, write_html(path) writes it)"

    @property
    def html(self) -> str:
        """The page: one file that loads nothing."""
        return to_html(self.payload, self.title)

    def write_html(self, path: str | os.PathLike[str]) -> Path:
        """Write the page: one file, which opens without a server or a network.

        Parameters
        ----------
        path : str or path
            Where. An existing file is replaced, at once: never is there half a file.

        Returns
        -------
        pathlib.Path
            The path, as given.

        Examples
        --------
        >>> import tempfile
        >>> from pathlib import Path
        >>> from sklearn.datasets import load_breast_cancer
        >>> from horotree import LogisticBoostClassifier
        >>> from horotree.viewer import view
        >>> X, y = load_breast_cancer(return_X_y=True)
        >>> classifier = LogisticBoostClassifier(n_estimators=5).fit(X, y)
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     view(classifier).write_html(Path(folder) / "model.html").name
        'model.html'
        """
        content = self.html.encode()
        with whole_file(path) as file:
            file.write(content)
        return Path(path)

    def show(self) -> None:
        """Show the page: in the notebook if this is one, else in the browser.

        For the browser it is written to a temporary file, which stays until the system removes it.
        Where there is no screen, a warning says how to write a file instead.
        """
        if hasattr(find_shell(), "kernel"):
            sys.modules["IPython"].display.display(self)
            return
        if _has_screen():
            # A folder that others cannot read; it stays, for the browser reads when it likes.
            folder = tempfile.mkdtemp(prefix="horotree-")
            if _open_browser(self.write_html(Path(folder) / "model.html")):
                return
        warnings.warn(
            "there is no browser here to show the page in: write it to a file, e.g. "
            "view.write_html('model.html').",
            stacklevel=2,
        )

    @cached_property
    def widget(self) -> Any:
        """The notebook widget, to be put beside others; needs anywidget."""
        return make_widget(self.payload)

    def _repr_mimebundle_(self, **_: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return what a notebook chooses from."""
        bundle: dict[str, Any] = {"text/plain": repr(self)}
        metadata: dict[str, Any] = {}
        shell = find_shell()
        if shell is not None and not hasattr(shell, "kernel"):
            return bundle, metadata  # a terminal
        picture = self._picture()
        try:
            widget = self.widget if is_live(shell) else None
        except ImportError:
            widget = None
        if widget is None:
            bundle["text/html"] = to_iframe(self.html, picture)
        else:
            bundle, metadata = widget._repr_mimebundle_()
            bundle["text/plain"] = repr(self)
        if picture is not None:
            bundle["image/png"] = base64.b64encode(picture).decode()
        return bundle, metadata

    def _picture(self) -> bytes | None:
        """Return the first tree as PNG, if it is not too large to be drawn at once."""
        from horotree.display import DiskDisplay

        ensemble = next(k for k, e in enumerate(self.model.ensembles) if e.trees)
        if self.model.ensembles[ensemble].trees[0].n_nodes > MAX_PICTURED:
            return None
        class_ = self.model.classes.tolist()[ensemble]
        return DiskDisplay.from_estimator(
            self.model, class_=class_, center=self.center
        )._repr_png_()


def view(
    model: Any,
    X: Any = None,
    y: Any = None,
    *,
    examples: Any = None,
    example_classes: Any = None,
    class_names: Names | None = None,
    feature_names: Names | None = None,
    trees: Trees = "auto",
    center: str = "auto",
    title: str | None = None,
    progress: bool | None = None,
) -> View:
    """Look at a model: all its trees, in a page to explore or in a notebook.

    Parameters
    ----------
    model : Model, estimator, or what ``from_model`` takes
        The trees.
    X, y : table and classes, optional
        Data that were not used in training: nodes also show where they put them. The rows
        themselves are not in the page.
    examples : data frame or array_like, optional
        Rows to follow through the trees, at most 1,000. They are in the page, and so are their
        names in a data frame's index: who has the page has them. No other rows are.
    example_classes : array_like, optional
        The classes of these rows, to be shown next to what the model says. If not given, they are
        taken from y where it is certain whose they are: X and the examples are data frames of
        pandas, no label comes twice in the index of X, each label of the examples is in it, and the
        two rows of a label are the same in all columns of the model.
    class_names : mapping or sequence of str, optional
        What to call the classes: names by label, or one a class in their order. y and
        ``example_classes`` hold labels, as without names.
    feature_names : mapping or sequence of str, optional
        What to call the features: new names by old ones, or one a feature in their order. Rules to
        copy as pandas and SQL are written with them, for tables whose columns are called so; X and
        examples may have either names. If not given, and the model does not name its features,
        they are called as the columns of X or else of the examples, by position.
    trees : {"auto", "all"}, int or sequence of int
        Which trees the page has. "auto" is all of them if they have up to 250,000 nodes, which make
        5 MB; else so many as have not more, and the page says so: evenly spread ones of a forest,
        of other models the strongest. A number is so many of each class, a sequence has their
        numbers from 0. What the page says of the model is of the whole model.
    center : {"auto", "base", "half"}
        What is at the center of the disk; the page has a switch. "half" is the paper's: even odds.
        "base" is what each tree says before any test, its root, so that both classes have room
        where one is rare. "auto" is "base" where a class has less than a quarter of the training
        examples, else "half"; see ``find_center``.
    title : str, optional
        What is on top.
    progress : bool, optional
        Whether to show on stderr how far it is, after a second; if not given, where stderr is a
        terminal, and in notebooks a line.

    Returns
    -------
    View
        It shows itself in a notebook; ``write_html(path)`` writes one file, ``show()`` opens it.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from horotree import LogisticBoostClassifier
    >>> from horotree.viewer import view
    >>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    >>> classifier = LogisticBoostClassifier(n_estimators=5).fit(X[100:], y[100:])
    >>> view(classifier, X[:100], y[:100], examples=X[:3], title="Breast cancer")
    View(5 trees; show() opens it, write_html(path) writes it)
    """
    names = {"class_names": class_names, "feature_names": feature_names}
    with ProgressBar(shown=progress) as report:
        known, X, examples = rename_with_tables(from_model(model), X, examples, **names)
        options = {"examples": examples, "example_classes": example_classes, "center": center}
        payload = encode(known, X, y, **options, trees=trees, title=title, report=report)
    return View(known, payload, title or "A tree model in the Poincaré disk", center)


def _has_screen() -> bool:
    """Tell whether a browser could show itself: elsewhere some would fill the terminal."""
    if sys.platform in ("darwin", "win32"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _open_browser(path: Path) -> bool:
    import webbrowser

    with contextlib.suppress(OSError, ValueError, webbrowser.Error):
        return webbrowser.open(path.resolve().as_uri())
    return False
