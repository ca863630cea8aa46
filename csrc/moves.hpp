// Legal actions on a full position, in the order of solver/game/position.py, and perft.
#pragma once

#include <algorithm>

#include "position.hpp"

namespace hanabi {

enum class Kind : std::uint8_t { play = 0, discard = 1, clue = 2, deck_play = 3 };

// An action of the seat to move: its kind, and the card's place in the hand (0 the oldest; 0 also
// where no card of the hand is acted on).
struct Action {
    Kind kind;
    std::uint8_t slot;
};
static_assert(sizeof(Action) == 2, "lines cross the border to Python as they lie in memory");

inline bool can_clue(const Position& p) {
    if (p.clues < p.rules.clue_price) return false;
    for (int seat = 0; seat < p.rules.players; ++seat)
        if (seat != p.seat && !p.hands[seat].empty()) return true;
    return false;
}

inline bool is_over(const Position& p) {
    return p.strikes >= p.rules.max_strikes || p.turns_left == 0 ||
           p.points() == p.rules.max_score() ||
           (p.rules.ends_out_of_reach() && p.out_of_reach());
}

inline bool is_legal(const Position& p, Action action) {
    if (is_over(p)) return false;
    if (action.kind == Kind::clue) return can_clue(p);
    if (action.kind == Kind::deck_play) return p.rules.deck_play && p.pile.size() == 1;
    if (action.slot >= p.hands[p.seat].size()) return false;
    return action.kind == Kind::play || p.clues < p.rules.max_clues || p.rules.discard_at_full;
}

// Plays, then discards, oldest card first, then a clue, then a play from the draw pile. None when
// the game is over.
inline std::vector<Action> legal_actions(const Position& p) {
    std::vector<Action> actions;
    for (Kind kind : {Kind::play, Kind::discard})
        for (std::size_t i = 0; i < p.hands[p.seat].size(); ++i)
            if (const Action a{kind, static_cast<std::uint8_t>(i)}; is_legal(p, a))
                actions.push_back(a);
    for (Kind kind : {Kind::clue, Kind::deck_play})
        if (is_legal(p, {kind, 0})) actions.push_back({kind, 0});
    return actions;
}

// Puts the next card of the pile into the hand of the seat to move.
inline void draw(Position& p) {
    p.hands[p.seat].push_back(p.pile.front());
    p.pile.erase(p.pile.begin());
    if (p.pile.empty() && p.rules.has_final_round()) p.turns_left = p.rules.players;
}

// Plays one legal action; legality is the caller's concern.
inline void apply(Position& p, Action action) {
    const Rules& r = p.rules;
    if (p.turns_left > 0) --p.turns_left;
    if (action.kind == Kind::clue) {
        p.clues -= r.clue_price;
    } else {
        auto& hand = p.hands[p.seat];
        std::uint8_t slot = action.slot;
        if (action.kind == Kind::deck_play) {  // it is drawn, then played
            slot = static_cast<std::uint8_t>(hand.size());
            draw(p);
        }
        const Card c = hand[slot];
        hand.erase(hand.begin() + slot);
        if (action.kind == Kind::discard) {
            p.clues = std::min(p.clues + r.discard_gain, r.max_clues);
        } else if (p.playable(c)) {
            if (++p.stacks[suit_of(c)] == r.steps[suit_of(c)])
                p.clues = std::min(p.clues + r.stack_gain, r.max_clues);
        } else {
            ++p.strikes;
        }
        if (!p.pile.empty()) draw(p);
    }
    p.seat = (p.seat + 1) % r.players;
}

// The number of lines of exactly `depth` actions, ended games counting only at their own depth.
inline std::uint64_t perft(const Position& p, int depth) {
    if (depth == 0) return 1;
    std::uint64_t sum = 0;
    for (Action action : legal_actions(p)) {
        Position child = p;
        apply(child, action);
        sum += perft(child, depth - 1);
    }
    return sum;
}

}  // namespace hanabi
