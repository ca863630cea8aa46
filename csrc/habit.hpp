// Playing by habit: a quick policy that sees all hands and what is left, but not in which order.
#pragma once

#include "question.hpp"

namespace hanabi {

// What makes an action dearer or cheaper; every action has a cost, and the cheapest is taken.
// A habit is the weights of these features.
enum Feature : int {
    // a play: always; for each step up its suit; for each useful card in the hand
    fPlay, fPlayStep, fPlayLoad,
    // the card after it in its suit is held by the next seat, here, by another seat
    fPlayThenNext, fPlayThenOwn, fPlayThenOther,
    fPlayChain,      // for each card that could follow it at once, whoever holds it
    fPlayTwin,       // another seat holds a copy
    fPlayTwinNext,   // the next seat does
    fPlayCompletes,  // the stack is complete
    fPlayLast,       // it draws the last card
    fPlayOneOfMany,  // more than one card in this hand is playable
    // a clue: by the tokens (in eighths of all), by the spare events, by the cards left
    fClueTokens,
    fClueSpare = fClueTokens + 9,
    fCluePhase = fClueSpare + 13,
    // the next seat has another playable card, only a later one has, none has
    fClueNextPlays = fCluePhase + 6, fClueLaterPlays, fClueNobodyPlays,
    fClueNextTrash,  // the next seat has trash
    fClueNextStuck,  // the next seat has neither trash nor a playable card
    fClueNextLoad, fClueLoad, fClueSingles,  // useful cards: the next seat's; here; not twins
    fClueTwins, fClueFull,  // twins here; no trash here
    fCluePlayable,          // playable cards in all hands
    fClueLast,              // one card is left in the pile
    // a discard: by the tokens; useful cards here, not twins; twins at the next seat
    fDiscardTokens,
    fDiscardLoad = fDiscardTokens + 9, fDiscardSingles, fDiscardTwins,
    fDiscardPlayable, fDiscardNextPlays, fDiscardLast,
    fMisplay,  // it must be a misplay, at full tokens
    // a useful card that another seat holds too: always; steps to go; the holder is next, its load
    fTwin, fTwinDistance, fTwinNext, fTwinLoad,
    // a useful card with one copy left to draw, with more
    fOneCopy, fMoreCopies,
    fOneCopySoon,  // divided by the cards left
    fOneCopyStep, fOneCopyDrawn,       // its step; for each card drawn so far
    fOneCopyMissing, fMoreCopiesMissing,  // cards below it that nobody holds
    fDistance,     // useful cards below it
    fAbove,        // cards above it that somebody holds
    fUsefulNextTrash, fUsefulNextStuck,
    kFeatures
};
inline constexpr int kLastCopy = 1000000;  // the cost of losing a useful card for good
using Habit = std::array<std::int16_t, kFeatures>;

// What the player sees: a state, and how many copies of each useful card the pile still holds.
// Which card comes next is known to `draw` alone.
template <class Mask>
class Sight {
public:
    explicit Sight(const Question<Mask>& question) : q(&question) {}

    const Question<Mask>* q;
    State<Mask> state;
    std::array<std::uint8_t, 8 * sizeof(Mask)> copies{};
    Mask piled = 0;  // useful cards of which the pile holds a copy

    void look(const State<Mask>& root) {
        state = root;
        copies.fill(0);
        piled = 0;
        for (int i = state.drawn; i < q->pile_size; ++i)
            if (const Mask card = q->pile[i] & state.need) {
                ++copies[lowest(card)];
                piled |= card;
            }
    }

    int left() const { return q->pile_size - state.drawn; }
    bool barred() const {  // whether a discard must be a misplay
        return state.clues >= q->rules.max_clues && !q->rules.discard_at_full;
    }
    bool may_throw() const { return !barred() || state.strikes + 1 < q->rules.max_strikes; }
    Mask others() const {
        Mask held = 0;
        for (int p = 0; p < q->players; ++p)
            if (p != state.seat) held |= state.hands[p];
        return held;
    }
    bool over() const {
        return !state.need || state.turns_left == 0 || state.strikes >= q->rules.max_strikes;
    }

