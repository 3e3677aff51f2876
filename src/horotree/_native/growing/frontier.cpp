#include "growing/frontier.h"

#include <algorithm>

namespace horotree {

namespace {

// For the first tree, a guess of the lightest inner node's weight, in mean leaf weights.
constexpr double kFirstGuess = 3.0;

// A node lighter than this share of the guessed weight is very unlikely to be in the tree.
constexpr double kDoubtful = 0.5;

}  // namespace

GrowingNode& Frontier::begin(double lightest) {
  nodes_.forget_all();
  for (Queue& queue : queues_) queue.clear();
  tree_.clear();
  order_ = {};
  likely_.clear();
  n_searched_ = 0;
  n_leaves_ = 1;
  is_given_up_ = false;
  lightest_ = lightest;
  return *nodes_.make();
}

void Frontier::start(std::int64_t negative, std::int64_t positive) {
  GrowingNode& root = this->root();
  open(root, negative, positive);
  append(&root, -1);
  const double share =
      lightest_ > 0.0 ? lightest_ : kFirstGuess / static_cast<double>(max_leaf_nodes_);
  guess_ = share * static_cast<double>(root.weight());
  if (root.is_open) wait(root, 0);
}

GrowingNode* Frontier::take(std::size_t worker) {
  Queue* heaviest = nullptr;
  for (Queue& queue : queues_)
    if (!queue.empty() && (!heaviest || heaviest->front() < queue.front())) heaviest = &queue;
  if (!heaviest) return nullptr;
  Queue& own = queues_[worker];
  if (!own.empty() && static_cast<double>(own.front().weight) >= guess_ &&
      is_likely(*own.front().what))
    return take_from(own, 0);
  return is_likely(*heaviest->front().what) ? take_from(*heaviest, 0) : nullptr;
}

GrowingNode* Frontier::take_from(Queue& queue, std::size_t place) {
  GrowingNode* node = queue[place].what;
  if (place == 0) {
    std::pop_heap(queue.begin(), queue.end());
    queue.pop_back();
  } else {
    queue.erase(queue.begin() + static_cast<std::ptrdiff_t>(place));
    std::make_heap(queue.begin(), queue.end());
  }
  node->stage = GrowingNode::Stage::taken;
  node->is_used = true;
  if (!node->is_placed) node->parent->is_used = node->sibling->is_used = true;
  likely_.push_back(node->weight());
  ++n_searched_;
  return node;
}

// A node is not in the tree if enough heavier nodes can be split. While that is open and other
// threads still search, a light node can wait.
bool Frontier::is_likely(const GrowingNode& node) const {
  if (n_searched_ > 0 && static_cast<double>(node.weight()) < kDoubtful * guess_) return false;
  const std::int64_t n_others = max_leaf_nodes_ - 1, weight = node.weight();
  if (static_cast<std::int64_t>(likely_.size()) < n_others) return true;
  return std::count_if(likely_.begin(), likely_.end(),
                       [=](std::int64_t other) { return other > weight; }) < n_others;
}

std::size_t Frontier::count_likely() const {
  std::size_t n = 0;
  for (const Queue& queue : queues_)
    for (const Entry<GrowingNode*>& entry : queue) n += static_cast<double>(entry.weight) >= guess_;
  return n;
}

void Frontier::settle(GrowingNode& node, std::size_t worker) {
  node.stage = GrowingNode::Stage::searched;
  node.is_used = false;
  --n_searched_;
  if (node.is_split()) {
    add_children(node, worker);
  } else {  // pushed not long ago: search from the end
    *std::find(likely_.rbegin(), likely_.rend(), node.weight()) = likely_.back();
    likely_.pop_back();
  }
  extend();
}

void Frontier::release(GrowingNode& node, std::size_t worker) {
  node.is_used = false;
  if (node.is_open) wait(node, worker);
}

void Frontier::add_children(GrowingNode& node, std::size_t worker) {
  const Split& split = node.split;
  GrowingNode& left = add_child(node, split.left_negative, split.left_positive);
  GrowingNode& right =
      add_child(node, node.negative - split.left_negative, node.positive - split.left_positive);
  node.left = &left;
  left.sibling = &right;
  right.sibling = &left;
  const bool right_first = !left.is_open || (right.is_open && right.weight() > left.weight());
  GrowingNode& first = right_first ? right : left;
  if (first.is_open) wait(first, worker);
}

GrowingNode& Frontier::add_child(GrowingNode& parent, std::int64_t negative,
                                 std::int64_t positive) {
  GrowingNode& node = *nodes_.make();
  node.parent = &parent;
  node.depth = parent.depth + 1;
  node.age = nodes_.size() - 1;
  open(node, negative, positive);
  return node;
}

void Frontier::open(GrowingNode& node, std::int64_t negative, std::int64_t positive) {
  node.negative = negative;
  node.positive = positive;
  node.is_open = negative > 0 && positive > 0 && node.depth < max_depth_;
}

void Frontier::wait(GrowingNode& node, std::size_t worker) {
  Queue& queue = queues_[worker];
  queue.push_back({node.weight(), node.age, &node});
  std::push_heap(queue.begin(), queue.end());
}

void Frontier::append(GrowingNode* node, std::int32_t parent) {
  const auto index = static_cast<std::int32_t>(tree_.size());
  tree_.push_back({node, parent});
  if (node->is_open) order_.push({node->weight(), static_cast<std::size_t>(index), index});
}

// Extend the tree as far as splits are known.
void Frontier::extend() {
  while (!is_done()) {
    const std::int32_t v = order_.top().what;
    GrowingNode* node = tree_[v].node;
    if (node->stage != GrowingNode::Stage::searched) return;
    order_.pop();
    if (!node->is_split()) continue;
    tree_[v].left = static_cast<std::int32_t>(tree_.size());
    append(node->left, v);
    append(node->left->sibling, v);
    ++n_leaves_;
  }
}

}  // namespace horotree
