#include "disk/children.h"

#include <algorithm>

namespace horotree {

namespace {

// Positive minus negative leaves in the subtree of each node.
std::vector<std::int32_t> count_leaves(const Outline& tree,
                                       const std::vector<std::int32_t>& start) {
  std::vector<std::int32_t> balance(tree.n, 0);
  for (std::size_t v = tree.n; v-- > 0;) {
    if (start[v] == start[v + 1]) balance[v] = tree.positive[v] ? 1 : -1;
    if (tree.parent[v] >= 0) balance[tree.parent[v]] += balance[v];
  }
  return balance;
}

}  // namespace

Children::Children(const Outline& tree)
    : start_(tree.n + 1, 0), child_(tree.n > 0 ? tree.n - 1 : 0), need_(tree.n, 0.0) {
  for (std::size_t v = 1; v < tree.n; ++v) ++start_[tree.parent[v] + 1];
  for (std::size_t v = 0; v < tree.n; ++v) start_[v + 1] += start_[v];
  std::vector<std::int32_t> next(start_.begin(), start_.end() - 1);
  for (std::size_t v = 1; v < tree.n; ++v)
    child_[next[tree.parent[v]]++] = static_cast<std::int32_t>(v);

  const std::vector<std::int32_t> balance = count_leaves(tree, start_);
  const auto first = [&](std::int32_t v) {
    return balance[v] > 0 || (balance[v] == 0 && tree.positive[v]);
  };
  const auto before = [&](std::int32_t v, std::int32_t w) {
    if (first(v) != first(w)) return first(v);
    return first(v) ? tree.drawn[v] < tree.drawn[w] : tree.drawn[v] > tree.drawn[w];
  };
  for (std::size_t u = 0; u < tree.n; ++u)
    std::stable_sort(child_.begin() + start_[u], child_.begin() + start_[u + 1], before);

  for (std::size_t v = tree.n; v-- > 0;) {
    need_[v] = std::max(need_[v], tree.need[v]);  // until now the sum over its children
    if (tree.parent[v] >= 0) need_[tree.parent[v]] += need_[v];
  }
}

}  // namespace horotree