    // Plays an action. False if a useful card was lost by it: what needs that card is trash now.
    bool act(Event event) {
        const Rules& r = q->rules;
        State<Mask>& s = state;
        const Mask card = Mask{1} << event.card;
        bool kept = true;
        if (s.turns_left > 0) --s.turns_left;
        if (event.what == Event::pass_clue) {
            s.clues = static_cast<std::int16_t>(s.clues - r.clue_price);
        } else {
            if (event.what == Event::play) {
                s.need &= ~card;
                for (int p = 0; p < q->players; ++p) s.hands[p] &= ~card;
                if (q->complete & card) gain(r.stack_gain);
            } else {
                if (barred()) ++s.strikes;
                else gain(r.discard_gain);
                if (event.what == Event::discard_useful) {
                    s.hands[s.seat] &= ~card;
                    kept = ((others() | piled) & card) != 0;
                    if (!kept) lose(event.card);
                }
            }
            draw();
        }
        s.seat = static_cast<std::uint8_t>((s.seat + 1) % q->players);
        return kept;
    }

    // Gives each sensible action and its cost by habit to `take(cost, event)`. With trash in hand no
    // useful card is thrown away.
    template <class Take>
    void rate(const Habit& w, Take take) const;

    // The cheapest action.
    Event choose(const Habit& w) const {
        int best = INT32_MAX;
        Event choice{0, Event::pass_clue, 0};
        rate(w, [&](int cost, Event event) {
            if (cost >= best) return;
            best = cost;
            choice = event;
        });
        return choice;
    }

