// The search for one question: limited discrepancy search over events, with a table.
#pragma once

#include <atomic>
#include <chrono>

#include "bounds.hpp"
#include "endings.hpp"
#include "lasthands.hpp"
#include "tail.hpp"

namespace hanabi {

// What a search may spend, shared by all questions of a deal. `stop` is looked at every
// kPollNodes nodes, and the clock with it.
struct Budget {
    using Clock = std::chrono::steady_clock;
    static constexpr std::uint64_t kPollNodes = 512;

    std::uint64_t nodes = 0;
    std::uint64_t node_limit = 0;  // at this many nodes the current question is given up
    bool has_deadline = false;
    Clock::time_point deadline{};
    const std::atomic<bool>* stop = nullptr;
    bool (*poll)(void*) = nullptr;  // true asks to stop
    void* poll_data = nullptr;
    bool stopped = false;  // by `stop` or `poll`
    bool late = false;     // the deadline has passed

    // Sets the deadline so many seconds from now.
    void allow(double seconds) {
        has_deadline = true;
        deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                      std::chrono::duration<double>(std::min(seconds, 1e8)));
    }

    // Counts a node; whether the search must end now.
    bool spent() {
        if (++nodes % kPollNodes == 0) look();
        return over();
    }
    void look() {
        if ((stop && stop->load(std::memory_order_relaxed)) || (poll && poll(poll_data)))
            stopped = true;
        if (has_deadline && Clock::now() >= deadline) late = true;
    }
    bool over() const { return stopped || late || nodes >= node_limit; }
};

enum class Answer : std::uint8_t {
    reached,  // a line reaches the caps
    lost,     // none does, not even if discarding at full tokens were free
    stuck,    // none does, but with more strikes or fewer tokens one might
    open,     // a limit was reached
};

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

// What a search remembers; kept between searches only to reuse the memory.
template <class Mask>
struct Tables {
    explicit Tables(std::size_t bytes) : refuted(bytes), tails(bytes / 8) {}
    Table<Mask> refuted;
    Table<Mask> tails;
    SharedMemo<Mask> shared;
};

template <class Mask>
class Search {
public:
    Search(const Question<Mask>& question, Tables<Mask>& tables, Budget& budget, unsigned rules)
        : q(question), table_(tables.refuted), budget_(budget), rules_(rules),
          shared_(question, tables.shared), tail_(question, tables.tails),
          last_hands_(question, (rules & kRuleTrashFirst) != 0) {
        moves_.reserve(kMovesAtFirst);
        line_.reserve(kMaxCards);
    }

    // Answers the question; a line is then in `line()`.
    Answer run(State<Mask> root) {
        for (int p = 0; p < q.players; ++p) root.hands[p] &= root.need;
        table_.clear();
        if (budget_.spent()) return Answer::open;
        if ((rules_ & kRuleShared) && shared_.lost(root, kRootBranches)) return Answer::lost;
        const bool tails = (rules_ & kRuleTail) && root.turns_left < 0;
        if (tails && tail_.lost(root, kTightSlack, kRootBranches)) return Answer::lost;
        bool loose = !tails;  // whether the tails with more slack were looked at
        const std::uint64_t limit = budget_.node_limit;
        bounds_from_ = budget_.nodes + kDive;
        for (std::uint64_t share = kShare;; share *= 4) {
            for (std::size_t style = 0; style < kStyles.size(); ++style) {
                style_ = &kStyles[style];
                ++run_;
                budget_.node_limit = std::min(limit, budget_.nodes + share);
                const Answer answer = deepen(root);
                budget_.node_limit = limit;
                if (answer != Answer::open || budget_.over()) return answer;
                if (!loose && tail_.lost(root, kAnySlack, kRootBranches)) return Answer::lost;
                loose = true;
            }
        }
    }

