// Trees packed for scoring rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace horotree {

// Trees, concatenated; children are indices within their tree.
struct Trees {
  const std::int32_t* left;  // -1 at a leaf
  const std::int32_t* right;
  const std::int32_t* feature;
  const double* threshold;
  const std::uint8_t* missing_left;
  const std::int64_t* set_start;   // node v's set: codes set_start[v] .. set_start[v + 1] - 1,
  const std::int32_t* codes;       // which increase and go left; none at a numeric test
  const std::int64_t* tree_start;  // n_trees + 1 of them
  std::size_t n_trees;
};

// Trees in the two forms that rows are sent through.
//
// A row becomes a row of integer keys, one per column. A column is a feature together with the side
// of its missing values. Keys of numbers keep their order, and a missing value is below or above
// all, so that a test is one comparison. The key of a code is its index in the bits of a set;
// missing is the index after the last. A set of few codes out of very many is a sorted list
// instead, so that memory stays in proportion to the listed codes.
//
// Walk, for few rows or large trees: several rows, or several trees, take a step in turn, which
// hides the latency of each step.
//
// Scan, for many rows and small trees: every test of a tree is made on a block of rows without
// branches or look-ups, and a row moves if it is at the node of the test. For this, a key becomes a
// rank that fits a byte: the number of cuts below it. A column of more than 255 cuts makes several
// groups.
class PackedTrees {
 public:
  struct Test {                            // of a scan
    std::uint32_t source;                  // group of ranks, or column of codes
    std::uint32_t table;                   // of a set: the index of its first listed code
    std::uint8_t node, to_left, to_right;  // index of the node, and what is added to it
    std::int8_t cut;                       // go right if the rank is larger
    bool by_set;
    std::int8_t n_listed;  // number of codes that go right; -1 if a table has a byte per code
  };

  // Throws std::invalid_argument if the links, features or sets do not fit together.
  explicit PackedTrees(const Trees& trees);

  std::size_t n_trees() const { return start_.size() - 1; }
  std::size_t n_nodes() const { return nodes_.size(); }
  std::size_t n_features() const { return n_features_; }  // columns that rows must have

  // score[i] = base + the sum over trees first .. last-1 of output[leaf of row i], in this order.
  void score_rows(const double* output, double base, std::size_t first, std::size_t last,
                  const double* x, std::size_t n_rows, std::size_t n_features, double* score,
                  int n_threads) const;

  // leaf[i, j - first] = node of tree j in which row i ends, for the trees first .. last-1.
  void find_leaves(std::size_t first, std::size_t last, const double* x, std::size_t n_rows,
                   std::size_t n_features, std::int32_t* leaf, int n_threads) const;

 private:
  struct Node {
    std::int64_t key;  // go right if the row's key is larger; at a set, the index of its first bit,
                       // or -1 minus the index of its list
    std::int32_t column;
    std::int32_t child;  // the left child; the right one follows it; a leaf is its own child
  };
  struct Group {  // up to 255 cuts of a column
    std::size_t column, first_cut;
    int n_steps;  // of the search: there are 2^n_steps - 1 cuts, padded
  };
  struct Rows;

  void number_columns(const Trees& trees);
  void pack_nodes(const Trees& trees);
  std::int64_t pack_set(const Trees& trees, std::size_t v, std::int32_t column);
  void group_cuts();
  void make_tests(const Trees& trees);
  bool add_tests(const Trees& trees, std::size_t tree);
  void find_cut(const Node& node, Test& test) const;
  bool find_codes(const Node& node, Test& test);

  void read_row(const double* x, std::int64_t* keys) const;
  void rank_rows(Rows& rows) const;
  void scan(std::size_t tree, Rows& rows) const;
  template <bool kSets, class KeysOf>
  void walk(std::int32_t* at, KeysOf keys_of) const;
  std::int32_t walk_lists(std::int32_t at, const std::int64_t* keys) const;
  template <class KeysOf>
  void walk_any(std::int32_t* at, KeysOf keys_of) const;
  template <class Visit>
  void walk_trees(std::size_t first, std::size_t last, const Rows& rows, std::size_t i,
                  Visit visit) const;
  template <class Visit>
  void walk_rows(std::size_t tree, const Rows& rows, Visit visit) const;
  template <class Visit>
  void visit_leaves(std::size_t first, std::size_t last, const double* x, std::size_t n_rows,
                    std::size_t n_features, int n_threads, Visit visit) const;

  std::size_t n_features_ = 0;
  std::vector<std::int64_t> start_;  // first node of each tree
  std::vector<Node> nodes_;          // of each tree, breadth first
  std::vector<std::int32_t> order_;  // index of each packed node in its tree

  // Columns, in this order: one empty column, which leaves read; numbers whose missing values go
  // right; those whose missing values go left; codes.
  std::size_t n_right_ = 0, n_numeric_ = 0;
  std::vector<std::int32_t> column_feature_;  // per column
  std::vector<std::int32_t> column_;          // per kind and feature
  std::vector<std::int32_t> missing_code_;    // per column of codes
  std::vector<std::uint64_t> sets_;           // 1: goes right
  std::vector<std::int32_t> lists_;  // for each list its length, then the codes that go left

  std::vector<Group> groups_;
  std::vector<std::int64_t> cuts_;
  std::vector<std::size_t> group_start_;  // first group of each numeric column
  std::vector<std::size_t> test_start_;   // first test of each tree; no tests: it must be walked
  std::vector<Test> tests_;
  std::vector<std::uint8_t> tables_;
};

}  // namespace horotree
