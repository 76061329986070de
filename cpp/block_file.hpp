// Blocks of rows in a file: bit planes of every column, one after the other.
#pragma once

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <vector>
#ifndef _WIN32
#include <fcntl.h>
#include <unistd.h>
#endif

#include "planes.hpp"

namespace bayesloom {

// The bytes of a file, read from any place by any thread.
class FileBytes {
  public:
    explicit FileBytes(const std::string& path) {
#ifndef _WIN32
        file_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
        if (file_ < 0) throw damaged();
#else
        file_.reset(std::fopen(path.c_str(), "rb"));
        if (!file_) throw damaged();
#endif
    }
#ifndef _WIN32
    ~FileBytes() { ::close(file_); }
#endif
    FileBytes(const FileBytes&) = delete;
    FileBytes& operator=(const FileBytes&) = delete;

    void read(std::uint64_t place, void* into, std::size_t size) const {
        auto* at = static_cast<char*>(into);
#ifndef _WIN32
        while (size > 0) {
            const ssize_t n = ::pread(file_, at, size, static_cast<off_t>(place));
            if (n < 0 && errno == EINTR) continue;
            if (n <= 0) throw damaged();
            at += n;
            place += static_cast<std::uint64_t>(n);
            size -= static_cast<std::size_t>(n);
        }
#else
        const std::lock_guard lock(guard_);
        if (_fseeki64(file_.get(), static_cast<long long>(place), SEEK_SET) != 0 ||
            std::fread(at, 1, size, file_.get()) != size)
            throw damaged();
#endif
    }

    // What is another one after every change of the file: its device and number there, its size, and when its
    // bytes and when anything of it was last changed (in nanoseconds, as finely as its disk tells).
    std::array<std::int64_t, 5> stamp() const {
#ifdef _WIN32
        struct _stat64 found;
        if (::_fstat64(_fileno(file_.get()), &found) != 0) throw damaged();
        const std::int64_t modified = found.st_mtime, changed = found.st_ctime;
#else
        struct stat found;
        if (::fstat(file_, &found) != 0) throw damaged();
#ifdef __APPLE__
        const std::int64_t modified = nanoseconds(found.st_mtimespec),
                           changed = nanoseconds(found.st_ctimespec);
#else
        const std::int64_t modified = nanoseconds(found.st_mtim), changed = nanoseconds(found.st_ctim);
#endif
#endif
        return {static_cast<std::int64_t>(found.st_dev), static_cast<std::int64_t>(found.st_ino),
                static_cast<std::int64_t>(found.st_size), modified, changed};
    }

  private:
#ifndef _WIN32
    static std::int64_t nanoseconds(const timespec& time) {
        return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
    }
#endif
    static std::runtime_error damaged() { return std::runtime_error("the blocks cannot be read"); }

#ifndef _WIN32
    int file_ = -1;
#else
    struct Close {
        void operator()(std::FILE* file) const { std::fclose(file); }
    };
    std::unique_ptr<std::FILE, Close> file_;
    mutable std::mutex guard_;
#endif
};

// Where the planes of every column lie, block after block.
struct BlockLayout {
    std::vector<std::int64_t> place;   // of each block in the file
    std::vector<std::int64_t> n_rows;  // of each block
    std::vector<std::uint8_t> planes;  // of each block and column
};

class BlockFile {
  public:
    // code_of[v][k] is the state that number k of column v stands for; `cardinality` is that of a missing
    // cell (a hole).
    BlockFile(const std::string& path, BlockLayout layout, std::vector<std::vector<std::uint16_t>> code_of,
              std::vector<std::int32_t> cardinality)
        : bytes_(path),
          layout_(std::move(layout)),
          code_of_(std::move(code_of)),
          cardinality_(std::move(cardinality)) {
        check();
        const std::size_t n = n_columns();
        for (std::size_t v = 0; v < n; ++v) {
            const auto hole = std::find(code_of_[v].begin(), code_of_[v].end(), cardinality_[v]);
            first_hole_.push_back(static_cast<std::size_t>(hole - code_of_[v].begin()));
        }
        first_plane_.resize(n_blocks() * n);
        for (std::size_t b = 0; b < n_blocks(); ++b) {
            std::size_t at = 0;
            for (std::size_t v = 0; v < n; ++v) {
                first_plane_[b * n + v] = static_cast<std::uint32_t>(at);
                at += n_planes(b, v);
            }
        }
    }

    std::size_t n_blocks() const { return layout_.place.size(); }
    std::size_t n_columns() const { return code_of_.size(); }
    std::size_t n_rows(std::size_t b) const { return static_cast<std::size_t>(layout_.n_rows[b]); }
    std::size_t n_planes(std::size_t b, std::size_t v) const { return layout_.planes[b * n_columns() + v]; }
    std::span<const std::uint16_t> code_of(std::size_t v) const { return code_of_[v]; }
    const std::vector<std::int32_t>& cardinality() const { return cardinality_; }
    // Whether a column has holes in some block, and whether it can have one in this block.
    bool has_holes(std::size_t v) const { return first_hole_[v] < code_of_[v].size(); }
    bool has_holes(std::size_t b, std::size_t v) const {
        return has_holes(v) && first_hole_[v] < std::size_t{1} << n_planes(b, v);
    }
    // Whether all codes of a column fit a byte.
    bool is_narrow(std::size_t v) const { return cardinality_[v] + has_holes(v) <= 256; }

    // See FileBytes.
    std::array<std::int64_t, 5> stamp() const { return bytes_.stamp(); }
    std::size_t block_words(std::size_t b) const {
        const std::size_t last = n_columns() - 1;
        return plane_words(n_rows(b)) * (first_plane_[b * n_columns() + last] + n_planes(b, last));
    }
    // Reads all planes of a block.
    void read(std::size_t b, std::uint64_t* into) const {
        bytes_.read(static_cast<std::uint64_t>(layout_.place[b]), into, 8 * block_words(b));
    }
    // Reads the planes of a column in a block.
    void read(std::size_t b, std::size_t v, std::uint64_t* into) const {
        const std::size_t words = plane_words(n_rows(b));
        const std::size_t at = first_plane_[b * n_columns() + v];
        bytes_.read(static_cast<std::uint64_t>(layout_.place[b]) + 8 * words * at, into,
                    8 * words * n_planes(b, v));
    }

  private:
    // Throws unless all sizes fit.
    void check() const {
        constexpr std::int64_t most_rows = std::int64_t{1} << 30;
        bool good = !code_of_.empty() && cardinality_.size() == code_of_.size() &&
                    layout_.n_rows.size() == n_blocks() && layout_.planes.size() == n_blocks() * n_columns();
        for (std::size_t v = 0; good && v < n_columns(); ++v) {
            good = 1 <= cardinality_[v] && cardinality_[v] <= 65536 && !code_of_[v].empty();
            for (const std::uint16_t code : code_of_[v]) good = good && code <= cardinality_[v];
        }
        for (std::size_t b = 0; good && b < n_blocks(); ++b)
            good = layout_.place[b] >= 0 && 0 < layout_.n_rows[b] && layout_.n_rows[b] <= most_rows;
        for (const std::uint8_t n : layout_.planes) good = good && n <= 24;
        if (!good) throw std::invalid_argument("the description of the blocks is not sound");
    }

    FileBytes bytes_;
    BlockLayout layout_;
    std::vector<std::vector<std::uint16_t>> code_of_;
    std::vector<std::int32_t> cardinality_;
    std::vector<std::size_t> first_hole_;  // by column the least number that stands for a hole
    std::vector<std::uint32_t> first_plane_;
};

}  // namespace bayesloom
