// The rules once more, to check lines: it deals and plays with plain arrays, and shares nothing
// with position.hpp, moves.hpp and the search but the meaning of the packed bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace hanabi {

class Replay {
public:
    // `head` is what a packed position begins with: rules, tokens, seat, and the length of every
    // suit; the stacks that stand between the lengths are not read. Deals `cards` cards.
    Replay(const std::uint8_t* head, const std::uint8_t* deck, std::size_t cards)
        : players_(head[0]), hand_size_(head[1]), suits_(head[2]), most_tokens_(head[3]),
          clue_cost_(head[4]), discard_pays_(head[5]), suit_pays_(head[6]), strike_limit_(head[7]),
          free_discard_(head[8] != 0), lost_keeps_(head[9] != 0), pile_plays_(head[10] != 0),
          final_round_(head[11] < 2), hopeless_ends_(head[11] == 1 || head[11] == 3),
          tokens_(head[12]), turn_(head[14]), next_(deck), end_(deck + cards) {
        length_.reserve(static_cast<std::size_t>(suits_));
        height_.reserve(static_cast<std::size_t>(suits_));
        hands_.reserve(static_cast<std::size_t>(players_));
        for (int s = 0; s < suits_; ++s) {
            length_.push_back(head[16 + 2 * s]);
            total_ += head[16 + 2 * s];
            height_.push_back(0);
        }
        for (int p = 0; p < players_; ++p) {
            hands_.emplace_back();
            hands_.back().reserve(static_cast<std::size_t>(hand_size_) + 1);
            for (int i = 0; i < hand_size_; ++i) draw(hands_.back());
        }
        if (next_ == end_ && final_round_) last_turns_ = players_;
    }

    // Plays, discards (kind 0, 1; `slot` counts from the oldest card), clues (kind 2) or plays the
    // last card of the pile (kind 3); false if that is against the rules.
    bool act(int kind, std::size_t slot) {
        if (strikes_ == strike_limit_ || points_ == total_ || last_turns_ == 0) return false;
        if (hopeless_ends_ && hopeless()) return false;
        std::vector<int>& hand = hands_[turn_];
        const bool no_pile = next_ == end_;
        if (kind == 2) {
            if (tokens_ < clue_cost_ || !others_hold_cards()) return false;
            tokens_ -= clue_cost_;
        } else {
            if (kind == 3) {
                if (!pile_plays_ || end_ - next_ != 1) return false;
                slot = hand.size();
                draw(hand);
            }
            if (slot >= hand.size()) return false;
            const int card = hand[slot];
            if (kind == 1) {
                if (tokens_ == most_tokens_ && !free_discard_) return false;
                gain(discard_pays_);
            } else if (card != 255 && height_[card / 16] == card % 16) {
                ++points_;
                if (++height_[card / 16] == length_[card / 16]) gain(suit_pays_);
            } else {
                ++strikes_;
            }
            hand.erase(hand.begin() + static_cast<std::ptrdiff_t>(slot));
            draw(hand);
        }
        if (final_round_ && no_pile) --last_turns_;
        else if (final_round_ && next_ == end_) last_turns_ = players_;
        turn_ = (turn_ + 1) % players_;
        return true;
    }

    int score() const {
        if (strikes_ == strike_limit_ && !lost_keeps_) return 0;
        if (!final_round_ && !lost_keeps_) return points_ == total_ ? points_ : 0;
        return hopeless_ends_ && hopeless() ? 0 : points_;
    }

private:
    void draw(std::vector<int>& hand) {
        if (next_ != end_) hand.push_back(*next_++);
    }
    void gain(int units) {
        tokens_ += units;
        if (tokens_ > most_tokens_) tokens_ = most_tokens_;
    }
    // Whether a card that full marks need has no copy left in a hand or in the pile.
    bool hopeless() const {
        std::vector<bool> left(256, false);
        for (const std::vector<int>& hand : hands_)
            for (int card : hand) left[card] = true;
        for (const std::uint8_t* card = next_; card != end_; ++card) left[*card] = true;
        for (int s = 0; s < suits_; ++s)
            for (int step = height_[s]; step < length_[s]; ++step)
                if (!left[16 * s + step]) return true;
        return false;
    }
    bool others_hold_cards() const {
        for (int p = 0; p < players_; ++p)
            if (p != turn_ && !hands_[p].empty()) return true;
        return false;
    }

    int players_, hand_size_, suits_, most_tokens_, clue_cost_, discard_pays_, suit_pays_;
    int strike_limit_;
    bool free_discard_, lost_keeps_, pile_plays_, final_round_, hopeless_ends_;
    int tokens_, turn_;
    int strikes_ = 0, points_ = 0, total_ = 0;
    int last_turns_ = -1;  // -1 before the final round
    std::vector<int> length_, height_;
    std::vector<std::vector<int>> hands_;
    const std::uint8_t* next_;
    const std::uint8_t* end_;
};

}  // namespace hanabi
