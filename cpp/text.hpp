// Encodes the cells of delimited text: each column as codes into its labels.
//
// A cell that starts with a quote goes to the quote that closes it, whatever stands between, with two quotes
// for one; a quote inside any other cell is a character like the rest. Lines end with LF, CR or both. A line
// without a character is no row, unless there is only one column: then it is a row with an empty cell.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "batch.hpp"
#include "labels.hpp"

namespace bayesloom {

// Which of the 64 bytes from `at` are one of some characters: bit i for byte i.
template <typename... Chars>
std::uint64_t find_chars(const char* at, Chars... chars) {
    std::uint64_t found = 0;
#ifdef __SSE2__
    for (int part = 0; part < 4; ++part) {
        const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at + 16 * part));
        __m128i equal = _mm_setzero_si128();
        ((equal = _mm_or_si128(equal, _mm_cmpeq_epi8(bytes, _mm_set1_epi8(chars)))), ...);
        const int bits = _mm_movemask_epi8(equal);
        found |= static_cast<std::uint64_t>(static_cast<std::uint32_t>(bits)) << (16 * part);
    }
#else
    for (int i = 0; i < 64; ++i) found |= static_cast<std::uint64_t>(((at[i] == chars) || ...)) << i;
#endif
    return found;
}

// A text looked at in blocks of 64 bytes.
class Blocks {
  public:
    explicit Blocks(std::string_view text) : first_(text.data()), end_(first_ + text.size()) {}

    const char* block_of(const char* at) const { return at - (at - first_) % 64; }

    // Which bytes of a block are one of some characters.
    template <typename... Chars>
    std::uint64_t find(const char* block, Chars... chars) const {
        const auto left = static_cast<std::size_t>(end_ - block);
        if (left >= 64) return find_chars(block, chars...);
        char padded[64] = {};
        std::memcpy(padded, block, left);
        return find_chars(padded, chars...) & ((std::uint64_t{1} << left) - 1);
    }

    // The first quote from `at` on, or the end.
    const char* find_quote(const char* at) {
        if (at >= end_) return end_;
        const char* block = block_of(at);
        if (block != looked_at_) look_at(block);
        std::uint64_t quotes = quotes_ & (~std::uint64_t{0} << (at - block));
        while (quotes == 0) {
            block += 64;
            if (block >= end_) return end_;
            look_at(block);
            quotes = quotes_;
        }
        return block + std::countr_zero(quotes);
    }

  private:
    void look_at(const char* block) {
        looked_at_ = block;
        quotes_ = find(block, '"');
    }

    const char *first_, *end_, *looked_at_ = nullptr;
    std::uint64_t quotes_ = 0;
};

// The codes of one column in some rows, each in 1, 2 or 4 bytes: as few as the largest needs.
class Codes {
  public:
    // Makes room for so many rows, of which n stay.
    void make_room(std::size_t room, std::size_t n) { move_to(room, width_, n); }

    void put(std::size_t row, std::uint32_t code, std::size_t room) {
        if (width_ == 1 && code <= 0xFF) [[likely]]
            bytes_[row] = static_cast<std::byte>(code);
        else
            put_wide(row, code, room);
    }

    int width() const { return width_; }
    std::unique_ptr<std::byte[]> release() { return std::move(bytes_); }

  private:
    [[gnu::noinline]] void put_wide(std::size_t row, std::uint32_t code, std::size_t room) {
        if (code > 0xFFFF && width_ < 4) move_to(room, 4, row);
        if (code > 0xFF && width_ < 2) move_to(room, 2, row);
        store(row, code);
    }

    void move_to(std::size_t room, int width, std::size_t n) {
        auto old = std::exchange(
            bytes_, std::make_unique_for_overwrite<std::byte[]>(room * static_cast<std::size_t>(width)));
        const int before = std::exchange(width_, width);
        if (before == width && n > 0)
            std::memcpy(bytes_.get(), old.get(), n * static_cast<std::size_t>(width));
        else
            for (std::size_t row = 0; row < n; ++row) store(row, load(old.get(), before, row));
    }

    static std::uint32_t load(const std::byte* bytes, int width, std::size_t row) {
        if (width == 1) return static_cast<std::uint32_t>(bytes[row]);
        std::uint16_t code = 0;  // nothing is wider than four bytes, so what is moved has one or two
        std::memcpy(&code, bytes + 2 * row, 2);
        return code;
    }

    void store(std::size_t row, std::uint32_t code) {
        const auto narrow = static_cast<std::uint16_t>(code);
        if (width_ == 4)
            std::memcpy(bytes_.get() + 4 * row, &code, 4);
        else if (width_ == 2)
            std::memcpy(bytes_.get() + 2 * row, &narrow, 2);
        else
            bytes_[row] = static_cast<std::byte>(code);
    }

    std::unique_ptr<std::byte[]> bytes_;
    int width_ = 1;
};

