import numpy as np
from numpy.typing import NDArray

def polar_distances(
    a: NDArray[np.float64],
    alpha: NDArray[np.float64],
    b: NDArray[np.float64],
    beta: NDArray[np.float64],
    out: NDArray[np.float64],
) -> None: ...
