// Numbers as texts have them, one after the other.
#pragma once

#include <cstddef>
#include <cstdint>

namespace horotree {

constexpr std::ptrdiff_t kNoNumbers = -1;

// Writes the numbers of a text that ends with a zero to `out` and returns how many there are, or
// kNoNumbers if the text has anything else, or more than `room`. Blanks may stand around a number;
// with the separator ' ' they are what is between two, any other one stands between two once.
std::ptrdiff_t read_numbers(const char* text, std::size_t length, char separator, std::size_t room,
                            double* out);
std::ptrdiff_t read_numbers(const char* text, std::size_t length, char separator, std::size_t room,
                            std::int64_t* out);

}  // namespace horotree
