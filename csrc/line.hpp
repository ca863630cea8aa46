// From the events of a search to the actions of real hands.
#pragma once

#include "moves.hpp"
#include "question.hpp"

namespace hanabi {

// Plays out events on a full position, choosing which card is trash. Where the search counted a
// strike but the card at hand scores, the line is better than planned, and later events adapt.
template <class Mask>
class Builder {
public:
    Builder(const Question<Mask>& question, const Position& start)
        : q(question), need_(question.need), position_(start) {
        actions_.reserve(2 * kMaxCards);
    }

    // Whether all events could be played; then `actions` reach the question's caps.
    bool play(const std::vector<Event>& events) {
        for (const Event& event : events) {
            if (!need_) break;
            for (int i = 0; i < event.wait; ++i)
                if (!act({Kind::clue, 0})) return false;
            if (!play(event)) return false;
        }
        return need_ == 0;
    }

    std::vector<Action> take_actions() { return std::move(actions_); }
    const Position& position() const { return position_; }

private:
    bool play(const Event& event) {
        switch (event.what) {
            case Event::play: {
                const Mask card = Mask{1} << event.card;
                const int slot = find([&](Mask m, int) { return m == card; });
                if (slot < 0) return false;
                if (need_ & card) return act({Kind::play, static_cast<std::uint8_t>(slot)});
                return throw_away(slot);
            }
            case Event::discard_useful: {
                const Mask card = Mask{1} << event.card;
                const int slot = find([&](Mask m, int) { return m == card; });
                return slot >= 0 && throw_away(slot);
            }
            case Event::deck_play:
            case Event::deck_throw:
                return act({Kind::deck_play, 0});
            case Event::discard_trash: {
                int slot = trash(true);
                if (slot < 0) slot = trash(false);
                return slot >= 0 && throw_away(slot);
            }
            case Event::pass:
                if (position_.clues < q.rules.max_clues || q.rules.discard_at_full)
                    return act({Kind::discard, last_resort()});
                return act({Kind::clue, 0});
            case Event::pass_clue:
                return act({Kind::clue, 0});
            case Event::pass_discard:
                return act({Kind::discard, last_resort()});
            case Event::pass_misplay: {
                const int slot = find([&](Mask, int i) {
                    return !position_.playable(position_.hands[position_.seat][i]);
                });
                return slot >= 0 && act({Kind::play, static_cast<std::uint8_t>(slot)});
            }
        }
        return false;
    }

    template <class Test>
    int find(Test test) const {
        const auto& hand = position_.hands[position_.seat];
        for (int i = 0; i < static_cast<int>(hand.size()); ++i)
            if (test(q.bit(hand[i]), i)) return i;
        return -1;
    }

    // A card that is not needed or a second copy in this hand; with `dull`, one that no stack
    // takes now.
    int trash(bool dull) const {
        const auto& hand = position_.hands[position_.seat];
        Mask seen = 0;
        for (int i = 0; i < static_cast<int>(hand.size()); ++i) {
            const Mask bit = q.bit(hand[i]) & need_;
            if ((!bit || seen & bit) && !(dull && position_.playable(hand[i]))) return i;
            seen |= bit;
        }
        return -1;
    }

    std::uint8_t last_resort() const {
        const int slot = trash(false);
        return slot < 0 ? 0 : static_cast<std::uint8_t>(slot);
    }

    bool throw_away(int slot) {
        const bool bar = position_.clues >= q.rules.max_clues && !q.rules.discard_at_full;
        return act({bar ? Kind::play : Kind::discard, static_cast<std::uint8_t>(slot)});
    }

    bool act(Action action) {
        if (!is_legal(position_, action)) return false;
        if (action.kind == Kind::play || action.kind == Kind::deck_play) {
            const Card c = action.kind == Kind::play ? position_.hands[position_.seat][action.slot]
                                                     : position_.pile.front();
            if (position_.playable(c)) need_ &= ~q.bit(c);
        }
        apply(position_, action);
        actions_.push_back(action);
        return position_.strikes < q.rules.max_strikes;
    }

    const Question<Mask>& q;
    Mask need_;
    Position position_;
    std::vector<Action> actions_;
};

}  // namespace hanabi
