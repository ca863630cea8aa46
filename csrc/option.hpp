// The options of a decision of the open-hands player, and how samples compare them.
#pragma once

#include <vector>

#include "orders.hpp"
#include "position.hpp"
#include "question.hpp"

namespace hanabi {

struct Option {
    int cost = 0;  // by habit
    Event event;
    Action action{Kind::clue, 0};
    Interval exact{0, UINT64_MAX};
    bool live = true;  // whether it may still be best
    std::vector<std::uint32_t> chances;  // of a win, in each sample, in any unit
    std::int64_t sum = 0;

    void add(std::uint32_t chance) {
        chances.push_back(chance);
        sum += chance;
    }
};

// How far one option is ahead of another in the samples of both.
struct Lead {
    std::int64_t sum = 0;
    std::int64_t squares = 0;

    Lead(const Option& a, const Option& b) {
        for (std::size_t i = 0; i < a.chances.size() && i < b.chances.size(); ++i) {
            const std::int64_t d = std::int64_t{a.chances[i]} - std::int64_t{b.chances[i]};
            sum += d;
            squares += d * d;
        }
    }
    // Whether it is more than so many half standard errors, with `doubt` added to the squares.
    bool beyond(int halves, std::int64_t doubt) const {
        return sum > 0 && 4 * sum * sum > halves * halves * (squares + doubt);
    }
};

}  // namespace hanabi
