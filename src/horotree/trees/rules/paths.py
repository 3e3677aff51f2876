"""A path in a tree as a rule: one condition a feature, to read, to merge, for pandas and SQL."""

import operator
from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from horotree.trees.tables.columns import Columns
from horotree.trees.tree import Flags, Tree

from .conditions import Condition, merge
from .pandas_sql import as_pandas, as_sql
from .texts import as_text


@dataclass(frozen=True, slots=True)
class Rule:
    """Conditions that must all hold, one a feature; a rule without any always holds.

    Labels of a category that training did not have count as missing, as they do in ``Columns``.
    Conditions on the same feature are merged into the first of them, so ``a & b`` is the rule that
    holds where both do, and the rule of a path is the same from whichever parts it is put together.

    Parameters
    ----------
    conditions : tuple of Condition
        In the order in which the features come first.

    Examples
    --------
    >>> from horotree.trees import Columns
    >>> from horotree.trees.rules.paths import Condition, Rule
    >>> columns = Columns(("age", "city"), (None, ("Bern", "Oslo", "Rome")))
    >>> rule = Rule((
    ...     Condition(feature=0, high=7.0, missing=True),
    ...     Condition(feature=1, excluded=frozenset({1})),
    ...     Condition(feature=0, low=3.2),
    ... ))
    >>> print(rule.text(columns))
    3.2 < age <= 7 and city != Oslo
    >>> print(rule.to_sql(columns))
    "age" > 3.2 AND "age" <= 7 AND "city" IN ('Bern', 'Rome')
    """

    conditions: tuple[Condition, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "conditions", merge(self.conditions))

    def __and__(self, other: "Rule") -> "Rule":
        if not isinstance(other, Rule):
            return NotImplemented
        return Rule(self.conditions + other.conditions)

    def holds(self, X: ArrayLike) -> Flags:
        """Return for which rows of a matrix the rule holds.

        Parameters
        ----------
        X : array_like of shape (n_rows, n_columns)
            Numbers and category codes; NaN is missing.

        Returns
        -------
        bool array of shape (n_rows,)

        Examples
        --------
        >>> from horotree.trees.rules.paths import Condition, Rule
        >>> Rule((Condition(feature=1, high=0.5),)).holds([[9.0, 0.5], [0.0, 0.6]]).tolist()
        [True, False]
        """
        matrix = np.asarray(X, dtype=np.float64)
        needed = 1 + max((condition.feature for condition in self.conditions), default=-1)
        if matrix.ndim != 2 or matrix.shape[1] < needed:
            raise ValueError(
                f"X must be a matrix with {needed} columns or more, got shape {matrix.shape}: pass "
                "the features that the tree was grown on."
            )
        holds = np.ones(len(matrix), np.bool_)
        for condition in self.conditions:
            holds &= condition.holds(matrix[:, condition.feature])
        return holds

    def text(
        self,
        columns: Columns,
        *,
        digits: int | None = 4,
        max_labels: int | None = 5,
        show_missing: bool | Collection[int] = True,
    ) -> str:
        r"""Return the rule for people to read: ``3.2 < age <= 7 and city in {Bern, Rome}``.

        Missing values fulfill a condition only where it says so: ``age <= 7 (or missing)``. Where
        nothing else is asked, it is ``age is known`` or ``age is missing``. Names and labels that
        could be taken for something else are in double quotes, with ``\`` before a quote or
        another ``\``, and what does not print is written as in Python: ``\n``, ``\u202e``.

        Parameters
        ----------
        columns : Columns
            Names and labels.
        digits : int, optional
            Bounds are rounded to so many significant digits, but not before the first decimal, and
            to more where two would become equal. The sign is right for a value equal to what is
            written: ``x <= 0.99998`` becomes ``x < 1``. None for bounds that are exact.
        max_labels : int, optional
            So many labels of a set are written, and the number of the others; None for all.
        show_missing : bool or collection of int
            Whether to say ``(or missing)``, or of which features: of no use to a reader whose data
            are complete.

        Returns
        -------
        str
            One line; ``always`` or ``never`` if there is nothing to ask. It is not HTML.

        Examples
        --------
        >>> from horotree.trees import Columns
        >>> from horotree.trees.rules.paths import Condition, Rule
        >>> columns = Columns(("petal length (cm)",), (None,))
        >>> rule = Rule((Condition(feature=0, low=2.4500000477, missing=True),))
        >>> print(rule.text(columns))
        "petal length (cm)" > 2.45 (or missing)
        >>> print(rule.text(columns, digits=None))
        "petal length (cm)" > 2.4500000477 (or missing)
        """
        return as_text(self.conditions, columns, digits, max_labels, show_missing=show_missing)

    def to_pandas(
        self, columns: Columns, *, frame: str = "df", input_dtype: str = "float64"
    ) -> str:
        """Return a Python expression: the mask of a pandas data frame's rows where the rule holds.

        It needs the frame and nothing else, and agrees to the last bit with ``holds`` of
        ``columns.to_matrix(frame)``. Columns are made float64 because pandas would round bounds to
        float32 for a float32 column, and cannot compare None with a number; only where numbers are
        objects among which pandas.NA is, pandas itself refuses.

        Parameters
        ----------
        columns : Columns
            Names and labels; those of conditions must be strings, numbers or booleans.
        frame : str
            The variable that holds the data frame.
        input_dtype : {"float64", "float32"}
            The model's: for float32 the bounds are such that a number falls on the side on which
            it falls when it is rounded first.

        Returns
        -------
        str

        Examples
        --------
        >>> import pandas as pd
        >>> from horotree.trees import Columns
        >>> from horotree.trees.rules.paths import Condition, Rule
        >>> df = pd.DataFrame({"age": [5, 9, None], "city": ["Bern", "Rome", "Oslo"]})
        >>> columns = Columns.learn(df, ["city"])
        >>> rule = Rule((Condition(feature=0, high=7.0, missing=True),))
        >>> print(rule.to_pandas(columns))
        ((df['age'].astype('float64') <= 7) | df['age'].astype('float64').isna())
        >>> df[eval(rule.to_pandas(columns))].city.to_list()
        ['Bern', 'Oslo']
        """
        return as_pandas(self.conditions, columns, frame, input_dtype)

    def to_sql(self, columns: Columns, *, input_dtype: str = "float64") -> str:
        r"""Return an SQL condition that is true for the rows where the rule holds.

        It is standard SQL, for WHERE and CASE WHEN: names in double quotes, text in single ones, in
        which ``\`` is an ordinary character. For MySQL set ANSI_QUOTES and NO_BACKSLASH_ESCAPES;
        other systems that read ``\`` in text as an escape are not safe for labels of others. In the
        table, what is missing must be NULL.

        Parameters
        ----------
        columns : Columns
            Names and labels; those of conditions must be strings, numbers or booleans, without NUL
            characters and lone surrogates, which SQL cannot hold.
        input_dtype : {"float64", "float32"}
            As in ``to_pandas``.

        Returns
        -------
        str

        Examples
        --------
        >>> from horotree.trees import Columns
        >>> from horotree.trees.rules.paths import Condition, Rule
        >>> columns = Columns(("age", "city"), (None, ("Bern", "Oslo", "Rome")))
        >>> rule = Rule((Condition(feature=1, allowed=frozenset({0, 2}), missing=True),))
        >>> print(rule.to_sql(columns))
        ("city" NOT IN ('Oslo') OR "city" IS NULL)
        """
        return as_sql(self.conditions, columns, input_dtype)


