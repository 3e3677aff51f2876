"""Trees walked by hand: slow, literal equivalents of the kernels."""

import math

import numpy as np


def leaf_of(tree, row):
    node = 0
    while tree.left[node] != -1:
        x = row[tree.feature[node]]
        codes = tree.category[tree.category_start[node] : tree.category_start[node + 1]]
        if math.isnan(x):
            goes_left = tree.missing_left[node]
        elif len(codes):
            goes_left = x in codes
        else:
            goes_left = x <= tree.threshold[node]
        node = int(tree.left[node] if goes_left else tree.right[node])
    return node


def path_to(tree, node):
    path = [node]
    while path[-1] != 0:
        children = [tree.left == path[-1], tree.right == path[-1]]
        path.append(int(np.flatnonzero(np.logical_or(*children))[0]))
    return path[::-1]


def score_of(ensemble, row):
    score = ensemble.base_value
    for leverage, tree in zip(ensemble.leverage, ensemble.trees, strict=True):
        score += leverage * tree.output[leaf_of(tree, row)]
    return score
