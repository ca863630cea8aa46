// The search for one question: limited discrepancy search over events, with a table.
#pragma once

#include <atomic>
#include <chrono>

#include "beam.hpp"
#include "bounds.hpp"
#include "endings.hpp"
#include "events.hpp"
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
          last_hands_(question, (rules & kRuleTrashFirst) != 0), events_(question, rules) {
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
            if (beam(root, share / kBeamShare)) return Answer::reached;
            if (budget_.over()) return Answer::open;
        }
    }

    // The events of the line that reaches the caps, first event first.
    std::vector<Event> line() const { return {line_.rbegin(), line_.rend()}; }

private:
    static constexpr std::uint64_t kShare = 1000;  // nodes for a style, the first time
    static constexpr std::uint64_t kBeamShare = 8;  // an eighth as wide as a style has nodes
    static constexpr std::uint64_t kWidest = 1 << 16, kNarrowest = 16;
    static constexpr std::uint64_t kBeamBranches = 7;  // states looked at for each one that is kept
    static constexpr std::uint64_t kDive = 50;
    static constexpr long kBranches = 64;
    static constexpr long kRootBranches = 20000;
    static constexpr int kTightSlack = 3;
    static constexpr int kAnySlack = 100;
    static constexpr int kUnlimited = 250;
    static constexpr std::size_t kMovesAtFirst = 512;

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

    // Looks for a line where the styles found none: it thinks of many lines at once, so that it does
    // not spend its nodes on what went wrong early.
    bool beam(const State<Mask>& root, std::uint64_t width) {
        auto over = [this](const State<Mask>& s) {
            return !s.need || s.turns_left >= 0 || (q.endless && s.drawn == q.pile_size);
        };
        // A beam that runs out of nodes on its way has spent them for nothing.
        const std::uint64_t left = budget_.node_limit - std::min(budget_.node_limit, budget_.nodes);
        const auto events = static_cast<std::uint64_t>(std::max(events_left(q, root), 1));
        width = std::min({width, kWidest, left / (events * kBeamBranches)});
        if (over(root) || width < kNarrowest || width <= widest_) return false;
        widest_ = width;
        line_.clear();
        Beam<Mask> beam(q, events_);
        return beam.run(
            root, width, over,
            [this](const State<Mask>& s) { return visit(s, 0) == Answer::reached; },
            [this, asked = std::uint64_t{0}](const State<Mask>& s) mutable {
                // Many states may be asked about between two that are counted.
                if (++asked % Budget::kPollNodes == 0) budget_.look();
                return budget_.over() || bounded(s);
            },
            [this] { return budget_.spent(); }, line_);
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
        const bool barred = events_.add(s, least, *style_, moves_);
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
            const Answer answer = visit(events_.after(s, event), left);
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
        const Priced move = moves_[best];
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
    Events<Mask> events_;
    std::vector<Priced> moves_;
    std::vector<Event> line_;
    const Style* style_ = kStyles.data();
    std::uint16_t run_ = 0;
    std::uint64_t bounds_from_ = 0;
    std::uint64_t widest_ = 0;  // of the beams so far
    bool spent_ = false;
};

}  // namespace hanabi
