// A position with every card in its place: the fast twin of solver/game/position.py.
#pragma once

#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace hanabi {

inline constexpr int kMaxPlayers = 6;
inline constexpr int kMaxSuits = 6;
inline constexpr int kMaxRanks = 10;
inline constexpr int kMaxCards = 250;

// A card is its suit and its *step*: the place, from 0, at which it is built in its suit. Steps
// instead of ranks make every suit look upward, however its ranks run.
using Card = std::uint8_t;
inline constexpr Card kUseless = 0xFF;  // a card that no stack ever takes
constexpr Card make_card(int suit, int step) { return static_cast<Card>(suit << 4 | step); }
constexpr int suit_of(Card c) { return c >> 4; }
constexpr int step_of(Card c) { return c & 15; }

// What ends a game apart from strikes and complete stacks; `Ending` of solver/game/rules.py.
enum class Ending : std::uint8_t {
    final_round,      // one more turn for each player after the last draw
    speedrun,         // the same, but 0 at once when full marks are out of reach
    endless,          // no final round
    only_full_marks,  // no final round, and everything but full marks scores 0, at once
};

struct Rules {
    int players = 2;
    int hand_size = 5;
    int suits = 5;
    int max_clues = 8;
    int clue_price = 1;
    int discard_gain = 1;
    int stack_gain = 1;
    int max_strikes = 3;
    bool discard_at_full = false;
    bool lost_scores_stacks = false;
    bool deck_play = false;
    Ending ending = Ending::final_round;
    std::array<std::uint8_t, kMaxSuits> steps{};  // cards in a complete stack

    bool has_final_round() const { return ending <= Ending::speedrun; }
    bool only_full_marks() const { return ending == Ending::only_full_marks; }
    bool ends_out_of_reach() const { return ending == Ending::speedrun || only_full_marks(); }
    int max_score() const {
        int sum = 0;
        for (int s = 0; s < suits; ++s) sum += steps[s];
        return sum;
    }
};

struct Position {
    Rules rules;
    std::array<std::uint8_t, kMaxSuits> stacks{};
    std::array<std::vector<Card>, kMaxPlayers> hands;  // oldest first
    std::vector<Card> pile;                            // next draw first
    int clues = 0;
    int strikes = 0;
    int seat = 0;
    int turns_left = -1;  // -1 before the final round

    int points() const {
        int sum = 0;
        for (int s = 0; s < rules.suits; ++s) sum += stacks[s];
        return sum;
    }
    int score() const {
        if (strikes >= rules.max_strikes && !rules.lost_scores_stacks) return 0;
        if (rules.only_full_marks()) return points() == rules.max_score() ? points() : 0;
        return rules.ends_out_of_reach() && out_of_reach() ? 0 : points();
    }
    // Whether a card that full marks still need is in no hand and not in the pile.
    bool out_of_reach() const {
        std::array<std::uint16_t, kMaxSuits> there{};
        auto see = [&](Card c) {
            if (c != kUseless) there[suit_of(c)] |= static_cast<std::uint16_t>(1 << step_of(c));
        };
        for (const auto& hand : hands)
            for (Card c : hand) see(c);
        for (Card c : pile) see(c);
        for (int s = 0; s < rules.suits; ++s)
            for (int step = stacks[s]; step < rules.steps[s]; ++step)
                if (!(there[s] >> step & 1)) return true;
        return false;
    }
    // The most plays and discards to come: each takes a card out of a hand.
    int events_left() const {
        if (turns_left >= 0) return turns_left;
        int events = static_cast<int>(pile.size());
        if (rules.has_final_round()) return events + rules.players;
        for (const auto& hand : hands) events += static_cast<int>(hand.size());
        return events;
    }
    bool playable(Card c) const { return c != kUseless && stacks[suit_of(c)] == step_of(c); }
};

