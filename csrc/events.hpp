// What can be done in a state of the search, and what comes of it.
#pragma once

#include <vector>

#include "bounds.hpp"

namespace hanabi {

// How the order of moves weighs tokens against pace. Runs with different styles find what one style
// would find late.
struct Style {
    int wait_poor, wait_some, wait_rich;  // cost of a clue with at most 2, at most 5, more tokens
    int discard;                          // cost of a discard
    int tight;                            // and more of it when little may be left unplayed
    int thrift;                           // and less of it with at most one token
    int rank;                             // cost of a play for each step up its suit
    int load;                             // cost, per useful card held, of drawing a useful card
    int near;                             // cost of drawing a card next to one held in its suit
};

inline constexpr std::array<Style, 6> kStyles{{
    {22, 5, 27, 10, 60, 5, 2, 8, 26},
    {8, 7, 11, 10, 44, 5, 4, 2, 12},
    {36, 5, 19, 10, 60, 1, 0, 6, 28},
    {20, 11, 13, 12, 46, 3, 0, 0, 0},
    {0, 17, 11, 12, 52, 13, 4, 2, 12},
    {12, 9, 7, 12, 10, 3, 2, 0, 0},
}};

// An event and what it costs in the order of moves.
struct Priced {
    int cost;
    Event event;
};

template <class Mask>
class Events {
public:
    Events(const Question<Mask>& question, unsigned rules) : q(question), rules_(rules) {}

    // Appends the events of every seat that can be reached by clues, at least `least` of them.
    // Returns whether a discard was left out that would be there if discarding at full tokens were
    // free.
    bool add(const State<Mask>& s, int least, const Style& style,
             std::vector<Priced>& moves) const {
        const int price = q.rules.clue_price;
        const Mask now = q.playable(s.need);
        const int spare = events_left(q, s) - count(s.need);
        const bool strike = s.strikes + 1 < q.rules.max_strikes;
        bool barred = false;
        Mask held = 0, twice = 0;
        for (int p = 0; p < q.players; ++p) {
            twice |= held & s.hands[p];
            held |= s.hands[p];
        }
        const int most = !least ? q.most_waits(s.clues) : price ? s.clues / price : 0;
        const int patience = wait_cost(style, s);
        int actor = (s.seat + least) % q.players;
        for (int wait = least; wait <= most; ++wait, actor = q.after(actor)) {
            const int clues = s.clues - wait * price;
            const Mask hand = s.hands[actor];
            const int toll = wait * patience + draw_cost(style, s, hand);
            for (Mask plays = hand & now; plays; plays &= plays - 1) {
                const int bit = lowest(plays);
                const Mask card = Mask{1} << bit;
                int cost = toll + style.rank * (bit % q.stride);
                if ((card << 1) & ~q.first & held) cost -= 3;
                if (twice & card) cost += 2;
                moves.push_back({cost, event(wait, Event::play, bit)});
            }
            if (q.from_pile(s.drawn))
                barred |= add_deck_plays(s, wait, toll, strike, style, moves);
            const bool bar = full_tokens_bar(clues);
            const bool trash = count(hand) < q.hand_size;
            bool useful = !trash || !(rules_ & kRuleTrashFirst);
            if (trash) {
                // At full tokens a discard is a misplay. If the only trash is the second copy of
                // a playable card, that misplay would be a play: no worse, and the line's builder
                // makes it one.
                if (!bar || strike)
                    moves.push_back({toll + discard_cost(style, clues, spare) +
                                         (bar ? kStrikeCost : 0),
                                     event(wait, Event::discard_trash, 0)});
                else
                    barred = true;
            }
            if (!useful) continue;
            for (Mask rest = hand & (bar ? ~now : ~Mask{0}); rest; rest &= rest - 1) {
                const int bit = lowest(rest);
                const Mask card = Mask{1} << bit;
                const bool elsewhere = (twice & card) != 0;
                if (!elsewhere && !(q.later[s.drawn] & card)) continue;
                if (bar && !strike) {
                    barred = true;
                    continue;
                }
                const int cost = toll + discard_cost(style, clues, spare) +
                                 (bar ? kStrikeCost : 0) + (elsewhere ? 10 : 25);
                moves.push_back({cost, event(wait, Event::discard_useful, bit)});
            }
        }
        return barred;
    }

