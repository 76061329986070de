// Gibbs moves over the families of a DAG: the parents of a few variables are drawn anew together.
#pragma once

#include <array>

#include "graph.hpp"
#include "parent_set_sums.hpp"

namespace bayesloom {

// Which sets of parents a few variables may have given the families of all others is a matter of which of
// them reach which: if the descendants of each are found without the families in question, a graph over
// these few variables tells where their parents are, and every graph of that kind without cycles is
// possible (Goudie and Mukherjee 2016). All of them are weighed by sums over sets of parents.
class FamilyBlocks {
  public:
    static constexpr std::size_t kLargest = 4;  // there are 543 DAGs over four nodes, 29,281 over five

    // Blocks grow along `near`, which says for every variable which others go with it.
    FamilyBlocks(const ParentSetSums& sums, Graph near, std::size_t size)
        : sums_(sums), near_(std::move(near)), size_(std::min(size, sums.n_nodes())) {
        if (size < 1 || size > kLargest) throw std::invalid_argument("a block has 1 to 4 variables");
        if (near_.size() != sums.n_nodes())
            throw std::invalid_argument("every variable needs those that go with it");
        list_patterns({}, 0);
    }

    // Draws the families of `times` blocks of a DAG anew, one after the other.
    void redraw(Graph& parents, std::size_t times, Draws& draws) const {
        Graph children(parents.size(), sums_.none());
        for (std::size_t v = 0; v < parents.size(); ++v)
            parents[v].each([&](std::size_t u) { children[u].add(v); });
        for (; times; --times) redraw_block(block(draws), parents, children, draws);
    }

  private:
    using Pattern = std::array<std::uint8_t, kLargest>;  // for every member those that reach its parents

    std::vector<std::size_t> block(Draws& draws) const {
        std::vector<std::size_t> members{draws.below(near_.size())};
        NodeSet around = near_[members[0]], taken = sums_.none();
        taken.add(members[0]);
        while (members.size() < size_) {
            NodeSet choice = around - taken;
            if (choice.empty()) choice = sums_.all() - taken;
            std::size_t k = draws.below(choice.count()), next = 0;
            choice.each([&](std::size_t u) {
                if (k-- == 0) next = u;
            });
            members.push_back(next);
            taken.add(next);
            around |= near_[next];
        }
        return members;
    }

    void redraw_block(const std::vector<std::size_t>& members, Graph& parents, Graph& children,
                      Draws& draws) const {
        for (const std::size_t v : members) parents[v].each([&](std::size_t u) { children[u].remove(v); });
        std::array<NodeSet, kLargest> below, allowed;
        for (std::size_t a = 0; a < size_; ++a) {
            below[a] = descendants(members[a], children);
            allowed[a] = sums_.all() - below[a];
        }
        const auto met = [&](std::size_t a, std::size_t i) {
            std::size_t found = 0;
            for (std::size_t b = 0; b < size_; ++b)
                if (b != a) found |= std::size_t{sums_.meets(i, below[b])} << b;
            return found;
        };
        std::array<std::array<double, 1 << kLargest>, kLargest> sum;
        for (std::size_t a = 0; a < size_; ++a) {
            std::array<LogTotal, 1 << kLargest> total;
            sums_.each_within(members[a], allowed[a], [&](std::size_t i) {
                total[met(a, i)].add(sums_.score(i));
                return true;
            });
            for (std::size_t set = 0; set < total.size(); ++set) sum[a][set] = total[set].value();
        }
        std::vector<double> weight;
        for (const Pattern& pattern : patterns_) {
            double log_weight = 0;
            for (std::size_t a = 0; a < size_; ++a) log_weight += sum[a][pattern[a]];
            weight.push_back(log_weight);
        }
        const Pattern& drawn = patterns_[draws.among(weight)];
        for (std::size_t a = 0; a < size_; ++a) {
            const std::size_t v = members[a];
            parents[v] = sums_.parents(
                sums_.draw(v, allowed[a], draws, [&](std::size_t i) { return met(a, i) == drawn[a]; }));
            parents[v].each([&](std::size_t u) { children[u].add(v); });
        }
    }

    // A variable with all that is reached from it.
    NodeSet descendants(std::size_t v, const Graph& children) const {
        NodeSet found = sums_.none(), todo = sums_.none();
        todo.add(v);
        while (!todo.empty()) {
            const std::size_t u = todo.lowest();
            todo.remove(u);
            found.add(u);
            todo |= children[u] - found;
        }
        return found;
    }

    // All graphs over the members of a block that have no cycle.
    void list_patterns(Pattern pattern, std::size_t a) {
        if (a == size_) {
            if (is_acyclic(pattern)) patterns_.push_back(pattern);
            return;
        }
        for (unsigned set = 0; set < 1U << size_; ++set) {
            if (set >> a & 1) continue;
            pattern[a] = static_cast<std::uint8_t>(set);
            list_patterns(pattern, a + 1);
        }
    }
    bool is_acyclic(const Pattern& pattern) const {
        unsigned placed = 0;
        for (std::size_t round = 0; round < size_; ++round)
            for (std::size_t a = 0; a < size_; ++a)
                if (!(pattern[a] & ~placed)) placed |= 1U << a;
        return placed == (1U << size_) - 1;
    }

    const ParentSetSums& sums_;
    Graph near_;
    std::size_t size_;
    std::vector<Pattern> patterns_;
};

}  // namespace bayesloom
