#include "boosting/boosting.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "boosting/weights.h"
#include "threads/sharing.h"

namespace horotree {

namespace {

// Set integer weights on a scale that all machines have in common; returns the weight that 1 stands
// for.
double weigh(const BoostSpace& examples, const std::vector<Rows>& blocks, int n_threads,
             const CommonUnit& common_unit) {
  const auto weigh_from = [&](double least_unit) {
    return fixed_point_weights(examples.odds, examples.amount, blocks, least_unit, examples.weights,
                               n_threads);
  };
  const double unit = weigh_from(0.0);
  if (!common_unit) return unit;
  const double common = common_unit(unit);
  if (unit < common) weigh_from(common);
  return common;
}

// Counts are of this machine's examples until here.
void sum_counts(std::vector<GrownNode>& nodes, const Exchange& reduce) {
  std::vector<std::int64_t> counts;
  for (const GrownNode& node : nodes) counts.push_back(node.count);
  reduce(counts.data(), counts.size());
  for (std::size_t v = 0; v < nodes.size(); ++v) nodes[v].count = counts[v];
}

Leverage judge_nodes(const std::vector<GrownNode>& nodes, const JudgeRules& rules, Judged out) {
  const std::size_t n = nodes.size();
  std::vector<std::int32_t> parent(n);
  std::vector<std::int64_t> negative(n), positive(n);
  for (std::size_t v = 0; v < n; ++v) {
    parent[v] = nodes[v].parent;
    negative[v] = nodes[v].negative;
    positive[v] = nodes[v].positive;
  }
  return judge(parent.data(), negative.data(), positive.data(), n, rules, out);
}

// Replace this machine's numbers by those of one machine: logarithms differ in their last bit
// between machines.
void share(std::vector<double>& judged, Leverage& worth, const Exchange& decide) {
  static_assert(sizeof(double) == sizeof(std::int64_t), "numbers are sent as integers");
  judged.push_back(worth.edge);
  judged.push_back(worth.leverage);
  std::vector<std::int64_t> sent(judged.size());
  std::memcpy(sent.data(), judged.data(), sent.size() * sizeof(double));
  decide(sent.data(), sent.size());
  std::memcpy(judged.data(), sent.data(), sent.size() * sizeof(double));
  const std::size_t n = judged.size() - 2;
  worth = {judged[n], judged[n + 1]};
  judged.resize(n);
}

// How many nodes to allocate memory for at first.
std::size_t first_room(const BoostRules& rules) {
  constexpr std::int64_t most = 1 << 16;
  const std::int64_t leaves = std::clamp<std::int64_t>(rules.grow.max_leaf_nodes, 1, most);
  const auto rounds = static_cast<std::int64_t>(std::min<std::size_t>(rules.n_rounds, most));
  return static_cast<std::size_t>(std::min(rounds * (2 * leaves - 1), most));
}

}  // namespace

NodeRecord::NodeRecord(const GrownNode& node)
    : left(node.left),
      right(node.right),
      parent(node.parent),
      feature(node.split.feature),
      bin(node.split.bin),
      missing_left(node.split.missing_left),
      gain(node.split.gain),
      negative(node.negative),
      positive(node.positive),
      count(node.count) {}

void JudgedRows::append(const double* judged, std::size_t n) {
  if (size_ + n > room_) {
    JudgedRows larger(std::max(2 * room_, size_ + n));
    for (std::size_t row = 0; row < Judged::kFields; ++row)
      std::copy_n(data() + row * room_, size_, larger.data() + row * larger.room_);
    larger.size_ = size_;
    *this = std::move(larger);
  }
  for (std::size_t row = 0; row < Judged::kFields; ++row)
    std::copy_n(judged + row * n, n, data() + row * room_ + size_);
  size_ += n;
}

void append_nodes(const std::vector<GrownNode>& tree, std::vector<NodeRecord>& nodes,
                  std::vector<std::uint8_t>& left_bins) {
  for (const GrownNode& node : tree) {
    nodes.emplace_back(node);
    const std::vector<std::uint8_t>& bins = node.split.left_bins;
    left_bins.insert(left_bins.end(), bins.begin(), bins.end());
  }
}

void BoostedTrees::append(const std::vector<GrownNode>& tree,
                          const std::vector<double>& tree_judged, Leverage tree_worth) {
  append_nodes(tree, nodes, left_bins);
  judged.append(tree_judged.data(), tree.size());
  n_nodes.push_back(tree.size());
  worth.push_back(tree_worth);
}

BoostedTrees boost(const Binned& data, const GrowSpace& space, const BoostSpace& examples,
                   BoostRules rules, const Callbacks& callbacks, const CommonUnit& common_unit) {
  const int n_threads = rules.grow.n_threads;
  const std::vector<Rows> blocks = share_rows(data.n_rows, space.n_negative, n_threads);
  Grower grower(data, space, rules.grow, callbacks);
  BoostedTrees boosted(first_room(rules));
  boosted.lightest = rules.lightest;
  std::vector<GrownNode> nodes;
  std::vector<double> judged;
  Leverage worth;
  const auto judge = [&] {
    judged.resize(Judged::kFields * nodes.size());
    worth = judge_nodes(nodes, rules.judge, Judged::at(judged.data(), nodes.size()));
  };
  for (std::size_t j = 0; j < rules.n_rounds; ++j) {
    if (boosted.nodes.size() + boosted.left_bins.size() > rules.most_nodes) break;
    if (callbacks.poll) callbacks.poll();  // growing does not call it if the root cannot be split
    const double unit = weigh(examples, blocks, n_threads, common_unit);
    rules.judge.unit = unit;
    boosted.is_over = unit == 0.0;
    if (boosted.is_over) break;
    grower.grow(examples.weights, unit, boosted.lightest, nodes, judge);
    boosted.lightest = lightest_share(nodes);
    if (callbacks.reduce) sum_counts(nodes, callbacks.reduce);
    if (callbacks.decide) share(judged, worth, callbacks.decide);
    boosted.is_over = worth.edge < rules.least_edge;
    if (boosted.is_over) break;
    boosted.is_over = !std::isfinite(worth.leverage);
    const Judged factors = Judged::at(judged.data(), nodes.size());
    const auto keep = [&] { boosted.append(nodes, judged, worth); };
    if (boosted.is_over) {
      keep();
      break;
    }
    update_odds(examples.odds, space.leaf, blocks, factors.negative_factor, factors.positive_factor,
                n_threads, keep);
  }
  return boosted;
}

}  // namespace horotree