def path_rule(tree: Tree, node: int, start: int = 0) -> Rule:
    """Return the rule of a path: what sends a row to a node from its ancestor ``start``.

    ``start`` may be the node itself. The rule has the tests on the way, merged by feature, and
    always holds if there are none.

    Examples
    --------
    >>> from horotree.trees import Columns, Tree
    >>> from horotree.trees.rules.paths import path_rule
    >>> tree = Tree(
    ...     left=[1, -1, 3, -1, -1], right=[2, -1, 4, -1, -1], feature=[0, -1, 0, -1, -1],
    ...     threshold=[3.2, 0.0, 7.0, 0.0, 0.0], missing_left=[False, False, True, False, False],
    ...     category_start=[0] * 6, category=[], value=[0.0] * 5, output=[0.0] * 5,
    ...     weight=[1.0] * 5, count=[1] * 5,
    ... )
    >>> columns = Columns(("age",), (None,))
    >>> [path_rule(tree, leaf).text(columns) for leaf in (1, 3, 4)]
    ['age <= 3.2', '3.2 < age <= 7 (or missing)', 'age > 7']
    >>> path_rule(tree, 3, start=2).text(columns)
    'age <= 7 (or missing)'
    """
    path = _path(tree, node, start)
    inner, child = np.array(path[:-1], np.intp), np.array(path[1:], np.intp)
    goes_left = tree.left[inner] == child
    tests = zip(
        tree.feature[inner].tolist(),
        tree.threshold[inner].tolist(),
        tree.category_start[inner].tolist(),
        tree.category_start[inner + 1].tolist(),
        goes_left.tolist(),
        (tree.missing_left[inner] == goes_left).tolist(),
        strict=True,
    )
    return Rule(
        tuple(
            _test(feature, threshold, tree.category[begin:end].tolist(), left=left, missing=missing)
            for feature, threshold, begin, end, left, missing in tests
        )
    )


def _test(
    feature: int, threshold: float, codes: list[int], *, left: bool, missing: bool
) -> Condition:
    """Return what sends a value left, or right, at one node."""
    if codes and left:
        return Condition(feature=feature, missing=missing, allowed=frozenset(codes))
    if codes:
        return Condition(feature=feature, missing=missing, excluded=frozenset(codes))
    if left:
        return Condition(feature=feature, missing=missing, high=threshold)
    return Condition(feature=feature, missing=missing, low=threshold)


def _path(tree: Tree, node: int, start: int) -> list[int]:
    """Return the nodes from an ancestor down to a node, both included."""
    for name, given in (("node", node), ("start", start)):
        if not 0 <= operator.index(given) < tree.n_nodes:
            raise ValueError(f"{name} must be a node, 0 to {tree.n_nodes - 1}, got {given!r}.")
    parent = tree.parent
    path = [int(node)]
    while path[-1] > start:  # a parent precedes its children
        path.append(int(parent[path[-1]]))
    if path[-1] != start:
        raise ValueError(
            f"start must be an ancestor of node {node} or the node itself, got {start!r}: 0, the "
            "root, is one of every node."
        )
    return path[::-1]
