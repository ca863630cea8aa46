// Endgames with open hands and a draw pile in unknown order: exact expectimax by counting orders.
#pragma once

#include <memory>
#include <vector>

#include "moves.hpp"
#include "question.hpp"
#include "search.hpp"

namespace hanabi {

// A value is a number of draw orders (of those in which the target is reached, or of all, each with
// its score), out of n! for n cards in the pile. All values of one state share that denominator,
// so the best action is the largest integer. 20! and 25 * 19! fit in 64 bits.
using Orders = std::uint64_t;

struct Interval {
    Orders low = 0;
    Orders high = 0;
};

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

// What can still matter of a position. Useful cards have a bit, as in `Question`; how many copies
// of each the pile holds is kept in binary, one mask for each binary digit. A second copy in one
// hand is trash.
template <class Mask>
struct Scene {
    std::array<Mask, kMaxPlayers> hands{};
    std::array<Mask, 4> pile{};
    std::array<std::uint8_t, kMaxSuits> stacks{};
    std::array<std::uint8_t, kMaxPlayers> cards{};  // in each hand
    std::uint8_t left = 0;                          // cards in the pile
    std::uint8_t seat = 0;
    std::uint8_t clues = 0;
    std::uint8_t strikes = 0;
    std::int8_t turns_left = -1;

    bool operator==(const Scene& o) const {
        return hands == o.hands && pile == o.pile && stacks == o.stacks && cards == o.cards &&
               left == o.left && seat == o.seat && clues == o.clues && strikes == o.strikes &&
               turns_left == o.turns_left;
    }
    std::uint64_t hash() const {
        std::uint64_t h = 0x9E3779B97F4A7C15u;
        auto mix = [&h](std::uint64_t v) {
            h = (h ^ v) * 0xD6E8FEB86659FD93u;
            h ^= h >> 32;
        };
        for (Mask m : hands) mix(m);
        for (Mask m : pile) mix(m);
        for (std::size_t i = 0; i < kMaxSuits; ++i) mix(stacks[i] * 256u + cards[i]);
        mix(left | seat << 8 | clues << 16 | std::uint64_t{strikes} << 24 |
            std::uint64_t(turns_left + 1) << 32);
        return h;
    }
};

// Values of scenes, or what they are at most; whole keys. It grows up to its share of memory. From
// then on a value takes the place of one with no more cards left, which is the cheaper to find again.
template <class Mask>
class Memo {
public:
    explicit Memo(std::size_t bytes) : slots_(1024) {
        while (most_ * 2 * sizeof(Slot) <= bytes) most_ *= 2;
    }

    struct Known {
        Orders value = 0;
        bool exact = false;  // else it is an upper bound
    };

    const Known* find(const Scene<Mask>& scene) const {
        for (std::size_t i = scene.hash();; ++i) {
            const Slot& slot = slots_[i & (slots_.size() - 1)];
            if (!slot.used) return nullptr;
            if (slot.scene == scene) return &slot.known;
        }
    }
    void put(const Scene<Mask>& scene, Known known) {
        if (4 * used_ >= 3 * slots_.size()) {
            if (slots_.size() >= most_) return replace(scene, known);
            std::vector<Slot> old(slots_.size() * 2);
            old.swap(slots_);
            used_ = 0;
            for (const Slot& slot : old)
                if (slot.used) put(slot.scene, slot.known);
        }
        std::size_t i = scene.hash();
        while (slots_[i & (slots_.size() - 1)].used) {
            Slot& slot = slots_[i & (slots_.size() - 1)];
            if (slot.scene == scene) {
                slot.known = known;
                return;
            }
            ++i;
        }
        slots_[i & (slots_.size() - 1)] = {scene, known, true};
        ++used_;
    }
    std::size_t size() const { return used_; }

private:
    struct Slot {
        Scene<Mask> scene;
        Known known;
        bool used = false;
    };
    static constexpr std::size_t kNeighbours = 4;

