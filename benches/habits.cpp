// Searches for better weights of the open-hands player's habits (csrc/habit.hpp), on random deals of
// the standard game.
//
//   g++ -std=c++17 -O3 -mpopcnt -Icsrc benches/habits.cpp -o habits
//   ./habits PLAYERS SECONDS SEED        prints the weights it found, in the order of `Feature`
//
// A game counts as won if habit comes to the last cards in a state that can be won with hindsight:
// from there on the player does not play by habit.
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>

#include "player.hpp"

using namespace hanabi;
using Mask = std::uint32_t;

namespace {

constexpr int kGames = 20000, kLastCards = 9, kFresh = 25;

Position deal(int players, Random& random) {
    Position p;
    p.rules.players = players;
    p.rules.hand_size = players < 4 ? 5 : 4;
    p.rules.steps.fill(5);
    p.clues = p.rules.max_clues;
    std::vector<Card> deck;
    const int copies[] = {3, 2, 2, 2, 1};
    for (int suit = 0; suit < p.rules.suits; ++suit)
        for (int step = 0; step < 5; ++step)
            deck.insert(deck.end(), static_cast<std::size_t>(copies[step]), make_card(suit, step));
    for (std::size_t i = deck.size(); i > 1; --i) std::swap(deck[i - 1], deck[random.below(i)]);
    auto next = deck.begin();
    for (int seat = 0; seat < players; ++seat, next += p.rules.hand_size)
        p.hands[static_cast<std::size_t>(seat)].assign(next, next + p.rules.hand_size);
    p.pile.assign(next, deck.end());
    return p;
}

class Trial {
public:
    explicit Trial(int players) : players_(players) {}

    void renew(Random& random) {
        questions_.clear();
        for (int i = 0; i < kGames; ++i) {
            const Position p = deal(players_, random);
            questions_.emplace_back(p, p.rules.steps);
            roots_[i] = root_of(questions_.back(), p);
        }
    }
    int won(const Habit& habit) {
        int sum = 0;
        for (int i = 0; i < kGames; ++i) sum += won(i, habit);
        return sum;
    }

private:
    bool won(int i, const Habit& habit) {
        const auto& q = questions_[static_cast<std::size_t>(i)];
        Sight<Mask> game(q);
        game.look(roots_[i]);
        while (!game.over() && game.left() > kLastCards) {
            if (events_left(q, game.state) < count(game.state.need)) return false;
            if (!game.act(game.choose(habit))) return false;
        }
        if (!game.state.need) return true;
        Budget budget;
        budget.node_limit = 100;
        return Search<Mask>(q, tables_, budget, kAllRules).run(game.state) == Answer::reached;
    }

    int players_;
    std::vector<Question<Mask>> questions_;
    std::array<State<Mask>, kGames> roots_;
    Tables<Mask> tables_{1 << 20};
};

}  // namespace

int main(int arguments, char** argument) {
    if (arguments != 4) return std::fprintf(stderr, "habits PLAYERS SECONDS SEED\n"), 2;
    const int players = std::atoi(argument[1]);
    const double seconds = std::atof(argument[2]);
    Random random(std::strtoull(argument[3], nullptr, 10));
    std::mt19937 engine(static_cast<unsigned>(random.next()));
    std::normal_distribution<double> normal;
    const auto trial = std::make_unique<Trial>(players);
    trial->renew(random);
    Habit habit = habit_of(players);
    std::array<double, kFeatures> reach;
    reach.fill(25);
    int best = trial->won(habit);
    const auto began = std::chrono::steady_clock::now();
    double shown = 0;
    for (double now = 0; now < seconds;) {
        Habit other = habit;
        std::array<std::size_t, 3> changed{};
        const std::size_t n = 1 + random.below(3);
        for (std::size_t j = 0; j < n; ++j) {
            changed[j] = random.below(kFeatures);
            const double weight = other[changed[j]] + normal(engine) * reach[changed[j]];
            other[changed[j]] = static_cast<std::int16_t>(std::clamp(weight, -9999.0, 9999.0));
        }
        const int score = trial->won(other);
        for (std::size_t j = 0; j < n; ++j)
            reach[changed[j]] = std::clamp(reach[changed[j]] * (score > best ? 1.6 : 0.93), 3.0, 300.0);
        if (score >= best) {
            best = score;
            habit = other;
        }
        now = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
        if (now - shown < kFresh) continue;
        shown = now;
        trial->renew(random);  // other deals, so that no weight fits only these
        best = trial->won(habit);
        std::fprintf(stderr, "%.0f s: %.2f%%\n", now, 100.0 * best / kGames);
    }
    for (std::size_t i = 0; i < habit.size(); ++i)
        std::printf("%d%s", habit[i], i + 1 < habit.size() ? ", " : "\n");
}
