// The ladder of relaxations: on which rung is a question already lost?
#pragma once

#include "optimum.hpp"

namespace hanabi {

// From the weakest to the real game. What is lost on a rung is lost on all that follow.
enum class Rung : std::uint8_t {
    release,      // release bound
    shared_hand,  // one hand for all, no turns, no tokens
    turn_order,   // hands and turns as they are, but clues are free and discards always legal
    tokens,       // the game, but discarding at full tokens is legal and free
    strikes,      // the game
};

// Answers one question on one rung: `reached` if the rung leaves it possible.
template <class Mask>
Answer climb(Position position, const std::array<std::uint8_t, kMaxSuits>& caps, Rung rung,
             Budget& budget, Tables<Mask>& tables) {
    if (rung == Rung::turn_order) position.rules.clue_price = 0;
    if (rung <= Rung::tokens) position.rules.discard_at_full = true;
    const Question<Mask> question(position, caps);
    const State<Mask> root = root_of(question, position);
    if (rung == Rung::release)
        return lost_by_release(question, root) ? Answer::lost : Answer::reached;
    if (rung == Rung::shared_hand) {
        SharedHand<Mask> shared(question, tables.shared);
        return shared.lost(root, 1000000) ? Answer::lost : Answer::reached;
    }
    const Answer answer = Search<Mask>(question, tables, budget, kAllRules).run(root);
    return answer == Answer::stuck ? Answer::lost : answer;
}

// The same for whatever width the position needs. Caps must lie between stacks and full suits.
inline Answer climb_packed(const Position& position, const std::uint8_t* heights, Rung rung,
                           Budget& budget, Memory& memory) {
    std::array<std::uint8_t, kMaxSuits> caps{};
    for (int s = 0; s < position.rules.suits; ++s) {
        caps[s] = heights[s];
        if (caps[s] < position.stacks[s] || caps[s] > position.rules.steps[s])
            throw std::invalid_argument("a cap is not between its stack and the full suit");
    }
    return Question<std::uint32_t>::fits(position)
               ? climb(position, caps, rung, budget, memory.narrow)
               : climb(position, caps, rung, budget, memory.wide);
}

}  // namespace hanabi
