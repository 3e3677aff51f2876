// Walking trees with raw values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace horotree {

// Trees one after the other; children are counted from the tree's first node.
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

// Trees in the two forms in which rows go through them.
//
// A row becomes a row of whole numbers, the keys, one for each column: a feature together with what
// a missing value does. Numbers keep their order, and a missing one is below or above them all, so
// that a test is one comparison. A code is its place in the bits of a set, the one after the last
// if missing. A set of few of very many codes is a sorted list instead, so that memory stays in
// proportion to the codes that are listed.
//
// Few rows, and large trees: walk. Several rows, or several trees, take a step in turn, so that
// the processor need not wait for one before it begins the next.
//
// Many rows and trees of few nodes: scan. All tests of a tree are made on a block of rows, which
// takes no branch and no look-up, and a row moves if it is at the node of the test. For that, a key
// becomes the number of cuts below it, which fits a byte; columns of more cuts are split.
class PackedTrees {
 public:
  struct Test {                            // a node of a scan
    std::uint32_t source;                  // group of ranks, or column of codes
    std::uint32_t table;                   // of a set: where its codes start
    std::uint8_t node, to_left, to_right;  // place, and what is added to it
    std::int8_t cut;                       // go right if the rank is larger
    bool by_set;
    std::int8_t n_listed;  // codes that go right; -1 if a byte for each code says whether it does
  };

  // Throws std::invalid_argument if the links, features or sets do not fit together.
  explicit PackedTrees(const Trees& trees);

  std::size_t n_trees() const { return start_.size() - 1; }
  std::size_t n_nodes() const { return nodes_.size(); }
  std::size_t n_features() const { return n_features_; }  // columns that the rows must have

  // score[i] = base + the sum over trees first .. last-1 of output[leaf of row i], in this order.
  void score_rows(const double* output, double base, std::size_t first, std::size_t last,
                  const double* x, std::size_t n_rows, std::size_t n_features, double* score,
                  int n_threads) const;

  // leaf[i, j - first] = node of tree j in which row i ends, for the trees first .. last-1.
  void find_leaves(std::size_t first, std::size_t last, const double* x, std::size_t n_rows,
                   std::size_t n_features, std::int32_t* leaf, int n_threads) const;

 private:
  struct Node {
    std::int64_t key;  // go right if the row's is larger; at a set, where its bits start, or -1
                       // less where its list starts
    std::int32_t column;
    std::int32_t child;  // the left one; the right one is next to it; a leaf is its own
  };
  struct Group {  // up to 255 cuts of a column
    std::size_t column, first_cut;
    int n_steps;  // of the search: there are 2^n_steps - 1 cuts, some of them only fill up
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
  std::vector<std::int64_t> start_;  // of the trees
  std::vector<Node> nodes_;          // breadth first
  std::vector<std::int32_t> order_;  // their numbers in the tree

  // Columns: an empty one, which leaves read, those in which a missing number goes right, those in
  // which it goes left, codes.
  std::size_t n_right_ = 0, n_numeric_ = 0;
  std::vector<std::int32_t> column_feature_, column_;  // of a column; of a kind and feature
  std::vector<std::int32_t> missing_code_;             // of a column of codes
  std::vector<std::uint64_t> sets_;                    // bit 1: goes right
  std::vector<std::int32_t> lists_;                    // a length, then what goes left; and so on

  std::vector<Group> groups_;
  std::vector<std::int64_t> cuts_;
  std::vector<std::size_t> group_start_;  // of a numeric column
  std::vector<std::size_t> test_start_;   // of a tree; none if it must be walked
  std::vector<Test> tests_;
  std::vector<std::uint8_t> tables_;
};

}  // namespace horotree
