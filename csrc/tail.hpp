// Tail bound: the game from the draw of a late card on, with everything before it taken for granted.
#pragma once

#include "bounds.hpp"
#include "endings.hpp"
#include "table.hpp"

namespace hanabi {

// What is asked is whether the cards that must wait for the draw of order j can all be played
// after it, when at that moment every token is there, it is anybody's turn, hands are as large as
// you like, and all other cards are gone. Who holds a waiting card is known if it is held now; a
// card that is drawn in between may be anybody's. In the bits of `State::hands` here, a card that
// may be anybody's is in every hand.
template <class Mask>
class Tail {
public:
    Tail(const Question<Mask>& question, Table<Mask>& table) : q(question), table_(table) {
        table_.clear();
    }

    // Whether some tail of the state is lost. `slack` at most is how many events of a tail may be
    // no plays for it to be looked at; `nodes` is the most to spend on each.
    bool lost(const State<Mask>& s, int slack, long nodes) {
        if (q.endless) return lost_by_release(q, s);  // there is no end to look at
        const int left = q.pile_size - s.drawn;
        std::array<Mask, kMaxCards + 1> waiting;  // by how many draws a card must wait for
        if (!wait(s, waiting)) return true;
        int plays = 0;
        Mask late = 0;
        for (int i = left; i >= 1; --i) {
            if (!waiting[i]) continue;
            late |= waiting[i];
            plays += count(waiting[i]);
            const int spare = left - i + q.players - plays;
            if (spare < 0) return true;
            if (spare <= slack && !open(s, i - 1, late, nodes)) return true;
        }
        return false;
    }

private:
    // Sorts the needed cards by the draws they must wait for; false if one never comes.
    bool wait(const State<Mask>& s, std::array<Mask, kMaxCards + 1>& waiting) const {
        const int left = q.pile_size - s.drawn;
        Mask seen = 0;
        for (int p = 0; p < q.players; ++p) seen |= s.hands[p];
        seen &= s.need;
        std::fill_n(waiting.begin(), left + 1, Mask{0});
        Mask missing = s.need & ~seen;
        std::array<std::uint8_t, 64> release;
        for (int i = 0; i < left && missing; ++i)
            if (const Mask fresh = q.pile[s.drawn + i] & missing) {
                release[lowest(fresh)] = q.release(s.drawn, i);
                missing &= ~fresh;
            }
        if (missing) return false;
        const Mask starts = q.playable(s.need);
        for (Mask heads = starts; heads; heads &= heads - 1) {
            const Mask head = heads & -heads;
            const Mask above = heads & (heads - 1);
            const Mask suit = s.need & ~(head - 1) & (above ? (above & -above) - 1 : ~Mask{0});
            Mask late = suit & ~seen;
            int last = 0;
            // From the first card that is still to be drawn on, everything in the suit waits.
            while (late) {
                const Mask card = late & -late;
                late &= late - 1;
                const int at = release[lowest(card)];
                if (at <= last) continue;
                if (last) waiting[last] &= ~(suit & ~(card - 1));
                last = at;
                waiting[last] |= suit & ~(card - 1);
            }
        }
        return true;
    }

    // Whether the cards `late` can be played from the draw number `ahead` from now on.
    bool open(const State<Mask>& s, int ahead, Mask late, long nodes) {
        Mask drawn = 0;
        for (int i = 0; i < ahead; ++i) drawn |= q.pile[s.drawn + i];
        drawn &= late;
        State<Mask> t;
        for (int p = 0; p < q.players; ++p) t.hands[p] = (s.hands[p] & late) | drawn;
        t.need = late;
        t.drawn = static_cast<std::uint8_t>(s.drawn + ahead);
        t.clues = static_cast<std::int16_t>(q.rules.max_clues);
        const Key<Mask> key = key_of(t);
        if (const Entry<Mask>* known = table_.find(key); known && known->tried_budget)
            return known->tried_budget != kTailLost;
        left_ = nodes;
        bool found = false;
        for (int seat = 0; seat < q.players && !found; ++seat) {
            t.seat = static_cast<std::uint8_t>(seat);
            found = visit(t, key.hash());
        }
        table_.at(key, 60).tried_budget = found ? kTailOpen : kTailLost;
        return found;
    }

