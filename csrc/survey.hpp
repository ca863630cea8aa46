// Many deals of one set of rules, one after the other: only what a table of results needs.
#pragma once

#include "habit_weights.hpp"
#include "ladder.hpp"
#include "replay.hpp"

namespace hanabi {

struct Surveyed {
    Optimum optimum;
    double seconds = 0;  // with the check of the line and the rung
    int rung = -1;       // the first rung on which full marks are lost; -1 if they are not
    bool first = true;   // whether all rungs before it are known to leave them possible
};

class Survey {
public:
    // `like` is the packed start of any deal of these rules; `rung_nodes` are for each rung.
    Survey(const std::uint8_t* like, std::size_t size, std::uint64_t nodes,
           std::uint64_t rung_nodes, std::size_t memory)
        : head_(like, like + size), position_(unpack(like, size)), rung_nodes_(rung_nodes),
          memory_(memory) {
        limits_.nodes = nodes;
        for (const auto& hand : position_.hands) cards_ += hand.size();
        cards_ += position_.pile.size();
        if (position_.points() || position_.strikes) throw std::invalid_argument("no start of a deal");
    }

    std::size_t cards() const { return cards_; }

    // Solves one deck with a fresh budget; its line is replayed by rules of their own.
    Surveyed run(const std::uint8_t* deck, Budget budget) {
        const auto start = Budget::Clock::now();
        deal(deck);
        Surveyed out;
        out.optimum = Solver(position_, limits_, memory_, budget).run();
        check(deck, out.optimum);
        if (out.optimum.bound < position_.rules.max_score() && !budget.stopped)
            find_rung(out, budget);
        out.seconds = std::chrono::duration<double>(Budget::Clock::now() - start).count();
        return out;
    }

    // Whether the greedy player, which sees all hands but not the order of the pile, wins a deck.
    bool won_by_habit(const std::uint8_t* deck) {
        deal(deck);
        return Question<std::uint32_t>::fits(position_) ? by_habit<std::uint32_t>()
                                                        : by_habit<std::uint64_t>();
    }

private:
    template <class Mask>
    bool by_habit() const {
        const Question<Mask> question(position_, position_.rules.steps);
        Sight<Mask> sight(question);
        sight.look(root_of(question, position_));
        return sight.play_out(habit_of(position_.rules.players), true) != 0;
    }

    void deal(const std::uint8_t* deck) {
        for (std::size_t i = 0; i < cards_; ++i)
            if (const Card c = deck[i]; c != kUseless && (suit_of(c) >= position_.rules.suits ||
                                        step_of(c) >= position_.rules.steps[suit_of(c)]))
                throw std::invalid_argument("a deck holds a card that is none");
        for (auto& hand : position_.hands)
            for (Card& c : hand) c = *deck++;
        for (Card& c : position_.pile) c = *deck++;
    }

    void check(const std::uint8_t* deck, const Optimum& optimum) const {
        Replay replay(head_.data(), deck, cards_);
        for (const Action& action : optimum.line)
            if (!replay.act(static_cast<int>(action.kind), action.slot))
                throw std::logic_error("the search found a line that is against the rules");
        if (replay.score() != optimum.score || optimum.score > optimum.bound ||
            optimum.bound > position_.rules.max_score())
            throw std::logic_error("the search found a line that does not reach its score");
    }

    void find_rung(Surveyed& out, Budget& budget) {
        std::array<std::uint8_t, kMaxSuits> full = position_.rules.steps;
        for (int rung = 0; rung < static_cast<int>(Rung::strikes); ++rung) {
            budget.node_limit = budget.nodes + rung_nodes_;
            const Answer answer =
                climb_packed(position_, full.data(), static_cast<Rung>(rung), budget, memory_);
            if (answer == Answer::lost) {
                out.rung = rung;
                return;
            }
            if (answer == Answer::open) out.first = false;
        }
        out.rung = static_cast<int>(Rung::strikes);  // the game itself, which is known to be lost
    }

    std::vector<std::uint8_t> head_;
    Position position_;
    std::uint64_t rung_nodes_;
    Limits limits_;
    Memory memory_;
    std::size_t cards_ = 0;
};

}  // namespace hanabi
