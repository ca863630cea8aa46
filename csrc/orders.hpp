// Values of endgames, as numbers of draw orders.
#pragma once

#include "position.hpp"

namespace hanabi {

// A value is a number of draw orders (of those in which the target is reached, or of all, each with
// its score), out of n! for n cards in the pile. All values of one state share that denominator,
// so the best action is the largest integer.
using Orders = std::uint64_t;

// The most cards in the pile for which values fit.
inline constexpr int kMostCards = 19;

struct Interval {
    Orders low = 0;
    Orders high = 0;
};

// n! for every number of cards that a pile may have.
inline constexpr std::array<Orders, kMostCards + 1> kFactorial = [] {
    std::array<Orders, kMostCards + 1> made{1};
    for (std::size_t n = 1; n < made.size(); ++n) made[n] = n * made[n - 1];
    return made;
}();
static_assert(kFactorial[kMostCards] <= UINT64_MAX / (kMaxSuits * kMaxRanks), "every score fits");

}  // namespace hanabi
