// Numbers from text: thresholds of large text models.
#include <charconv>
#include <system_error>

#include "bind/arrays.h"

namespace horotree {

namespace nb = nanobind;

namespace {

constexpr std::ptrdiff_t kNoNumbers = -1;

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

const char* skip_blanks(const char* at, const char* end) {
  while (at != end && is_blank(*at)) ++at;
  return at;
}

// Each returns the end of the number, or null if there is none.
const char* read_one(const char* at, const char* end, std::int64_t* out) {
  const auto [stop, error] = std::from_chars(at, end, *out);
  return error == std::errc() ? stop : nullptr;
}

// What Python's float() returns. It stops only at a character that no number has: here a blank, a
// separator, or the zero after the text.
const char* read_as_python(const char* at, double* out) {
  char* stop = nullptr;
  *out = PyOS_string_to_double(at, &stop, nullptr);
  if (*out == -1.0 && PyErr_Occurred()) {
    PyErr_Clear();
    return nullptr;
  }
  return stop;
}

const char* read_one(const char* at, const char* end, double* out) {
#if defined(__cpp_lib_to_chars) && __cpp_lib_to_chars >= 201611L
  const auto [stop, error] = std::from_chars(at, end, *out);
  if (error == std::errc()) return stop;
#else
  (void)end;
#endif
  // The fallback where from_chars fails or is missing: it does not say whether a number out of
  // range is too large or too small, and refuses a leading plus.
  return read_as_python(at, out);
}

template <class T>
std::ptrdiff_t read(const char* text, std::size_t length, char separator, std::size_t room,
                    T* out) {
  const char* const end = text + length;
  const char* at = skip_blanks(text, end);
  std::size_t n = 0;
  while (at != end) {
    if (n == room) return kNoNumbers;
    const char* const stop = read_one(at, end, out + n++);
    if (stop == nullptr) return kNoNumbers;
    at = skip_blanks(stop, end);
    if (at == end) break;
    if (separator == ' ') {
      if (at == stop) return kNoNumbers;
      continue;
    }
    if (*at != separator) return kNoNumbers;
    at = skip_blanks(at + 1, end);
    if (at == end) return kNoNumbers;
  }
  return static_cast<std::ptrdiff_t>(n);
}

template <class T>
std::ptrdiff_t read_numbers(nb::str text, char separator, Out<T> out) {
  Py_ssize_t length = 0;
  const char* const bytes = PyUnicode_AsUTF8AndSize(text.ptr(), &length);
  if (bytes == nullptr) {  // a lone surrogate, which no number has
    PyErr_Clear();
    return kNoNumbers;
  }
  return read(bytes, static_cast<std::size_t>(length), separator, out.size(), out.data());
}

}  // namespace

void bind_numbers(nb::module_& m) {
  constexpr const char* kDocstring =
      "Write the numbers of a text to `out`; return how many, or -1 if it is not just numbers.\n\n"
      "``out[:n] = [float(part) for part in text.split(separator)]``, or ``int``";
  m.def("read_numbers", &read_numbers<double>, "text"_a, "separator"_a, "out"_a.noconvert(),
        kDocstring);
  m.def("read_numbers", &read_numbers<std::int64_t>, "text"_a, "separator"_a, "out"_a.noconvert());
}

}  // namespace horotree