// The packed form that crosses the border to Python: bytes, in this order.
//   players hand_size suits max_clues clue_price discard_gain stack_gain max_strikes
//   discard_at_full lost_scores_stacks deck_play ending clues strikes seat turns_left (255: none)
//   per suit: steps, stack; per seat: number of cards, cards; number in the pile, pile
inline Position unpack(const std::uint8_t* data, std::size_t size) {
    std::size_t at = 0;
    auto next = [&](const char* what, int least, int most) {
        if (at >= size) throw std::invalid_argument("packed position ends early");
        const int value = data[at++];
        if (value < least || value > most)
            throw std::invalid_argument(std::string(what) + " is " + std::to_string(value) +
                                        ", not " + std::to_string(least) + " to " +
                                        std::to_string(most));
        return value;
    };
    Position p;
    Rules& r = p.rules;
    r.players = next("players", 2, kMaxPlayers);
    r.hand_size = next("hand size", 1, kMaxCards);
    r.suits = next("suits", 1, kMaxSuits);
    r.max_clues = next("clue tokens at most", 1, 200);
    r.clue_price = next("clue price", 0, r.max_clues);  // 0 only in relaxations
    r.discard_gain = next("discard gain", 0, 200);
    r.stack_gain = next("stack gain", 0, 200);
    r.max_strikes = next("strike limit", 1, 100);
    r.discard_at_full = next("discard at full tokens", 0, 1) != 0;
    r.lost_scores_stacks = next("score of a lost game", 0, 1) != 0;
    r.deck_play = next("playing from the draw pile", 0, 1) != 0;
    r.ending = static_cast<Ending>(next("ending", 0, 3));
    p.clues = next("clue tokens", 0, r.max_clues);
    p.strikes = next("strikes", 0, r.max_strikes);
    p.seat = next("seat", 0, r.players - 1);
    const int turns = next("turns left", 0, 255);
    p.turns_left = turns == 255 ? -1 : turns;
    if (p.turns_left > r.players) throw std::invalid_argument("more turns left than players");
    for (int s = 0; s < r.suits; ++s) {
        r.steps[s] = static_cast<std::uint8_t>(next("steps", 1, kMaxRanks));
        p.stacks[s] = static_cast<std::uint8_t>(next("stack", 0, r.steps[s]));
    }
    auto card = [&] {
        const int c = next("card", 0, 255);
        if (c != kUseless && (suit_of(static_cast<Card>(c)) >= r.suits ||
                              step_of(static_cast<Card>(c)) >= r.steps[c >> 4]))
            throw std::invalid_argument("packed position holds a card that is none");
        return static_cast<Card>(c);
    };
    for (int seat = 0; seat < r.players; ++seat) {
        const int n = next("cards in a hand", 0, r.hand_size);
        for (int i = 0; i < n; ++i) p.hands[seat].push_back(card());
    }
    const int n = next("cards in the pile", 0, kMaxCards);
    for (int i = 0; i < n; ++i) p.pile.push_back(card());
    if (at != size) throw std::invalid_argument("packed position goes on after its end");
    if ((p.turns_left >= 0) != (p.pile.empty() && r.has_final_round()))
        throw std::invalid_argument("turns left must be given exactly in a final round");
    for (int seat = 0; n > 0 && seat < r.players; ++seat)
        if (static_cast<int>(p.hands[seat].size()) != r.hand_size)
            throw std::invalid_argument("a hand is short before the final round");
    return p;
}

inline std::string pack(const Position& p) {
    const Rules& r = p.rules;
    std::string out;
    auto put = [&](int value) { out.push_back(static_cast<char>(value)); };
    for (int value : {r.players, r.hand_size, r.suits, r.max_clues, r.clue_price, r.discard_gain,
                      r.stack_gain, r.max_strikes, int(r.discard_at_full),
                      int(r.lost_scores_stacks), int(r.deck_play), int(r.ending), p.clues,
                      p.strikes, p.seat,
                      p.turns_left < 0 ? 255 : p.turns_left})
        put(value);
    for (int s = 0; s < r.suits; ++s) {
        put(r.steps[s]);
        put(p.stacks[s]);
    }
    for (int seat = 0; seat < r.players; ++seat) {
        put(static_cast<int>(p.hands[seat].size()));
        for (Card c : p.hands[seat]) put(c);
    }
    put(static_cast<int>(p.pile.size()));
    for (Card c : p.pile) put(c);
    return out;
}

}  // namespace hanabi
