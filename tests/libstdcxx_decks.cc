// Deals decks with libstdc++'s own engine and distributions, for tests/test_sources.py and
// tests/record_decks.py: an independent model of what the environments in C++ draw.
//
// Every line of the input is KIND PLAYERS HAND SEED [GAME] with KIND hle, hle+random-start, sad,
// obl or shuffle; it is answered by the start player and the deck, 50 numbers from 0 to 24.
#include <cstdint>
#include <iostream>
#include <random>
#include <string>
#include <utility>
#include <vector>

static const int COUNTS[5] = {3, 2, 2, 2, 1};

// Cards are drawn one by one, each by a new distribution over the kinds that are left.
static std::vector<int> drawn(std::mt19937 &engine, int dealt, int skipped) {
    std::vector<int> left(25), deck;
    for (int kind = 0; kind < 25; ++kind) left[kind] = COUNTS[kind % 5];
    for (int total = 50; total > 0; --total) {
        std::vector<int> kinds;
        std::vector<double> chances;
        for (int kind = 0; kind < 25; ++kind) {
            if (!left[kind]) continue;
            kinds.push_back(kind);
            chances.push_back(static_cast<double>(left[kind]) / total);
        }
        std::discrete_distribution<std::mt19937::result_type> which(chances.begin(), chances.end());
        const int kind = kinds[which(engine)];
        --left[kind];
        deck.push_back(kind);
        if (static_cast<int>(deck.size()) == dealt)
            for (int i = 0; i < skipped; ++i) engine();
    }
    return deck;
}

static std::vector<int> shuffled(std::mt19937 &engine) {
    std::vector<int> deck;
    for (int kind = 0; kind < 25; ++kind) deck.insert(deck.end(), COUNTS[kind % 5], kind);
    for (int i = 0; i < 50; ++i) std::swap(deck[i], deck[engine() % (i + 1)]);
    return {deck.rbegin(), deck.rend()};
}

int main() {
    std::string kind;
    int players, hand;
    for (std::uint32_t seed; std::cin >> kind >> players >> hand >> seed;) {
        std::mt19937 engine(seed);
        int start = 0;
        std::vector<int> deck;
        if (kind == "shuffle") {
            int game;
            std::cin >> game;
            for (int i = 0; i <= game; ++i) deck = shuffled(engine);
        } else {
            if (kind != "hle" && kind != "sad")
                start = std::uniform_int_distribution<>(0, players - 1)(engine);
            deck = drawn(engine, players * hand, kind == "sad" ? players : 0);
        }
        std::cout << start;
        for (int card : deck) std::cout << ' ' << card;
        std::cout << '\n';
    }
}
