// The open-hands player: it sees all hands and what is left to draw, but not in which order.
#pragma once

#include <cmath>
#include <memory>

#include "endgame.hpp"
#include "habit_weights.hpp"
#include "optimum.hpp"

namespace hanabi {


// SplitMix64: small, and the same everywhere.
class Random {
public:
    explicit Random(std::uint64_t seed) : state_(seed) {}

    std::uint64_t next() {
        std::uint64_t z = state_ += 0x9E3779B97F4A7C15u;
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
        z = (z ^ z >> 27) * 0x94D049BB133111EBu;
        return z ^ z >> 31;
    }
    std::size_t below(std::size_t n) { return static_cast<std::size_t>((next() >> 32) * n >> 32); }

private:
    std::uint64_t state_;
};

struct Play {
    int samples = 0;          // draw orders at most for a decision
    std::uint64_t nodes = 0;  // of the exact endgame for a decision
    std::uint64_t seed = 0;
};

// Plays one game. It keeps nothing but exact values of endgames.
class Player {
public:
    Player(const Position& like, const Play& play, std::size_t bytes)
        : play_(play), bytes_(bytes), like_(like), narrow_(1 << 20), wide_(1 << 20) {
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
    struct Option {
        int cost = 0;  // by habit
        Event event;
        Action action{Kind::clue, 0};
        bool live = true;
        Interval exact{0, UINT64_MAX};
        std::vector<std::uint8_t> gains;  // of each sample
        long sum = 0;
    };

    static constexpr int kBatch = 24;
    static constexpr int kDear = 2000;
    static constexpr int kPollSamples = 192;
    static constexpr int kByHabit = 4;
    static constexpr int kByHindsight = 1;
    static constexpr std::uint64_t kHindsightNodes = 150;
    static constexpr std::size_t kExactCards = 10;
    static constexpr int kHopeless = 96;  // samples without a win after which points count

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
        sample(sight, habit, options, whole, turn, budget);
        return options[0].action;
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
        const Rules& r = p.rules;
        if (p.pile.size() > kExactCards) return false;
        if (r.stack_gain > r.discard_gain && !r.discard_at_full) return false;
        auto& engine = whole ? wins_ : scores_;
        if (!engine)
            engine = std::make_unique<AnyEndgame>(like_, Aim{!whole, r.max_score()}, bytes_,
                                                  kAllCuts);
        budget.node_limit = budget.nodes + play_.nodes;
        Orders low = 0;
        bool all = true;
        for (Option& o : options) {
            o.exact = engine->value(p, o.action, budget);
            if (budget.stopped) return true;
            low = std::max(low, o.exact.low);
            all &= o.exact.low == o.exact.high;
        }
        options.erase(std::remove_if(options.begin(), options.end(),
                                     [&](const Option& o) { return o.exact.high < low; }),
                      options.end());
        return all || options.size() == 1;
    }

    // Plays every option on by habit in the same sampled orders, drops options that fall behind,
    // and puts the best first.
    template <class Mask>
    void sample(const Sight<Mask>& sight, const Habit& habit, std::vector<Option>& options,
                bool whole, std::uint64_t turn, Budget& budget) {
        Random random(play_.seed * 0x9E3779B97F4A7C15u + turn);
        Question<Mask> shuffled = *sight.q;
        const auto begin = shuffled.pile.begin();
        const auto size = static_cast<std::size_t>(shuffled.pile_size);
        std::size_t alive = options.size();
        int done = 0;
        while (done < play_.samples && alive > 1) {
            for (int k = 0; k < kBatch; ++k) {
                for (std::size_t i = size; i > 1; --i)
                    std::swap(begin[static_cast<std::ptrdiff_t>(i - 1)],
                              begin[static_cast<std::ptrdiff_t>(random.below(i))]);
                for (int i = shuffled.pile_size - 1; kByHindsight && i >= 0; --i)
                    shuffled.later[i] = shuffled.later[i + 1] | shuffled.pile[i];
                for (Option& o : options) {
                    if (!o.live) continue;
                    Sight<Mask> game = sight;
                    game.q = &shuffled;
                    const int gain = whole ? hope(game, habit, o.event) : points(game, habit, o.event);
                    o.gains.push_back(static_cast<std::uint8_t>(gain));
                    o.sum += gain;
                }
            }
            done += kBatch;
            if (done % kPollSamples == 0) budget.look();
            if (budget.stopped) break;
            alive = drop(options, done);
            if (whole && done >= kHopeless && best_of(options).sum == 0) {
                for (Option& o : options) {
                    o.gains.clear();
                    o.sum = 0;
                }
                whole = false;
                done = 0;
            }
        }
        settle(options);
    }

    // What an option is worth in one order: won by habit, won with hindsight, or lost.
    template <class Mask>
    int hope(Sight<Mask>& game, const Habit& habit, Event event) {
        if (!game.act(event)) return 0;
        const State<Mask> after = game.state;
        if (game.play_out(habit, true)) return kByHabit;
        if (!kByHindsight) return 0;
        Budget budget;
        budget.node_limit = kHindsightNodes;
        Search<Mask> search(*game.q, tables<Mask>(), budget, kAllRules);
        return search.run(after) == Answer::reached ? kByHindsight : 0;
    }

    template <class Mask>
    static int points(Sight<Mask>& game, const Habit& habit, Event event) {
        game.act(event);
        if (game.state.strikes >= game.q->rules.max_strikes) return 0;
        return (event.what == Event::play) + game.play_out(habit, false);
    }

    template <class Mask>
    Tables<Mask>& tables() {
        if constexpr (sizeof(Mask) == 4) return narrow_;
        else return wide_;
    }

    // How far `a` is ahead of `b` in the samples of both, in standard errors.
    static double lead(const Option& a, const Option& b) {
        long sum = 0, squares = kByHabit * kByHabit;
        for (std::size_t i = 0; i < a.gains.size() && i < b.gains.size(); ++i) {
            const long d = long{a.gains[i]} - long{b.gains[i]};
            sum += d;
            squares += d * d;
        }
        return static_cast<double>(sum) / std::sqrt(static_cast<double>(squares));
    }

    static Option& best_of(std::vector<Option>& options) {
        Option* best = nullptr;
        for (Option& o : options)
            if (o.live && (!best || o.sum > best->sum)) best = &o;
        return *best;
    }

    // Drops what is clearly behind the leader; gives how many are left.
    static std::size_t drop(std::vector<Option>& options, int done) {
        const Option& best = best_of(options);
        std::size_t alive = 0;
        for (Option& o : options) {
            if (o.live && &o != &best) {
                const double ahead = lead(best, o);
                o.live = ahead < 2.5 && (done < 3 * kBatch || o.gains != best.gains);
            }
            alive += o.live;
        }
        return alive;
    }

    // Puts the best first. The habit's choice stays first unless another is ahead beyond doubt.
    static void settle(std::vector<Option>& options) {
        Option& best = best_of(options);
        if (&best == &options[0]) return;
        if (options[0].live && lead(best, options[0]) < 1) return;
        std::swap(best, options[0]);
    }

    const Play play_;
    std::size_t bytes_;
    Position like_;
    std::unique_ptr<AnyEndgame> wins_, scores_;
    Tables<std::uint32_t> narrow_;
    Tables<std::uint64_t> wide_;
};

}  // namespace hanabi
