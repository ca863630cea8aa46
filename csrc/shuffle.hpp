// Decks as Python's `random` shuffles them: the engine of the C++ standard, seeded by an array.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace hanabi {

// `Random(seed).shuffle(list(range(size)))` for many seeds. Seeding is one long chain of products,
// each of which waits for the one before; so seeds whose keys have the same length go through it
// side by side. Of the words that the engine then makes at once, a shuffle needs some 70 of 624:
// they are made one by one.
class Shuffles {
public:
    // `size` is at most 256: a place is a byte.
    explicit Shuffles(std::size_t size) : size_(size) {}

    // Adds a seed: the words of its absolute value, the lowest first; no words stand for 0.
    void add(const std::uint32_t* words, std::size_t count) {
        static constexpr std::uint32_t kZero = 0;
        if (!count) words = &kZero, count = 1;
        if (lanes_ && (lanes_ == kLanes || count != length_)) finish();
        length_ = count;
        key_.resize(count);
        for (std::size_t j = 0; j < count; ++j) key_[j][lanes_] = words[j] + static_cast<Word>(j);
        ++lanes_;
    }

    // The shuffled places of all seeds added, one seed after the other, `size` bytes each.
    const std::vector<std::uint8_t>& places() {
        finish();
        return places_;
    }

private:
    using Word = std::uint32_t;
    static constexpr std::size_t kWords = 624, kAhead = 397, kLanes = 8;
    using Row = std::array<Word, kLanes>;

    // The state that every seeding by an array begins with.
    static std::array<Word, kWords> first_state() {
        std::array<Word, kWords> state{};
        state[0] = 19650218;
        for (Word i = 1; i < kWords; ++i)
            state[i] = 1812433253 * (state[i - 1] ^ state[i - 1] >> 30) + i;
        return state;
    }

    void finish() {
        if (!lanes_) return;
        seed();
        for (std::size_t lane = 0; lane < lanes_; ++lane) shuffle(lane);
        lanes_ = 0;
    }

    void seed() {
        static const std::array<Word, kWords> first = first_state();
        for (std::size_t i = 0; i < kWords; ++i) state_[i].fill(first[i]);
        std::size_t i = 1, j = 0;
        auto next = [&] {
            if (++i < kWords) return;
            state_[0] = state_[kWords - 1];
            i = 1;
        };
        for (std::size_t k = std::max(kWords, length_); k > 0; --k) {
            const Row& before = state_[i - 1];
            Row& row = state_[i];
            const Row& key = key_[j];
            for (std::size_t lane = 0; lane < kLanes; ++lane)
                row[lane] = (row[lane] ^ (before[lane] ^ before[lane] >> 30) * 1664525) + key[lane];
            if (++j == length_) j = 0;
            next();
        }
        for (std::size_t k = kWords - 1; k > 0; --k) {
            const Row& before = state_[i - 1];
            Row& row = state_[i];
            for (std::size_t lane = 0; lane < kLanes; ++lane)
                row[lane] = (row[lane] ^ (before[lane] ^ before[lane] >> 30) * 1566083941) -
                            static_cast<Word>(i);
            next();
        }
        state_[0].fill(0x80000000);
    }

    // Each place from the last one down changes with one that is drawn from those up to it, by as
    // many of a word's high bits as the number of these has, again and again until it is below.
    void shuffle(std::size_t lane) {
        const std::size_t base = places_.size();
        for (std::size_t i = 0; i < size_; ++i) places_.push_back(static_cast<std::uint8_t>(i));
        std::uint8_t* const places = places_.data() + base;
        std::size_t at = 0;
        for (std::size_t i = size_; i-- > 1;) {
            const int bits = 32 - __builtin_clz(static_cast<unsigned>(i + 1));
            Word drawn;
            do drawn = word(lane, at) >> (32 - bits);
            while (drawn > i);
            std::swap(places[i], places[drawn]);
        }
    }

    // The next word of a lane, made in its place of the state, which `at` goes round.
    Word word(std::size_t lane, std::size_t& at) {
        const std::size_t after = at + 1 < kWords ? at + 1 : 0;
        const std::size_t far = at + kAhead < kWords ? at + kAhead : at + kAhead - kWords;
        const Word mixed = (state_[at][lane] & 0x80000000) | (state_[after][lane] & 0x7FFFFFFF);
        Word y = state_[far][lane] ^ mixed >> 1 ^ (mixed & 1 ? 0x9908B0DF : 0);
        state_[at][lane] = y;
        at = after;
        y ^= y >> 11;
        y ^= y << 7 & 0x9D2C5680;
        y ^= y << 15 & 0xEFC60000;
        return y ^ y >> 18;
    }

    std::size_t size_;
    std::size_t lanes_ = 0;   // seeds that wait
    std::size_t length_ = 0;  // of their keys, in words
    std::vector<Row> key_;    // each word with its place added, as seeding adds it
    std::array<Row, kWords> state_{};
    std::vector<std::uint8_t> places_;
};

}  // namespace hanabi
