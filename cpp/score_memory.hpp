// A memory of local scores: what is wanted and not known yet becomes one batch.
#pragma once

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <stdexcept>
#include <unordered_map>
#include <utility>
#include <vector>

#include "node_set.hpp"

namespace bayesloom {

// The scores of a child given a base, and given the base and one more parent.
struct ScoreRow {
    double alone = std::numeric_limits<double>::quiet_NaN();
    bool has_alone = false;
    bool is_open = false;       // whether a score has been asked for and is not filled in yet
    NodeSet known;              // the further parents that have been asked for
    std::vector<double> value;  // by further parent, NaN if never asked for
};

class ScoreMemory {
  public:
    explicit ScoreMemory(std::size_t n_nodes)
        : n_nodes_(n_nodes), n_words_((n_nodes + 63) / 64), rows_(n_nodes) {}

    std::size_t n_nodes() const { return n_nodes_; }
    std::size_t n_words() const { return n_words_; }
    // How many scores have been asked for, those forgotten included.
    std::size_t n_asked() const { return n_asked_; }
    // How much memory the scores take, roughly, in bytes.
    std::size_t n_bytes() const { return n_bytes_; }

    // Which rows these are: pointers to rows hold as long as it stays the same.
    std::uint64_t version() const { return version_; }

    // Throws unless these can be a child and its parents; makes the set as long as all others.
    void check(std::size_t child, NodeSet& parents) const {
        if (child >= n_nodes_) throw std::invalid_argument("there is no such node");
        parents.fit(n_nodes_);
        if (parents.has(child)) throw std::invalid_argument("a node is its own parent");
    }

    // Returns the row that the score will stand in.
    const ScoreRow* want(std::size_t child, const NodeSet& parents) {
        ScoreRow& row = at(child, parents);
        want_alone(row, child, parents);
        return &row;
    }
    // The scores of a child given a base and each one of the partners, and of the base alone if wanted.
    const ScoreRow* want_partners(std::size_t child, const NodeSet& base, const NodeSet& partners,
                                  bool alone = false) {
        ScoreRow& row = at(child, base);
        if (alone) want_alone(row, child, base);
        NodeSet missing = partners - row.known;
        if (missing.empty()) {
            note_open(row);
            return &row;
        }
        if (row.value.empty()) {
            row.value.assign(n_nodes_, std::numeric_limits<double>::quiet_NaN());
            n_bytes_ += n_nodes_ * sizeof(double);
        }
        row.known |= missing;
        row.is_open = lacks_ = true;
        partners_.push_back({child, base, &row, std::move(missing)});
        return &row;
    }
    // Everything that another memory has noted and does not know.
    void want_missing_of(const ScoreMemory& other) {
        for (const auto& row : other.partners_) want_partners(row.child, row.base, row.partners);
        for (const auto& family : other.alone_) want(family.child, family.parents);
    }
    // Whether scores have been noted that are not known, and how many.
    bool has_wanted() const { return !partners_.empty() || !alone_.empty(); }
    std::size_t n_wanted() const {
        std::size_t n = alone_.size();
        for (const auto& row : partners_) n += row.partners.count();
        return n;
    }
    // Whether anything was wanted, since this was last asked, that is not known (or lies beside such a
    // score).
    bool take_lack() { return std::exchange(lacks_, false); }

    // What is wanted and not known, as the flat arrays of a batch.
    struct Flat {
        std::vector<std::int32_t> target, given, partner;
        std::vector<std::int64_t> given_start{0}, partner_start{0};

        void close() {
            given_start.push_back(static_cast<std::int64_t>(given.size()));
            partner_start.push_back(static_cast<std::int64_t>(partner.size()));
        }
    };
    Flat missing() const {
        Flat flat;
        for (const auto& row : partners_) {
            flat.target.push_back(static_cast<std::int32_t>(row.child));
            row.base.each([&](std::size_t v) { flat.given.push_back(static_cast<std::int32_t>(v)); });
            row.partners.each([&](std::size_t v) { flat.partner.push_back(static_cast<std::int32_t>(v)); });
            flat.close();
        }
        for (const auto& family : alone_) {
            flat.target.push_back(static_cast<std::int32_t>(family.child));
            const std::size_t first = flat.given.size();
            family.parents.each([&](std::size_t v) { flat.given.push_back(static_cast<std::int32_t>(v)); });
            if (flat.given.size() == first) {
                flat.partner.push_back(-1);
            } else {
                flat.partner.push_back(flat.given.back());
                flat.given.pop_back();
            }
            flat.close();
        }
        return flat;
    }
    void fill(std::span<const double> values) {
        const std::size_t n = n_wanted();
        if (values.size() != n) throw std::invalid_argument("there are not as many values as were missing");
        std::size_t next = 0;
        for (const auto& row : partners_)
            row.partners.each([&](std::size_t x) { row.row->value[x] = values[next++]; });
        for (const auto& family : alone_) family.row->alone = values[next++];
        n_asked_ += n;
        close();
    }
    // Takes what is missing from another memory that knows all of it.
    void fill_from(const ScoreMemory& other) {
        std::vector<double> values;
        for (const auto& row : partners_) {
            const std::vector<double>& known = other.row(row.child, row.base);
            row.partners.each([&](std::size_t x) { values.push_back(known[x]); });
        }
        for (const auto& family : alone_) values.push_back(other.family(family.child, family.parents));
        fill(values);
    }
    // Forgets what was wanted and never filled.
    void give_up() {
        for (const auto& row : partners_) row.row->known -= row.partners;
        for (const auto& family : alone_) family.row->has_alone = false;
        close();
        version_ = next_version();
    }

