// What the search remembers about states: a table with whole keys, so that it never mistakes one
// state for another.
#pragma once

#include <vector>

#include "question.hpp"

namespace hanabi {

// Everything of a state but seat, tokens and strikes.
template <class Mask>
struct Key {
    std::array<Mask, kMaxPlayers> hands{};
    Mask need = 0;
    std::uint8_t drawn = 0;

    bool operator==(const Key& other) const {
        return hands == other.hands && need == other.need && drawn == other.drawn;
    }
    std::uint64_t hash() const {
        std::uint64_t h = drawn + 0x9E3779B97F4A7C15u * static_cast<std::uint64_t>(need + 1);
        for (Mask m : hands) {
            h = (h ^ m) * 0xD6E8FEB86659FD93u;
            h ^= h >> 29;
        }
        return h ^ h >> 32;
    }
};

template <class Mask>
struct Entry {
    Key<Mask> key;
    std::uint32_t era = 0;  // entries of another question are empty
    // refuted[seat] - 1 tokens are refuted for this seat, whatever the strikes; 0 for none
    std::array<std::uint8_t, kMaxPlayers> refuted{};
    // One visit that was cut at this many discrepancies (or lost for these very strikes: kLost)
    std::uint16_t tried_run = 0;
    std::uint8_t tried_seat = 0;
    std::uint8_t tried_clues = 0;
    std::uint8_t tried_strikes = 0;
    std::uint8_t tried_budget = 0;  // 0: none, else budget + 1
    std::uint8_t work = 0;          // log2 of the nodes below, to choose what to forget
};

inline constexpr std::uint8_t kTriedLost = 255;

template <class Mask>
class Table {
public:
    explicit Table(std::size_t bytes) {
        while (most_ * 2 * sizeof(Entry<Mask>) <= bytes) most_ *= 2;
    }

    // Forgets everything, also how far the table had grown: what is kept then depends on the
    // question alone.
    void clear() {
        next_era();
        size_ = std::min<std::size_t>(entries_.size(), kFirst);
    }

    Entry<Mask>* find(const Key<Mask>& key) {
        if (size_ == 0) return nullptr;
        const std::size_t base = index(key.hash());
        for (std::size_t i = base; i < base + kWays; ++i)
            if (entries_[i].era == era_ && entries_[i].key == key) return &entries_[i];
        return nullptr;
    }

    // The entry of this key, made if need be; the least work of its bucket is forgotten for it.
    Entry<Mask>& at(const Key<Mask>& key, std::uint8_t work) {
        if (size_ < most_ && 2 * used_ >= size_) grow();
        const std::size_t base = index(key.hash());
        Entry<Mask>* worst = &entries_[base];
        for (std::size_t i = base; i < base + kWays; ++i) {
            Entry<Mask>& e = entries_[i];
            if (e.era != era_) {
                worst = &e;
                ++used_;
                break;
            }
            if (e.key == key) {
                e.work = std::max(e.work, work);
                return e;
            }
            if (e.work < worst->work) worst = &e;
        }
        *worst = Entry<Mask>{};
        worst->key = key;
        worst->era = era_;
        worst->work = work;
        return *worst;
    }

private:
    static constexpr std::size_t kWays = 4;
    static constexpr std::size_t kFirst = 1024;

    std::size_t index(std::uint64_t hash) const { return (hash & (size_ / kWays - 1)) * kWays; }

    void next_era() {
        if (++era_ == 0) {
            entries_.assign(entries_.size(), {});
            era_ = 1;
        }
        used_ = 0;
    }

    void grow() {
        std::vector<Entry<Mask>> live;
        for (std::size_t i = 0; i < size_; ++i)
            if (entries_[i].era == era_) live.push_back(entries_[i]);
        size_ = std::min(std::max(size_ * 4, kFirst), most_);
        if (entries_.size() < size_) entries_.resize(size_);
        next_era();
        for (Entry<Mask>& e : live) {
            const std::size_t base = index(e.key.hash());
            for (std::size_t i = base; i < base + kWays; ++i)
                if (entries_[i].era != era_) {
                    e.era = era_;
                    entries_[i] = e;
                    ++used_;
                    break;
                }
        }
    }

    std::vector<Entry<Mask>> entries_;
    std::size_t most_ = kFirst;
    std::size_t size_ = 0;  // entries in use; the vector may be longer
    std::size_t used_ = 0;
    std::uint32_t era_ = 1;
};

}  // namespace hanabi