    // The events of the line that reaches the caps, first event first.
    std::vector<Event> line() const { return {line_.rbegin(), line_.rend()}; }

private:
    static constexpr std::uint64_t kShare = 1000;  // nodes for a style, the first time
    static constexpr int kStrikeCost = 150;  // people do not like to see strikes
    static constexpr std::uint64_t kDive = 50;
    static constexpr long kBranches = 64;
    static constexpr long kRootBranches = 20000;
    static constexpr int kTightSlack = 3;
    static constexpr int kAnySlack = 100;
    static constexpr int kUnlimited = 250;
    static constexpr std::size_t kMovesAtFirst = 512;

    struct Move {
        int cost;
        Event event;
    };

    // Allows ever more departures from the first move, until the nodes for this style are spent.
    Answer deepen(const State<Mask>& root) {
        spent_ = false;
        for (int discrepancies = 0;;) {
            line_.clear();
            const Answer answer = visit(root, discrepancies);
            if (answer != Answer::open || spent_) return answer;
            discrepancies = discrepancies < 6 ? discrepancies + 1
                                              : std::min(discrepancies * 2, int{kUnlimited});
        }
    }

    Answer visit(const State<Mask>& s, int discrepancies) {
        if (budget_.spent()) {
            spent_ = true;
            return Answer::open;
        }
        if (!s.need) return survives(q, s) ? Answer::reached : Answer::stuck;
        if (s.turns_left >= 0) return final_round(s);
        if (q.endless && s.drawn == q.pile_size) return last_hands(s);
        if (events_left(q, s) < count(s.need)) return Answer::lost;

        Key<Mask> key;
        key.hands = s.hands;
        key.need = s.need;
        key.drawn = s.drawn;
        if (rules_ & kRuleTable) {
            if (const Entry<Mask>* e = table_.find(key)) {
                if (rules_ & kRuleClues ? e->refuted[s.seat] > s.clues
                                        : e->refuted[s.seat] == s.clues + 1)
                    return Answer::lost;
                if (e->tried_seat == s.seat && e->tried_budget) {
                    if (e->tried_budget == kTriedLost) {
                        if (e->tried_clues == s.clues && e->tried_strikes == s.strikes)
                            return Answer::stuck;
                    } else if (e->tried_clues >= s.clues && e->tried_strikes <= s.strikes &&
                               e->tried_budget > discrepancies && e->tried_run == run_) {
                        return Answer::open;
                    }
                }
            } else if (bounded(s)) {
                return remember(key, s, Answer::lost, discrepancies, 0);
            }
        } else if (bounded(s)) {
            return Answer::lost;
        }

        const std::uint64_t before = budget_.nodes;
        Answer all = Answer::lost;
        all = try_moves(s, discrepancies, 0, all);
        // Whole rounds of clues only serve to get below full tokens. Where free discards at full
        // tokens lose too, they cannot help.
        if (all == Answer::stuck) all = try_moves(s, discrepancies, q.players, all);
        if (all == Answer::reached || spent_) return all;
        return remember(key, s, all, discrepancies, budget_.nodes - before);
    }

    // Whether a bound refutes the state. The release bound is part of the other two.
    // The first dive goes without: most deals need no more than that.
    bool bounded(const State<Mask>& s) {
        if (budget_.nodes < bounds_from_) return false;
        if (rules_ & kRuleTail) {
            if (tail_.lost(s, 2, 300)) return true;
        } else if ((rules_ & kRuleRelease) && !(rules_ & kRuleShared) && lost_by_release(q, s)) {
            return true;
        }
        return (rules_ & kRuleShared) && shared_.lost(s, kBranches);
    }

