#include "boosting.h"

#include <cmath>
#include <cstring>

#include "weights.h"

namespace horotree {

namespace {

// Integer weights on a scale that all machines have in common; returns what 1 stands for.
double weigh(std::size_t n, const BoostSpace& examples, int n_threads,
             const CommonUnit& common_unit) {
  const auto weigh_from = [&](double least_unit) {
    return fixed_point_weights(examples.odds, examples.amount, n, least_unit, examples.weights,
                               n_threads);
  };
  const double unit = weigh_from(0.0);
  if (!common_unit) return unit;
  const double common = common_unit(unit);
  if (unit < common) weigh_from(common);
  return common;
}

// Each machine has counted its own examples.
void sum_counts(std::vector<GrownNode>& nodes, const Exchange& reduce) {
  std::vector<std::int64_t> counts;
  for (const GrownNode& node : nodes) counts.push_back(node.count);
  reduce(counts.data(), counts.size());
  for (std::size_t v = 0; v < nodes.size(); ++v) nodes[v].count = counts[v];
}

Leverage judge_nodes(const std::vector<GrownNode>& nodes, const JudgeRules& rules, Judged out) {
  std::vector<std::int32_t> parent;
  std::vector<std::int64_t> negative, positive;
  for (const GrownNode& node : nodes) {
    parent.push_back(node.parent);
    negative.push_back(node.negative);
    positive.push_back(node.positive);
  }
  return judge(parent.data(), negative.data(), positive.data(), nodes.size(), rules, out);
}

// One machine's numbers in place of this one's: logarithms differ between machines.
void share(BoostedTree& tree, const Exchange& decide) {
  static_assert(sizeof(double) == sizeof(std::int64_t), "numbers are sent as integers");
  std::vector<double> numbers = tree.judged;
  numbers.push_back(tree.worth.edge);
  numbers.push_back(tree.worth.leverage);
  std::vector<std::int64_t> sent(numbers.size());
  std::memcpy(sent.data(), numbers.data(), sent.size() * sizeof(double));
  decide(sent.data(), sent.size());
  std::memcpy(numbers.data(), sent.data(), sent.size() * sizeof(double));
  const std::size_t n = tree.judged.size();
  tree.worth = {numbers[n], numbers[n + 1]};
  numbers.resize(n);
  tree.judged = std::move(numbers);
}

std::size_t size_of(const BoostedTree& tree) {
  std::size_t size = tree.nodes.size();
  for (const GrownNode& node : tree.nodes) size += node.split.left_bins.size();
  return size;
}

}  // namespace

BoostedTrees boost(const Binned& data, const GrowSpace& space, const BoostSpace& examples,
                   BoostRules rules, const Callbacks& callbacks, const CommonUnit& common_unit) {
  const int n_threads = rules.grow.n_threads;
  Grower grower(data, space, rules.grow, callbacks);
  BoostedTrees boosted;
  boosted.lightest = rules.lightest;
  for (std::size_t j = 0, size = 0; j < rules.n_rounds && size <= rules.most_nodes; ++j) {
    if (callbacks.poll) callbacks.poll();  // a root that cannot be split does not
    const double unit = weigh(data.n_rows, examples, n_threads, common_unit);
    rules.judge.unit = unit;
    boosted.is_over = unit == 0.0;
    if (boosted.is_over) break;
    BoostedTree tree;
    tree.nodes = grower.grow(examples.weights, unit, boosted.lightest);
    boosted.lightest = lightest_share(tree.nodes);
    if (callbacks.reduce) sum_counts(tree.nodes, callbacks.reduce);
    const std::size_t n = tree.nodes.size();
    tree.judged.resize(Judged::kFields * n);
    tree.worth = judge_nodes(tree.nodes, rules.judge, Judged::at(tree.judged.data(), n));
    if (callbacks.decide) share(tree, callbacks.decide);
    boosted.is_over = tree.worth.edge < rules.least_edge;
    if (boosted.is_over) break;
    boosted.is_over = !std::isfinite(tree.worth.leverage);
    const Judged judged = Judged::at(tree.judged.data(), n);
    if (!boosted.is_over)
      update_odds(examples.odds, space.leaf, data.n_rows, space.n_negative, judged.negative_factor,
                  judged.positive_factor, n_threads);
    size += size_of(tree);
    boosted.trees.push_back(std::move(tree));
    if (boosted.is_over) break;
  }
  return boosted;
}

}  // namespace horotree
