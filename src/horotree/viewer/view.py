"""A model to look at: a page in one file, a widget in a notebook, or a picture."""

import base64
import os
import sys
import tempfile
import warnings
from functools import cached_property
from pathlib import Path
from typing import Any

from horotree._files import whole_file
from horotree._screen import find_shell, has_screen, in_notebook, open_page
from horotree.io import from_model
from horotree.trees import Model, rename_with_tables
from horotree.trees.choice import TreeChoice
from horotree.trees.naming import Names

from .notebook import is_live
from .page import to_html, to_iframe
from .payload import encode
from .progress import ProgressBar
from .widget import make_widget

# A picture of a tree with more nodes takes more than 3 s.
MAX_PICTURED = 20_000


class View:
    """The result of ``view``: a model, ready to be shown or written.

    In a notebook it shows itself: as a widget if anywidget is installed and a user watches, else
    as the page in a frame that can neither read nor change the notebook, else as a picture of the
    first tree. Notebooks that a program executes (``nbconvert --execute``) get the page.

    Parameters
    ----------
    model : Model
        The model.
    payload : bytes
        The result of ``encode``.
    title : str
        The title of the page.
    center : {"auto", "base", "half"}
        The reference at the center of the disk, as in ``view``.

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
        """Write the page to one file, which opens without a server or a network.

        Parameters
        ----------
        path : str or path
            The file. An existing one is replaced at once, so that there is never half a file.

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
        Without a screen, a warning says how to write a file instead.
        """
        if in_notebook():
            sys.modules["IPython"].display.display(self)
            return
        if has_screen():
            # A private folder; it stays, since the browser may read it at any time.
            folder = tempfile.mkdtemp(prefix="horotree-")
            if open_page(self.write_html(Path(folder) / "model.html")):
                return
        warnings.warn(
            "there is no browser here to show the page in: write it to a file, e.g. "
            "view.write_html('model.html').",
            stacklevel=2,
        )

    @cached_property
    def widget(self) -> Any:
        """The notebook widget, to be combined with others; needs anywidget."""
        return make_widget(self.payload)

    def _repr_mimebundle_(self, **_: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return the forms that a notebook can choose from."""
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
    tree: TreeChoice = "all",
    max_trees: int | str | None = "auto",
    center: str = "auto",
    title: str | None = None,
    progress: bool | None = None,
) -> View:
    """Look at a model: all its trees, in a page to explore or in a notebook.

    Parameters
    ----------
    model : Model, estimator, or what ``from_model`` takes
        The model.
    X, y : table and classes, optional
        Data that were not used in training: nodes also show their positions by these data. The
        rows themselves are not in the page.
    examples : data frame or array_like, optional
        Rows to follow through the trees, at most 1,000. They are in the page, and so are their
        labels in a data frame's index; no other rows are.
    example_classes : array_like, optional
        The classes of these rows, shown next to the predictions. By default they are taken from y
        where that is certain: X and the examples are data frames of pandas, the index of X has no
        duplicates and contains each label of the examples, and the rows with one label are the
        same in all columns of the model.
    class_names : mapping or sequence of str, optional
        Names of the classes, by label or in their order. y and ``example_classes`` hold labels, as
        without names.
    feature_names : mapping or sequence of str, optional
        Names of the features, by old name or in their order. Rules to copy as pandas and SQL use
        them; X and examples may have either names. By default the names in the model, else those
        of the columns of X or of the examples.
    tree : int, sequence of int or "all"
        The trees in the page, from 0, negative from the last. Statements on the model are about
        the whole model.
    max_trees : int, "auto" or None
        For ``tree="all"``, the most trees per class: evenly spread ones of a forest, the strongest
        of other models. "auto" is as many as have up to 250,000 nodes, which make 5 MB; None is no
        limit. The page says which trees are left out.
    center : {"auto", "base", "half"}
        The reference at the center of the disk; the page has a switch. "half" is the paper's: even
        odds. "base" is the root of each tree, so that both classes have room where one is rare.
        "auto" is "base" where a class has less than a quarter of the training examples, else
        "half"; see ``find_center``.
    title : str, optional
        The title of the page.
    progress : bool, optional
        Whether to show progress on stderr after a second; by default on terminals, and in
        notebooks a line.

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
        rows = {"examples": examples, "example_classes": example_classes}
        chosen: dict[str, Any] = {"tree": tree, "max_trees": max_trees, "center": center}
        payload = encode(known, X, y, **rows, **chosen, title=title, report=report)
    return View(known, payload, title or "A tree model in the Poincaré disk", center)
