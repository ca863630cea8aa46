// One yes/no question about a position: can every stack reach its cap?
#pragma once

#include <algorithm>

#include "position.hpp"

namespace hanabi {

// What pruning rules may be switched off. Each is proved in DESIGN.md; tests compare the optimum.
enum Rule : unsigned {
    kRuleRelease = 1,     // release bound
    kRuleShared = 2,      // shared-hand relaxation
    kRuleTrashFirst = 4,  // with trash in hand no useful card is discarded
    kRuleClues = 8,       // a refuted state is refuted with fewer tokens and for later seats
    kRuleTable = 16,      // remember refuted states at all
    kRuleTail = 32,       // tail bound
    kAllRules = 63,
};

template <class Mask>
inline int count(Mask m) {
    return __builtin_popcountll(m);
}
template <class Mask>
inline int lowest(Mask m) {
    return __builtin_ctzll(m);
}

// Cards as bits: suit * stride + step. A card that no cap needs has no bit: it is *trash*.
template <class Mask>
struct Question {
    Rules rules;
    int players = 0;
    int hand_size = 0;
    int pile_size = 0;
    int stride = 0;
    bool full_marks = true;   // whether the caps are the complete stacks
    bool endless = false;     // whether there is no final round
    int last_events = 0;      // plays and discards that can follow the last draw
    bool thin_hands = false;  // whether a hand may be empty in the final round
    std::array<std::uint8_t, kMaxPlayers> cards{};  // in each hand at the root
    Mask need = 0;      // cards that must still be played
    Mask first = 0;     // the lowest bit of each suit
    Mask complete = 0;  // cards that complete their whole suit, not only their cap
    std::array<Mask, kMaxPlayers> hands{};        // useful cards
    std::array<Mask, kMaxCards + 1> pile{};       // the bit of each card to be drawn, 0 for trash
    std::array<Mask, kMaxCards + 1> later{};      // useful cards at this place of the pile or after

    static int stride_of(const Position& p) {
        int most = 1;
        for (int s = 0; s < p.rules.suits; ++s) most = std::max<int>(most, p.rules.steps[s]);
        return most;
    }
    static bool fits(const Position& p) {
        return stride_of(p) * p.rules.suits <= static_cast<int>(8 * sizeof(Mask));
    }
    Mask bit(Card c) const {
        return c == kUseless ? 0 : Mask{1} << (suit_of(c) * stride + step_of(c));
    }

    Question(const Position& p, const std::array<std::uint8_t, kMaxSuits>& caps)
        : rules(p.rules), players(p.rules.players), hand_size(p.rules.hand_size),
          pile_size(static_cast<int>(p.pile.size())), stride(stride_of(p)) {
        for (int s = 0; s < rules.suits; ++s) {
            first |= Mask{1} << (s * stride);
            complete |= Mask{1} << (s * stride + rules.steps[s] - 1);
            full_marks &= caps[s] == rules.steps[s];
            for (int step = p.stacks[s]; step < caps[s]; ++step)
                need |= Mask{1} << (s * stride + step);
        }
        for (int seat = 0; seat < players; ++seat) {
            for (Card c : p.hands[seat]) hands[seat] |= bit(c) & need;
            cards[seat] = static_cast<std::uint8_t>(p.hands[seat].size());
            thin_hands |= cards[seat] < 2;
            last_events += cards[seat];
        }
        endless = !rules.has_final_round();
        if (!endless) last_events = players;
        later[pile_size] = 0;
        for (int i = pile_size - 1; i >= 0; --i) {
            pile[i] = bit(p.pile[i]) & need;
            later[i] = later[i + 1] | pile[i];
        }
    }

    int after(int seat) const { return seat + 1 < players ? seat + 1 : 0; }

    // The clues that may stand before an event: a whole round of them never helps in the relaxed
    // game. A price of 0 means that clues are free, as in the rung "turn order" of the ladder.
    int most_waits(int clues) const {
        return rules.clue_price ? std::min(clues / rules.clue_price, players - 1) : players - 1;
    }

    // Whether the next card to be drawn may be played from the pile.
    bool from_pile(int drawn) const { return rules.deck_play && drawn + 1 == pile_size; }

    // By how many draws from now a card must have been drawn, which is the number `draw` from 0
    // to come, before it can be played. The last one may be played at its own draw.
    std::uint8_t release(int drawn, int draw) const {
        return static_cast<std::uint8_t>(draw + !from_pile(drawn + draw));
    }

    // The needed cards whose predecessor lies on the stack. Sound because the needed cards of a
    // suit are always a run of steps.
    Mask playable(Mask needed) const { return needed & ~((needed << 1) & ~first); }
};

// A state of the search: what can still matter. A second copy in one hand is trash, and trash is
// not kept: a hand's trash is its size less its useful cards.
template <class Mask>
struct State {
    std::array<Mask, kMaxPlayers> hands{};
    Mask need = 0;
    std::uint8_t drawn = 0;  // cards drawn from the pile since the root
    std::uint8_t seat = 0;
    std::uint8_t strikes = 0;
    std::int8_t turns_left = -1;
    std::int16_t clues = 0;
};

// A step of a line: `wait` clues, then what the seat then to move does.
struct Event {
    std::uint8_t wait = 0;
    enum What : std::uint8_t {
        play,
        discard_trash,
        discard_useful,
        deck_play,     // the last card, from the draw pile to its stack
        deck_throw,    // the same as a misplay: the hand stays whole
        pass,          // final round: any action that is no strike
        pass_clue,     // final round: exactly a clue, a discard, a misplay
        pass_discard,
        pass_misplay,
    } what = play;
    std::uint8_t card = 0;  // bit number of the card of `play`, `deck_play`, `discard_useful`
};

}  // namespace hanabi
