// What a scene can come to, without looking ahead: bounds, and what can be forgotten.
#pragma once

#include "orders.hpp"
#include "scene.hpp"

namespace hanabi {

// What may be switched off; DESIGN.md proves each, and tests compare the values.
enum Cut : unsigned {
    kCutInTime = 1,     // cards must be drawn in time
    kCutLastTurns = 2,  // hands must get rid of their cards, the last ones in the order of turns
    kCutForget = 4,     // strikes, tokens and trash that make no difference are forgotten
    kCutWindow = 8,     // a state need not be valued that cannot beat what is known
    kAllCuts = 15,
};

struct Aim {
    bool score = false;  // the expected score, not the chance of the target
    int target = 0;
};

// The bounds of scenes for one aim.
template <class Mask>
class Prospects {
public:
    Prospects(const Scenes<Mask>& scenes, Aim aim, unsigned cuts)
        : r(scenes.r), scenes_(scenes), aim_(aim), cuts_(cuts) {}

    // The value of a game that ends with this score.
    Interval fixed(int score, Orders all) const {
        const Orders value = aim_.score ? static_cast<Orders>(score) * all
                                        : score >= aim_.target ? all : 0;
        return {value, value};
    }

    // Forgets what can never be played, and bounds the value. An exact bound has low == high.
    Interval strip(Scene<Mask>& s) const {
        const Orders all = kFactorial[s.left];
        const int score = scenes_.points(s);
        if (s.strikes >= r.max_strikes) return fixed(r.lost_scores_stacks ? score : 0, all);
        if (score == r.max_score()) return fixed(score, all);
        if (r.ends_out_of_reach() && out_of_reach(s)) return fixed(0, all);
        if (s.turns_left == 0) return fixed(score, all);
        Mask there = s.pile.any();
        const int live = s.turns_left < 0 ? r.players : s.turns_left;
        // Whether the game can be forced to end below what lies on the stacks.
        bool thin = r.ends_out_of_reach();
        for (int i = 0; i < live; ++i) there |= s.hands[(s.seat + i) % r.players];
        if (r.has_final_round())
            for (int seat = 0; seat < r.players; ++seat) thin |= s.cards[seat] < 2;
        Mask useful = 0, kept = 0;
        for (int suit = 0; suit < r.suits; ++suit)
            for (int step = s.stacks[suit]; step < r.steps[suit]; ++step) {
                const Mask bit = Mask{1} << (suit * scenes_.stride + step);
                if (!(there & bit)) break;
                useful |= bit;
            }
        if (r.ending == Ending::speedrun) {
            // A card that nobody can play any more counts as long as it is not thrown away.
            for (int suit = 0; suit < r.suits; ++suit)
                for (int step = s.stacks[suit]; step < r.steps[suit]; ++step)
                    kept |= Mask{1} << (suit * scenes_.stride + step);
        } else {
            kept = useful;
            if (s.turns_left >= 0)
                for (int i = live; i < r.players; ++i) s.hands[(s.seat + i) % r.players] = 0;
        }
        for (Mask& hand : s.hands) hand &= kept;
        s.pile.keep(kept);
        if (cuts_ & kCutForget) forget(s);
        const int most = score + std::min(count(useful), most_plays(s));
        if (r.only_full_marks() && most < r.max_score()) return fixed(0, all);
        if (aim_.score) {
            // With two cards in every hand the game can always be ended without losing it.
            return {thin ? 0 : static_cast<Orders>(score) * all, static_cast<Orders>(most) * all};
        }
        if (most < aim_.target) return {0, 0};
        if (s.turns_left < 0 && score + count(useful) == aim_.target) {
            if ((cuts_ & kCutLastTurns) && r.ending == Ending::final_round &&
                (crowded(s) || out_of_turn(s, useful))) return {0, 0};
            const Orders high = cuts_ & kCutInTime ? drawn_in_time(s, useful) : all;
            return {score >= aim_.target && !thin ? all : 0, high};
        }
        return {score >= aim_.target && !thin ? all : 0, all};
    }

private:
    static constexpr std::uint8_t kManyCards = 200;

    // Whether a card that full marks need is gone; hands whose turns are over count too.
    bool out_of_reach(const Scene<Mask>& s) const {
        Mask there = s.pile.any();
        for (const Mask hand : s.hands) there |= hand;
        for (int suit = 0; suit < r.suits; ++suit)
            for (int step = s.stacks[suit]; step < r.steps[suit]; ++step)
                if (!(there >> (suit * scenes_.stride + step) & 1)) return true;
        return false;
    }
    // The plays and discards that can follow the last draw.
    int last_events(const Scene<Mask>& s) const {
        if (r.has_final_round()) return r.players;
        int cards = 0;
        for (const std::uint8_t n : s.cards) cards += n;
        return cards;
    }
    // Whether everybody can pass in the final round without a strike, whatever the tokens: with a
    // card of their own below full tokens, and at full tokens by a clue to one of two hands, of
    // which one is not theirs, that are never empty.
    bool is_calm(const Scene<Mask>& s) const {
        if (r.ending != Ending::final_round) return false;
        const int live = s.turns_left < 0 ? r.players : s.turns_left;
        int lasting = 0;
        for (int i = 0; i < r.players; ++i) {
            const int cards = s.cards[(s.seat + i) % r.players];
            if (i < live && cards == 0) return false;
            lasting += cards > (i < live ? 1 : 0);
        }
        return lasting > 1;
    }