// Encodes one piece of text after the other. The labels stay, the codes are taken away in between.
class Rows {
  public:
    // `wanted[v]` tells whether column v is kept.
    Rows(std::span<const bool> wanted, const HashKey& key)
        : wanted_(wanted), labels_(wanted.size(), Labels(key)), n_before_(wanted.size()) {}

    // Encodes the rows of a text that starts at a row. If more text follows, what comes after the last line
    // end is left to be encoded with it. False if a row is too short or too long, or if a cell goes on after
    // its closing quote or, where no text follows, has none.
    bool encode(std::string_view text, char delimiter, bool more) {
        start(text);
        Blocks blocks(text);
        const char *cell = text.data(), *const end = cell + text.size();
        // Bytes are stored in this loop, which might change any member, for all the compiler knows.
        const std::size_t n_columns = wanted_.size();
        Labels* const labels = labels_.data();
        Codes* const codes = codes_.data();
        const bool* const wanted = wanted_.data();
        std::size_t column = 0, row = 0;
        for (const char* block = cell; block < end; block += 64) {
            for (std::uint64_t ends = blocks.find(block, delimiter, '\n', '\r'); ends != 0;
                 ends &= ends - 1) {
                const char* at = block + std::countr_zero(ends);
                const char* closing = nullptr;
                if (*cell == '"') {
                    closing = find_closing(blocks, cell, end);
                    at = closing + 1;
                    if (at >= end) return finish(cell, end, column, more, closing);
                    if (*at != delimiter && *at != '\n' && *at != '\r') return false;
                    // An end of a cell is in this block or after it; anything else may be in one before.
                    if (at - block >= 64) {
                        block = blocks.block_of(at);
                        ends = blocks.find(block, delimiter, '\n', '\r');
                    }
                    ends &= ~std::uint64_t{0} << (at - block);
                }
                const bool in_row = *at == delimiter;
                const bool blank = !in_row && column == 0 && at == cell;
                const bool second = blank && *at == '\n' && at > text.data() && at[-1] == '\r';
                if (!second && (!blank || n_columns == 1)) {
                    if (in_row == (column + 1 == n_columns)) return false;
                    const auto size = static_cast<std::size_t>(at - cell);
                    if (closing != nullptr || size > Labels::longest)
                        put(column, cell, at, closing);
                    else if (wanted[column])
                        codes[column].put(row, labels[column].code(cell, size, end), room_);
                    ++column;
                    if (!in_row) {
                        column = 0;
                        n_rows_ = ++row;
                        if (row == room_) make_room(2 * room_);
                    }
                }
                cell = at + 1;
                if (!in_row) rows_end_ = cell;
            }
        }
        const bool quoted = cell < end && *cell == '"';
        return finish(cell, end, column, more, quoted ? find_closing(blocks, cell, end) : nullptr);
    }

    std::size_t size() const { return n_rows_; }
    // Where the last row that was encoded ends.
    const char* end() const { return rows_end_; }
    const Labels& labels(std::size_t v) const { return labels_[v]; }
    // The codes of all columns, with none for those that are not wanted.
    std::vector<Codes> release_codes() {
        if (4 * n_rows_ < 3 * room_) make_room(n_rows_);
        return std::move(codes_);
    }

    // Forgets the text that was encoded last, as if it had never been.
    void undo() {
        for (std::size_t v = 0; v < labels_.size(); ++v) labels_[v].keep(n_before_[v]);
    }

  private:
    void start(std::string_view text) {
        for (std::size_t v = 0; v < labels_.size(); ++v) n_before_[v] = labels_[v].all().size();
        n_rows_ = 0;
        rows_end_ = text.data();
        text_end_ = text.data() + text.size();
        too_long_ = false;
        codes_ = std::vector<Codes>(wanted_.size());
        // Most rows are about as long as the first, and none has fewer bytes than columns; the room may grow.
        const std::size_t first_line = std::min(text.find_first_of("\r\n"), text.size()) + 1;
        make_room(std::min(text.size() / first_line * 9 / 8, text.size() / wanted_.size()) + 8);
    }

    // The quote that closes the cell, or the end of the text.
    static const char* find_closing(Blocks& blocks, const char* cell, const char* end) {
        const char* quote = blocks.find_quote(cell + 1);
        while (end - quote > 1 && quote[1] == '"') quote = blocks.find_quote(quote + 2);
        return quote;
    }

    // Encodes the last cell of a text that does not end with a line end.
    bool finish(const char* cell, const char* end, std::size_t column, bool more, const char* closing) {
        if (!more && (cell < end || column > 0)) {
            if (column + 1 != wanted_.size() || (closing != nullptr && closing + 1 != end)) return false;
            put(column, cell, end, closing);
            ++n_rows_;
            rows_end_ = end;
        }
        return !too_long_;
    }

    // Encodes any cell, from its first byte, a quote if there is a closing one, to its last.
    void put(std::size_t v, const char* first, const char* last, const char* closing) {
        if (!wanted_[v]) return;
        const char* end = text_end_;
        if (closing != nullptr) {
            ++first;
            last = closing;
            if (std::memchr(first, '"', static_cast<std::size_t>(last - first)) != nullptr) {
                undouble(first, last);
                first = unquoted_.data();
                last = end = first + unquoted_.size();
            }
        }
        const auto size = static_cast<std::size_t>(last - first);
        too_long_ |= size > Labels::longest;
        if (!too_long_) codes_[v].put(n_rows_, labels_[v].code(first, size, end), room_);
    }

