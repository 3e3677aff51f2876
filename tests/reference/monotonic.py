"""The paper's Algorithm 1 (alg-initsampling) to the letter, on trees written by hand."""

from dataclasses import dataclass, field


@dataclass
class Node:
    """A decision tree's node: its posterior, and its children unless it is a leaf."""

    posterior: object
    left: "Node | None" = None
    right: "Node | None" = None


@dataclass
class MonotonicNode:
    """A monotonic tree's node: the node it copies, the leaves it is tagged with, its children."""

    node: Node
    tags: list[Node] = field(default_factory=list)
    children: list["MonotonicNode"] = field(default_factory=list)


def forbidden(posterior):
    return min(posterior, 1 - posterior), max(posterior, 1 - posterior)


def monotonic(root):
    copy = MonotonicNode(root)
    if root.left is not None:  # the call of the text, whose line 9 leaves the root as it is
        _grow(root, copy, forbidden(root.posterior))
    return copy


def _grow(node, host, interval):
    inside = interval[0] <= node.posterior <= interval[1]
    if node.left is None:
        if inside:
            host.tags.append(node)
        else:
            host.children.append(MonotonicNode(node))
        return
    if not inside:
        child = MonotonicNode(node)
        host.children.append(child)
        host, interval = child, forbidden(node.posterior)
    _grow(node.left, host, interval)
    _grow(node.right, host, interval)


def depth(tree):
    children = (
        tree.children
        if isinstance(tree, MonotonicNode)
        else [child for child in (tree.left, tree.right) if child is not None]
    )
    return 1 + max(map(depth, children)) if children else 0


def nodes(tree):
    """Return all nodes of a monotonic tree, the root first."""
    return [tree, *(node for child in tree.children for node in nodes(child))]
