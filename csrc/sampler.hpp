// Sampling: tries options on the same draw orders, by habit up to an exact endgame.
#pragma once

#include <algorithm>

#include "endgame.hpp"
#include "habit.hpp"
#include "option.hpp"

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

// The samples of one decision. Every card that full marks need must be there.
template <class Mask>
class Sampler {
public:
    Sampler(const Sight<Mask>& sight, const Habit& habit, Endgame<Mask>& endgame, std::uint64_t seed,
            Budget& budget)
        : sight_(sight), habit_(habit), endgame_(endgame), seed_(seed), budget_(budget),
          leaf_(leaf_cards(sight.q->players)) {}

    // The cards left in the pile from which on a sample is valued exactly.
    static int leaf_cards(int players) { return players < 4 ? kLeafCards : kLeafCards - 1; }

    // Puts the best option first, by at most so many orders. They come with the cheapest first.
    void choose(std::vector<Option>& options, int samples) {
        const int first = std::min(kLook, samples);
        try_out(options, 0, 1, 0, first);
        const std::int64_t lost = first * kUnit - options[0].sum;
        if (budget_.stopped || lost == 0) return;
        if (sight_.left() > kLate && lost * kBad < first * kUnit)
            while (options.size() > kMostOptions || options.back().cost - options[0].cost > kNear)
                options.pop_back();
        try_out(options, 1, options.size(), 0, first);
        std::size_t alive = drop(options);
        for (int done = first; done < samples && alive > 1 && !budget_.stopped; done += kBatch) {
            try_out(options, 0, options.size(), done, std::min(done + kBatch, samples));
            alive = drop(options);
        }
        settle(options);
    }

private:
    static constexpr int kLeafCards = 5;
    static constexpr std::int64_t kUnit = kFactorial[kLeafCards];  // a chance of 1
    // With more cards in the pile, and less than a share lost in the first orders, only so many
    // options are tried, which cost so little more than the cheapest.
    static constexpr int kLate = 10, kBad = 8;
    static constexpr std::size_t kMostOptions = 4;
    static constexpr int kNear = 300;
    static constexpr int kLook = 16;   // orders in which the cheapest option is tried first
    static constexpr int kBatch = 32;
    static constexpr std::uint64_t kLeafNodes = 5000;
    static constexpr int kBehind = 3, kAhead = 2;  // half standard errors
    static constexpr std::int64_t kDoubt = kUnit * kUnit / 50;
    static constexpr int kSlight = 20;  // ten thousandths that do not matter

    // Tries the live ones of some options on some orders.
    void try_out(std::vector<Option>& options, std::size_t from, std::size_t to, int order, int end) {
        for (; order < end && !budget_.stopped; ++order) {
            const Question<Mask> shuffled = in_order(order);
            for (std::size_t k = from; k < to; ++k)
                if (options[k].live) options[k].add(chance(shuffled, options[k].event));
        }
        budget_.look();
    }

    Question<Mask> in_order(int number) const {
        Random random(seed_ + static_cast<std::uint64_t>(number) * 0xD1B54A32D192ED03u);
        Question<Mask> shuffled = *sight_.q;
        for (std::size_t i = static_cast<std::size_t>(shuffled.pile_size); i > 1; --i)
            std::swap(shuffled.pile[i - 1], shuffled.pile[random.below(i)]);
        return shuffled;
    }

    // The chance of a win after an action in one order, of whose last cards only the number counts.
    std::uint32_t chance(const Question<Mask>& order, Event event) {
        Sight<Mask> game = sight_;
        game.q = &order;
        const State<Mask>& s = game.state;
        if (!game.act(event)) return 0;
        while (!game.over() && game.left() > leaf_) {
            if (events_left(order, s) < count(s.need)) return 0;
            if (!game.act(game.choose(habit_))) return 0;
        }
        if (!s.need) return static_cast<std::uint32_t>(kUnit);
        if (game.over() || events_left(order, s) < count(s.need)) return 0;
        budget_.node_limit = budget_.nodes + kLeafNodes;
        const Orders won = endgame_.best(scene(game), budget_).high;
        const auto left = static_cast<std::size_t>(game.left());
        return static_cast<std::uint32_t>(won * (kFactorial[kLeafCards] / kFactorial[left]));
    }

    static Scene<Mask> scene(const Sight<Mask>& game) {
        const Question<Mask>& q = *game.q;
        const State<Mask>& s = game.state;
        Scene<Mask> made;
        made.hands = s.hands;
        for (int i = s.drawn; i < q.pile_size; ++i) made.pile.add(q.pile[i] & s.need);
        const Mask suit = (Mask{1} << (q.stride - 1) << 1) - 1;  // two shifts: stride may be all
        for (int i = 0; i < q.rules.suits; ++i)
            made.stacks[i] = static_cast<std::uint8_t>(q.rules.steps[i] -
                                                       count(s.need >> (i * q.stride) & suit));
        made.cards = q.cards;  // as long as there is a pile every hand is filled up
        made.left = static_cast<std::uint8_t>(game.left());
        made.seat = s.seat;
        made.clues = static_cast<std::uint8_t>(s.clues);
        made.strikes = s.strikes;
        made.turns_left = s.turns_left;
        return made;
    }

    static Option& best_of(std::vector<Option>& options) {
        Option* best = nullptr;
        for (Option& o : options)
            if (o.live && (!best || o.sum > best->sum)) best = &o;
        return *best;
    }

    // Drops what cannot be much better than the leader; gives how many are left.
    static std::size_t drop(std::vector<Option>& options) {
        const Option& best = best_of(options);
        std::size_t alive = 0;
        for (Option& o : options) {
            if (o.live && &o != &best) {
                Lead lead(best, o);
                lead.sum += static_cast<std::int64_t>(o.chances.size()) * kUnit * kSlight / 10000;
                o.live = !lead.beyond(kBehind, kDoubt);
            }
            alive += o.live;
        }
        return alive;
    }

    // Puts the best first. The cheapest stays first unless another is ahead beyond doubt.
    static void settle(std::vector<Option>& options) {
        Option& best = best_of(options);
        if (&best == &options[0]) return;
        if (options[0].live && !Lead(best, options[0]).beyond(kAhead, kDoubt)) return;
        std::swap(best, options[0]);
    }

    const Sight<Mask>& sight_;
    const Habit& habit_;
    Endgame<Mask>& endgame_;
    const std::uint64_t seed_;
    Budget& budget_;
    const int leaf_;
};

}  // namespace hanabi
