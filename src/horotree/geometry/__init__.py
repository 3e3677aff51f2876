"""Hyperbolic geometry, classical and at temperature t.

``polar`` keeps points as (distance, angle) and is accurate at any radius; ``poincare`` and
``lorentz`` hold coordinates; ``tself`` draws and measures at temperature t; ``hyperbolicity``
measures how thin triangles are.
"""

from . import hyperbolicity, lorentz, poincare, polar, tself

__all__ = ["hyperbolicity", "lorentz", "poincare", "polar", "tself"]