    // `hash` is that of the state's key. The places in the table of all states that can follow are
    // fetched at once, so that the way to memory is gone but once.
    bool visit(const State<Mask>& s, std::uint64_t hash) {
        if (!s.need) return true;
        const int spare = events_left(q, s) - count(s.need);
        if (spare < 0) return false;
        if (s.turns_left >= 0) return play_out(q, s, nullptr);
        if (--left_ < 0) return true;
        const Key<Mask> key = key_of(s);
        if (const Entry<Mask>* known = table_.find(key, hash))
            if (known->refuted[s.seat] > s.clues) return false;
        const int price = q.rules.clue_price;
        const int most = q.most_waits(s.clues);
        const Mask now = q.playable(s.need);
        const std::size_t base = next_.size();
        for (int wait = 0; wait <= most; ++wait) {
            const int actor = (s.seat + wait) % q.players;
            for (Mask plays = s.hands[actor] & now; plays; plays &= plays - 1)
                expect(after(s, wait, actor, plays & -plays));
            if (q.from_pile(s.drawn) && (q.pile[s.drawn] & now))
                expect(after(s, wait, actor, q.pile[s.drawn]));
            if (spare > 0) expect(after(s, wait, actor, 0));
        }
        const std::size_t end = next_.size();
        bool open = false;
        for (std::size_t i = base; i < end && !open; ++i) {
            const Next next = next_[i];  // a copy, as more are added behind it
            open = visit(next.state, next.hash);
        }
        next_.resize(base);
        if (open) return true;
        auto& refuted = table_.at(key, hash, 1).refuted;
        for (int ahead = 0; ahead < q.players && s.clues >= ahead * price; ++ahead) {
            auto& known = refuted[(s.seat + ahead) % q.players];
            known = std::max(known, static_cast<std::uint8_t>(s.clues - ahead * price + 1));
        }
        return false;
    }

    void expect(const State<Mask>& s) {
        const bool looked_up = s.turns_left < 0 && s.need;
        next_.push_back({s, looked_up ? key_of(s).hash() : 0});
        if (looked_up) table_.expect(next_.back().hash);
    }

    State<Mask> after(const State<Mask>& s, int wait, int actor, Mask played) const {
        const Rules& r = q.rules;
        State<Mask> t = s;
        // What is no play here may be a discard, or complete the stack of a suit that is gone here.
        const int gain = !played ? std::max(r.discard_gain, r.stack_gain)
                                 : played & q.complete ? r.stack_gain : 0;
        t.clues = static_cast<std::int16_t>(
            std::min(s.clues - wait * r.clue_price + gain, r.max_clues));
        t.need &= ~played;
        const Mask card = q.pile[t.drawn] & t.need;
        for (int p = 0; p < q.players; ++p) t.hands[p] &= ~played;
        t.hands[actor] |= card;  // with two copies about, either may be the one that is kept
        if (++t.drawn == q.pile_size) t.turns_left = static_cast<std::int8_t>(q.players);
        t.seat = static_cast<std::uint8_t>((actor + 1) % q.players);
        return t;
    }

    static Key<Mask> key_of(const State<Mask>& s) {
        Key<Mask> key;
        key.hands = s.hands;
        key.need = s.need;
        key.drawn = s.drawn;
        return key;
    }

    static constexpr std::uint8_t kTailOpen = 1;
    static constexpr std::uint8_t kTailLost = 2;

    struct Next {
        State<Mask> state;
        std::uint64_t hash = 0;
    };

    const Question<Mask>& q;
    Table<Mask>& table_;
    std::vector<Next> next_;  // what follows on the states that are being visited
    long left_ = 0;
};

}  // namespace hanabi
