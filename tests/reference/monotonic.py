"""The paper's Algorithm 1 (alg-initsampling) to the letter, on trees of linked nodes.

The recursion is a stack of calls, so that long chains are no problem; calls are made in the order
of the algorithm. A Boolean test is the list of the single tests that it is the conjunction of, each
a node and the side on which its child is; the empty list is true.
"""

from dataclasses import dataclass, field
from fractions import Fraction


@dataclass(eq=False)
class Node:
    """A decision tree's node: its posterior, and its children unless it is a leaf; a name."""

    posterior: object
    left: "Node | None" = field(default=None, repr=False)
    right: "Node | None" = field(default=None, repr=False)
    name: object = None


@dataclass(eq=False)
class MonotonicNode:
    """A monotonic tree's node: the node it copies, the leaves it is tagged with, arcs to others."""

    node: Node
    tags: list[Node] = field(default_factory=list)
    arcs: list[tuple[list[tuple[Node, str]], "MonotonicNode"]] = field(
        default_factory=list, repr=False
    )

    @property
    def children(self):
        return [child for _, child in self.arcs]


def forbidden(posterior):
    return min(posterior, 1 - posterior), max(posterior, 1 - posterior)


def monotonic(root):
    """Return H', begun as a root, after the call of the text."""
    copy = MonotonicNode(root)
    calls = [(root, [], copy, forbidden(root.posterior))]
    while calls:
        # the left child's call, with all that it calls, ends before the right child's begins
        calls.extend(reversed(_create(*calls.pop())))
    return copy


def _create(node, b, host, interval):
    """Do lines 1 to 20; return the calls that lines 18 and 19 make."""
    is_inside = interval[0] <= node.posterior <= interval[1]
    if node.left is None:  # 1
        if is_inside:  # 2
            host.tags.append(node)  # 3
        else:  # 4
            new = MonotonicNode(node)  # 5
            host.arcs.append((b, new))  # 6
        return []
    if not is_inside:  # 9
        new = MonotonicNode(node)  # 10
        host.arcs.append((b, new))  # 11
        new_interval = forbidden(node.posterior)  # 12
        new_host = new  # 13
        new_b = []  # 14
    else:  # 15
        new_interval, new_host, new_b = interval, host, b  # 16
    return [
        (node.left, [*new_b, (node, "left")], new_host, new_interval),  # 18
        (node.right, [*new_b, (node, "right")], new_host, new_interval),  # 19
    ]


def link_nodes(left, right, posteriors):
    """Return the root of linked nodes, named by their numbers, from children by number or -1."""
    nodes = [Node(posterior, name=v) for v, posterior in enumerate(posteriors)]
    for v, node in enumerate(nodes):
        if left[v] >= 0:
            node.left, node.right = nodes[left[v]], nodes[right[v]]
    return nodes[0]


def depth(tree):
    level, depth = [tree], -1
    while level:
        level = [child for node in level for child in _children(node)]
        depth += 1
    return depth


def _children(node):
    if isinstance(node, MonotonicNode):
        return node.children
    return [child for child in (node.left, node.right) if child is not None]


def nodes(tree):
    """Return all nodes of a monotonic tree, the root first, in the order of their creation."""
    found, rest = [], [tree]
    while rest:
        found.append(rest.pop())
        rest.extend(reversed(found[-1].children))
    return found


def exact_posterior(value):
    """Return a rational that is 1/2 at 0, odd about it and increasing: it orders as the sigmoid."""
    v = Fraction(float(value))
    return Fraction(1, 2) + v / (2 * (1 + abs(v)))


def made_by_algorithm(tree, posteriors=None):
    """Return H' of a table of nodes: by kept node its parent, its arc's tests, and its tags."""
    posteriors = map(exact_posterior, tree.value) if posteriors is None else posteriors
    root = monotonic(link_nodes(tree.left, tree.right, posteriors))
    # A tree of one node is tagged with itself here: nobody else speaks for it.
    root.tags = [tag for tag in root.tags if tag is not root.node]
    made = {0: (-1, [], sorted(tag.name for tag in root.tags))}
    for host in nodes(root):
        for b, child in host.arcs:
            tests = [(node.name, side) for node, side in b]
            made[child.node.name] = (host.node.name, tests, sorted(tag.name for tag in child.tags))
    return made


def made_by_hosts(kept):
    """Return a MonotonicTree in the same form; n_tests must be the number of an arc's tests."""
    made = {}
    for node, row, n_tests in zip(kept.node, kept.parent, kept.n_tests, strict=True):
        parent = -1 if row < 0 else int(kept.node[row])
        tests = [] if row < 0 else _tests_between(kept.tree, parent, int(node))
        assert len(tests) == n_tests
        made[int(node)] = (parent, tests, kept.tags(node).tolist())
    return made


def _tests_between(tree, start, node):
    tests = []
    while node != start:
        parent = int(tree.parent[node])
        tests.append((parent, "left" if tree.left[parent] == node else "right"))
        node = parent
    return tests[::-1]
