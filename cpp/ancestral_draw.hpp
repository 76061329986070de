// Ancestral sampling: every variable of a network is drawn after its parents, one uniform number per cell.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <stdexcept>
#include <vector>

namespace bayesloom {

// A column of codes, 1, 2 or 4 bytes each.
struct CodeColumn {
    void* data;
    std::size_t width;

    // Calls `use` with the codes as what they are.
    template <typename Use>
    void visit(Use use) const {
        if (width == 1) return use(static_cast<std::uint8_t*>(data));
        if (width == 2) return use(static_cast<std::uint16_t*>(data));
        return use(static_cast<std::uint32_t*>(data));
    }
};

class AncestralDraw {
  public:
    // How many rows of a variable are drawn before those of the next one. What a seed draws depends on it.
    static constexpr std::size_t block_rows = 1 << 13;

    // The families in the order in which they are drawn; of each its parents, the last varying fastest in
    // its table, and the table.
    AncestralDraw(std::span<const std::int32_t> states, std::span<const std::int32_t> order,
                  std::span<const std::int64_t> parent_start, std::span<const std::int32_t> parents,
                  std::span<const double> probabilities)
        : n_states_(states.begin(), states.end()) {
        std::vector<char> drawn(states.size(), 0);
        std::size_t used = 0;
        for (std::size_t i = 0; i < order.size(); ++i) {
            Step step{index(order[i]), {}, bounds_.size()};
            const std::size_t r = n_states_[step.node];
            std::size_t q = 1;
            for (auto j = static_cast<std::size_t>(parent_start[i + 1]);
                 j-- > static_cast<std::size_t>(parent_start[i]);) {
                const std::size_t parent = index(parents[j]);
                demand(drawn[parent], "parents come before their children");
                step.parents.push_back({parent, static_cast<std::uint32_t>(q * (r - 1))});
                q *= n_states_[parent];
                demand(q * r <= probabilities.size() - used, "a table has too few cells");
            }
            demand(q * r <= probabilities.size() - used, "a table has too few cells");
            demand(q * r <= std::numeric_limits<std::uint32_t>::max(), "a table has too many cells");
            demand(!drawn[step.node], "every variable is drawn once");
            drawn[step.node] = 1;
            for (std::size_t row = 0; row < q; ++row, used += r) add_bounds(probabilities.subspan(used, r));
            steps_.push_back(std::move(step));
        }
        demand(steps_.size() == n_states_.size(), "every variable is drawn once");
    }

    std::size_t n_nodes() const { return n_states_.size(); }
    std::size_t n_states(std::size_t v) const { return n_states_[v]; }

    // Fills all columns; `next` gives uniform numbers in [0, 1).
    template <typename Next>
    void draw(std::span<const CodeColumn> columns, std::size_t n_rows, Next next) const {
        for (std::size_t first = 0; first < n_rows; first += block_rows) {
            const std::size_t last = std::min(first + block_rows, n_rows);
            for (const Step& step : steps_)
                for (std::size_t at = first; at < last; at += piece_rows)
                    draw_piece(step, columns, at, std::min(at + piece_rows, last) - at, next);
        }
    }

  private:
    static constexpr std::size_t piece_rows = 512;  // what is at work stays in the nearest cache

    // The bounds of a configuration are r - 1 numbers: the probability of the states 0 to k, and infinite
    // from the last state that is possible on, so that no rounding lets an impossible state be drawn.
    struct Step {
        std::size_t node;
        std::vector<std::pair<std::size_t, std::uint32_t>> parents;  // distance between two of its states
        std::size_t bounds;
    };

    static void demand(bool holds, const char* what) {
        if (!holds) throw std::invalid_argument(what);
    }
    std::size_t index(std::int32_t v) const {
        demand(v >= 0 && static_cast<std::size_t>(v) < n_states_.size(), "variables must exist");
        demand(n_states_[static_cast<std::size_t>(v)] >= 1, "a variable needs at least one state");
        return static_cast<std::size_t>(v);
    }

    void add_bounds(std::span<const double> row) {
        std::size_t last = row.size() - 1;
        while (last > 0 && !(row[last] > 0)) --last;
        if (last == 0 && !(row[0] > 0)) last = row.size() - 1;
        double sum = 0;
        for (std::size_t k = 0; k + 1 < row.size(); ++k) {
            sum += row[k];
            bounds_.push_back(k < last ? sum : std::numeric_limits<double>::infinity());
        }
    }

    template <typename Next>
    void draw_piece(const Step& step, std::span<const CodeColumn> columns, std::size_t at, std::size_t n,
                    Next& next) const {
        std::array<double, piece_rows> noise;
        for (std::size_t i = 0; i < n; ++i) noise[i] = next();
        std::array<std::uint32_t, piece_rows> place{};
        for (const auto& [parent, stride] : step.parents)
            columns[parent].visit([&, stride = stride](const auto* codes) {
                for (std::size_t i = 0; i < n; ++i) place[i] += codes[at + i] * stride;
            });
        const double* bounds = bounds_.data() + step.bounds;
        columns[step.node].visit([&](auto* codes) {
            const auto given = std::span(place).first(n);
            switch (n_states_[step.node]) {
                case 1:
                    return count_up_to<0>(bounds, given, noise.data(), codes + at);
                case 2:
                    return count_up_to<1>(bounds, given, noise.data(), codes + at);
                case 3:
                    return count_up_to<2>(bounds, given, noise.data(), codes + at);
                case 4:
                    return count_up_to<3>(bounds, given, noise.data(), codes + at);
                default:
                    return search(bounds, n_states_[step.node] - 1, given, noise.data(), codes + at);
            }
        });
    }

    // The code of a row is the number of its bounds up to the noise.
    template <std::size_t n_bounds, typename Code>
    static void count_up_to(const double* bounds, std::span<const std::uint32_t> place, const double* noise,
                            Code* codes) {
        for (std::size_t i = 0; i < place.size(); ++i) {
            unsigned code = 0;
            for (std::size_t k = 0; k < n_bounds; ++k) code += noise[i] >= bounds[place[i] + k];
            codes[i] = static_cast<Code>(code);
        }
    }
    template <typename Code>
    static void search(const double* bounds, std::size_t n_bounds, std::span<const std::uint32_t> place,
                       const double* noise, Code* codes) {
        for (std::size_t i = 0; i < place.size(); ++i) {
            const double* own = bounds + place[i];
            codes[i] = static_cast<Code>(std::upper_bound(own, own + n_bounds, noise[i]) - own);
        }
    }

    std::vector<std::size_t> n_states_;
    std::vector<Step> steps_;
    std::vector<double> bounds_;
};

}  // namespace bayesloom
