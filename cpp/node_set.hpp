// A set of nodes as words of bits. All sets of one computation have the same number of words.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <utility>

namespace bayesloom {

// Words that lie in place as long as they are few: most graphs have up to 128 nodes. More of them are shared
// with copies until one side writes, so that a copy of a graph costs as much as it has nodes, not words.
class Words {
  public:
    explicit Words(std::size_t n = 0)
        : n_(n), more_(n > kFew ? std::make_shared<std::uint64_t[]>(n) : nullptr) {}
    Words(const Words&) = default;
    Words(Words&& other) noexcept
        : n_(std::exchange(other.n_, 0)), few_(other.few_), more_(std::move(other.more_)) {}
    Words& operator=(const Words&) = default;
    Words& operator=(Words&& other) noexcept {
        n_ = std::exchange(other.n_, 0), few_ = other.few_, more_ = std::move(other.more_);
        return *this;
    }

    std::size_t size() const { return n_; }
    // To be written: nobody shares them any longer.
    std::uint64_t* begin() {
        if (!more_) return few_.data();
        if (more_.use_count() > 1) {
            auto own = std::make_shared_for_overwrite<std::uint64_t[]>(n_);
            std::copy_n(more_.get(), n_, own.get());
            more_ = std::move(own);
        }
        return more_.get();
    }
    const std::uint64_t* begin() const { return more_ ? more_.get() : few_.data(); }
    const std::uint64_t* end() const { return begin() + n_; }
    const std::uint64_t& operator[](std::size_t w) const { return begin()[w]; }
    bool operator==(const Words& other) const {
        if (n_ != other.n_) return false;
        const std::uint64_t *a = begin(), *b = other.begin();
        return a == b || std::equal(a, a + n_, b);
    }

  private:
    static constexpr std::size_t kFew = 2;

    std::size_t n_;
    std::array<std::uint64_t, kFew> few_{};
    std::shared_ptr<std::uint64_t[]> more_;
};

class NodeSet {
  public:
    NodeSet() = default;
    explicit NodeSet(std::size_t n_words) : words_(n_words) {}

    const Words& words() const { return words_; }
    Words& words() { return words_; }

    // Makes a set as long as all sets over n nodes; throws if it has others.
    void fit(std::size_t n_nodes) {
        const std::size_t n_words = (n_nodes + 63) / 64;
        const Words& words = words_;
        for (std::size_t w = n_words; w < words.size(); ++w)
            if (words[w]) throw std::invalid_argument("a set has a node that does not exist");
        if (words_.size() != n_words) {
            Words fitted(n_words);
            std::copy_n(std::as_const(words_).begin(), std::min(n_words, words_.size()), fitted.begin());
            words_ = std::move(fitted);
        }
        if (n_nodes % 64 && words[n_words - 1] >> n_nodes % 64)
            throw std::invalid_argument("a set has a node that does not exist");
    }

    bool has(std::size_t v) const { return words_[v / 64] >> v % 64 & 1; }
    void add(std::size_t v) { words_.begin()[v / 64] |= std::uint64_t{1} << v % 64; }
    void remove(std::size_t v) {
        if (has(v)) words_.begin()[v / 64] &= ~(std::uint64_t{1} << v % 64);
    }
    bool empty() const {
        for (const std::uint64_t word : words_)
            if (word) return false;
        return true;
    }
    std::size_t count() const {
        std::size_t n = 0;
        for (const std::uint64_t word : words_) n += static_cast<std::size_t>(std::popcount(word));
        return n;
    }
    // The lowest node of a set that is not empty.
    std::size_t lowest() const {
        std::size_t w = 0;
        while (!words_[w]) ++w;
        return w * 64 + static_cast<std::size_t>(std::countr_zero(words_[w]));
    }
    bool meets(const NodeSet& other) const {
        for (std::size_t w = 0; w < words_.size(); ++w)
            if (words_[w] & other.words_[w]) return true;
        return false;
    }
    // Whether every node but v is in the other set.
    bool is_within_but(const NodeSet& other, std::size_t v) const {
        for (std::size_t w = 0; w < words_.size(); ++w) {
            std::uint64_t beyond = words_[w] & ~other.words_[w];
            if (w == v / 64) beyond &= ~(std::uint64_t{1} << v % 64);
            if (beyond) return false;
        }
        return true;
    }
    // Calls visit(v) for every node, in ascending order.
    template <typename Visit>
    void each(Visit&& visit) const {
        for (std::size_t w = 0; w < words_.size(); ++w)
            for (std::uint64_t rest = words_[w]; rest; rest &= rest - 1)
                visit(w * 64 + static_cast<std::size_t>(std::countr_zero(rest)));
    }

    bool operator==(const NodeSet&) const = default;
    NodeSet& operator|=(const NodeSet& other) {
        std::uint64_t* to = words_.begin();
        const std::uint64_t* from = other.words_.begin();
        for (std::size_t w = 0; w < words_.size(); ++w) to[w] |= from[w];
        return *this;
    }
    NodeSet& operator&=(const NodeSet& other) {
        std::uint64_t* to = words_.begin();
        const std::uint64_t* from = other.words_.begin();
        for (std::size_t w = 0; w < words_.size(); ++w) to[w] &= from[w];
        return *this;
    }
    NodeSet& operator-=(const NodeSet& other) {
        std::uint64_t* to = words_.begin();
        const std::uint64_t* from = other.words_.begin();
        for (std::size_t w = 0; w < words_.size(); ++w) to[w] &= ~from[w];
        return *this;
    }
    friend NodeSet operator|(NodeSet a, const NodeSet& b) { return a |= b; }
    friend NodeSet operator&(NodeSet a, const NodeSet& b) { return a &= b; }
    friend NodeSet operator-(NodeSet a, const NodeSet& b) { return a -= b; }

    // Adds what is in the other set and was not seen yet, and counts it as seen.
    void add_new(const NodeSet& other, NodeSet& seen) {
        std::uint64_t *to = words_.begin(), *had = seen.words_.begin();
        const std::uint64_t* from = other.words_.begin();
        for (std::size_t w = 0; w < words_.size(); ++w) {
            const std::uint64_t fresh = from[w] & ~had[w];
            had[w] |= fresh, to[w] |= fresh;
        }
    }

    // Whether the nodes of a, listed in ascending order, come before those of b as words do in a dictionary.
    friend bool comes_before(const NodeSet& a, const NodeSet& b) {
        for (std::size_t w = 0; w < a.words_.size(); ++w) {
            const std::uint64_t differ = a.words_[w] ^ b.words_[w];
            if (!differ) continue;
            const bool in_a = a.words_[w] & differ & (~differ + 1);
            const NodeSet& without = in_a ? b : a;
            std::uint64_t later = without.words_[w] & ~((differ & (~differ + 1)) - 1);
            for (std::size_t u = w + 1; u < a.words_.size(); ++u) later |= without.words_[u];
            return in_a == (later != 0);
        }
        return false;
    }

  private:
    Words words_;
};

struct NodeSetHash {
    std::size_t operator()(const NodeSet& set) const {
        std::uint64_t hash = 0x9E3779B97F4A7C15;
        for (const std::uint64_t word : set.words()) {
            hash = (hash ^ word) * 0xBF58476D1CE4E5B9;
            hash ^= hash >> 31;
        }
        return static_cast<std::size_t>(hash);
    }
};

}  // namespace bayesloom
