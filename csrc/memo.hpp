// What is remembered of scenes that were valued.
#pragma once

#include <vector>

#include "orders.hpp"
#include "scene.hpp"

namespace hanabi {

// Values of scenes, or what they are at most; whole keys. It grows up to its share of memory. From
// then on a value takes the place of one with no more cards left, which is the cheaper to find again.
template <class Mask>
class Memo {
public:
    explicit Memo(std::size_t bytes) : slots_(1024) {
        while (most_ * 2 * sizeof(Slot) <= bytes) most_ *= 2;
    }

    struct Known {
        Orders value = 0;
        bool exact = false;  // else it is an upper bound
    };

    const Known* find(const Scene<Mask>& scene) const {
        for (std::size_t i = scene.hash();; ++i) {
            const Slot& slot = slots_[i & (slots_.size() - 1)];
            if (!slot.used) return nullptr;
            if (slot.scene == scene) return &slot.known;
        }
    }
    void put(const Scene<Mask>& scene, Known known) {
        if (4 * used_ >= 3 * slots_.size()) {
            if (slots_.size() >= most_) return replace(scene, known);
            std::vector<Slot> old(slots_.size() * 2);
            old.swap(slots_);
            used_ = 0;
            for (const Slot& slot : old)
                if (slot.used) put(slot.scene, slot.known);
        }
        std::size_t i = scene.hash();
        while (slots_[i & (slots_.size() - 1)].used) {
            Slot& slot = slots_[i & (slots_.size() - 1)];
            if (slot.scene == scene) {
                slot.known = known;
                return;
            }
            ++i;
        }
        slots_[i & (slots_.size() - 1)] = {scene, known, true};
        ++used_;
    }
    std::size_t size() const { return used_; }

private:
    struct Slot {
        Scene<Mask> scene;
        Known known;
        bool used = false;
    };
    static constexpr std::size_t kNeighbours = 4;

    // A used slot stays used, so whatever lies beyond it is still found.
    void replace(const Scene<Mask>& scene, Known known) {
        Slot* cheapest = nullptr;
        for (std::size_t i = scene.hash(), end = i + kNeighbours; i != end; ++i) {
            Slot& slot = slots_[i & (slots_.size() - 1)];
            if (!slot.used) break;
            if (slot.scene == scene) {
                slot.known = known;
                return;
            }
            if (!cheapest || slot.scene.left < cheapest->scene.left) cheapest = &slot;
        }
        if (cheapest && cheapest->scene.left <= scene.left) *cheapest = {scene, known, true};
    }
    std::vector<Slot> slots_;
    std::size_t most_ = 1024;
    std::size_t used_ = 0;
};

}  // namespace hanabi