    // Writes the same where strikes, tokens or trash can make no difference any more.
    void forget(Scene<Mask>& s) const {
        if (!is_calm(s)) return;
        if (s.turns_left >= 0) {
            s.clues = s.strikes = 0;
            std::fill_n(s.cards.begin(), r.players, kManyCards);
            return;
        }
        const int gain = std::max(r.discard_gain, r.stack_gain);
        if (!r.discard_at_full && s.clues + (s.left - 1) * gain >= r.max_clues) return;
        s.strikes = 0;
        s.clues = static_cast<std::uint8_t>(
            std::min<int>(s.clues, s.left * (r.players - 1) * r.clue_price));
    }

    // How many turns to come can be plays: whoever holds nothing useful and draws nothing useful
    // has none in the final round.
    int most_plays(const Scene<Mask>& s) const {
        const int live = s.turns_left < 0 ? last_events(s) : s.turns_left;
        int idle = 0;
        if (!(cuts_ & kCutLastTurns) || r.ending != Ending::final_round) return s.left + live;
        for (int i = 0; i < live; ++i) idle += s.hands[(s.seat + i) % r.players] == 0;
        idle -= s.pile.all();
        return s.left + live - std::max(idle, 0);
    }

    // Whether too many cards must be played by those who hold them now: of each hand all but one,
    // at a draw.
    bool crowded(const Scene<Mask>& s) const {
        Mask once = s.pile.any(), twice = once;
        for (const Mask hand : s.hands) {
            twice |= once & hand;
            once |= hand;
        }
        int draws = 0;
        for (const Mask hand : s.hands) draws += std::max(count(hand & ~twice) - 1, 0);
        return draws > s.left;
    }

    // Whether the plays that the draws leave over do not fit the order of turns of any final round.
    // Cards in the pile are taken as anybody's.
    bool out_of_turn(const Scene<Mask>& s, Mask useful) const {
        const int late = count(useful) - s.left;
        if (late <= 0) return false;
        const Mask wild = s.pile.any();
        // Who may draw the last card: with one left, whoever clues lead to.
        const int most = s.left == 1 ? std::min(s.clues / r.clue_price, r.players - 1)
                                     : r.players - 1;
        for (int ahead = 0; ahead <= most; ++ahead)
            if (ends_with(s, (s.seat + ahead) % r.players, r.players, useful, wild, late))
                return false;
        return true;
    }

    // Whether so many of the cards `rest`, the last of their suits, can be played in the first
    // `turns` turns of a final round, the last of which is `seat`'s.
    bool ends_with(const Scene<Mask>& s, int seat, int turns, Mask rest, Mask wild, int late) const {
        if (late == 0) return true;
        if (turns < late) return false;
        const int before = (seat + r.players - 1) % r.players;
        const Mask tops = rest & ~((rest & ~scenes_.first) >> 1);
        for (Mask plays = tops & (s.hands[seat] | wild); plays; plays &= plays - 1)
            if (ends_with(s, before, turns - 1, rest & ~(plays & -plays), wild, late - 1)) return true;
        return ends_with(s, before, turns - 1, rest, wild, late);
    }

    // The release bound, for when every useful card must be played: a card that is still to be drawn
    // must come early enough for what is built on it, and the last card can carry nothing. Counts
    // the orders in which all cards of which there is one copy do, or the first copy of another card,
    // if these are fewer.
    Orders drawn_in_time(const Scene<Mask>& s, Mask useful) const {
        Mask held = 0;
        for (const Mask hand : s.hands) held |= hand;
        Orders fewest = kFactorial[s.left];
        std::array<std::uint8_t, kMostCards + 1> due{};  // single cards, by when they must come
        int single = 0;
        for (Mask rest = useful & ~held; rest; rest &= rest - 1) {
            const int bit = lowest(rest);
            // Two shifts: the stride may be all.
            const Mask suit = (Mask{1} << (scenes_.stride - 1) << 1) - 1;
            const int chain = count((useful >> bit) & (suit >> bit % scenes_.stride));
            // Played from the pile, the last card has all last turns after it.
            const int after = last_events(s);
            const int ends = r.has_final_round() && chain > 1;
            const int latest = r.deck_play && chain <= after + 1
                                   ? s.left
                                   : std::min(s.left - ends, s.left + after - chain);
            const int n = s.pile.of(Mask{1} << bit);
            if (latest <= 0) return 0;
            if (n == 1) {
                ++due[static_cast<std::size_t>(latest)];
                ++single;
                continue;
            }
            Orders late = kFactorial[s.left - n];  // orders with every copy after `latest`
            for (int i = 0; i < n; ++i) late *= static_cast<Orders>(std::max(s.left - latest - i, 0));
            fewest = std::min(fewest, kFactorial[s.left] - late);
        }
        Orders ways = kFactorial[s.left - single];
        for (int at = 1, placed = 0; at <= s.left; ++at)
            for (int i = due[static_cast<std::size_t>(at)]; i > 0; --i, ++placed)
                ways *= static_cast<Orders>(std::max(at - placed, 0));
        return std::min(fewest, ways);
    }

    const Rules r;
    const Scenes<Mask> scenes_;
    const Aim aim_;
    const unsigned cuts_;
};

}  // namespace hanabi
