// A list whose copies share its parts until one of them is written.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace bayesloom {

// A copy costs as much as there are parts, not items: trials copy long lists and change a few items.
template <typename T>
class SharedParts {
  public:
    explicit SharedParts(std::size_t n) : n_(n), parts_((n + kItems - 1) / kItems) {
        for (auto& part : parts_) part = std::make_shared<Part>();
    }
    explicit SharedParts(std::vector<T> items) : SharedParts(items.size()) {
        for (std::size_t i = 0; i < n_; ++i) own(i) = std::move(items[i]);
    }

    std::size_t size() const { return n_; }
    const T& operator[](std::size_t i) const { return (*parts_[i / kItems])[i % kItems]; }
    // To be written: nobody shares it any longer.
    T& own(std::size_t i) {
        auto& part = parts_[i / kItems];
        if (part.use_count() > 1) part = std::make_shared<Part>(*part);
        return (*part)[i % kItems];
    }

    std::vector<T> items() const {
        std::vector<T> all;
        all.reserve(n_);
        for (std::size_t i = 0; i < n_; ++i) all.push_back((*this)[i]);
        return all;
    }
    bool operator==(const SharedParts& other) const {
        return n_ == other.n_ && std::equal(parts_.begin(), parts_.end(), other.parts_.begin(),
                                            [](const auto& a, const auto& b) { return a == b || *a == *b; });
    }

  private:
    static constexpr std::size_t kItems = 32;
    using Part = std::array<T, kItems>;

    std::size_t n_;
    std::vector<std::shared_ptr<Part>> parts_;
};

}  // namespace bayesloom
