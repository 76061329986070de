// All cliques among some nodes, one after the other.
#pragma once

#include <utility>
#include <vector>

#include "node_set.hpp"

namespace bayesloom {

// Goes through the cliques depth first, the empty one first. There may be two to the power of the number of
// nodes: none is kept, and a loop over them can stop and go on at any of them.
class Cliques {
  public:
    using Node = std::pair<std::size_t, const NodeSet*>;  // with what it is adjacent to

    Cliques(std::vector<Node> nodes, std::size_t n_words) : clique_(n_words) {
        levels_.push_back({std::move(nodes)});
    }

    const NodeSet& clique() const { return clique_; }
    // Goes on to the next clique; false behind the last one.
    bool next() {
        while (!levels_.empty()) {
            Level& top = levels_.back();
            if (top.next < top.nodes.size()) {
                const Node node = top.nodes[top.next++];
                std::vector<Node> more;
                for (std::size_t j = top.next; j < top.nodes.size(); ++j)
                    if (node.second->has(top.nodes[j].first)) more.push_back(top.nodes[j]);
                clique_.add(node.first);
                levels_.push_back({std::move(more)});
                return true;
            }
            levels_.pop_back();
            if (!levels_.empty()) clique_.remove(levels_.back().nodes[levels_.back().next - 1].first);
        }
        return false;
    }

  private:
    struct Level {
        std::vector<Node> nodes;  // that the clique can grow by
        std::size_t next = 0;
    };

    NodeSet clique_;
    std::vector<Level> levels_;
};

}  // namespace bayesloom
