"""Whether two builds compute the same: hashes of all that a user gets from a model, compared.

Run as ``python -m benchmarks.fingerprint NEW.json``, and again with ``--compare OLD.json``.
"""
