// Endgames with open hands and a draw pile in unknown order: exact expectimax by counting orders.
#pragma once

#include <memory>
#include <vector>

#include "memo.hpp"
#include "moves.hpp"
#include "prospects.hpp"
#include "search.hpp"

namespace hanabi {

template <class Mask>
class Endgame {
public:
    Endgame(const Rules& rules, Aim aim, std::size_t bytes, unsigned cuts)
        : r(rules), cuts_(cuts), scenes_(rules), prospects_(scenes_, aim, cuts), memo_(bytes) {}

    // The value of one legal action.
    Interval value(const Position& position, Action action, Budget& budget) {
        budget_ = &budget;
        const Scene<Mask> scene = scenes_.of(position);
        const auto& hand = position.hands[position.seat];
        if (action.kind == Kind::clue) return value_of(scenes_.clued(scene), 0);
        if (action.kind == Kind::deck_play)
            return value_of(scenes_.from_pile(scene, scenes_.bit_of(position.pile.front())), 0);
        const Card card = hand[action.slot];
        const Mask bit = scenes_.bit_of(card);
        const bool twin = std::count(hand.begin(), hand.end(), card) > 1;
        Scene<Mask> after = scene;
        if (!twin) after.hands[scene.seat] &= ~bit;
        if (action.kind == Kind::discard) scenes_.discard(after);
        else if (position.playable(card)) scenes_.play(after, suit_of(card));
        else ++after.strikes;
        return drawn(after, 0);
    }

    // The value of the best action.
    Interval best(const Scene<Mask>& scene, Budget& budget) {
        budget_ = &budget;
        return value_of(scene, 0);
    }

    std::size_t states() const { return memo_.size(); }

private:
    struct Child {
        Scene<Mask> scene;
        Orders count;
        Interval value;
        bool known;
    };

    // The value of a state in which the seat is to move. Where it is no more than `enough`, any
    // upper bound not above that may come back instead.
    Interval value_of(Scene<Mask> s, Orders enough) {
        const Interval bound = prospects_.strip(s);
        return bound.low == bound.high ? bound : inner(s, bound, enough);
    }

    Interval inner(const Scene<Mask>& s, Interval bound, Orders enough) {
        if (const auto* known = memo_.find(s)) {
            if (known->exact) return {known->value, known->value};
            bound.high = std::min(bound.high, known->value);
        }
        if (bound.high <= std::max(enough, bound.low) || budget_->spent()) return bound;
        Interval best{0, 0};
        bool legal = false;
        auto take_better = [&](Interval v) {
            legal = true;
            best.low = std::max(best.low, v.low);
            best.high = std::max(best.high, v.high);
            return best.low >= bound.high;
        };
        moves(s, best, enough, take_better);
        if (!legal)  // stuck: it ends as it stands
            best = prospects_.fixed(r.only_full_marks() ? 0 : scenes_.points(s), kFactorial[s.left]);
        best.high = std::min(best.high, bound.high);
        best.low = std::max(best.low, std::min(bound.low, best.high));
        if (best.low == best.high) memo_.put(s, {best.low, true});
        else if (best.high < bound.high) memo_.put(s, {best.high, false});
        return best;
    }

    // Every action that may be best; stops when `take_better` says that nothing can be better.
    template <class Take>
    void moves(const Scene<Mask>& s, const Interval& best, Orders floor, Take take_better) {
        const auto enough = [&best, floor] { return std::max(best.low, floor); };
        const int seat = s.seat;
        const Mask hand = s.hands[seat];
        const Mask now = hand & scenes_.heads(s);
        const bool trash = s.cards[seat] > count(hand);
        const bool may_discard = s.clues < r.max_clues || r.discard_at_full;
        bool target = false;
        for (int p = 0; p < r.players; ++p) target |= p != seat && s.cards[p] > 0;
        const bool may_clue = target && s.clues >= r.clue_price;
        // What a clue leads to may be known from another way.
        bool clue_known = false;
        if (may_clue) {
            Scene<Mask> t = scenes_.clued(s);
            const Interval bound = prospects_.strip(t);
            const auto* known = memo_.find(t);
            clue_known = bound.low == bound.high || (known && known->exact);
            if (clue_known) {
                const Orders v = bound.low == bound.high ? bound.low : known->value;
                if (take_better({v, v})) return;
            }
        }
        for (Mask plays = now; plays; plays &= plays - 1) {
            const Mask bit = plays & -plays;
            Scene<Mask> t = s;
            t.hands[seat] &= ~bit;
            scenes_.play(t, lowest(bit) / scenes_.stride);
            if (take_better(drawn(t, enough()))) return;
        }
        if (may_discard && trash) {
            Scene<Mask> t = s;
            scenes_.discard(t);
            if (take_better(drawn(t, enough()))) return;
        }
        if (r.deck_play && s.left == 1) {
            const Scene<Mask> t = scenes_.from_pile(s, s.pile.any());
            if (t.strikes < r.max_strikes && take_better(value_of(t, enough()))) return;
        }
        if (may_clue && !clue_known && take_better(value_of(scenes_.clued(s), enough()))) return;
        // With trash in hand, throwing that away is at least as good as a useful card.
        if (may_discard && !trash)
            for (Mask out = hand; out; out &= out - 1) {
                Scene<Mask> t = s;
                t.hands[seat] &= ~(out & -out);
                scenes_.discard(t);
                if (take_better(drawn(t, enough()))) return;
            }
        // Below full tokens a discard does all that a misplay does. A misplay that loses the game
        // is only tried when there is nothing else.
        if (may_discard && s.cards[seat] > 0) return;
        const bool forced = !may_clue && !now;
        if (s.strikes + 1 >= r.max_strikes && !forced) return;
        Scene<Mask> t = s;
        ++t.strikes;
        if (trash) {
            take_better(drawn(t, enough()));
            return;
        }
        for (Mask out = hand & ~now; out; out &= out - 1) {
            Scene<Mask> u = t;
            u.hands[seat] &= ~(out & -out);
            if (take_better(drawn(u, enough()))) return;
        }
    }