    // Forgets everything.
    void forget() {
        partners_.clear(), alone_.clear();
        for (auto& rows : rows_) rows.clear();
        n_bytes_ = 0;
        version_ = next_version();
    }

    // The scores of a child given a base and one more parent, by that parent; NaN if never asked for.
    const std::vector<double>& row(std::size_t child, const NodeSet& base) const {
        const ScoreRow& found = at(child, base);
        if (found.value.empty()) throw std::out_of_range("this row was never asked for");
        return found.value;
    }
    double family(std::size_t child, const NodeSet& parents) const {
        const ScoreRow& found = at(child, parents);
        if (!found.has_alone) throw std::out_of_range("this family was never asked for");
        return found.alone;
    }

  private:
    struct WantedFamily {
        std::size_t child;
        NodeSet parents;
        ScoreRow* row;
    };
    struct WantedRow {
        std::size_t child;
        NodeSet base;
        ScoreRow* row;
        NodeSet partners;
    };

    void note_open(const ScoreRow& row) { lacks_ = lacks_ || row.is_open; }
    void close() {
        for (const auto& row : partners_) row.row->is_open = false;
        for (const auto& family : alone_) family.row->is_open = false;
        partners_.clear(), alone_.clear();
    }
    void want_alone(ScoreRow& row, std::size_t child, const NodeSet& parents) {
        if (row.has_alone) return note_open(row);
        row.has_alone = row.is_open = lacks_ = true;
        alone_.push_back({child, parents, &row});
    }
    ScoreRow& at(std::size_t child, const NodeSet& base) {
        const auto [place, is_new] = rows_[child].try_emplace(base);
        if (is_new) {
            place->second.known.fit(n_nodes_);
            n_bytes_ += sizeof(*place) + 4 * sizeof(void*) + 2 * n_words_ * sizeof(std::uint64_t);
        }
        return place->second;
    }
    const ScoreRow& at(std::size_t child, const NodeSet& base) const {
        const auto found = rows_[child].find(base);
        if (found == rows_[child].end()) throw std::out_of_range("this family was never asked for");
        return found->second;
    }

    // No two memories share one.
    static std::uint64_t next_version() {
        static std::atomic<std::uint64_t> last{0};
        return ++last;
    }

    std::uint64_t version_ = next_version();
    std::size_t n_nodes_, n_words_, n_asked_ = 0, n_bytes_ = 0;
    bool lacks_ = false;
    std::vector<std::unordered_map<NodeSet, ScoreRow, NodeSetHash>> rows_;
    std::vector<WantedFamily> alone_;
    std::vector<WantedRow> partners_;
};

// The families of a child after each one of some parents is added or taken away.
class ChangedFamily {
  public:
    // Throws unless these can be a child, its parents, and parents to add and to take away.
    ChangedFamily(const ScoreMemory& memory, std::size_t child, NodeSet parents, NodeSet added, NodeSet taken)
        : child_(child), parents_(std::move(parents)), added_(std::move(added)), taken_(std::move(taken)) {
        memory.check(child_, parents_), memory.check(child_, added_);
        taken_.fit(memory.n_nodes());
        if (added_.meets(parents_) || !(taken_ - parents_).empty())
            throw std::invalid_argument("only parents can be taken away, only others added");
    }

    void want(ScoreMemory& memory) const {
        memory.want_partners(child_, parents_, added_);
        taken_.each([&](std::size_t x) { memory.want(child_, without(x)); });
    }
    // Writes their scores by the parent changed, NaN elsewhere.
    void write(const ScoreMemory& memory, std::span<double> column) const {
        std::fill(column.begin(), column.end(), std::numeric_limits<double>::quiet_NaN());
        if (!added_.empty()) {
            const std::vector<double>& row = memory.row(child_, parents_);
            added_.each([&](std::size_t x) { column[x] = row[x]; });
        }
        taken_.each([&](std::size_t x) { column[x] = memory.family(child_, without(x)); });
    }

  private:
    NodeSet without(std::size_t x) const {
        NodeSet rest = parents_;
        rest.remove(x);
        return rest;
    }

    std::size_t child_;
    NodeSet parents_, added_, taken_;
};

}  // namespace bayesloom
