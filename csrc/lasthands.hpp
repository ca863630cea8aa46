// A game without a final round, once the pile is empty: nobody draws, and hands shrink.
#pragma once

#include <unordered_map>
#include <vector>

#include "question.hpp"

namespace hanabi {

enum class Reach : std::uint8_t {
    yes,
    not_so,  // not in the real game; it would be if discarding at full tokens were free
    never,   // not even then
    open,    // a limit was reached
};

// Whether the caps can be reached from the last draw on. The cards are all in hands, each event
// takes one away, and a clue needs a token and another hand that is not empty. Remembers for one
// question what was refuted.
template <class Mask>
class LastHands {
public:
    LastHands(const Question<Mask>& question, bool trash_first)
        : q(question), trash_first_(trash_first) {}

    // Appends the events that reach the caps to `line`, last first. `spent` counts a node and says
    // whether to give up.
    template <class Spent>
    Reach reach(const State<Mask>& s, std::vector<Event>& line, Spent spent) {
        Scene scene;
        scene.hands = s.hands;
        scene.cards = q.cards;
        scene.need = s.need;
        scene.seat = s.seat;
        scene.strikes = s.strikes;
        const bool bars = !q.rules.discard_at_full;
        Tri found = visit(scene, s.clues, bars, line, spent);
        if (found == Tri::yes) return Reach::yes;
        if (found == Tri::no && bars) {
            std::vector<Event> ignored;
            found = visit(scene, s.clues, false, ignored, spent);
            if (found == Tri::yes) return Reach::not_so;
        }
        return found == Tri::no ? Reach::never : Reach::open;
    }

private:
    enum class Tri : std::uint8_t { no, yes, open };

    struct Scene {
        std::array<Mask, kMaxPlayers> hands{};
        std::array<std::uint8_t, kMaxPlayers> cards{};  // in each hand
        Mask need = 0;
        std::uint8_t seat = 0;
        std::uint8_t strikes = 0;  // 0 where discards are free: nobody misplays then

        bool operator==(const Scene& o) const {
            return hands == o.hands && cards == o.cards && need == o.need && seat == o.seat &&
                   strikes == o.strikes;
        }
    };
    struct Hash {
        std::size_t operator()(const Scene& s) const {
            std::uint64_t h = 0x9E3779B97F4A7C15u * static_cast<std::uint64_t>(s.need + 1);
            auto mix = [&h](std::uint64_t v) {
                h = (h ^ v) * 0xD6E8FEB86659FD93u;
                h ^= h >> 32;
            };
            for (Mask m : s.hands) mix(m);
            for (std::uint8_t n : s.cards) mix(n);
            mix(s.seat | s.strikes << 8);
            return h;
        }
    };
    // Refuted amounts of tokens, one bit each; where discards are free one amount stands for all
    // smaller ones, because more tokens never harm there.
    using Refuted = std::array<std::uint64_t, 4>;
    using Memo = std::unordered_map<Scene, Refuted, Hash>;
    static constexpr std::size_t kMost = 1 << 20;

    static bool known(const Memo& memo, const Scene& s, int clues, bool bars) {
        const auto at = memo.find(s);
        if (at == memo.end()) return false;
        for (int k = clues; k < 256; ++k) {
            if (at->second[static_cast<std::size_t>(k / 64)] >> (k % 64) & 1) return true;
            if (bars) break;
        }
        return false;
    }

    // A state is noted as refuted before it is searched: a way that comes back to it is no help,
    // for the way from there on can be had at once.
    template <class Spent>
    Tri visit(Scene s, int clues, bool bars, std::vector<Event>& line, Spent spent) {
        if (!s.need) return Tri::yes;
        if (spent()) return Tri::open;
        if (!bars) s.strikes = 0;
        Mask held = 0;
        for (int p = 0; p < q.players; ++p) held |= s.hands[p] &= s.need;
        if (s.need & ~held) return Tri::no;
        Memo& memo = bars ? real_ : relaxed_;
        if (known(memo, s, clues, bars)) return Tri::no;
        if (memo.size() >= kMost) memo.clear();
        memo[s][static_cast<std::size_t>(clues / 64)] |= std::uint64_t{1} << (clues % 64);
        bool open = false;
        const int price = q.rules.clue_price;
        int most = price ? clues / price : q.players - 1;
        if (!bars) most = std::min(most, q.players - 1);
        // What needs few tokens comes first: plays, then discards, then clues; misplays come last.
        for (const bool strikes : {false, true})
            for (int wait = 0; wait <= most; ++wait) {
                if (wait > 0 && !can_clue(s, (s.seat + wait - 1) % q.players)) break;
                const int actor = (s.seat + wait) % q.players;
                const int left = clues - wait * price;
                if (strikes && !(bars && left >= q.rules.max_clues)) break;
                const Tri found = act(s, wait, actor, left, bars, strikes, line, spent);
                if (found == Tri::yes) return found;
                open |= found == Tri::open;
            }
        if (!open) return Tri::no;
        memo[s][static_cast<std::size_t>(clues / 64)] &= ~(std::uint64_t{1} << (clues % 64));
        return Tri::open;
    }

    bool can_clue(const Scene& s, int seat) const {
        for (int p = 0; p < q.players; ++p)
            if (p != seat && s.cards[p] > 0) return true;
        return false;
    }

    template <class Spent>
    Tri act(const Scene& s, int wait, int actor, int clues, bool bars, bool strikes,
            std::vector<Event>& line, Spent spent) {
        if (s.cards[actor] == 0) return Tri::no;
        const Rules& r = q.rules;
        const Mask hand = s.hands[actor];
        const Mask now = hand & q.playable(s.need);
        bool open = false;
        auto follow = [&](Event::What what, Mask card, Mask played, int after, int strikes) {
            Scene t = s;
            --t.cards[actor];
            t.hands[actor] &= ~card;
            t.need &= ~played;
            t.seat = static_cast<std::uint8_t>((actor + 1) % q.players);
            t.strikes = static_cast<std::uint8_t>(s.strikes + strikes);
            const Tri found = visit(t, std::min(after, r.max_clues), bars, line, spent);
            open |= found == Tri::open;
            if (found != Tri::yes) return false;
            line.push_back({static_cast<std::uint8_t>(wait), what,
                            static_cast<std::uint8_t>(card ? lowest(card) : 0)});
            return true;
        };
        for (Mask rest = strikes ? 0 : now; rest; rest &= rest - 1) {
            const Mask card = rest & -rest;
            const int gain = card & q.complete ? r.stack_gain : 0;
            if (follow(Event::play, card, card, clues + gain, 0)) return Tri::yes;
        }
        const bool bar = bars && clues >= r.max_clues;
        if (bar && (!strikes || s.strikes + 1 >= r.max_strikes)) return open ? Tri::open : Tri::no;
        const int after = bar ? clues : clues + r.discard_gain;
        const bool trash = s.cards[actor] > count(hand);
        if (trash && follow(Event::discard_trash, 0, 0, after, bar)) return Tri::yes;
        if (!trash || !trash_first_)
            for (Mask rest = hand & (bar ? ~now : ~Mask{0}); rest; rest &= rest - 1) {
                const Mask card = rest & -rest;
                bool elsewhere = false;
                for (int p = 0; p < q.players; ++p) elsewhere |= p != actor && s.hands[p] & card;
                if (elsewhere && follow(Event::discard_useful, card, 0, after, bar))
                    return Tri::yes;
            }
        return open ? Tri::open : Tri::no;
    }

    const Question<Mask>& q;
    const bool trash_first_;
    Memo real_, relaxed_;
};

}  // namespace hanabi
