// Sorting a column.
#pragma once

#include <cstddef>
#include <cstdint>

namespace horotree {

// Sort numbers, given as their bits, none of them NaN; NumPy: bits.view(np.float64).sort(). By
// digits, which takes a time that grows with n alone. -0.0 comes before 0.0.
void sort_numbers(std::uint64_t* bits, std::size_t n);

}  // namespace horotree
