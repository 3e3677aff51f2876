// Sorting columns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

namespace horotree {

// What sorting tells of a column.
struct SortedColumn {
  std::int64_t n_known, n_distinct;
};

// Sort columns of n numbers, given as their bits, one column after the other; NaN are left out, and
// of a column that has at most `few` distinct numbers only these are left. What is then behind them
// is not defined. NumPy: np.sort(column[~np.isnan(column)]), or np.unique of it. By digits, which
// takes a time that grows with n alone. -0.0 comes before 0.0, but is not distinct. `poll` is
// called now and then by the calling thread; it may throw to stop.
void sort_columns(std::uint64_t* bits, std::size_t n_columns, std::size_t n, std::int64_t few,
                  SortedColumn* told, int n_threads, const std::function<void()>& poll);

}  // namespace horotree
