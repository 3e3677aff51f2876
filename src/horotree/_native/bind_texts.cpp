#include "bind.h"
#include "numbers.h"

namespace nb = nanobind;

namespace horotree {
namespace {

template <class T>
std::ptrdiff_t read_from(nb::str text, char separator, Out<T> out) {
  Py_ssize_t length = 0;
  const char* const bytes = PyUnicode_AsUTF8AndSize(text.ptr(), &length);
  if (bytes == nullptr) {  // a lone surrogate: no number has one
    PyErr_Clear();
    return kNoNumbers;
  }
  return read_numbers(bytes, static_cast<std::size_t>(length), separator, out.size(), out.data());
}

}  // namespace

void bind_texts(nb::module_& m) {
  using namespace nb::literals;
  constexpr const char* kDocstring =
      "Write the numbers of a text to `out`; return how many, or -1 if it is not just numbers.\n\n"
      "``out[:n] = [float(part) for part in text.split(separator)]``, or ``int``";
  m.def("read_numbers", &read_from<double>, "text"_a, "separator"_a, "out"_a.noconvert(),
        kDocstring);
  m.def("read_numbers", &read_from<std::int64_t>, "text"_a, "separator"_a, "out"_a.noconvert());
}

}  // namespace horotree
