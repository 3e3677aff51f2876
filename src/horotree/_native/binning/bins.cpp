#include "binning/bins.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "shared/vectors.h"
#include "threads/pool.h"

namespace horotree {

namespace {

constexpr std::size_t kBlock = 4096;  // rows per task
constexpr std::size_t kStrip = 128;   // rows whose values of one group fit into the fastest cache
constexpr std::size_t kTogether = 8;  // features whose values are read from a row at once
constexpr std::size_t kAhead = 24;    // rows: how far ahead a row is prefetched
constexpr std::size_t kBetweenPolls = 64;  // tasks: some tens of milliseconds

inline void prefetch(const double* place) {
#if defined(__GNUC__) || defined(__clang__)
  __builtin_prefetch(place);
#else
  (void)place;
#endif
}

// bin[i] = the number of cuts below x[i], for 2^k - 1 cuts and `first` = 2^(k-1). Eight interleaved
// searches hide the latency of each step.
HOROTREE_VECTORS
void count_below(const double* cuts, std::uint64_t first, const double* x, std::size_t n,
                 std::uint64_t* bin) {
  std::size_t i = 0;
  for (; i + 8 <= n; i += 8) {
    std::uint64_t below[8] = {};
    for (std::uint64_t step = first; step > 0; step /= 2)
      for (int j = 0; j < 8; ++j) below[j] += cuts[below[j] + step - 1] < x[i + j] ? step : 0;
    for (int j = 0; j < 8; ++j) bin[i + j] = below[j];
  }
  for (; i < n; ++i) {
    std::uint64_t below = 0;
    for (std::uint64_t step = first; step > 0; step /= 2)
      below += cuts[below + step - 1] < x[i] ? step : 0;
    bin[i] = below;
  }
}

// The cuts of each feature, padded with infinities to 2^k - 1: then every search takes k steps, and
// the processor works on several values at once.
class Searches {
 public:
  Searches(const Cuts& cuts, std::size_t n_features) : steps_(n_features), start_(n_features) {
    for (std::size_t f = 0; f < n_features; ++f) {
      const std::size_t n = static_cast<std::size_t>(cuts.start[f + 1] - cuts.start[f]);
      std::size_t width = 1;
      while (width <= n) width *= 2;  // width - 1 >= n
      steps_[f] = width / 2;
      start_[f] = padded_.size();
      const double* own = cuts.values + cuts.start[f];
      padded_.insert(padded_.end(), own, own + n);
      padded_.insert(padded_.end(), width - 1 - n, std::numeric_limits<double>::infinity());
    }
  }

  void operator()(std::size_t feature, const double* x, std::size_t n, std::uint64_t* bin) const {
    count_below(padded_.data() + start_[feature], steps_[feature], x, n, bin);
  }

 private:
  std::vector<std::size_t> steps_, start_;
  std::vector<double> padded_;
};

// The bins of one feature for a strip of rows.
void find_bins(const Searches& searches, const Cuts& cuts, std::size_t feature, const double* x,
               std::size_t n, std::uint64_t* bin) {
  if (cuts.categorical[feature]) {
    for (std::size_t i = 0; i < n; ++i)
      bin[i] = std::isnan(x[i]) ? 0 : static_cast<std::uint64_t>(x[i]);
  } else {
    searches(feature, x, n, bin);
  }
  const std::int32_t missing = cuts.missing[feature];
  if (missing < 0) return;
  for (std::size_t i = 0; i < n; ++i)
    if (std::isnan(x[i])) bin[i] = static_cast<std::uint64_t>(missing);
}

// Packs the bins of a group of features for strips of rows.
class Packer {
 public:
  Packer(const double* x, std::size_t n_rows, std::size_t n_features, const std::uint32_t* order,
         const Cuts& cuts, const Fields& fields, std::size_t n_groups)
      : x_(x),
        n_rows_(n_rows),
        n_features_(n_features),
        order_(order),
        cuts_(cuts),
        fields_(fields),
        lanes_(static_cast<std::size_t>(64 / fields.bits)),
        searches_(cuts, n_features),
        groups_(n_groups) {
    for (std::size_t f = 0; f < n_features; ++f)
      groups_[static_cast<std::size_t>(fields.lane[f]) / lanes_].push_back(f);
  }