    // A used slot stays used, so whatever lies beyond it is still found.
    void replace(const Scene<Mask>& scene, Known known) {
        Slot* cheapest = nullptr;
        for (std::size_t i = scene.hash(), end = i + kNeighbours; i != end; ++i) {
            Slot& slot = slots_[i & (slots_.size() - 1)];
            if (!slot.used) break;
            if (slot.scene == scene) {
                slot.known = known;
                return;
            }
            if (!cheapest || slot.scene.left < cheapest->scene.left) cheapest = &slot;
        }
        if (cheapest && cheapest->scene.left <= scene.left) *cheapest = {scene, known, true};
    }
    std::vector<Slot> slots_;
    std::size_t most_ = 1024;
    std::size_t used_ = 0;
};

template <class Mask>
class Endgame {
public:
    Endgame(const Rules& rules, Aim aim, std::size_t bytes, unsigned cuts)
        : r(rules), aim_(aim), cuts_(cuts), memo_(bytes) {
        stride_ = 1;
        for (int s = 0; s < r.suits; ++s) stride_ = std::max<int>(stride_, r.steps[s]);
        for (int s = 0; s < r.suits; ++s) first_ |= Mask{1} << (s * stride_);
        factorial_[0] = 1;
        for (std::size_t n = 1; n < factorial_.size(); ++n) factorial_[n] = n * factorial_[n - 1];
    }

    // The most cards in the pile for which values fit.
    static constexpr int kMostCards = 19;

    // The value of one legal action.
    Interval value(const Position& position, Action action, Budget& budget) {
        budget_ = &budget;
        const Scene<Mask> scene = scene_of(position);
        const auto& hand = position.hands[position.seat];
        if (action.kind == Kind::clue) return value_of(clued(scene), 0);
        if (action.kind == Kind::deck_play)
            return value_of(from_pile(scene, bit_of(position.pile.front())), 0);
        const Card card = hand[action.slot];
        const Mask bit = bit_of(card);
        const bool twin = std::count(hand.begin(), hand.end(), card) > 1;
        Scene<Mask> after = scene;
        if (!twin) after.hands[scene.seat] &= ~bit;
        if (action.kind == Kind::discard) discard(after);
        else if (position.playable(card)) play(after, suit_of(card));
        else ++after.strikes;
        return drawn(after, 0);
    }

    std::size_t states() const { return memo_.size(); }

private:
    static constexpr std::uint8_t kManyCards = 200;

    struct Child {
        Scene<Mask> scene;
        Orders count;
        Interval value;
        bool known;
    };

    Mask bit_of(Card c) const {
        return c == kUseless ? 0 : Mask{1} << (suit_of(c) * stride_ + step_of(c));
    }

    Scene<Mask> scene_of(const Position& p) const {
        Scene<Mask> s;
        for (int seat = 0; seat < r.players; ++seat) {
            for (Card c : p.hands[seat]) s.hands[seat] |= bit_of(c);
            s.cards[seat] = static_cast<std::uint8_t>(p.hands[seat].size());
        }
        for (Card c : p.pile) add(s.pile, bit_of(c));
        s.stacks = p.stacks;
        s.left = static_cast<std::uint8_t>(p.pile.size());
        s.seat = static_cast<std::uint8_t>(p.seat);
        s.clues = static_cast<std::uint8_t>(p.clues);
        s.strikes = static_cast<std::uint8_t>(p.strikes);
        s.turns_left = static_cast<std::int8_t>(p.turns_left);
        return s;
    }

    static void add(std::array<Mask, 4>& pile, Mask bit) {
        for (Mask& digit : pile) {
            const Mask carry = digit & bit;
            digit ^= bit;
            bit = carry;
        }
    }
    static void take(std::array<Mask, 4>& pile, Mask bit) {
        for (Mask& digit : pile) {
            const Mask borrow = ~digit & bit;
            digit ^= bit;
            bit = borrow;
        }
    }
    static Mask any(const std::array<Mask, 4>& pile) {
        return pile[0] | pile[1] | pile[2] | pile[3];
    }
    static int copies(const std::array<Mask, 4>& pile, Mask bit) {
        int n = 0;
        for (int digit = 0; digit < 4; ++digit) n += pile[digit] & bit ? 1 << digit : 0;
        return n;
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
        if (bit & heads(s)) play(s, lowest(bit) / stride_);
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
            if (s.stacks[suit] < r.steps[suit]) heads |= Mask{1} << (suit * stride_ + s.stacks[suit]);
        return heads;
    }