    // The value after a card has left the hand of the seat to move: it draws, and the turn passes.
    // Once it cannot be more than `enough`, any upper bound not above that may come back.
    Interval drawn(Scene<Mask> s, Orders enough) {
        const int seat = s.seat;
        if (s.left == 0) {
            --s.cards[seat];
            scenes_.pass_turn(s);
            return value_of(s, enough);
        }
        const int points = scenes_.points(s);
        if (s.strikes >= r.max_strikes)
            return prospects_.fixed(r.lost_scores_stacks ? points : 0, kFactorial[s.left]);
        if (points == r.max_score()) return prospects_.fixed(points, kFactorial[s.left]);
        --s.left;
        const bool last = s.left == 0;
        scenes_.pass_turn(s);
        if (last && r.has_final_round()) s.turns_left = static_cast<std::int8_t>(r.players);
        std::array<Child, kMostCards + 1> children;
        std::size_t n = 0;
        int trash = s.left + 1;
        Interval sum;
        auto branch = [&](Mask bit, int copies) {
            Child& child = children[n++];
            child.scene = s;
            child.scene.hands[seat] |= bit;
            if (bit) child.scene.pile.take(bit);
            child.count = static_cast<Orders>(copies);
            child.value = prospects_.strip(child.scene);
            child.known = child.value.low == child.value.high;
            sum.low += child.count * child.value.low;
            sum.high += child.count * child.value.high;
        };
        for (Mask rest = s.pile.any(); rest; rest &= rest - 1) {
            const Mask bit = rest & -rest;
            const int copies_left = s.pile.of(bit);
            trash -= copies_left;
            branch(bit, copies_left);
        }
        if (trash > 0) branch(0, trash);
        for (std::size_t i = 0; i < n && sum.high > enough; ++i) {
            Child& child = children[i];
            if (child.known) continue;
            // If the child is worth no more than this, the sum is not more than `enough`.
            const Orders others = sum.high - child.count * child.value.high;
            const bool narrow = (cuts_ & kCutWindow) && others < enough;
            const Orders spare = narrow ? (enough - others) / child.count : 0;
            const Interval v = inner(child.scene, child.value, spare);
            sum.low += child.count * (v.low - child.value.low);
            sum.high -= child.count * (child.value.high - v.high);
        }
        return sum;
    }

    const Rules r;
    const unsigned cuts_;
    const Scenes<Mask> scenes_;
    const Prospects<Mask> prospects_;
    Memo<Mask> memo_;
    Budget* budget_ = nullptr;
};

// An endgame of whatever width its rules need. It keeps what it found, for positions of one game.
class AnyEndgame {
public:
    AnyEndgame(const Position& like, Aim aim, std::size_t bytes, unsigned cuts) : like_(like) {
        if (like.rules.stack_gain > like.rules.discard_gain && !like.rules.discard_at_full)
            throw std::invalid_argument("a finished stack gives back more than a discard");
        if (Question<std::uint32_t>::fits(like))
            narrow_ = std::make_unique<Endgame<std::uint32_t>>(like.rules, aim, bytes, cuts);
        else
            wide_ = std::make_unique<Endgame<std::uint64_t>>(like.rules, aim, bytes, cuts);
    }
    Interval value(const Position& position, Action action, Budget& budget) {
        if (position.pile.size() > kMostCards)
            throw std::invalid_argument("there are too many cards in the pile");
        if (!same_rules(position)) throw std::invalid_argument("the rules are not those given first");
        return narrow_ ? narrow_->value(position, action, budget)
                       : wide_->value(position, action, budget);
    }
    template <class Mask>
    Endgame<Mask>& engine() {
        if constexpr (sizeof(Mask) == 4) return *narrow_;
        else return *wide_;
    }
    std::size_t states() const { return narrow_ ? narrow_->states() : wide_->states(); }

private:
    bool same_rules(const Position& p) const {
        Position plain = p;
        plain.stacks = like_.stacks;
        plain.hands = like_.hands;
        plain.pile = like_.pile;
        plain.clues = like_.clues;
        plain.strikes = like_.strikes;
        plain.seat = like_.seat;
        plain.turns_left = like_.turns_left;
        return pack(plain) == pack(like_);
    }

    Position like_;
    std::unique_ptr<Endgame<std::uint32_t>> narrow_;
    std::unique_ptr<Endgame<std::uint64_t>> wide_;
};

}  // namespace hanabi