  // Write the words of group g for n <= kStrip rows.
  void pack(std::size_t g, std::size_t begin, std::size_t n, std::uint64_t* words) const {
    double value[kTogether][kStrip];
    std::uint64_t bin[kStrip], word[kStrip] = {};
    const std::vector<std::size_t>& group = groups_[g];
    for (std::size_t first = 0; first < group.size(); first += kTogether) {
      const std::size_t* const features = group.data() + first;
      const std::size_t n_now = std::min(kTogether, group.size() - first);
      read_values(features, n_now, begin, n, value);
      for (std::size_t k = 0; k < n_now; ++k) {
        const std::size_t f = features[k];
        const int shift =
            static_cast<int>(fields_.lane[f] % lanes_) * fields_.bits + fields_.shift[f];
        find_bins(searches_, cuts_, f, value[k], n, bin);
        for (std::size_t i = 0; i < n; ++i) word[i] |= bin[i] << shift;
      }
    }
    std::copy(word, word + n, words);
  }

 private:
  void read_values(const std::size_t* features, std::size_t n_now, std::size_t begin, std::size_t n,
                   double (*value)[kStrip]) const {
    const bool are_neighbors = features[n_now - 1] - features[0] == n_now - 1;
    for (std::size_t i = 0; i < n; ++i) {
      if (begin + i + kAhead < n_rows_)
        prefetch(x_ + order_[begin + i + kAhead] * n_features_ + features[0]);
      const double* row = x_ + static_cast<std::size_t>(order_[begin + i]) * n_features_;
      if (are_neighbors)
        for (std::size_t k = 0; k < n_now; ++k) value[k][i] = row[features[0] + k];
      else
        for (std::size_t k = 0; k < n_now; ++k) value[k][i] = row[features[k]];
    }
  }

  const double* const x_;
  const std::size_t n_rows_, n_features_;
  const std::uint32_t* const order_;
  const Cuts& cuts_;
  const Fields& fields_;
  const std::size_t lanes_;  // per word
  const Searches searches_;
  std::vector<std::vector<std::size_t>> groups_;  // features of each group
};

}  // namespace

void gather_columns(const double* x, std::size_t n_features, const std::uint32_t* rows,
                    std::size_t n_chosen, std::size_t first, std::size_t n_columns, double* out,
                    int n_threads) {
  const std::size_t n_blocks = (n_chosen + kStrip - 1) / kStrip;
  parallel_for(n_blocks, n_threads, [&](std::size_t block) {
    const std::size_t begin = block * kStrip, end = std::min(begin + kStrip, n_chosen);
    for (std::size_t k = 0; k < n_columns; k += 8) {
      const std::size_t last = std::min(k + 8, n_columns);
      for (std::size_t i = begin; i < end; ++i) {
        const double* row = x + static_cast<std::size_t>(rows[i]) * n_features + first;
        for (std::size_t c = k; c < last; ++c) out[c * n_chosen + i] = row[c];
      }
    }
  });
}

void find_missing(const double* x, std::size_t n_rows, std::size_t n_features,
                  std::uint8_t* missing, int n_threads) {
  const std::size_t n_blocks = (n_rows + kBlock - 1) / kBlock;
  std::vector<std::uint8_t> found(n_blocks * n_features, 0);
  parallel_for(n_blocks, n_threads, [&](std::size_t block) {
    std::uint8_t* own = found.data() + block * n_features;
    const std::size_t end = std::min((block + 1) * kBlock, n_rows);
    for (std::size_t i = block * kBlock; i < end; ++i)
      for (std::size_t f = 0; f < n_features; ++f)
        own[f] |= static_cast<std::uint8_t>(x[i * n_features + f] != x[i * n_features + f]);
  });
  std::fill(missing, missing + n_features, std::uint8_t{0});
  for (std::size_t i = 0; i < found.size(); ++i) missing[i % n_features] |= found[i];
}

void pack_bins(const double* x, std::size_t n_rows, std::size_t n_features,
               const std::uint32_t* order, const Cuts& cuts, const Fields& fields,
               std::uint64_t* words, std::size_t n_groups, int n_threads,
               const std::function<void()>& poll) {
  const Packer packer(x, n_rows, n_features, order, cuts, fields, n_groups);
  const auto pack = [&](std::size_t task) {
    const std::size_t block = task / n_groups, g = task % n_groups;
    const std::size_t end = std::min((block + 1) * kBlock, n_rows);
    for (std::size_t begin = block * kBlock; begin < end; begin += kStrip)
      packer.pack(g, begin, std::min(kStrip, end - begin), words + g * n_rows + begin);
  };
  // The groups of a block follow each other: they read the same rows.
  const std::size_t n_tasks = n_groups * ((n_rows + kBlock - 1) / kBlock);
  for (std::size_t done = 0; done < n_tasks; done += kBetweenPolls) {
    poll();
    const std::size_t n = std::min(kBetweenPolls, n_tasks - done);
    parallel_for(n, n_threads, [&](std::size_t task) { pack(done + task); });
  }
}

}  // namespace horotree
