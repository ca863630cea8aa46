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

// Exact values of scenes, whole keys; it grows up to its share of memory. From then on a value
// takes the place of one with no more cards left, which is the cheaper to find again.
template <class Mask>
class Memo {
public:
    explicit Memo(std::size_t bytes) : slots_(1024) {
        while (most_ * 2 * sizeof(Slot) <= bytes) most_ *= 2;
    }

    const Orders* find(const Scene<Mask>& scene) const {
        for (std::size_t i = scene.hash();; ++i) {
            const Slot& slot = slots_[i & (slots_.size() - 1)];
            if (!slot.used) return nullptr;
            if (slot.scene == scene) return &slot.value;
        }
    }
    void put(const Scene<Mask>& scene, Orders value) {
        if (4 * used_ >= 3 * slots_.size()) {
            if (slots_.size() >= most_) return replace(scene, value);
            std::vector<Slot> old(slots_.size() * 2);
            old.swap(slots_);
            used_ = 0;
            for (const Slot& slot : old)
                if (slot.used) put(slot.scene, slot.value);
        }
        std::size_t i = scene.hash();
        while (slots_[i & (slots_.size() - 1)].used) {
            if (slots_[i & (slots_.size() - 1)].scene == scene) return;
            ++i;
        }
        slots_[i & (slots_.size() - 1)] = {scene, value, true};
        ++used_;
    }
    std::size_t size() const { return used_; }

private:
    struct Slot {
        Scene<Mask> scene;
        Orders value = 0;
        bool used = false;
    };
    static constexpr std::size_t kNeighbours = 4;

    // A used slot stays used, so whatever lies beyond it is still found.
    void replace(const Scene<Mask>& scene, Orders value) {
        Slot* cheapest = nullptr;
        for (std::size_t i = scene.hash(), end = i + kNeighbours; i != end; ++i) {
            Slot& slot = slots_[i & (slots_.size() - 1)];
            if (!slot.used) break;
            if (slot.scene == scene) return;
            if (!cheapest || slot.scene.left < cheapest->scene.left) cheapest = &slot;
        }
        if (cheapest && cheapest->scene.left <= scene.left) *cheapest = {scene, value, true};
    }
    std::vector<Slot> slots_;
    std::size_t most_ = 1024;
    std::size_t used_ = 0;
};

