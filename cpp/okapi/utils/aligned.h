// Memory that vectors of any width may be loaded from, and rows padded so that no vector is cut.
#pragma once

#include <cstddef>
#include <new>
#include <vector>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace okapi {

// Numbers of four bytes in the widest vector.
inline constexpr std::size_t kLane = 16;
constexpr std::size_t padded(std::size_t size) { return (size + kLane - 1) / kLane * kLane; }

template <class T> struct AlignedAllocator {
    using value_type = T;
    AlignedAllocator() = default;
    template <class U> AlignedAllocator(const AlignedAllocator<U>&) {}
    bool operator==(const AlignedAllocator&) const { return true; }

    // Large pages spare most of the address translations that walking through a large layer costs.
    static constexpr std::size_t kLargePage = 2 << 20;
    static std::align_val_t alignment(std::size_t count) {
        return std::align_val_t{count * sizeof(T) >= kLargePage ? kLargePage : 64};
    }

    T* allocate(std::size_t count) {
        void* memory = ::operator new(count * sizeof(T), alignment(count));
#if defined(__linux__)
        if (count * sizeof(T) >= kLargePage) madvise(memory, count * sizeof(T), MADV_HUGEPAGE);
#endif
        return static_cast<T*>(memory);
    }
    void deallocate(T* memory, std::size_t count) { ::operator delete(memory, alignment(count)); }
};

template <class T> using AlignedVector = std::vector<T, AlignedAllocator<T>>;

}  // namespace okapi
