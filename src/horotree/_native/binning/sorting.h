// Sorts columns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

namespace horotree {

// How many numbers a column has, and how many distinct ones.
struct SortedColumn {
  std::int64_t n_known, n_distinct;
};

// Sort columns of n numbers, given as their bits, one column after the other. NaN are left out, and
// of a column with at most `few` distinct numbers only these are kept; what follows them is
// undefined. NumPy: np.sort(column[~np.isnan(column)]), or np.unique of it. Radix sort: the time
// does not depend on the values. -0.0 comes before 0.0, but they are not distinct. `poll` is called
// by the calling thread between columns, and may throw to stop.
void sort_columns(std::uint64_t* bits, std::size_t n_columns, std::size_t n, std::int64_t few,
                  SortedColumn* counts, int n_threads, const std::function<void()>& poll);

}  // namespace horotree