    void undouble(const char* first, const char* last) {
        unquoted_.clear();
        for (; first < last; ++first) {
            unquoted_ += *first;
            if (*first == '"') ++first;
        }
    }

    void make_room(std::size_t room) {
        room_ = room;
        for (std::size_t v = 0; v < wanted_.size(); ++v)
            if (wanted_[v]) codes_[v].make_room(room_, n_rows_);
    }

    std::span<const bool> wanted_;
    std::vector<Labels> labels_;
    std::vector<std::size_t> n_before_;
    std::vector<Codes> codes_;
    std::string unquoted_;
    std::size_t n_rows_ = 0, room_ = 0;
    const char *rows_end_ = nullptr, *text_end_ = nullptr;
    bool too_long_ = false;
};

// Encodes a text that comes in blocks, each cut into pieces for threads.
class TextEncoder {
  public:
    // The codes of some rows, one after the other; their labels are those of `rows(slot)`.
    struct Run {
        std::size_t slot, n_rows;
        std::vector<Codes> codes;
    };

    // Pieces have at least `piece_size` bytes; 0 means as many as are good.
    TextEncoder(char delimiter, std::vector<std::size_t> chosen, std::size_t n_columns, int n_threads,
                std::size_t piece_size, const HashKey& key)
        : delimiter_(delimiter),
          chosen_(std::move(chosen)),
          n_columns_(n_columns),
          wanted_(std::make_unique<bool[]>(n_columns)),
          n_threads_(n_threads),
          // What has to be kept for each column of a piece is little beside its text.
          piece_size_(piece_size > 0 ? piece_size : std::max(least_piece, per_column * n_columns)),
          key_(key) {
        for (const std::size_t v : chosen_) wanted_[v] = true;
    }

    // How many bytes a block should have.
    std::size_t block_size() const {
        return std::min(static_cast<std::size_t>(n_threads_) * piece_size_,
                        std::max(largest_block, piece_size_));
    }

    // Encodes the rows of a block, which starts at a row, and returns where the last one ends; if more text
    // follows, it has to start there. Nothing if the text is faulty.
    std::optional<std::size_t> encode(std::string_view text, bool more) {
        // The other half of a line end might follow.
        const std::string_view sure = text.substr(0, text.size() - (more && text.ends_with('\r') ? 1 : 0));
        const auto pieces = cut_at_lines(sure);
        while (slots_.size() < pieces.size()) slots_.emplace_back(std::span(wanted_.get(), n_columns_), key_);
        const auto good = std::make_unique<bool[]>(pieces.size());
        std::vector<Piece> work;
        for (std::size_t k = 0; k < pieces.size(); ++k) work.push_back({k, 0, 0});
        const auto encode_piece = [&](std::size_t k, std::string_view piece) {
            good[k] = slots_[k].encode(piece, delimiter_, more || k + 1 < pieces.size());
        };
        for_all(work, n_threads_, [&](const Piece& p, int) { encode_piece(p.request, pieces[p.request]); });
        // A cut within quotes is found by the piece before it, which ends too early then.
        const char* row = sure.data();
        for (std::size_t k = 0; k < pieces.size(); ++k) {
            if (pieces[k].data() != row) {
                slots_[k].undo();
                const char* const end = pieces[k].data() + pieces[k].size();
                encode_piece(k, {row, static_cast<std::size_t>(end - row)});
            }
            if (!good[k]) return std::nullopt;
            row = slots_[k].end();
            runs_.push_back({k, slots_[k].size(), slots_[k].release_codes()});
        }
        return static_cast<std::size_t>(row - sure.data());
    }

    const std::vector<std::size_t>& chosen() const { return chosen_; }
    const std::vector<Rows>& slots() const { return slots_; }
    std::vector<Run>& runs() { return runs_; }

  private:
    static constexpr std::size_t least_piece = 1 << 21, per_column = 1 << 12, largest_block = 1 << 26;

    // Cuts a text into pieces that end with a line.
    std::vector<std::string_view> cut_at_lines(std::string_view text) const {
        std::vector<std::string_view> pieces;
        while (!text.empty()) {
            const std::size_t line = piece_size_ < text.size() ? text.find('\n', piece_size_) : text.npos;
            const std::size_t end = line == text.npos ? text.size() : line + 1;
            pieces.push_back(text.substr(0, end));
            text.remove_prefix(end);
        }
        return pieces;
    }

    char delimiter_;
    std::vector<std::size_t> chosen_;
    std::size_t n_columns_;
    std::unique_ptr<bool[]> wanted_;
    int n_threads_;
    std::size_t piece_size_;
    HashKey key_;
    std::vector<Rows> slots_;
    std::vector<Run> runs_;
};

}  // namespace bayesloom
