#include "okapi/utils/huffman.h"

#include <algorithm>
#include <queue>
#include <tuple>

namespace okapi::huffman {

namespace {

// A symbol, or two nodes that became one. Ties are broken by age, so that the same counts always give the same code.
struct Node {
    std::uint64_t count;
    std::size_t number;
    bool operator>(const Node& other) const { return std::tie(count, number) > std::tie(other.count, other.number); }
};

// Without a limit.
std::vector<int> depths(std::span<const std::uint64_t> counts) {
    std::priority_queue<Node, std::vector<Node>, std::greater<>> open;
    for (std::size_t i = 0; i < counts.size(); ++i) open.push({counts[i], i});
    std::vector<std::size_t> parent(2 * counts.size() - 1);
    for (std::size_t next = counts.size(); next < parent.size(); ++next) {
        const Node a = open.top();
        open.pop();
        const Node b = open.top();
        open.pop();
        parent[a.number] = parent[b.number] = next;
        open.push({a.count + b.count, next});
    }
    std::vector<int> depth(parent.size());
    for (std::size_t i = parent.size() - 1; i-- > 0;) depth[i] = depth[parent[i]] + 1;
    depth.resize(counts.size());
    return depth;
}

}  // namespace

std::vector<std::uint8_t> lengths(std::span<const std::uint32_t> counts) {
    std::vector<std::uint8_t> result(counts.size());
    std::vector<std::size_t> used;
    std::vector<std::uint64_t> weights;
    for (std::size_t i = 0; i < counts.size(); ++i)
        if (counts[i]) {
            used.push_back(i);
            weights.push_back(counts[i]);
        }
    if (used.size() == 1) result[used[0]] = 1;
    if (used.size() <= 1) return result;
    std::vector<int> depth = depths(weights);
    // Flatter counts make flatter trees. At all counts equal, the tree of 256 symbols is 8 deep.
    while (*std::max_element(depth.begin(), depth.end()) > kLongest) {
        for (std::uint64_t& weight : weights) weight = (weight + 1) / 2;
        depth = depths(weights);
    }
    for (std::size_t i = 0; i < used.size(); ++i) result[used[i]] = std::uint8_t(depth[i]);
    return result;
}

Layout::Layout(std::span<const std::uint8_t> lengths) {
    std::size_t used = 0;
    for (std::uint8_t length : lengths) {
        if (length > kLongest) throw InvalidStore("a code is too long");
        if (length) ++used, ++count[length];
    }
    if (used == 0) return;
    if (used == 1) {
        if (count[1] != 1) throw InvalidStore("a code with one symbol has a length");
        count[1] = 0;
        count[0] = 1;
        return;
    }
    int next = 0;
    for (std::size_t length = 1; length <= kLongest; ++length) {
        next = (next + count[length - 1]) << 1;
        code[length] = std::uint16_t(next);
    }
    if (next + count[kLongest] != 1 << kLongest) throw InvalidStore("the lengths of a code do not add up");
}

}  // namespace okapi::huffman
