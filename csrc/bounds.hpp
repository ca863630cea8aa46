// Bounds: a state that fails one of them is lost even if discarding at full tokens were free.
#pragma once

#include <vector>

#include "question.hpp"

namespace hanabi {

// Events to come, of which each can play one card: the draws and the final round's turns.
template <class Mask>
int events_left(const Question<Mask>& q, const State<Mask>& s) {
    return s.turns_left >= 0 ? s.turns_left : q.pile_size - s.drawn + q.last_events;
}

// Release bound (unit scheduling with release times). Every undrawn copy is taken as kept.
template <class Mask>
bool lost_by_release(const Question<Mask>& q, const State<Mask>& s) {
    Mask held = 0;
    for (int p = 0; p < q.players; ++p) held |= s.hands[p];
    const int left = q.pile_size - s.drawn;
    std::array<std::uint8_t, kMaxCards + 2> waiting{};
    Mask seen = held & s.need;
    std::array<std::uint8_t, 64> release{};
    for (int i = 0; i < left; ++i) {
        const Mask fresh = q.pile[s.drawn + i] & s.need & ~seen;
        if (fresh) release[lowest(fresh)] = q.release(s.drawn, i);
        seen |= fresh;
    }
    if (s.need & ~seen) return true;
    std::uint8_t last = 0;
    for (Mask rest = s.need; rest; rest &= rest - 1) {
        const int bit = lowest(rest);
        const bool starts = q.playable(s.need) >> bit & 1;
        last = starts ? release[bit] : std::max(last, release[bit]);
        ++waiting[last];
    }
    int plays = 0;
    for (int i = left; i >= 0; --i) {
        plays += waiting[i];
        if (plays > left - i + q.last_events) return true;
    }
    return false;
}

// What the shared-hand relaxation remembers: whole keys, the newest entry wins its place.
template <class Mask>
class SharedMemo {
public:
    struct Slot {
        Mask held = 0;
        Mask need = 0;
        std::uint32_t era = 0;
        std::uint8_t drawn = 0;
        bool lost = false;
    };

    void clear() {
        if (slots_.empty()) slots_.resize(std::size_t{1} << kBits);
        if (++era_ == 0) {
            slots_.assign(slots_.size(), {});
            era_ = 1;
        }
    }
    Slot* find(Mask held, Mask need, int drawn) {
        Slot& slot = slots_[place(held, need, drawn)];
        const bool same = slot.era == era_ && slot.held == held && slot.need == need &&
                          slot.drawn == drawn;
        return same ? &slot : nullptr;
    }
    void put(Mask held, Mask need, int drawn, bool lost) {
        slots_[place(held, need, drawn)] = {held, need, era_, static_cast<std::uint8_t>(drawn),
                                            lost};
    }

private:
    static constexpr int kBits = 14;

    static std::size_t place(Mask held, Mask need, int drawn) {
        std::uint64_t h = held * 0x9E3779B97F4A7C15u;
        h = ((h ^ h >> 31) + need) * 0xD6E8FEB86659FD93u;
        h = ((h ^ h >> 31) + static_cast<std::uint64_t>(drawn)) * 0x9E3779B97F4A7C15u;
        return h >> (64 - kBits);
    }

    std::vector<Slot> slots_;
    std::uint32_t era_ = 0;
};

// Shared-hand relaxation: one hand of all the hands' size, no turns, no tokens. Playing at once and
// discarding trash first are optimal in it, so only the choice of a useful card to discard, when
// the hand is full of useful cards, is a branch.
template <class Mask>
class SharedHand {
public:
    SharedHand(const Question<Mask>& question, SharedMemo<Mask>& memo) : q(question), memo_(memo) {
        memo_.clear();
    }

    // Whether the state is lost; false also when so many branches leave it open.
    bool lost(const State<Mask>& s, long branches) {
        left_ = branches;
        Mask held = 0;
        for (int p = 0; p < q.players; ++p) held |= s.hands[p];
        held &= s.need;
        const int spare = events_left(q, s) - count(s.need);
        return spare < 0 || reach(held, s.need, s.drawn, spare) == Answer::lost;
    }

private:
    enum class Answer : std::uint8_t { reached, lost, open };

    Answer reach(Mask held, Mask need, int drawn, int spare) {
        const int room = q.players * q.hand_size;
        for (;;) {
            const Mask now = held & q.playable(need);
            if (now) {
                held &= ~now;
                need &= ~now;
                for (int n = count(now); n > 0 && drawn < q.pile_size; --n)
                    if (!draw(held, need, drawn)) return Answer::lost;
                continue;
            }
            if (!need) return Answer::reached;
            if (q.from_pile(drawn) && (q.pile[drawn] & q.playable(need))) {
                need &= ~q.pile[drawn++];
                continue;
            }
            if (drawn == q.pile_size || --spare < 0) return Answer::lost;
            if (count(held) == room && q.from_pile(drawn)) ++drawn;  // thrown away from the pile
            else if (count(held) == room) return discard(held, need, drawn, spare);
            else if (!draw(held, need, drawn)) return Answer::lost;
        }
    }

    // Tries each useful card that comes again. `spare` follows from the rest of the state.
    Answer discard(Mask held, Mask need, int drawn, int spare) {
        if (const auto* known = memo_.find(held, need, drawn))
            return known->lost ? Answer::lost : Answer::reached;
        Answer all = Answer::lost;
        for (Mask options = held & q.later[drawn]; options; options &= options - 1) {
            if (--left_ < 0) return Answer::open;
            Mask rest = held & ~(options & -options);
            int next = drawn;
            if (!draw(rest, need, next)) continue;
            const Answer answer = reach(rest, need, next, spare);
            if (answer == Answer::reached) {
                all = answer;
                break;
            }
            if (answer == Answer::open) all = answer;
        }
        if (all != Answer::open) memo_.put(held, need, drawn, all == Answer::lost);
        return all;
    }

    // Draws a card. False if that is the end: whoever draws the last card acts last in the final
    // round, so a last card that is needed and not held yet is the last play of all, and nothing
    // can follow on it, unless it may be played from the pile.
    bool draw(Mask& held, Mask need, int& drawn) const {
        const Mask card = q.pile[drawn++] & need;
        if (drawn == q.pile_size && !q.endless && !q.rules.deck_play && (card & ~held) &&
            ((card << 1) & ~q.first & need))
            return false;
        held |= card;
        return true;
    }

    const Question<Mask>& q;
    SharedMemo<Mask>& memo_;
    long left_ = 0;
};

}  // namespace hanabi