    // Tries the moves with at least `least` clues before them (less than a round, if that is 0).
    Answer try_moves(const State<Mask>& s, int discrepancies, int least, Answer all) {
        const std::size_t base = moves_.size();
        const bool barred = add_moves(s, least);
        if (barred && all == Answer::lost) all = Answer::stuck;
        const std::size_t end = moves_.size();
        for (std::size_t i = base; i < end; ++i) {
            const int left = discrepancies >= kUnlimited ? discrepancies
                                                         : discrepancies - (i > base || least > 0);
            if (left < 0) {
                all = Answer::open;
                break;
            }
            bring_cheapest(i, end);
            const Event event = moves_[i].event;
            const Answer answer = visit(after(s, event), left);
            if (answer == Answer::reached) line_.push_back(event);
            if (answer == Answer::reached || spent_) {
                moves_.resize(base);
                return answer;
            }
            if (answer == Answer::open || all == Answer::open)
                all = Answer::open;
            else if (answer == Answer::stuck)
                all = Answer::stuck;
        }
        moves_.resize(base);
        return all;
    }

    // Moves the cheapest of these moves, the first of them, to the front; the others keep their order.
    // So the moves come in the order of a stable sort, and most states need the first one alone.
    void bring_cheapest(std::size_t from, std::size_t end) {
        std::size_t best = from;
        for (std::size_t i = from + 1; i < end; ++i)
            if (moves_[i].cost < moves_[best].cost) best = i;
        const Move move = moves_[best];
        for (; best > from; --best) moves_[best] = moves_[best - 1];
        moves_[from] = move;
    }

    Answer remember(const Key<Mask>& key, const State<Mask>& s, Answer answer, int discrepancies,
                    std::uint64_t nodes) {
        if (!(rules_ & kRuleTable)) return answer;
        Entry<Mask>& e = table_.at(
            key, static_cast<std::uint8_t>(64 - __builtin_clzll(nodes + 1)));
        if (answer == Answer::lost) {
            for (int ahead = 0; ahead < q.players; ++ahead) {
                const int clues = s.clues - ahead * q.rules.clue_price;
                if (clues < 0 || (ahead > 0 && !(rules_ & kRuleClues))) break;
                auto& known = e.refuted[(s.seat + ahead) % q.players];
                known = std::max<std::uint8_t>(known, static_cast<std::uint8_t>(clues + 1));
            }
            if (!(rules_ & kRuleClues))
                e.refuted[s.seat] = static_cast<std::uint8_t>(s.clues + 1);
        } else {
            e.tried_run = run_;
            e.tried_seat = s.seat;
            e.tried_clues = static_cast<std::uint8_t>(s.clues);
            e.tried_strikes = s.strikes;
            e.tried_budget = answer == Answer::stuck
                                 ? kTriedLost
                                 : static_cast<std::uint8_t>(discrepancies + 1);
        }
        return answer;
    }

    bool full_tokens_bar(int clues) const {
        return clues >= q.rules.max_clues && !q.rules.discard_at_full;
    }