    State<Mask> after(const State<Mask>& s, Event event) const {
        State<Mask> t = s;
        const Rules& r = q.rules;
        const int actor = (s.seat + event.wait) % q.players;
        t.clues = static_cast<std::int16_t>(s.clues - event.wait * r.clue_price);
        const bool from_pile = event.what == Event::deck_play || event.what == Event::deck_throw;
        if (event.what == Event::play || event.what == Event::deck_play) {
            const Mask card = Mask{1} << event.card;
            t.need &= ~card;
            for (int p = 0; p < q.players; ++p) t.hands[p] &= ~card;
            if (q.complete & card)
                t.clues = static_cast<std::int16_t>(std::min(t.clues + r.stack_gain, r.max_clues));
        } else if (event.what == Event::deck_throw) {
            ++t.strikes;
        } else {
            if (event.what == Event::discard_useful) t.hands[actor] &= ~(Mask{1} << event.card);
            if (full_tokens_bar(t.clues)) ++t.strikes;
            else t.clues = static_cast<std::int16_t>(std::min(t.clues + r.discard_gain, r.max_clues));
        }
        if (!from_pile) t.hands[actor] |= q.pile[t.drawn] & t.need;
        if (++t.drawn == q.pile_size && !q.endless)
            t.turns_left = static_cast<std::int8_t>(q.players);
        t.seat = static_cast<std::uint8_t>(q.after(actor));
        return t;
    }

private:
    static constexpr int kStrikeCost = 150;  // people do not like to see strikes

    bool full_tokens_bar(int clues) const {
        return clues >= q.rules.max_clues && !q.rules.discard_at_full;
    }

    // The last card may go from the pile to its stack, or be thrown away as a misplay. In a game with
    // a final round the latter only serves a hand of a single card; of two, one can be thrown away
    // instead.
    bool add_deck_plays(const State<Mask>& s, int wait, int toll, bool strike, const Style& style,
                        std::vector<Priced>& moves) const {
        const Mask card = q.pile[s.drawn] & q.playable(s.need);
        const bool serves = q.thin_hands || q.endless;
        if (card) {
            const int bit = lowest(card);
            moves.push_back({toll + style.rank * (bit % q.stride),
                             event(wait, Event::deck_play, bit)});
        } else if (strike && serves) {
            moves.push_back({toll + 2 * kStrikeCost, event(wait, Event::deck_throw, 0)});
        }
        return !card && !strike && serves;
    }

    static Event event(int wait, Event::What what, int card) {
        return {static_cast<std::uint8_t>(wait), what, static_cast<std::uint8_t>(card)};
    }

    static int wait_cost(const Style& style, const State<Mask>& s) {
        return s.clues <= 2 ? style.wait_poor : s.clues <= 5 ? style.wait_some : style.wait_rich;
    }

    int discard_cost(const Style& style, int clues, int spare) const {
        int cost = style.discard;
        if (clues <= 1) cost -= style.thrift;
        if (clues >= q.rules.max_clues - 1) cost += 8;
        return cost + (spare < 12 ? style.tight >> (spare / 2) : 0);
    }

    // A useful card is best drawn by a hand with room, and with none of its neighbours in the suit,
    // for a player needs a whole round between two plays.
    int draw_cost(const Style& style, const State<Mask>& s, Mask hand) const {
        const Mask card = q.pile[s.drawn] & s.need;
        if (!card) return 0;
        const Mask beside = ((card << 1) & ~q.first) | ((card & ~q.first) >> 1);
        return style.load * count(hand) + (hand & beside ? style.near : 0);
    }

    const Question<Mask>& q;
    unsigned rules_;
};

}  // namespace hanabi
