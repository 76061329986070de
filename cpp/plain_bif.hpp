// Reads BIF files as programs write them: bare names and labels, blocks in order, all numbers there.
//
// Whatever is rare or wrong (quotes, default rows, labels with blanks, a number too few) is not read here at
// all: the caller's own reader understands it or says what is wrong with it, and where.
#pragma once

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace bayesloom {

// A network as a file tells it. The table of v lies at numbers[start[v]], its parents in ascending order, the
// last varying fastest but for v itself.
struct PlainNetwork {
    std::vector<std::string_view> names;
    std::vector<std::vector<std::string_view>> labels;
    std::vector<std::vector<std::size_t>> parents;
    std::vector<std::size_t> start;
    std::vector<double> numbers;
};

class PlainBif {
  public:
    explicit PlainBif(std::string_view text)
        : at_(text.data()),
          end_(at_ + text.size()),
          size_(text.size()),
          properties_(text.find("property") != std::string_view::npos) {}

    // Nothing if the text is not as plain as this.
    std::optional<PlainNetwork> read() {
        for (std::string_view keyword; !(keyword = token()).empty();) {
            const bool read = keyword == "network"       ? read_header()
                              : keyword == "variable"    ? read_variable()
                              : keyword == "probability" ? read_family()
                                                         : false;
            if (!read) return std::nullopt;
        }
        skip_blanks();
        const bool whole = at_ == end_ && !net_.names.empty() && n_tables_ == net_.names.size();
        if (!whole || (properties_ && comments_)) return std::nullopt;
        return std::move(net_);
    }

  private:
    static constexpr std::size_t most_parents = 63, no_table = static_cast<std::size_t>(-1);

    static bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
    // Characters of names, labels and numbers: those that print and have no meaning of their own.
    static bool is_bare(char c) {
        static constexpr auto bare = [] {
            std::array<bool, 256> found{};
            for (int i = '!'; i <= '~'; ++i) found[static_cast<std::size_t>(i)] = true;
            for (const char mark : std::string_view("\"{}()[],;|/\\"))
                found[static_cast<unsigned char>(mark)] = false;
            return found;
        }();
        return bare[static_cast<unsigned char>(c)];
    }

    void skip_blanks() {
        for (;;) {
            while (at_ != end_ && is_blank(*at_)) ++at_;
            if (end_ - at_ < 2 || at_[0] != '/' || at_[1] != '/') return;
            comments_ = true;
            at_ = std::find(at_, end_, '\n');
        }
    }
    std::string_view token() {
        skip_blanks();
        const char* first = at_;
        while (at_ != end_ && is_bare(*at_)) ++at_;
        return {first, static_cast<std::size_t>(at_ - first)};
    }
    bool take(char mark) {
        skip_blanks();
        if (at_ == end_ || *at_ != mark) return false;
        ++at_;
        return true;
    }

    // A property may hold anything up to its semicolon.
    bool skip_property() {
        at_ = std::find_if(at_, end_, [](char c) { return c == ';' || c == '"' || c == '{' || c == '}'; });
        return take(';');
    }

    // The name of the network is not kept; some programs quote it.
    bool read_header() {
        token();
        if (take('"')) {
            at_ =
                std::find_if(at_, end_, [](char c) { return c == '"' || c == '\\' || c == '/' || c == '{'; });
            if (!take('"')) return false;
        }
        if (!take('{')) return false;
        for (std::string_view word; !(word = token()).empty();)
            if (word != "property" || !skip_property()) return false;
        return take('}');
    }

    // variable NAME { type discrete [ n ] { labels }; }
    bool read_variable() {
        const std::string_view name = token();
        if (name.empty() || !take('{')) return false;
        bool typed = false;
        for (std::string_view word; !(word = token()).empty();) {
            const bool read = word == "property"         ? skip_property()
                              : word == "type" && !typed ? typed = read_type()
                                                         : false;
            if (!read) return false;
        }
        if (!typed || !take('}') || !index_.emplace(name, net_.names.size()).second) return false;
        net_.names.push_back(name);
        net_.parents.emplace_back();
        net_.start.push_back(no_table);
        return true;
    }
    bool read_type() {
        if (token() != "discrete" || !take('[')) return false;
        const std::string_view digits = token();
        std::size_t declared = 0;
        const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), declared);
        if (read.ec != std::errc() || read.ptr != digits.data() + digits.size()) return false;
        if (!take(']') || !take('{')) return false;
        std::vector<std::string_view> labels;
        do {
            labels.push_back(token());
            if (labels.back().empty()) return false;
        } while (take(','));
        if (labels.size() != declared || !take('}') || !take(';')) return false;
        net_.labels.push_back(std::move(labels));
        return true;
    }

    // probability ( child | parents ) { table or rows }
    bool read_family() {
        std::size_t child = 0;
        if (!take('(') || !find_variable(child) || net_.start[child] != no_table) return false;
        family_.clear();
        if (take('|')) {
            do {
                std::size_t parent = 0;
                if (!find_variable(parent) || family_.size() == most_parents) return false;
                family_.push_back(parent);
            } while (take(','));
        }
        if (!take(')') || !take('{') || !make_room(child)) return false;
        n_rows_read_ = 0;
        row_read_.assign(n_configurations_, 0);
        for (;;) {
            if (take('(')) {
                if (!read_row(child)) return false;
                continue;
            }
            const std::string_view word = token();
            if (word.empty()) break;
            if (word == "property" ? !skip_property() : word != "table" || !read_whole(child)) return false;
        }
        ++n_tables_;
        return n_rows_read_ == n_configurations_ && take('}');
    }
    bool find_variable(std::size_t& v) {
        const auto found = index_.find(token());
        if (found == index_.end()) return false;
        v = found->second;
        return true;
    }

    // Finds how far apart two states of each parent lie, and allots the table; every row of it takes some
    // characters of the text, so that no short text asks for much.
    bool make_room(std::size_t child) {
        auto& parents = net_.parents[child];
        parents = family_;
        std::sort(parents.begin(), parents.end());
        if (std::adjacent_find(parents.begin(), parents.end()) != parents.end() ||
            std::binary_search(parents.begin(), parents.end(), child))
            return false;
        std::size_t cells = net_.labels[child].size();
        distance_.assign(family_.size(), 0);
        for (std::size_t j = parents.size(); j-- > 0;) {
            const auto place = std::find(family_.begin(), family_.end(), parents[j]) - family_.begin();
            distance_[static_cast<std::size_t>(place)] = cells;
            cells *= net_.labels[parents[j]].size();
            if (cells > size_) return false;
        }
        if (cells > size_) return false;
        n_configurations_ = cells / net_.labels[child].size();
        net_.start[child] = net_.numbers.size();
        net_.numbers.resize(net_.numbers.size() + cells);
        return true;
    }

    // ( labels ) numbers ;
    bool read_row(std::size_t child) {
        std::size_t first = 0;
        for (std::size_t j = 0; j < family_.size(); ++j) {
            if (j > 0 && !take(',')) return false;
            const auto& labels = net_.labels[family_[j]];
            const std::string_view label = token();
            const auto code = std::find(labels.begin(), labels.end(), label);
            if (code == labels.end()) return false;
            first += static_cast<std::size_t>(code - labels.begin()) * distance_[j];
        }
        const std::size_t r = net_.labels[child].size();
        if (family_.empty() || !take(')') || row_read_[first / r]) return false;
        row_read_[first / r] = 1;
        ++n_rows_read_;
        double* row = net_.numbers.data() + net_.start[child] + first;
        for (std::size_t k = 0; k < r; ++k)
            if (!read_number(row[k])) return false;
        return take(';');
    }

    // table numbers ; with the child varying slowest, and the first parent of the file next.
    bool read_whole(std::size_t child) {
        if (n_rows_read_ != 0) return false;
        double* table = net_.numbers.data() + net_.start[child];
        codes_.assign(family_.size(), 0);
        for (std::size_t k = 0; k < net_.labels[child].size(); ++k) {
            for (std::size_t row = 0; row < n_configurations_; ++row) {
                std::size_t place = k;
                for (std::size_t j = 0; j < family_.size(); ++j) place += codes_[j] * distance_[j];
                if (!read_number(table[place])) return false;
                for (std::size_t j = family_.size(); j-- > 0;) {
                    if (++codes_[j] < net_.labels[family_[j]].size()) break;
                    codes_[j] = 0;
                }
            }
        }
        n_rows_read_ = n_configurations_;
        std::fill(row_read_.begin(), row_read_.end(), 1);
        return take(';');
    }

    // A number, and the commas before it, which are blanks here.
    bool read_number(double& number) {
        while (take(',')) {
        }
        const std::string_view digits = token();
        return !digits.empty() && parse(digits, number);
    }
    static bool parse(std::string_view digits, double& number) {
        // Up to 15 digits and a small power of ten, both exact: one division rounds once, as it should.
        static constexpr std::array<double, 16> powers{1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                       1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
        if (digits.size() <= 16) {
            std::uint64_t value = 0;
            std::size_t n_digits = 0, behind = 0;
            bool point = false;
            for (const char c : digits) {
                if (c >= '0' && c <= '9') {
                    value = value * 10 + static_cast<std::uint64_t>(c - '0');
                    ++n_digits;
                    behind += point;
                } else if (c == '.' && !point) {
                    point = true;
                } else {
                    n_digits = 16;
                    break;
                }
            }
            if (n_digits >= 1 && n_digits <= 15) {
                number = static_cast<double>(value) / powers[behind];
                return true;
            }
        }
#ifdef __cpp_lib_to_chars
        // No names such as "inf" and "nan", which are no numbers in a file.
        for (const char c : digits)
            if (!((c >= '0' && c <= '9') || c == '.' || c == 'e' || c == 'E' || c == '-' || c == '+'))
                return false;
        const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), number);
        return read.ec == std::errc() && read.ptr == digits.data() + digits.size();
#else
        return false;
#endif
    }

    const char *at_, *end_;
    std::size_t size_;
    bool properties_, comments_ = false;
    PlainNetwork net_;
    std::unordered_map<std::string_view, std::size_t> index_;
    std::size_t n_tables_ = 0;

    // Of the family at work: its parents as the file has them, how far apart their states lie, rows read.
    std::vector<std::size_t> family_, distance_, codes_;
    std::vector<char> row_read_;
    std::size_t n_configurations_ = 0, n_rows_read_ = 0;
};

}  // namespace bayesloom