    // Adds the moves of every seat that can be reached by clues. Returns whether a discard was
    // left out that would be there if discarding at full tokens were free.
    bool add_moves(const State<Mask>& s, int least) {
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
        const int patience = wait_cost(s);
        int actor = (s.seat + least) % q.players;
        for (int wait = least; wait <= most; ++wait, actor = q.after(actor)) {
            const int clues = s.clues - wait * price;
            const Mask hand = s.hands[actor];
            const int toll = wait * patience + draw_cost(s, hand);
            for (Mask plays = hand & now; plays; plays &= plays - 1) {
                const int bit = lowest(plays);
                const Mask card = Mask{1} << bit;
                int cost = toll + style_->rank * (bit % q.stride);
                if ((card << 1) & ~q.first & held) cost -= 3;
                if (twice & card) cost += 2;
                moves_.push_back({cost, event(wait, Event::play, bit)});
            }
            if (q.from_pile(s.drawn)) barred |= add_deck_plays(s, wait, toll, strike);
            const bool bar = full_tokens_bar(clues);
            const bool trash = count(hand) < q.hand_size;
            bool useful = !trash || !(rules_ & kRuleTrashFirst);
            if (trash) {
                // At full tokens a discard is a misplay. If the only trash is the second copy of
                // a playable card, that misplay would be a play: no worse, and the line's builder
                // makes it one.
                if (!bar || strike)
                    moves_.push_back({toll + discard_cost(clues, spare) + (bar ? kStrikeCost : 0),
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
                const int cost = toll + discard_cost(clues, spare) + (bar ? kStrikeCost : 0) +
                                 (elsewhere ? 10 : 25);
                moves_.push_back({cost, event(wait, Event::discard_useful, bit)});
            }
        }
        return barred;
    }

    // The last card may go from the pile to its stack, or be thrown away as a misplay. In a game with
    // a final round the latter only serves a hand of a single card; of two, one can be thrown away
    // instead.
    bool add_deck_plays(const State<Mask>& s, int wait, int toll, bool strike) {
        const Mask card = q.pile[s.drawn] & q.playable(s.need);
        const bool serves = q.thin_hands || q.endless;
        if (card) {
            const int bit = lowest(card);
            moves_.push_back({toll + style_->rank * (bit % q.stride),
                              event(wait, Event::deck_play, bit)});
        } else if (strike && serves) {
            moves_.push_back({toll + 2 * kStrikeCost, event(wait, Event::deck_throw, 0)});
        }
        return !card && !strike && serves;
    }

    static Event event(int wait, Event::What what, int card) {
        return {static_cast<std::uint8_t>(wait), what, static_cast<std::uint8_t>(card)};
    }

    int wait_cost(const State<Mask>& s) const {
        return s.clues <= 2 ? style_->wait_poor : s.clues <= 5 ? style_->wait_some
                                                               : style_->wait_rich;
    }

    int discard_cost(int clues, int spare) const {
        int cost = style_->discard;
        if (clues <= 1) cost -= style_->thrift;
        if (clues >= q.rules.max_clues - 1) cost += 8;
        return cost + (spare < 12 ? style_->tight >> (spare / 2) : 0);
    }

    // A useful card is best drawn by a hand with room, and with none of its neighbours in the suit,
    // for a player needs a whole round between two plays.
    int draw_cost(const State<Mask>& s, Mask hand) const {
        const Mask card = q.pile[s.drawn] & s.need;
        if (!card) return 0;
        const Mask beside = ((card << 1) & ~q.first) | ((card & ~q.first) >> 1);
        return style_->load * count(hand) + (hand & beside ? style_->near : 0);
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

    // The rest of a game without a final round, from the last draw on.
    Answer last_hands(const State<Mask>& s) {
        std::vector<Event> events;
        auto enough = [this] { return budget_.spent(); };
        const Reach reach = last_hands_.reach(s, events, enough);
        if (reach == Reach::yes) {
            line_.insert(line_.end(), events.begin(), events.end());
            return Answer::reached;
        }
        if (reach == Reach::open) {
            spent_ = true;
            return Answer::open;
        }
        return reach == Reach::never ? Answer::lost : Answer::stuck;
    }

    // The final round: every seat in turn plays one card or lets its turn pass.
    Answer final_round(const State<Mask>& s) {
        if (q.thin_hands) {
            std::vector<Event> events;
            if (!FinalRound<Mask>(q, s).reach(events)) return Answer::stuck;
            line_.insert(line_.end(), events.begin(), events.end());
            return Answer::reached;
        }
        return play_out(q, s, &line_) ? Answer::reached : Answer::lost;
    }

    const Question<Mask>& q;
    Table<Mask>& table_;
    Budget& budget_;
    unsigned rules_;
    SharedHand<Mask> shared_;
    Tail<Mask> tail_;
    LastHands<Mask> last_hands_;
    std::vector<Move> moves_;
    std::vector<Event> line_;
    const Style* style_ = kStyles.data();
    std::uint16_t run_ = 0;
    std::uint64_t bounds_from_ = 0;
    bool spent_ = false;
};

}  // namespace hanabi
