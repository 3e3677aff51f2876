"""The error that lets a fit go on with the workers that are left."""


class LostError(RuntimeError):
    """A worker has left, or nobody waits for the result: what can be tried again, if at all."""