template <class Mask>
class Endgame {
public:
    Endgame(const Rules& rules, Aim aim, std::size_t bytes) : r(rules), aim_(aim), memo_(bytes) {
        stride_ = 1;
        for (int s = 0; s < r.suits; ++s) stride_ = std::max<int>(stride_, r.steps[s]);
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
        if (action.kind == Kind::clue) return value_of(clued(scene));
        if (action.kind == Kind::deck_play) return value_of(from_pile(scene, bit_of(position.pile.front())));
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
        const int last = last_events(s);
        const int events = s.turns_left < 0 ? s.left + last : s.turns_left;
        const int most = score + std::min(count(useful), events);
        if (r.only_full_marks() && most < r.max_score()) return fixed(0, all);
        if (aim_.score) {
            // With two cards in every hand the game can always be ended without losing it.
            return {thin ? 0 : static_cast<Orders>(score) * all, static_cast<Orders>(most) * all};
        }
        if (most < aim_.target) return {0, 0};
        if (s.turns_left < 0 && score + count(useful) == aim_.target) {
            const Orders high = drawn_in_time(s, useful);
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
    // The release bound, for when every useful card must be played: a card that is still to be drawn
    // must come early enough for what is built on it, and the last card can carry nothing. Counts
    // the orders in which the first copy does, for the card for which they are fewest.
    Orders drawn_in_time(const Scene<Mask>& s, Mask useful) const {
        Mask held = 0;
        for (const Mask hand : s.hands) held |= hand;
        Orders fewest = factorial_[s.left];
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
            Orders late = factorial_[s.left - n];  // orders with every copy after `latest`
            for (int i = 0; i < n; ++i) late *= static_cast<Orders>(std::max(s.left - latest - i, 0));
            fewest = std::min(fewest, factorial_[s.left] - late);
        }
        return fewest;
    }
    Interval fixed(int score, Orders all) const {
        const Orders value = aim_.score ? static_cast<Orders>(score) * all
                                        : score >= aim_.target ? all : 0;
        return {value, value};
    }

    // The value of a state in which the seat is to move.
    Interval value_of(Scene<Mask> s) {
        const Interval bound = strip(s);
        return bound.low == bound.high ? bound : inner(s, bound);
    }

    Interval inner(const Scene<Mask>& s, Interval bound) {
        if (const Orders* known = memo_.find(s)) return {*known, *known};
        if (budget_->spent()) return bound;
        Interval best{0, 0};
        bool legal = false;
        auto take_better = [&](Interval v) {
            legal = true;
            best.low = std::max(best.low, v.low);
            best.high = std::max(best.high, v.high);
            return best.low >= bound.high;
        };
        moves(s, best, take_better);
        if (!legal)  // stuck: it ends as it stands
            best = fixed(r.only_full_marks() ? 0 : points(s), factorial_[s.left]);
        best.high = std::min(best.high, bound.high);
        best.low = std::max(best.low, std::min(bound.low, best.high));
        if (best.low == best.high) memo_.put(s, best.low);
        return best;
    }

    // Every action that may be best; stops when `take_better` says that nothing can be better.
    template <class Take>
    void moves(const Scene<Mask>& s, const Interval& best, Take take_better) {
        const int seat = s.seat;
        const Mask hand = s.hands[seat];
        const Mask now = hand & heads(s);
        const bool trash = s.cards[seat] > count(hand);
        const bool may_discard = s.clues < r.max_clues || r.discard_at_full;
        for (Mask plays = now; plays; plays &= plays - 1) {
            const Mask bit = plays & -plays;
            Scene<Mask> t = s;
            t.hands[seat] &= ~bit;
            play(t, lowest(bit) / stride_);
            if (take_better(drawn(t, best.low))) return;
        }
        if (may_discard && trash) {
            Scene<Mask> t = s;
            discard(t);
            if (take_better(drawn(t, best.low))) return;
        }
        if (r.deck_play && s.left == 1) {
            const Scene<Mask> t = from_pile(s, any(s.pile));
            if (t.strikes < r.max_strikes && take_better(value_of(t))) return;
        }
        bool target = false;
        for (int p = 0; p < r.players; ++p) target |= p != seat && s.cards[p] > 0;
        if (target && s.clues >= r.clue_price && take_better(value_of(clued(s)))) return;
        // With trash in hand, throwing that away is at least as good as a useful card.
        if (may_discard && !trash)
            for (Mask out = hand; out; out &= out - 1) {
                Scene<Mask> t = s;
                t.hands[seat] &= ~(out & -out);
                discard(t);
                if (take_better(drawn(t, best.low))) return;
            }
        // Below full tokens a discard does all that a misplay does. A misplay that loses the game
        // is only tried when there is nothing else.
        if (may_discard && s.cards[seat] > 0) return;
        const bool forced = !(target && s.clues >= r.clue_price) && !now;
        if (s.strikes + 1 >= r.max_strikes && !forced) return;
        Scene<Mask> t = s;
        ++t.strikes;
        if (trash) {
            take_better(drawn(t, best.low));
            return;
        }
        for (Mask out = hand & ~now; out; out &= out - 1) {
            Scene<Mask> u = t;
            u.hands[seat] &= ~(out & -out);
            if (take_better(drawn(u, best.low))) return;
        }
    }

    // The value after a card has left the hand of the seat to move: it draws, and the turn passes.
    // Once it cannot be more than `enough`, any upper bound not above that may come back.
    Interval drawn(Scene<Mask> s, Orders enough) {
        const int seat = s.seat;
        if (s.left == 0) {
            --s.cards[seat];
            pass_turn(s);
            return value_of(s);
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
            const Interval v = inner(child.scene, child.value);
            sum.low += child.count * (v.low - child.value.low);
            sum.high -= child.count * (child.value.high - v.high);
        }
        return sum;
    }

    const Rules r;
    const Aim aim_;
    int stride_ = 1;
    std::array<Orders, 21> factorial_{};
    Memo<Mask> memo_;
    Budget* budget_ = nullptr;
};

// An endgame of whatever width its rules need. It keeps what it found, for positions of one game.
class AnyEndgame {
public:
    AnyEndgame(const Position& like, Aim aim, std::size_t bytes) : like_(like) {
        if (like.rules.stack_gain > like.rules.discard_gain && !like.rules.discard_at_full)
            throw std::invalid_argument("a finished stack gives back more than a discard");
        if (Question<std::uint32_t>::fits(like))
            narrow_ = std::make_unique<Endgame<std::uint32_t>>(like.rules, aim, bytes);
        else
            wide_ = std::make_unique<Endgame<std::uint64_t>>(like.rules, aim, bytes);
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
