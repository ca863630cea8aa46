// The optimum of a position: yes/no questions from full marks downwards, until a score is both
// reached and proven.
#pragma once

#include <cmath>
#include <memory>

#include "line.hpp"
#include "search.hpp"

namespace hanabi {

struct Limits {
    std::uint64_t nodes = UINT64_MAX;
    double seconds = 0;  // 0: none
    int target = -1;     // -1: none; else stop once it is reached or refuted
    int bound = -1;      // -1: none; else no line scores more, as is known from elsewhere
    unsigned rules = kAllRules;
};

enum class Stop : std::uint8_t { none, nodes, seconds, asked };

struct Optimum {
    int score = 0;
    int bound = 0;
    std::vector<Action> line;  // reaches the score
    std::uint64_t nodes = 0;
    double seconds = 0;
    Stop stop = Stop::none;
};

// The tables of one thread.
struct Memory {
    explicit Memory(std::size_t bytes) : narrow(bytes), wide(bytes) {}
    Tables<std::uint32_t> narrow;
    Tables<std::uint64_t> wide;
};

// The state of the search at a position.
template <class Mask>
State<Mask> root_of(const Question<Mask>& question, const Position& position) {
    State<Mask> root;
    root.hands = question.hands;
    root.need = question.need;
    root.seat = static_cast<std::uint8_t>(position.seat);
    root.strikes = static_cast<std::uint8_t>(position.strikes);
    root.turns_left = static_cast<std::int8_t>(position.turns_left);
    root.clues = static_cast<std::int16_t>(position.clues);
    return root;
}

class Solver {
public:
    Solver(const Position& position, const Limits& limits, Memory& memory, Budget& budget)
        : p_(position), limits_(limits), memory_(memory), budget_(budget) {}

    Optimum run() {
        const auto start = Budget::Clock::now();
        if (limits_.seconds > 0) budget_.allow(limits_.seconds);
        solve();
        out_.nodes = budget_.nodes;
        out_.seconds = std::chrono::duration<double>(Budget::Clock::now() - start).count();
        if (answered()) out_.stop = Stop::none;
        else if (budget_.stopped) out_.stop = Stop::asked;
        else if (budget_.late) out_.stop = Stop::seconds;
        return std::move(out_);
    }

private:
    using Caps = std::array<std::uint8_t, kMaxSuits>;
    static constexpr std::uint64_t kFirstNodes = 2000;
    static constexpr int kFactor = 8;
    static constexpr std::size_t kDives = 6;
    static constexpr std::uint64_t kDiveNodes = 80;

    struct Asked {
        Caps caps;
        Answer answer = Answer::open;
        bool given_up = false;  // a line was found whose events do not fit real hands
    };

    void solve() {
        if (legal_actions(p_).empty()) {
            out_.score = out_.bound = p_.score();
            return;
        }
        set_ceiling();
        if (limits_.bound >= p_.points()) out_.bound = std::min(out_.bound, limits_.bound);
        out_.score = -1;
        if (p_.rules.ends_out_of_reach()) {
            full_marks();
            return;
        }
        if (limits_.target > p_.points() && limits_.target <= out_.bound) try_target();
        if (limits_.target < 0 || limits_.target <= out_.bound)
            for (std::uint64_t nodes = kFirstNodes; !answered() && !round(nodes);) nodes *= kFactor;
        if (out_.score < 0 && out_.bound > p_.points() && !budget_.stopped) salvage();
        if (out_.score < 0) settle();
    }

    // Where nothing but full marks counts there is one question. A speedrun that cannot have full
    // marks may still score less, which is not asked here.
    void full_marks() {
        const int full = p_.rules.max_score();
        if (out_.bound == full && limits_.target != 0) {
            Asked& asked = level(full).front();
            for (std::uint64_t nodes = kFirstNodes; asked.answer == Answer::open; nodes *= kFactor) {
                if (asked.given_up || exhausted()) break;
                ask(asked, nodes);
            }
            if (asked.answer == Answer::reached) return;
            if (asked.answer != Answer::open) --out_.bound;
        }
        out_.score = 0;
        if (!p_.rules.only_full_marks()) play_to_the_end();
        else if (out_.bound < full) out_.bound = 0;
    }

    // Some complete game: clues, else discards, else plays.
    void play_to_the_end() {
        Position p = p_;
        for (auto actions = legal_actions(p); !actions.empty(); actions = legal_actions(p)) {
            out_.line.push_back(actions.back());
            apply(p, actions.back());
        }
        out_.score = p.score();
    }

    // A limit was reached before any line was found: a few cheap dives for less than the most, so
    // that there is one.
    void salvage() {
        const bool late = budget_.late, deadline = budget_.has_deadline;
        budget_.late = budget_.has_deadline = false;
        for (int score = std::min(out_.bound, top_ - 1); score > p_.points() && out_.score < 0;
             --score) {
            std::vector<Asked> few;
            Caps caps{};
            spread(few, caps, 0, score, kDives);
            for (Asked& asked : few) {
                budget_.node_limit = budget_.nodes + kDiveNodes;
                look_up(asked);
                if (asked.answer == Answer::reached) break;
            }
        }
        budget_.late = late;
        budget_.has_deadline = deadline;
    }

    // Asks for the target alone first. "stuck" proves nothing here: see `round`.
    void try_target() {
        bool lost = true;
        for (Asked& asked : level(limits_.target)) {
            ask(asked, kFirstNodes);
            lost &= asked.answer == Answer::lost;
            if (asked.answer == Answer::reached || exhausted()) break;
        }
        if (out_.score < 0 && lost) out_.bound = limits_.target - 1;
        levels_.clear();
    }

