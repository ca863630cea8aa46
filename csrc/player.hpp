// The open-hands player: it sees all hands and what is left to draw, but not in which order.
#pragma once

#include <memory>

#include "habit_weights.hpp"
#include "optimum.hpp"
#include "sampler.hpp"

namespace hanabi {

struct Play {
    int samples = 0;          // draw orders at most for a decision
    std::uint64_t nodes = 0;  // of the exact endgame for a decision
    std::uint64_t seed = 0;
};

// Plays one game. It keeps nothing but exact values of endgames.
class Player {
public:
    Player(const Position& like, const Play& play, std::size_t bytes)
        : play_(play), bytes_(bytes), like_(like) {
        if (!like.rules.has_final_round() || like.rules.deck_play)
            throw std::invalid_argument("the player needs a final round and no plays from the pile");
    }

    // The action in a position that has one. The order of its pile is not looked at. `turn` only
    // chooses the samples.
    Action choose(const Position& seen, std::uint64_t turn, Budget& budget) {
        Position position = seen;
        std::sort(position.pile.begin(), position.pile.end());
        return Question<std::uint32_t>::fits(position)
                   ? decide<std::uint32_t>(position, turn, budget)
                   : decide<std::uint64_t>(position, turn, budget);
    }

private:
    static constexpr int kDear = 2000;
    static constexpr std::size_t kExactCards = 10;

    template <class Mask>
    Action decide(const Position& p, std::uint64_t turn, Budget& budget) {
        const auto heights = reach(p);
        const Question<Mask> known(p, heights);
        Sight<Mask> sight(known);
        sight.look(root_of(known, p));
        const Habit& habit = habit_of(p.rules.players);
        std::vector<Option> options = candidates(p, sight, habit);
        if (options.size() == 1) return options[0].action;
        int total = 0;
        for (int s = 0; s < p.rules.suits; ++s) total += heights[s];
        const bool whole = total == p.rules.max_score() &&
                           events_left(known, sight.state) >= count(sight.state.need);
        if (exact(p, options, whole, budget)) return options[0].action;
        if (whole && play_.samples > 0 && covers(p.rules) &&
            sight.left() > Sampler<Mask>::leaf_cards(p.rules.players))
            Sampler<Mask>(sight, habit, endgame(true).template engine<Mask>(),
                          play_.seed * 0x9E3779B97F4A7C15u + turn, budget)
                .choose(options, play_.samples);
        return options[0].action;
    }

    // Whether the exact endgame covers the rules.
    static bool covers(const Rules& r) {
        return r.stack_gain <= r.discard_gain || r.discard_at_full;
    }

    // The height that each stack can still have.
    static std::array<std::uint8_t, kMaxSuits> reach(const Position& p) {
        std::array<std::uint8_t, kMaxSuits> heights{};
        std::array<std::uint16_t, kMaxSuits> there{};
        auto see = [&](Card c) {
            if (c != kUseless) there[suit_of(c)] |= static_cast<std::uint16_t>(1 << step_of(c));
        };
        for (const auto& hand : p.hands)
            for (Card c : hand) see(c);
        for (Card c : p.pile) see(c);
        for (int s = 0; s < p.rules.suits; ++s) {
            heights[s] = p.stacks[s];
            while (heights[s] < p.rules.steps[s] && there[s] >> heights[s] & 1) ++heights[s];
        }
        return heights;
    }

    // What may be best, the cheapest by habit first.
    template <class Mask>
    std::vector<Option> candidates(const Position& p, const Sight<Mask>& sight,
                                   const Habit& habit) const {
        std::vector<Option> found;
        int least = INT32_MAX;
        sight.rate(habit, [&](int cost, Event event) {
            Option option;
            option.cost = cost;
            option.event = event;
            option.action = action_of(p, sight, event);
            if (!is_legal(p, option.action)) return;
            least = std::min(least, cost);
            found.push_back(std::move(option));
        });
        found.erase(std::remove_if(found.begin(), found.end(),
                                   [&](const Option& o) { return o.cost - least > kDear; }),
                    found.end());
        std::stable_sort(found.begin(), found.end(),
                         [](const Option& a, const Option& b) { return a.cost < b.cost; });
        if (found.empty()) {
            found.emplace_back();
            found.back().action = legal_actions(p).back();
        }
        return found;
    }

    template <class Mask>
    static Action action_of(const Position& p, const Sight<Mask>& sight, Event event) {
        if (event.what == Event::pass_clue) return {Kind::clue, 0};
        const Kind kind = event.what == Event::play || sight.barred() ? Kind::play : Kind::discard;
        const auto& hand = p.hands[p.seat];
        Mask seen = 0;
        for (std::size_t i = 0; i < hand.size(); ++i) {
            const Mask card = sight.q->bit(hand[i]) & sight.state.need;
            const bool trash = !card || seen & card;
            seen |= card;
            if (event.what == Event::discard_trash ? trash : card == Mask{1} << event.card)
                return {kind, static_cast<std::uint8_t>(i)};
        }
        return {kind, 255};
    }

    // Values the options exactly if the pile is small, and puts the best first. What cannot be best
    // is dropped also when the nodes do not suffice; then false.
    bool exact(const Position& p, std::vector<Option>& options, bool whole, Budget& budget) {
        if (p.pile.size() > kExactCards || !covers(p.rules)) return false;
        AnyEndgame& engine = endgame(whole);
        budget.node_limit = budget.nodes + play_.nodes;
        Orders low = 0;
        bool all = true;
        for (Option& o : options) {
            o.exact = engine.value(p, o.action, budget);
            if (budget.stopped) return true;
            low = std::max(low, o.exact.low);
            all &= o.exact.low == o.exact.high;
        }
        options.erase(std::remove_if(options.begin(), options.end(),
                                     [&](const Option& o) { return o.exact.high < low; }),
                      options.end());
        return all || options.size() == 1;
    }

    AnyEndgame& endgame(bool whole) {
        auto& engine = whole ? wins_ : scores_;
        if (!engine)
            engine = std::make_unique<AnyEndgame>(like_, Aim{!whole, like_.rules.max_score()}, bytes_,
                                                  kAllCuts);
        return *engine;
    }

    const Play play_;
    std::size_t bytes_;
    Position like_;
    std::unique_ptr<AnyEndgame> wins_, scores_;
};

}  // namespace hanabi
