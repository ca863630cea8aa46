// Beam search: the most promising states after so many events, and no others, go on.
#pragma once

#include "events.hpp"
#include "table.hpp"

namespace hanabi {

// What makes a state more or less promising. Every feature has two weights: one that always counts,
// and one that counts less and less as the pile is drawn.
enum Trait : int {
    tClues,                // by the tokens, in eighths of all
    tSpare = tClues + 9,   // events that need not be plays
    tSpareLow,             // how far they are below 4
    tNow,                  // cards that can be played
    tWait, tNobody,        // clues before the first such play; nobody has one
    tOwn,                  // the seat to move has one
    tTwin, tTwinNow,       // useful cards that are held twice; those that can be played
    tHeld, tCrowd,         // useful cards held; the squares of their numbers in the hands
    tFull, tFullNext,      // hands without trash; the seat to move has such a hand, and no play
    tLocked,               // for each such hand without a play, how far its first play is
    tNear,                 // neighbours of a suit in one hand, which cost a round
    tGap,                  // cards held whose predecessor nobody holds
    tDraw,                 // useful cards of the seat to move, if the next card is useful
    tSlack,                // the least slack of the release bound, up to 4
    tLate,                 // draws that cards wait for, in all
    tChain, tSteps,        // cards that wait for no draw; the clues between them, suit by suit
    kTraits
};

struct Weight {
    std::int16_t always, early;
};

// Found by a random search over deals that the search alone leaves open.
inline constexpr std::array<Weight, kTraits> kWeights{{
    {140, 0}, {40, 0}, {40, 0}, {39, 2}, {26, 0}, {11, 0}, {1, 0}, {0, 0}, {3, 0}, {-12, 0},
    {0, 0}, {-6, 0}, {7, 0}, {24, -3}, {-3, 0}, {1, 0}, {0, 0}, {0, -1}, {1, 0}, {5, 0}, {5, 0},
    {0, 0}, {12, 0}, {-3, 0}, {0, 1}, {-16, 0}, {3, 0}, {-4, 0}, {2, 0},
}};

// Finds lines and refutes nothing.
template <class Mask>
class Beam {
public:
    Beam(const Question<Mask>& question, const Events<Mask>& events)
        : q(question), events_(events) {}

    // Whether a line was found; its events are then appended to `line`, last first. `over(state)`
    // says whether the state ends the events: then `ends(state)`, whether it is won, having
    // appended what follows. `lost(state)` is a bound, `spent()` counts a state and is the limit.
    template <class Over, class Ends, class Lost, class Spent>
    bool run(const State<Mask>& root, std::size_t width, Over over, Ends ends, Lost lost,
             Spent spent, std::vector<Event>& line) {
        std::vector<State<Mask>> states{root}, next;
        levels_.assign(1, {{0, {}}});
        while (!states.empty()) {
            found_.clear();
            for (std::size_t i = 0; i < states.size(); ++i) {
                moves_.clear();
                events_.add(states[i], 0, kStyles[0], moves_);
                for (const Priced& move : moves_) {
                    const State<Mask> t = events_.after(states[i], move.event);
                    const Step step{static_cast<std::uint32_t>(i), move.event};
                    if (spent()) return false;
                    if (over(t)) {
                        if (!ends(t)) continue;
                        trace(step, line);
                        return true;
                    }
                    if (int cost; price(t, cost)) found_.push_back({cost, step});
                }
            }
            keep(states, next, width, lost);
            std::swap(states, next);
        }
        return false;
    }

private:
    struct Step {
        std::uint32_t parent;  // in the level before
        Event event;
    };
    struct Found {
        int cost;
        Step step;
        bool operator<(const Found& other) const {
            return cost != other.cost ? cost < other.cost : step.parent < other.step.parent;
        }
    };
    static constexpr std::uint32_t kNone = UINT32_MAX;
    static constexpr std::size_t kSpares = 4;  // states looked at for each that is kept

    // Keeps the cheapest that neither are lost nor have a twin that is as good.
    template <class Lost>
    void keep(const std::vector<State<Mask>>& states, std::vector<State<Mask>>& next,
              std::size_t width, Lost& lost) {
        // What is left out here would hardly be reached below.
        if (const std::size_t most = width * kSpares; found_.size() > most) {
            const auto end = found_.begin() + static_cast<std::ptrdiff_t>(most);
            std::nth_element(found_.begin(), end, found_.end());
            found_.erase(end, found_.end());
        }
        std::stable_sort(found_.begin(), found_.end());
        std::size_t places = 1;
        while (places < 2 * width) places *= 2;
        heads_.assign(places, kNone);
        same_.clear();
        next.clear();
        levels_.emplace_back();
        for (const Found& f : found_) {
            const State<Mask> t = events_.after(states[f.step.parent], f.step.event);
            const Key<Mask> key{t.hands, t.need, t.drawn};
            std::uint32_t& head = heads_[key.hash() & (places - 1)];
            bool worse = false;
            for (std::uint32_t k = head; k != kNone && !worse; k = same_[k])
                worse = no_better(t, next[k]);
            if (worse || lost(t)) continue;
            same_.push_back(head);
            head = static_cast<std::uint32_t>(next.size());
            next.push_back(t);
            levels_.back().push_back(f.step);
            if (next.size() == width) break;
        }
    }