    // The most points that the cards and the events to come allow at all.
    void set_ceiling() {
        std::array<std::uint16_t, kMaxSuits> there{};
        auto see = [&](Card c) {
            if (c != kUseless) there[suit_of(c)] |= static_cast<std::uint16_t>(1 << step_of(c));
        };
        for (const auto& hand : p_.hands)
            for (Card c : hand) see(c);
        for (Card c : p_.pile) see(c);
        int sum = 0;
        for (int s = 0; s < p_.rules.suits; ++s) {
            int cap = p_.stacks[s];
            while (cap < p_.rules.steps[s] && there[s] >> cap & 1) ++cap;
            ceiling_[s] = static_cast<std::uint8_t>(cap);
            sum += cap;
        }
        out_.bound = top_ = std::min(sum, p_.points() + p_.events_left());
    }

    // One pass over the open questions, highest first, with so many nodes for each. Returns
    // whether nothing is left to ask or to spend.
    bool round(std::uint64_t nodes) {
        bool fresh = false;  // whether a question is left for which more nodes may help
        for (int score = out_.bound; score > std::max(out_.score, p_.points() - 1); --score) {
            bool all = true;
            for (Asked& asked : level(score)) {
                if (asked.answer == Answer::open && !asked.given_up) {
                    ask(asked, nodes);
                    fresh |= asked.answer == Answer::open && !asked.given_up;
                }
                if (asked.answer == Answer::reached) break;
                all &= asked.answer != Answer::open;
                if (exhausted()) return true;
            }
            if (out_.score >= score) break;
            // "stuck" counts only here, where all higher scores are refuted: a card above its cap
            // that would score instead of costing a strike would make a higher score.
            if (all && out_.bound == score) --out_.bound;
            if (answered()) return true;
        }
        return answered() || !fresh;
    }

    bool answered() const {
        if (out_.score >= out_.bound || out_.bound < p_.points()) return true;
        return limits_.target >= 0 &&
               (out_.score >= limits_.target || out_.bound < limits_.target);
    }

    bool exhausted() {
        if (budget_.stopped || budget_.late) return true;
        if (budget_.nodes < limits_.nodes) return false;
        out_.stop = Stop::nodes;
        return true;
    }

    std::vector<Asked>& level(int score) {
        const std::size_t at = static_cast<std::size_t>(score - p_.points());
        if (levels_.size() <= at) levels_.resize(at + 1);
        if (levels_[at].empty()) {
            Caps caps{};
            spread(levels_[at], caps, 0, score, SIZE_MAX);
        }
        return levels_[at];
    }

    // All caps that sum to `sum`, the highest caps first, but no more than `most_caps`.
    void spread(std::vector<Asked>& into, Caps& caps, int suit, int sum,
                std::size_t most_caps) const {
        if (suit == p_.rules.suits) {
            if (sum == 0) into.push_back({caps, Answer::open, false});
            return;
        }
        int least = 0, most = 0;
        for (int s = suit + 1; s < p_.rules.suits; ++s) {
            least += p_.stacks[s];
            most += ceiling_[s];
        }
        for (int cap = std::min<int>(ceiling_[suit], sum - least);
             cap >= std::max<int>(p_.stacks[suit], sum - most) && into.size() < most_caps; --cap) {
            caps[suit] = static_cast<std::uint8_t>(cap);
            spread(into, caps, suit + 1, sum - cap, most_caps);
        }
    }

    void ask(Asked& asked, std::uint64_t nodes) {
        const std::uint64_t left = limits_.nodes - std::min(limits_.nodes, budget_.nodes);
        budget_.node_limit = budget_.nodes + std::min(nodes, left);
        look_up(asked);
    }

    void look_up(Asked& asked) {
        if (Question<std::uint32_t>::fits(p_)) ask(asked, memory_.narrow);
        else ask(asked, memory_.wide);
    }

    template <class Mask>
    void ask(Asked& asked, Tables<Mask>& tables) {
        const Question<Mask> question(p_, asked.caps);
        Search<Mask> search(question, tables, budget_, limits_.rules);
        asked.answer = search.run(root_of(question, p_));
        if (asked.answer != Answer::reached) return;
        Builder<Mask> builder(question, p_);
        if (!builder.play(search.line())) {
            asked.answer = Answer::open;
            asked.given_up = true;
            return;
        }
        out_.score = builder.position().points();
        out_.line = builder.take_actions();
    }

    // No question was answered with a line: doing nothing more scores what lies on the stacks, if
    // the game can be ended so. If it cannot, a line that loses the game has the score of one.
    void settle() {
        Caps caps{};
        for (int s = 0; s < p_.rules.suits; ++s) caps[s] = p_.stacks[s];
        const Question<std::uint64_t> question(p_, caps);
        if (survives(question, root_of(question, p_))) {
            out_.score = p_.points();
            return;
        }
        play_to_the_end();
        if (out_.bound < p_.points()) out_.bound = out_.score;
    }

    const Position& p_;
    const Limits& limits_;
    Memory& memory_;
    Budget& budget_;
    Optimum out_;
    Caps ceiling_{};
    int top_ = 0;  // the bound before anything is asked
    std::vector<std::vector<Asked>> levels_;
};

}  // namespace hanabi
