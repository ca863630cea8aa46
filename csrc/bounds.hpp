// Bounds: a state that fails one of them is lost even if discarding at full tokens were free.
#pragma once

#include "question.hpp"

namespace hanabi {

// Events to come, of which each can play one card: the draws and the final round's turns.
template <class Mask>
int events_left(const Question<Mask>& q, const State<Mask>& s) {
    return s.turns_left >= 0 ? s.turns_left : q.pile_size - s.drawn + q.players;
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
        if (fresh) release[lowest(fresh)] = static_cast<std::uint8_t>(i + 1);
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
        if (plays > left - i + q.players) return true;
    }
    return false;
}

// Shared-hand relaxation: one hand of all the hands' size, no turns, no tokens. Playing at once and
// discarding trash first are optimal in it, so only the choice of a useful card to discard, when
// the hand is full of useful cards, is a branch.
template <class Mask>
class SharedHand {
public:
    SharedHand(const Question<Mask>& question, long limit) : q(question), limit_(limit) {}

    // Whether the state is lost; false also when the limit of branches leaves it open.
    bool lost(const State<Mask>& s) {
        left_ = limit_;
        Mask held = 0;
        for (int p = 0; p < q.players; ++p) held |= s.hands[p];
        held &= s.need;
        const int spare = events_left(q, s) - count(s.need);
        return spare < 0 || !reach(held, s.need, s.drawn, spare);
    }

private:
    bool reach(Mask held, Mask need, int drawn, int spare) {
        const int room = q.players * q.hand_size;
        for (;;) {
            Mask now = held & q.playable(need);
            if (now) {
                held &= ~now;
                need &= ~now;
                int draws = std::min(count(now), q.pile_size - drawn);
                while (draws-- > 0) held |= q.pile[drawn++] & need;
                continue;
            }
            if (!need) return true;
            if (drawn == q.pile_size || --spare < 0) return false;
            if (count(held) < room) {
                held |= q.pile[drawn++] & need;
                continue;
            }
            const Mask draw = q.pile[drawn] & need;
            for (Mask options = held & q.later[drawn]; options; options &= options - 1) {
                const Mask out = options & -options;
                if (--left_ < 0 || reach((held & ~out) | draw, need, drawn + 1, spare)) return true;
            }
            return false;
        }
    }

    const Question<Mask>& q;
    long limit_;
    long left_ = 0;
};

}  // namespace hanabi