    // Whether the second of two states is at least as good: the same cards, and as many tokens even
    // after clues up to the first one's seat.
    bool no_better(const State<Mask>& s, const State<Mask>& other) const {
        if (s.hands != other.hands || s.need != other.need || s.strikes < other.strikes)
            return false;
        const int ahead = (s.seat - other.seat + q.players) % q.players;
        return other.clues - ahead * q.rules.clue_price >= s.clues;
    }

    void trace(Step step, std::vector<Event>& line) const {
        line.push_back(step.event);
        for (std::size_t level = levels_.size() - 1; level > 0; --level) {
            step = levels_[level][step.parent];
            line.push_back(step.event);
        }
    }

    // What a state costs; false if it is lost by the release bound.
    bool price(const State<Mask>& s, int& cost) const {
        const int left = q.pile_size - s.drawn;
        const Mask now = q.playable(s.need);
        int sum = 0;
        auto add = [&](int trait, int times) {
            const Weight& w = kWeights[static_cast<std::size_t>(trait)];
            sum += times * (w.always * q.pile_size + w.early * left);
        };
        Mask held = 0, twice = 0;
        for (int p = 0; p < q.players; ++p) {
            twice |= held & s.hands[p];
            held |= s.hands[p];
        }
        const int spare = events_left(q, s) - count(s.need);
        if (spare < 0 || !time_enough(s, held, add)) return false;
        add(tClues + std::min(8 * s.clues / q.rules.max_clues, 8), 1);
        add(tSpare, spare);
        add(tSpareLow, std::max(4 - spare, 0));
        add(tNow, count(held & now));
        add(tTwin, count(twice));
        add(tTwinNow, count(twice & now));
        add(tHeld, count(held));
        add(tGap, count(held & ((s.need & ~held) << 1) & ~q.first));
        int wait = q.players;
        for (int ahead = q.players - 1; ahead >= 0; --ahead) {
            const Mask hand = s.hands[(s.seat + ahead) % q.players];
            const int load = count(hand);
            if (hand & now) wait = ahead;
            add(tCrowd, load * load);
            add(tNear, count(hand & (hand << 1) & ~q.first));
            if (load < q.hand_size) continue;
            add(tFull, 1);
            if (hand & now) continue;
            if (ahead == 0) add(tFullNext, 1);
            add(tLocked, first_play(s, hand, held));
        }
        add(wait < q.players ? tWait : tNobody, wait < q.players ? wait : 1);
        if (wait == 0) add(tOwn, 1);
        if (q.pile[s.drawn] & s.need & ~held) add(tDraw, count(s.hands[s.seat]));
        cost = sum;
        return true;
    }

    // How many cards must be played before any of a hand can be, at most 9; those that nobody holds
    // count three times.
    int first_play(const State<Mask>& s, Mask hand, Mask held) const {
        int least = 9;
        for (Mask rest = hand; rest; rest &= rest - 1) {
            const int bit = lowest(rest);
            const Mask suit = ~((Mask{1} << (bit - bit % q.stride)) - 1);
            const Mask below = s.need & suit & ((Mask{1} << bit) - 1);
            least = std::min(least, count(below) + 2 * count(below & ~held));
        }
        return least;
    }

    // The release bound, and the traits that follow from it.
    template <class Add>
    bool time_enough(const State<Mask>& s, Mask held, Add add) const {
        const int left = q.pile_size - s.drawn;
        std::array<std::uint8_t, 8 * sizeof(Mask)> release{};
        std::array<std::uint8_t, kMaxCards + 1> waiting;
        std::fill_n(waiting.begin(), left + 1, std::uint8_t{0});
        Mask missing = s.need & ~held;
        for (int i = 0; i < left && missing; ++i)
            if (const Mask fresh = q.pile[s.drawn + i] & missing) {
                release[static_cast<std::size_t>(lowest(fresh))] = q.release(s.drawn, i);
                missing &= ~fresh;
            }
        if (missing) return false;
        const Mask starts = q.playable(s.need);
        std::uint8_t last = 0;
        int chain = 0, steps = 0, holder = 0, late = 0;
        for (Mask rest = s.need; rest; rest &= rest - 1) {
            const int bit = lowest(rest);
            const bool start = starts >> bit & 1;
            const std::uint8_t own = release[static_cast<std::size_t>(bit)];
            last = start ? own : std::max(last, own);
            ++waiting[last];
            late += last;
            if (last > 0) continue;
            ++chain;
            const int before = holder;
            for (holder = 0; !(s.hands[holder] >> bit & 1);) ++holder;
            if (!start) steps += (holder - before - 1 + q.players) % q.players;
        }
        int plays = 0, slack = 4;
        for (int i = left; i >= 0; --i) {
            if (!waiting[i]) continue;
            plays += waiting[i];
            slack = std::min(slack, left - i + q.last_events - plays);
        }
        if (slack < 0) return false;
        add(tSlack, slack);
        add(tLate, late / 8);
        add(tChain, chain);
        add(tSteps, steps);
        return true;
    }

    const Question<Mask>& q;
    const Events<Mask>& events_;
    std::vector<std::vector<Step>> levels_;
    std::vector<Found> found_;
    std::vector<Priced> moves_;
    std::vector<std::uint32_t> heads_, same_;
};

}  // namespace hanabi
