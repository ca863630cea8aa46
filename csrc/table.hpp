// What the search remembers about states: a table with whole keys, so that it never mistakes one
// state for another.
#pragma once

#include <utility>
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
        if (need != other.need || drawn != other.drawn) return false;
        for (int p = 0; p < kMaxPlayers; ++p)
            if (hands[p] != other.hands[p]) return false;
        return true;
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
    // refuted[seat] - 1 tokens are refuted for this seat, whatever the strikes; 0 for none
    std::array<std::uint8_t, kMaxPlayers> refuted{};
    // One visit that was cut at this many discrepancies (or lost for these very strikes: kLost)
    std::uint16_t tried_run = 0;
    std::uint8_t tried_seat = 0;
    std::uint8_t tried_clues = 0;
    std::uint8_t tried_strikes = 0;
    std::uint8_t tried_budget = 0;  // 0: none, else budget + 1
};

inline constexpr std::uint8_t kTriedLost = 255;

// Every entry has a tag of its own: the era in which it was made, as entries of another question are
// empty, some bits of its hash, and the work that it saves. The tags lie close together, so that what
// is not there is missed, and what is to be forgotten is chosen, without a look at the entries, which
// lie far apart.
template <class Mask>
class Table {
public:
    explicit Table(std::size_t bytes) {
        while (most_ * 2 * (sizeof(Entry<Mask>) + 2 * sizeof(Tag)) <= bytes) most_ *= 2;
    }

    // Forgets everything, also how far the table had grown: what is kept then depends on the
    // question alone.
    void clear() {
        next_era();
        size_ = std::min<std::size_t>(entries_.size(), kFirst);
    }

    // Fetches what `find` looks at first for a key with this hash.
    void expect(std::uint64_t hash) const {
        if (used_ > 0) __builtin_prefetch(&tags_[index(hash)]);
    }

    Entry<Mask>* find(const Key<Mask>& key) {
        return used_ > 0 ? find(key, key.hash()) : nullptr;
    }
    Entry<Mask>* find(const Key<Mask>& key, std::uint64_t hash) {
        if (used_ == 0) return nullptr;
        const std::size_t base = index(hash);
        const Tag tag = tag_of(hash);
        for (std::size_t i = base; i < base + kWays; ++i) {
            if (tags_[i] >> kWorkBits == tag && entries_[i].key == key) return &entries_[i];
            if (empty(i)) {
                __builtin_prefetch(&entries_[i], 1);  // where `at` will put it
                break;
            }
        }
        return nullptr;
    }

    // The entry of this key, made if need be; the least work of its bucket is forgotten for it.
    // `work` is below 128: log2 of the nodes below.
    Entry<Mask>& at(const Key<Mask>& key, std::uint8_t work) { return at(key, key.hash(), work); }
    Entry<Mask>& at(const Key<Mask>& key, std::uint64_t hash, std::uint8_t work) {
        if (size_ < most_ && 2 * used_ >= size_) grow();
        const std::size_t base = index(hash);
        const Tag tag = tag_of(hash);
        std::size_t place = base;
        for (; place < base + kWays && !empty(place); ++place)
            if (tags_[place] >> kWorkBits == tag && entries_[place].key == key) {
                tags_[place] = std::max(tags_[place], tag << kWorkBits | work);
                return entries_[place];
            }
        if (place < base + kWays) {
            ++used_;
        } else {
            place = base;
            for (std::size_t i = base + 1; i < base + kWays; ++i)
                if (work_of(i) < work_of(place)) place = i;
        }
        tags_[place] = tag << kWorkBits | work;
        Entry<Mask>& e = entries_[place];
        e = Entry<Mask>{};
        e.key = key;
        return e;
    }

private:
    using Tag = std::uint32_t;
    static constexpr std::size_t kWays = 4;
    static constexpr std::size_t kFirst = 1024;
    // The lowest bits of a tag are the work, those above them of the hash; the others are the era.
    static constexpr int kWorkBits = 7, kHashBits = 7, kEraBits = 32 - kWorkBits - kHashBits;

    std::size_t index(std::uint64_t hash) const { return (hash & (size_ / kWays - 1)) * kWays; }
    Tag tag_of(std::uint64_t hash) const {  // without the work
        return era_ << kHashBits | static_cast<Tag>(hash >> (64 - kHashBits));
    }
    bool empty(std::size_t place) const { return tags_[place] >> (32 - kEraBits) != era_; }
    Tag work_of(std::size_t place) const { return tags_[place] & ((1 << kWorkBits) - 1); }

    void next_era() {
        if (++era_ >> kEraBits) {
            tags_.assign(tags_.size(), 0);
            era_ = 1;
        }
        used_ = 0;
    }

    void grow() {
        std::vector<std::pair<Entry<Mask>, Tag>> live;
        for (std::size_t i = 0; i < size_; ++i)
            if (!empty(i)) live.emplace_back(entries_[i], work_of(i));
        size_ = std::min(std::max(size_ * 4, kFirst), most_);
        if (entries_.size() < size_) {
            entries_.resize(size_);
            tags_.resize(size_);
        }
        next_era();
        for (const auto& [entry, work] : live) {
            const std::uint64_t hash = entry.key.hash();
            const std::size_t base = index(hash);
            for (std::size_t i = base; i < base + kWays; ++i)
                if (empty(i)) {
                    tags_[i] = tag_of(hash) << kWorkBits | work;
                    entries_[i] = entry;
                    ++used_;
                    break;
                }
        }
    }

    std::vector<Entry<Mask>> entries_;
    std::vector<Tag> tags_;
    std::size_t most_ = kFirst;
    std::size_t size_ = 0;  // entries in use; the vectors may be longer
    std::size_t used_ = 0;
    std::uint32_t era_ = 1;
};

}  // namespace hanabi