    // Forgets what can never be played, and bounds the value. An exact bound has low == high.
    Interval strip(Scene<Mask>& s) const {
        const Orders all = factorial_[s.left];
        const int score = points(s);
        if (s.strikes >= r.max_strikes) return fixed(r.lost_scores_stacks ? score : 0, all);
        if (score == r.max_score()) return fixed(score, all);
        if (r.ends_out_of_reach() && out_of_reach(s)) return fixed(0, all);
        if (s.turns_left == 0) return fixed(score, all);
        Mask there = any(s.pile);
        const int live = s.turns_left < 0 ? r.players : s.turns_left;
        // Whether the game can be forced to end below what lies on the stacks.
        bool thin = r.ends_out_of_reach();
        for (int i = 0; i < live; ++i) there |= s.hands[(s.seat + i) % r.players];
        if (r.has_final_round())
            for (int seat = 0; seat < r.players; ++seat) thin |= s.cards[seat] < 2;
        Mask useful = 0, kept = 0;
        for (int suit = 0; suit < r.suits; ++suit)
            for (int step = s.stacks[suit]; step < r.steps[suit]; ++step) {
                const Mask bit = Mask{1} << (suit * stride_ + step);
                if (!(there & bit)) break;
                useful |= bit;
            }
        if (r.ending == Ending::speedrun) {
            // A card that nobody can play any more counts as long as it is not thrown away.
            for (int suit = 0; suit < r.suits; ++suit)
                for (int step = s.stacks[suit]; step < r.steps[suit]; ++step)
                    kept |= Mask{1} << (suit * stride_ + step);
        } else {
            kept = useful;
            if (s.turns_left >= 0)
                for (int i = live; i < r.players; ++i) s.hands[(s.seat + i) % r.players] = 0;
        }
        for (Mask& hand : s.hands) hand &= kept;
        for (Mask& digit : s.pile) digit &= kept;
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
    // Whether a card that full marks need is gone; hands whose turns are over count too.
    bool out_of_reach(const Scene<Mask>& s) const {
        Mask there = any(s.pile);
        for (const Mask hand : s.hands) there |= hand;
        for (int suit = 0; suit < r.suits; ++suit)
            for (int step = s.stacks[suit]; step < r.steps[suit]; ++step)
                if (!(there >> (suit * stride_ + step) & 1)) return true;
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
        for (int digit = 0; digit < 4; ++digit) idle -= count(s.pile[digit]) << digit;
        return s.left + live - std::max(idle, 0);
    }

    // Whether too many cards must be played by those who hold them now: of each hand all but one,
    // at a draw.
    bool crowded(const Scene<Mask>& s) const {
        Mask once = any(s.pile), twice = once;
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
        const Mask wild = any(s.pile);
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
        const Mask tops = rest & ~((rest & ~first_) >> 1);
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
        Orders fewest = factorial_[s.left];
        std::array<std::uint8_t, kMostCards + 1> due{};  // single cards, by when they must come
        int single = 0;
        for (Mask rest = useful & ~held; rest; rest &= rest - 1) {
            const int bit = lowest(rest);
            const Mask suit = (Mask{1} << (stride_ - 1) << 1) - 1;  // two shifts: stride may be all
            const int chain = count((useful >> bit) & (suit >> bit % stride_));
            // Played from the pile, the last card has all last turns after it.
            const int after = last_events(s);
            const int ends = r.has_final_round() && chain > 1;
            const int latest = r.deck_play && chain <= after + 1
                                   ? s.left
                                   : std::min(s.left - ends, s.left + after - chain);
            const int n = copies(s.pile, Mask{1} << bit);
            if (latest <= 0) return 0;
            if (n == 1) {
                ++due[static_cast<std::size_t>(latest)];
                ++single;
                continue;
            }
            Orders late = factorial_[s.left - n];  // orders with every copy after `latest`
            for (int i = 0; i < n; ++i) late *= static_cast<Orders>(std::max(s.left - latest - i, 0));
            fewest = std::min(fewest, factorial_[s.left] - late);
        }
        Orders ways = factorial_[s.left - single];
        for (int at = 1, placed = 0; at <= s.left; ++at)
            for (int i = due[static_cast<std::size_t>(at)]; i > 0; --i, ++placed)
                ways *= static_cast<Orders>(std::max(at - placed, 0));
        return std::min(fewest, ways);
    }
    Interval fixed(int score, Orders all) const {
        const Orders value = aim_.score ? static_cast<Orders>(score) * all
                                        : score >= aim_.target ? all : 0;
        return {value, value};
    }

    // The value of a state in which the seat is to move. Where it is no more than `enough`, any
    // upper bound not above that may come back instead.
    Interval value_of(Scene<Mask> s, Orders enough) {
        const Interval bound = strip(s);
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
            best = fixed(r.only_full_marks() ? 0 : points(s), factorial_[s.left]);
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
        const Mask now = hand & heads(s);
        const bool trash = s.cards[seat] > count(hand);
        const bool may_discard = s.clues < r.max_clues || r.discard_at_full;
        bool target = false;
        for (int p = 0; p < r.players; ++p) target |= p != seat && s.cards[p] > 0;
        const bool may_clue = target && s.clues >= r.clue_price;
        // What a clue leads to may be known from another way.
        bool clue_known = false;
        if (may_clue) {
            Scene<Mask> t = clued(s);
            const Interval bound = strip(t);
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
            play(t, lowest(bit) / stride_);
            if (take_better(drawn(t, enough()))) return;
        }
        if (may_discard && trash) {
            Scene<Mask> t = s;
            discard(t);
            if (take_better(drawn(t, enough()))) return;
        }
        if (r.deck_play && s.left == 1) {
            const Scene<Mask> t = from_pile(s, any(s.pile));
            if (t.strikes < r.max_strikes && take_better(value_of(t, enough()))) return;
        }
        if (may_clue && !clue_known && take_better(value_of(clued(s), enough()))) return;
        // With trash in hand, throwing that away is at least as good as a useful card.
        if (may_discard && !trash)
            for (Mask out = hand; out; out &= out - 1) {
                Scene<Mask> t = s;
                t.hands[seat] &= ~(out & -out);
                discard(t);
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
            pass_turn(s);
            return value_of(s, enough);
        }
        if (s.strikes >= r.max_strikes)
            return fixed(r.lost_scores_stacks ? points(s) : 0, factorial_[s.left]);
        if (points(s) == r.max_score()) return fixed(points(s), factorial_[s.left]);
        --s.left;
        const bool last = s.left == 0;
        pass_turn(s);
        if (last && r.has_final_round()) s.turns_left = static_cast<std::int8_t>(r.players);
        std::array<Child, kMostCards + 1> children;
        std::size_t n = 0;
        int trash = s.left + 1;
        Interval sum;
        auto branch = [&](Mask bit, int copies) {
            Child& child = children[n++];
            child.scene = s;
            child.scene.hands[seat] |= bit;
            if (bit) take(child.scene.pile, bit);
            child.count = static_cast<Orders>(copies);
            child.value = strip(child.scene);
            child.known = child.value.low == child.value.high;
            sum.low += child.count * child.value.low;
            sum.high += child.count * child.value.high;
        };
        for (Mask rest = any(s.pile); rest; rest &= rest - 1) {
            const Mask bit = rest & -rest;
            const int copies_left = copies(s.pile, bit);
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
    const Aim aim_;
    const unsigned cuts_;
    int stride_ = 1;
    Mask first_ = 0;  // the lowest bit of each suit
    std::array<Orders, 21> factorial_{};
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
        if (position.pile.size() > Endgame<std::uint32_t>::kMostCards)
            throw std::invalid_argument("there are too many cards in the pile");
        if (!same_rules(position)) throw std::invalid_argument("the rules are not those given first");
        return narrow_ ? narrow_->value(position, action, budget)
                       : wide_->value(position, action, budget);
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
