// A batch of counting requests, as flat arrays, and the pieces that threads take of it.
#pragma once

#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

#include "extended.hpp"
#include "thread_pool.hpp"

namespace bayesloom {

// Request i asks for the tables over (given_i..., target_i, partner) for each of its partners;
// partner -1 stands for none. The first given variable varies slowest, the partner fastest.
struct Batch {
    std::span<const std::int32_t> target;
    std::span<const std::int64_t> given_start;
    std::span<const std::int32_t> given;
    std::span<const std::int64_t> partner_start;
    std::span<const std::int32_t> partner;

    std::size_t size() const { return target.size(); }
    std::span<const std::int32_t> given_of(std::size_t i) const { return part(given, given_start, i); }
    std::span<const std::int32_t> partners_of(std::size_t i) const { return part(partner, partner_start, i); }

    // Throws unless all sizes fit and every table has distinct variables below n_variables.
    void check(std::int32_t n_variables) const {
        check_starts(given_start, given.size());
        check_starts(partner_start, partner.size());
        std::vector<std::int64_t> used(static_cast<std::size_t>(n_variables), -1);
        const auto claim = [&](std::int32_t v, std::size_t i) {
            if (v < 0 || v >= n_variables)
                throw std::invalid_argument("a request names a variable that does not exist");
            auto& mark = used[static_cast<std::size_t>(v)];
            if (mark == static_cast<std::int64_t>(i))
                throw std::invalid_argument("a request names a variable twice");
            mark = static_cast<std::int64_t>(i);
        };
        for (std::size_t i = 0; i < size(); ++i) {
            claim(target[i], i);
            for (const std::int32_t v : given_of(i)) claim(v, i);
            for (const std::int32_t v : partners_of(i)) {
                if (v == -1) continue;
                if (v < -1 || v >= n_variables)
                    throw std::invalid_argument("a request names a partner that does not exist");
                if (used[static_cast<std::size_t>(v)] == static_cast<std::int64_t>(i))
                    throw std::invalid_argument("a request names its partner in its base, too");
            }
        }
    }

    // Throws unless the last given variable of every request has two states. The batch has been checked.
    void check_pairs(std::span<const std::int32_t> cardinality) const {
        for (std::size_t i = 0; i < size(); ++i)
            if (given_of(i).empty() || cardinality[static_cast<std::size_t>(given_of(i).back())] != 2)
                throw std::invalid_argument("a request does not end in a given variable of two states");
    }

  private:
    static std::span<const std::int32_t> part(std::span<const std::int32_t> all,
                                              std::span<const std::int64_t> start, std::size_t i) {
        return all.subspan(static_cast<std::size_t>(start[i]),
                           static_cast<std::size_t>(start[i + 1] - start[i]));
    }
    void check_starts(std::span<const std::int64_t> start, std::size_t size_of_all) const {
        bool good = start.size() == target.size() + 1 && start.front() == 0 &&
                    start.back() == static_cast<std::int64_t>(size_of_all);
        for (std::size_t i = 0; good && i + 1 < start.size(); ++i) good = start[i] <= start[i + 1];
        if (!good) throw std::invalid_argument("the starts of a batch do not fit its arrays");
    }
};

// The arrays of a batch themselves, in the order of its fields.
struct OwnBatch {
    std::vector<std::int32_t> target;
    std::vector<std::int64_t> given_start;
    std::vector<std::int32_t> given;
    std::vector<std::int64_t> partner_start;
    std::vector<std::int32_t> partner;

    Batch view() const { return {target, given_start, given, partner_start, partner}; }
};

// What a thread takes at a time: some partners of one request, or all of them in one of n_parts equal stripes
// of the rows, or several whole requests.
struct Piece {
    std::size_t request, first, last;
    std::size_t part = 0, n_parts = 1;
    std::size_t n_requests = 1;

    // Whether request r would be the next one of some whole requests.
    bool ends_before(std::size_t r) const { return n_parts == 1 && first == 0 && request + n_requests == r; }
};

}  // namespace bayesloom
