#include "splitting/encoding.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>

namespace horotree {

namespace {

enum { kFeature, kBin, kMissingLeft, kNegative, kPositive, kGain, kSet };

std::int32_t most_categories(const Binned& data) {
  std::int32_t most = 0;
  for (std::size_t f = 0; f < data.n_features; ++f)
    if (data.categorical[f]) most = std::max(most, data.n_bins[f]);
  return most;
}

}  // namespace

std::vector<std::int64_t> encode_split(const Binned& data, const Split& split) {
  std::vector<std::int64_t> decision(kSet + (most_categories(data) + 63) / 64, 0);
  decision[kFeature] = split.feature;
  decision[kBin] = split.bin;
  decision[kMissingLeft] = split.missing_left;
  decision[kNegative] = split.left_negative;
  decision[kPositive] = split.left_positive;
  std::memcpy(&decision[kGain], &split.gain, sizeof split.gain);
  for (std::size_t b = 0; b < split.left_bins.size(); ++b)
    if (split.left_bins[b])
      decision[kSet + b / 64] |= static_cast<std::int64_t>(std::uint64_t{1} << b % 64);
  return decision;
}

Split decode_split(const Binned& data, const std::vector<std::int64_t>& decision) {
  Split split;
  if (decision[kFeature] < 0) return split;
  const std::size_t f = static_cast<std::size_t>(decision[kFeature]);
  const bool is_one = f < data.n_features && decision[kBin] >= (data.categorical[f] ? -1 : 0) &&
                      decision[kBin] < data.n_bins[f];
  if (!is_one) throw std::invalid_argument("another machine has decided on an impossible split");
  split.feature = static_cast<std::int32_t>(f);
  split.bin = static_cast<std::int32_t>(decision[kBin]);
  split.missing_left = decision[kMissingLeft] != 0;
  split.left_negative = decision[kNegative];
  split.left_positive = decision[kPositive];
  std::memcpy(&split.gain, &decision[kGain], sizeof split.gain);
  if (data.categorical[f])
    for (std::int32_t b = 0; b < data.n_bins[f]; ++b)
      split.left_bins.push_back(decision[kSet + b / 64] >> b % 64 & 1);
  return split;
}

}  // namespace horotree
