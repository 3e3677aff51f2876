"""Pictures compared tile by tile."""

import numpy as np

# Pixels of a tile's side. A line of text is about 15 pixels high in the pictures of the documents.
TILE = 32
# Gray levels, of 255, by which the mean of a tile may differ: other versions of matplotlib set
# letters a pixel further.
MOST = 4.0


def changed_tiles(drawn, kept, tile=TILE, most=MOST):
    """Return row, column and difference in mean gray of the tiles that are not the same."""
    assert drawn.shape == kept.shape
    means = []
    for picture in (drawn, kept):
        rows, columns = (-(-n // tile) * tile for n in picture.shape)
        whole = np.full((rows, columns), 255.0)
        whole[: picture.shape[0], : picture.shape[1]] = picture
        means.append(whole.reshape(rows // tile, tile, -1, tile).mean(axis=(1, 3)))
    difference = np.abs(means[0] - means[1])
    return [(int(i), int(j), float(difference[i, j])) for i, j in np.argwhere(difference > most)]
