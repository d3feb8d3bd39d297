#include "okapi/utils/checksum.h"

#include <array>
#include <bit>

#include "okapi/utils/bytes.h"

namespace okapi {

namespace {

constexpr std::uint64_t kPrime1 = 0x9E3779B185EBCA87, kPrime2 = 0xC2B2AE3D27D4EB4F, kPrime3 = 0x165667B19E3779F9,
                        kPrime4 = 0x85EBCA77C2B2AE63, kPrime5 = 0x27D4EB2F165667C5;

std::uint64_t stirred(std::uint64_t lane, std::uint64_t word) { return std::rotl(lane + word * kPrime2, 31) * kPrime1; }

}  // namespace

std::uint64_t checksum(std::span<const std::uint8_t> bytes) {
    const std::uint8_t* at = bytes.data();
    std::size_t left = bytes.size();
    std::uint64_t hash = kPrime5;
    if (left >= 32) {
        std::array<std::uint64_t, 4> lanes = {kPrime1 + kPrime2, kPrime2, 0, 0 - kPrime1};
        for (; left >= 32; left -= 32)
            for (std::uint64_t& lane : lanes) {
                lane = stirred(lane, load<std::uint64_t>(at));
                at += 8;
            }
        hash = std::rotl(lanes[0], 1) + std::rotl(lanes[1], 7) + std::rotl(lanes[2], 12) + std::rotl(lanes[3], 18);
        for (std::uint64_t lane : lanes) hash = (hash ^ stirred(0, lane)) * kPrime1 + kPrime4;
    }
    hash += bytes.size();
    for (; left >= 8; left -= 8, at += 8)
        hash = std::rotl(hash ^ stirred(0, load<std::uint64_t>(at)), 27) * kPrime1 + kPrime4;
    if (left >= 4) {
        hash = std::rotl(hash ^ load<std::uint32_t>(at) * kPrime1, 23) * kPrime2 + kPrime3;
        left -= 4;
        at += 4;
    }
    for (; left > 0; --left) hash = std::rotl(hash ^ *at++ * kPrime5, 11) * kPrime1;
    hash = (hash ^ hash >> 33) * kPrime2;
    hash = (hash ^ hash >> 29) * kPrime3;
    return hash ^ hash >> 32;
}

}  // namespace okapi
