// The final round, and what hands of a single card can force in it.
#pragma once

#include <unordered_set>
#include <vector>

#include "question.hpp"

namespace hanabi {

// The final round with two cards or more in every hand: each seat in turn plays one card or lets its
// turn pass, which it always can without a strike (a clue at full tokens, else a discard). Appends
// the events that reach the caps to `line`, if there is one, last first.
template <class Mask>
bool play_out(const Question<Mask>& q, const State<Mask>& s, std::vector<Event>* line) {
    if (!s.need) return true;
    const int spare = s.turns_left - count(s.need);
    if (spare < 0) return false;
    State<Mask> t = s;
    --t.turns_left;
    t.seat = static_cast<std::uint8_t>((s.seat + 1) % q.players);
    auto reaches = [&](Event event) {
        if (!play_out(q, t, line)) return false;
        if (line) line->push_back(event);
        return true;
    };
    for (Mask plays = s.hands[s.seat] & q.playable(s.need); plays; plays &= plays - 1) {
        t.need = s.need & ~(plays & -plays);
        if (reaches({0, Event::play, static_cast<std::uint8_t>(lowest(plays))})) return true;
    }
    t.need = s.need;
    return spare > 0 && reaches({0, Event::pass, 0});
}

// The final round action by action, for hands so small that they may be empty: a clue then has no
// target, and a discard may be barred by full tokens, so that a turn can cost a strike.
template <class Mask>
class FinalRound {
public:
    FinalRound(const Question<Mask>& question, const State<Mask>& state)
        : q(question), s_(state), cards_(question.cards) {}

    // Whether the caps can be reached and the game then ended without losing it. Appends the
    // events, last first.
    bool reach(std::vector<Event>& line) {
        if (!s_.need && (q.full_marks || q.rules.lost_scores_stacks)) return true;
        if (s_.turns_left < count(s_.need)) return false;
        if (s_.turns_left == 0) return true;
        const Rules& r = q.rules;
        const int seat = s_.seat;
        const Mask now = s_.hands[seat] & q.playable(s_.need);
        bool legal = false;
        for (Mask plays = now; plays; plays &= plays - 1) {
            const Mask card = plays & -plays;
            const int gain = card & q.complete ? r.stack_gain : 0;
            const Event event{0, Event::play, static_cast<std::uint8_t>(lowest(card))};
            if (step(line, event, card, std::min(s_.clues + gain, r.max_clues), 0, 1)) return true;
        }
        if (cards_[seat] > 0) {
            legal = true;
            if (s_.clues < r.max_clues || r.discard_at_full) {
                const int clues = std::min(s_.clues + r.discard_gain, r.max_clues);
                if (step(line, {0, Event::pass_discard, 0}, 0, clues, 0, 1)) return true;
            }
        }
        bool target = false;
        for (int p = 0; p < q.players; ++p) target |= p != seat && cards_[p] > 0;
        if (target && s_.clues >= r.clue_price) {
            legal = true;
            const int clues = s_.clues - r.clue_price;
            if (step(line, {0, Event::pass_clue, 0}, 0, clues, 0, 0)) return true;
        }
        if (count(now) < cards_[seat] && s_.strikes + 1 < r.max_strikes)
            if (step(line, {0, Event::pass_misplay, 0}, 0, s_.clues, 1, 1)) return true;
        return !legal && !s_.need;  // with no legal action the game ends as it stands
    }

private:
    bool step(std::vector<Event>& line, Event event, Mask played, int clues, int strikes,
              int cards) {
        FinalRound next = *this;
        next.s_.need &= ~played;
        next.s_.clues = static_cast<std::int16_t>(clues);
        next.s_.strikes = static_cast<std::uint8_t>(s_.strikes + strikes);
        next.s_.seat = static_cast<std::uint8_t>((s_.seat + 1) % q.players);
        --next.s_.turns_left;
        next.cards_[s_.seat] = static_cast<std::uint8_t>(cards_[s_.seat] - cards);
        if (!next.reach(line)) return false;
        line.push_back(event);
        return true;
    }

    const Question<Mask>& q;
    State<Mask> s_;
    std::array<std::uint8_t, kMaxPlayers> cards_;
};

// Whether the game can be ended without losing it once the caps are reached. With two cards in
// hand it always can: at full tokens a clue is legal, below them a discard.
template <class Mask>
class Survival {
public:
    explicit Survival(const Question<Mask>& question) : q(question) {}

    bool possible(const State<Mask>& s) {
        if (s.turns_left >= 0) {
            std::vector<Event> ignored;
            return FinalRound<Mask>(q, s).reach(ignored);
        }
        const Rules& r = q.rules;
        const std::uint64_t id = ((std::uint64_t{s.drawn} * 8 + s.seat) * 256 + s.strikes) * 256 +
                                 static_cast<std::uint64_t>(s.clues);
        if (!hopeless_.insert(id).second) return false;
        if (s.clues < r.max_clues || r.discard_at_full)
            if (possible(next(s, true, std::min(s.clues + r.discard_gain, r.max_clues), 0)))
                return true;
        if (s.clues >= r.clue_price && possible(next(s, false, s.clues - r.clue_price, 0)))
            return true;
        return s.strikes + 1 < r.max_strikes && possible(next(s, true, s.clues, 1));
    }

private:
    State<Mask> next(State<Mask> s, bool draws, int clues, int strikes) const {
        s.clues = static_cast<std::int16_t>(clues);
        s.strikes = static_cast<std::uint8_t>(s.strikes + strikes);
        if (draws && ++s.drawn == q.pile_size) s.turns_left = static_cast<std::int8_t>(q.players);
        s.seat = static_cast<std::uint8_t>((s.seat + 1) % q.players);
        return s;
    }

    const Question<Mask>& q;
    std::unordered_set<std::uint64_t> hopeless_;
};

template <class Mask>
bool survives(const Question<Mask>& q, const State<Mask>& s) {
    if (!q.thin_hands || q.full_marks || q.rules.lost_scores_stacks) return true;
    return Survival<Mask>(q).possible(s);
}

}  // namespace hanabi
