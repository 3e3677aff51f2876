"""What the tests of pages share."""

from dataclasses import replace

import numpy as np
from matplotlib.text import Text

from horotree.display.disk.painter import place
from horotree.io import from_model
from horotree.trees import Ensemble


def texts_of(display):
    return [text.get_text() for text in display.figure_.findobj(Text) if text.get_text()]


def places_of(display, i):
    """Return where the nodes of the disk i must be."""
    scene = display.scenes_[i]
    zoom = display.sheet_.radius * display.factors_[i]
    return display.sheet_.centers[i] + zoom * place(display.lens_, scene.distance, scene.angle)


def many(model, n):
    """Return a model with its trees again and again, n in all."""
    model = from_model(model)
    (ensemble,) = model.ensembles
    rows = np.arange(n) % len(ensemble.trees)
    trees = tuple(ensemble.trees[j] for j in rows)
    found = Ensemble(trees, ensemble.leverage[rows], ensemble.edge[rows], ensemble.base_value)
    return replace(model, ensembles=(found,))
