"""What all benchmarks share: data, alternating timings, records, and tables."""