    // Plays on by habit to the end. With `whole` every needed card is wanted, and the game is
    // given up when one is lost: 1 or 0. Else the number of cards played.
    int play_out(const Habit& w, bool whole) {
        const int before = count(state.need);
        int lost = 0;
        while (!over()) {
            if (whole && events_left(*q, state) < count(state.need)) return 0;
            const int wanted = count(state.need);
            const Event event = choose(w);
            if (!act(event)) {
                if (whole) return 0;
                lost += wanted - count(state.need);
            }
        }
        if (whole) return !state.need;
        if (state.strikes >= q->rules.max_strikes) return 0;
        return before - lost - count(state.need);
    }

private:
    void gain(int clues) {
        state.clues = static_cast<std::int16_t>(std::min(state.clues + clues, q->rules.max_clues));
    }
    void draw() {
        if (state.drawn == q->pile_size) return;
        if (const Mask card = q->pile[state.drawn]) {
            const int bit = lowest(card);
            if (copies[bit] && --copies[bit] == 0) piled &= ~card;
            state.hands[state.seat] |= card & state.need;
        }
        if (++state.drawn == q->pile_size)
            state.turns_left = static_cast<std::int8_t>(q->players);
    }
    // The cards of a suit from this one on.
    Mask upward(int bit) const {
        const int end = (bit / q->stride + 1) * q->stride;
        const Mask below = end >= static_cast<int>(8 * sizeof(Mask)) ? 0 : Mask{1} << end;
        return below - (Mask{1} << bit);
    }
    void lose(int bit) {
        state.need &= ~upward(bit);
        for (int p = 0; p < q->players; ++p) state.hands[p] &= state.need;
    }
};

template <class Mask>
template <class Take>
void Sight<Mask>::rate(const Habit& w, Take take) const {
    const Rules& r = q->rules;
    const State<Mask>& s = state;
    const int seat = s.seat, next = (seat + 1) % q->players;
    const Mask mine = s.hands[seat], theirs = s.hands[next], rest = others();
    const Mask held = mine | rest, now = q->playable(s.need), plays = mine & now;
    const int load = count(mine), singles = count(mine & ~rest), next_load = count(theirs);
    const bool last = left() == 1;
    const bool next_plays = (theirs & now & ~plays) != 0;
    const bool next_trash = next_load < q->hand_size;
    const bool next_stuck = !next_trash && !(theirs & now);
    const int tokens = std::min(8, 8 * s.clues / r.max_clues);
    const int playable = count(held & now);
    auto offer = [&](int cost, Event::What what, int bit) {
        take(cost, Event{0, what, static_cast<std::uint8_t>(bit)});
    };

    for (Mask options = plays; options; options &= options - 1) {
        const int bit = lowest(options);
        const Mask card = Mask{1} << bit;
        const Mask then = (card << 1) & ~q->first & s.need;
        int cost = w[fPlay] + w[fPlayStep] * (bit % q->stride) + w[fPlayLoad] * load;
        if (then & theirs) cost += w[fPlayThenNext];
        else if (then & mine) cost += w[fPlayThenOwn];
        else if (then & rest) cost += w[fPlayThenOther];
        if (rest & card) cost += w[fPlayTwin];
        if (theirs & card) cost += w[fPlayTwinNext];
        if (q->complete & card) cost += w[fPlayCompletes];
        if (last) cost += w[fPlayLast];
        if (plays & (plays - 1)) cost += w[fPlayOneOfMany];
        for (Mask link = then; link & held; link = (link << 1) & ~q->first & s.need)
            cost += w[fPlayChain];
        offer(cost, Event::play, bit);
    }

    if (s.clues >= r.clue_price) {
        const int spare = std::clamp(events_left(*q, s) - count(s.need), 0, 12);
        int cost = w[fClueTokens + tokens] + w[fClueSpare + spare] +
                   w[fCluePhase + std::min(5, left() / 7)] + w[fCluePlayable] * playable +
                   w[fClueNextLoad] * next_load + w[fClueLoad] * load + w[fClueSingles] * singles +
                   w[fClueTwins] * (load - singles);
        bool later = false;
        for (int d = 2; d < q->players; ++d)
            later |= (s.hands[(seat + d) % q->players] & now) != 0;
        cost += w[next_plays ? fClueNextPlays : later ? fClueLaterPlays : fClueNobodyPlays];
        if (next_trash) cost += w[fClueNextTrash];
        if (next_stuck) cost += w[fClueNextStuck];
        if (load == q->hand_size) cost += w[fClueFull];
        if (last) cost += w[fClueLast];
        offer(cost, Event::pass_clue, 0);
    }

    if (!may_throw()) return;
    const bool bar = barred();
    int base = w[fDiscardTokens + tokens] + w[fDiscardLoad] * load + w[fDiscardSingles] * singles +
               w[fDiscardPlayable] * playable - w[fDiscardTwins] * count(theirs & mine);
    if (next_plays) base += w[fDiscardNextPlays];
    if (last) base += w[fDiscardLast];
    if (bar) base += w[fMisplay];
    if (load < q->hand_size) {
        offer(base, Event::discard_trash, 0);
        return;
    }
    for (Mask options = bar ? mine & ~now : mine; options; options &= options - 1) {
        const int bit = lowest(options);
        const Mask card = Mask{1} << bit;
        const int step = bit % q->stride;
        const Mask below = s.need & (card - 1) & ~((card >> step) - 1);
        int cost = base + w[fAbove] * count(upward(bit) & ~card & held);
        if (rest & card) {
            cost += w[fTwin] + w[fTwinDistance] * count(below);
            if (theirs & card) cost += w[fTwinNext];
            for (int p = 0; p < q->players; ++p)
                if (p != seat && (s.hands[p] & card)) {
                    cost += w[fTwinLoad] * count(s.hands[p]);
                    break;
                }
        } else if (copies[bit] == 0) {
            cost += kLastCopy;
        } else {
            const int missing = count(below & ~held);
            cost += w[fDistance] * count(below);
            if (copies[bit] == 1)
                cost += w[fOneCopy] + w[fOneCopySoon] / left() + w[fOneCopyStep] * step +
                        w[fOneCopyDrawn] * s.drawn + w[fOneCopyMissing] * missing;
            else cost += w[fMoreCopies] + w[fMoreCopiesMissing] * missing;
        }
        if (next_trash) cost += w[fUsefulNextTrash];
        if (next_stuck) cost += w[fUsefulNextStuck];
        offer(cost, Event::discard_useful, bit);
    }
}

}  // namespace hanabi
