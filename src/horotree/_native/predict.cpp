#include "predict.h"

#include <algorithm>
#include <cmath>

#include "threads.h"

namespace horotree {

namespace {

// Rows a task: all trees pass over them while they are in the cache.
constexpr std::size_t kBlock = 256;

bool goes_left(const Forest& forest, std::size_t node, double x) {
  if (std::isnan(x)) return forest.missing_left[node];
  const std::int64_t set = forest.set_start[node];
  if (set < 0) return x <= forest.threshold[node];
  if (!(x >= 0.0 && x < static_cast<double>(forest.set_size[node])))
    return forest.missing_left[node];
  const std::size_t bit = static_cast<std::size_t>(set) + static_cast<std::size_t>(x);
  return (forest.sets[bit / 64] >> (bit % 64)) & 1;
}

std::size_t walk(const Forest& forest, std::size_t tree, const double* row) {
  const std::size_t start = static_cast<std::size_t>(forest.tree_start[tree]);
  std::size_t node = start;
  while (forest.left[node] >= 0) {
    const bool left = goes_left(forest, node, row[forest.feature[node]]);
    node = start + static_cast<std::size_t>(left ? forest.left[node] : forest.right[node]);
  }
  return node;
}

template <class Visit>
void for_blocks(std::size_t n_rows, int n_threads, Visit visit) {
  const std::size_t n_blocks = (n_rows + kBlock - 1) / kBlock;
  parallel_for(n_blocks, n_threads, [&](std::size_t block) {
    visit(block * kBlock, std::min((block + 1) * kBlock, n_rows));
  });
}

}  // namespace

void score_rows(const Forest& forest, const double* output, double base, const double* x,
                std::size_t n_rows, std::size_t n_features, double* score, int n_threads) {
  for_blocks(n_rows, n_threads, [&](std::size_t begin, std::size_t end) {
    std::fill(score + begin, score + end, base);
    for (std::size_t j = 0; j < forest.n_trees; ++j)
      for (std::size_t i = begin; i < end; ++i)
        score[i] += output[walk(forest, j, x + i * n_features)];
  });
}

void find_leaves(const Forest& forest, const double* x, std::size_t n_rows, std::size_t n_features,
                 std::int32_t* leaf, int n_threads) {
  for_blocks(n_rows, n_threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t j = 0; j < forest.n_trees; ++j)
      for (std::size_t i = begin; i < end; ++i)
        leaf[i * forest.n_trees + j] = static_cast<std::int32_t>(
            walk(forest, j, x + i * n_features) - static_cast<std::size_t>(forest.tree_start[j]));
  });
}

}  // namespace horotree
