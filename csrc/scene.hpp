// Scenes: positions of endgames, cut down to what can still matter, and what actions make of them.
#pragma once

#include "question.hpp"

namespace hanabi {

// The useful cards of a draw pile: how many copies of each are in it, in binary, one mask for each
// binary digit.
template <class Mask>
struct Copies {
    std::array<Mask, 4> digits{};

    void add(Mask bit) {
        for (Mask& digit : digits) {
            const Mask carry = digit & bit;
            digit ^= bit;
            bit = carry;
        }
    }
    void take(Mask bit) {
        for (Mask& digit : digits) {
            const Mask borrow = ~digit & bit;
            digit ^= bit;
            bit = borrow;
        }
    }
    void keep(Mask kept) {
        for (Mask& digit : digits) digit &= kept;
    }
    Mask any() const { return digits[0] | digits[1] | digits[2] | digits[3]; }
    int of(Mask bit) const {
        int n = 0;
        for (int i = 0; i < 4; ++i) n += digits[i] & bit ? 1 << i : 0;
        return n;
    }
    int all() const {
        int n = 0;
        for (int i = 0; i < 4; ++i) n += count(digits[i]) << i;
        return n;
    }
};

// What can still matter of a position. Useful cards have a bit, as in `Question`. A second copy in
// one hand is trash.
template <class Mask>
struct Scene {
    std::array<Mask, kMaxPlayers> hands{};
    Copies<Mask> pile;
    std::array<std::uint8_t, kMaxSuits> stacks{};
    std::array<std::uint8_t, kMaxPlayers> cards{};  // in each hand
    std::uint8_t left = 0;                          // cards in the pile
    std::uint8_t seat = 0;
    std::uint8_t clues = 0;
    std::uint8_t strikes = 0;
    std::int8_t turns_left = -1;

    bool operator==(const Scene& o) const {
        return hands == o.hands && pile.digits == o.pile.digits && stacks == o.stacks &&
               cards == o.cards && left == o.left && seat == o.seat && clues == o.clues && strikes == o.strikes &&
               turns_left == o.turns_left;
    }
    std::uint64_t hash() const {
        std::uint64_t h = 0x9E3779B97F4A7C15u;
        auto mix = [&h](std::uint64_t v) {
            h = (h ^ v) * 0xD6E8FEB86659FD93u;
            h ^= h >> 32;
        };
        for (Mask m : hands) mix(m);
        for (Mask m : pile.digits) mix(m);
        for (std::size_t i = 0; i < kMaxSuits; ++i) mix(stacks[i] * 256u + cards[i]);
        mix(left | seat << 8 | clues << 16 | std::uint64_t{strikes} << 24 |
            std::uint64_t(turns_left + 1) << 32);
        return h;
    }
};

// The rules as scenes know them.
template <class Mask>
struct Scenes {
    const Rules r;
    int stride = 1;
    Mask first = 0;  // the lowest bit of each suit

    explicit Scenes(const Rules& rules) : r(rules) {
        for (int s = 0; s < r.suits; ++s) stride = std::max<int>(stride, r.steps[s]);
        for (int s = 0; s < r.suits; ++s) first |= Mask{1} << (s * stride);
    }

    Mask bit_of(Card c) const {
        return c == kUseless ? 0 : Mask{1} << (suit_of(c) * stride + step_of(c));
    }

    Scene<Mask> of(const Position& p) const {
        Scene<Mask> s;
        for (int seat = 0; seat < r.players; ++seat) {
            for (Card c : p.hands[seat]) s.hands[seat] |= bit_of(c);
            s.cards[seat] = static_cast<std::uint8_t>(p.hands[seat].size());
        }
        for (Card c : p.pile) s.pile.add(bit_of(c));
        s.stacks = p.stacks;
        s.left = static_cast<std::uint8_t>(p.pile.size());
        s.seat = static_cast<std::uint8_t>(p.seat);
        s.clues = static_cast<std::uint8_t>(p.clues);
        s.strikes = static_cast<std::uint8_t>(p.strikes);
        s.turns_left = static_cast<std::int8_t>(p.turns_left);
        return s;
    }

    int points(const Scene<Mask>& s) const {
        int sum = 0;
        for (int suit = 0; suit < r.suits; ++suit) sum += s.stacks[suit];
        return sum;
    }

    Scene<Mask> clued(Scene<Mask> s) const {
        s.clues = static_cast<std::uint8_t>(s.clues - r.clue_price);
        pass_turn(s);
        return s;
    }
    void pass_turn(Scene<Mask>& s) const {
        if (s.turns_left > 0) --s.turns_left;
        s.seat = static_cast<std::uint8_t>((s.seat + 1) % r.players);
    }
    void discard(Scene<Mask>& s) const {
        s.clues = static_cast<std::uint8_t>(std::min(s.clues + r.discard_gain, r.max_clues));
    }
    void play(Scene<Mask>& s, int suit) const {
        if (++s.stacks[suit] == r.steps[suit])
            s.clues = static_cast<std::uint8_t>(std::min(s.clues + r.stack_gain, r.max_clues));
    }

    // The last card goes from the draw pile to its stack, or is a strike; the hand stays.
    Scene<Mask> from_pile(Scene<Mask> s, Mask bit) const {
        if (bit & heads(s)) play(s, lowest(bit) / stride);
        else ++s.strikes;
        s.pile = {};
        s.left = 0;
        pass_turn(s);
        if (r.has_final_round()) s.turns_left = static_cast<std::int8_t>(r.players);
        return s;
    }

    Mask heads(const Scene<Mask>& s) const {
        Mask heads = 0;
        for (int suit = 0; suit < r.suits; ++suit)
            if (s.stacks[suit] < r.steps[suit]) heads |= Mask{1} << (suit * stride + s.stacks[suit]);
        return heads;
    }
};

}  // namespace hanabi
