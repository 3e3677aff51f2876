// A fixed number of histograms, lent to nodes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "histograms/histogram.h"

namespace horotree {

// Memory for at least 3 histograms. Histograms that do not fit are counted again from the rows.
struct HistogramSpace {
  std::int64_t* data;
  std::size_t n_slots;
};

class HistogramSlots {
 public:
  static constexpr int kNone = -1;

  HistogramSlots(HistogramSpace space, std::size_t n_bins, bool with_count)
      : data_(space.data), n_slots_(space.n_slots), n_bins_(n_bins), with_count_(with_count) {
    give_all_back();
  }

  void give_all_back() {
    free_.clear();
    for (std::size_t slot = n_slots_; slot-- > 0;) free_.push_back(static_cast<int>(slot));
  }

  std::size_t size() const { return n_bins_ * (with_count_ ? 3 : 2); }

  std::size_t n_free() { return free_.size(); }

  int borrow() {
    const int slot = free_.back();
    free_.pop_back();
    return slot;
  }

  void give_back(int& slot) {
    if (slot == kNone) return;
    free_.push_back(slot);
    slot = kNone;
  }

  std::int64_t* data(int slot) { return data_ + static_cast<std::size_t>(slot) * size(); }

  Histogram operator[](int slot) {
    std::int64_t* const first = data(slot);
    return {first, first + n_bins_, with_count_ ? first + 2 * n_bins_ : nullptr};
  }

 private:
  std::int64_t* data_;
  std::size_t n_slots_, n_bins_;
  bool with_count_;
  std::vector<int> free_;
};

}  // namespace horotree
