# cython: language_level=3, autotestdict=False, auto_pickle=False
# distutils: language = c++
"""The border between Python and the C++ headers: bytes and numbers in, tuples out."""

cimport cython
from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libcpp cimport bool as cbool
from libcpp.memory cimport unique_ptr
from libcpp.string cimport string
from libcpp.vector cimport vector


cdef extern from "position.hpp" namespace "hanabi" nogil:
    cdef cppclass Position:
        Position()
    Position unpack(const uint8_t*, size_t) except +
    string pack_position "hanabi::pack"(const Position&) except +

cdef extern from "moves.hpp" namespace "hanabi" nogil:
    cdef enum class Kind(uint8_t):
        play
        discard
        clue
        deck_play
    cdef cppclass Action:
        Kind kind
        uint8_t slot
    vector[Action] c_legal_actions "hanabi::legal_actions"(const Position&) except +
    cbool is_legal(const Position&, Action)
    void apply(Position&, Action) except +
    uint64_t c_perft "hanabi::perft"(const Position&, int) except +

cdef extern from "optimum.hpp" namespace "hanabi" nogil:
    cdef cppclass Limits:
        uint64_t nodes
        double seconds
        int target
        int bound
        unsigned rules
    cdef enum class Stop(uint8_t):
        none
    cdef cppclass Optimum:
        int score
        int bound
        vector[Action] line
        uint64_t nodes
        double seconds
        Stop stop
    cdef cppclass Budget:
        uint64_t nodes
        uint64_t node_limit
        cbool late
        cbool (*poll)(void*) noexcept nogil
        void* poll_data
        void allow(double)
    cdef cppclass Memory:
        Memory(size_t) except +
    cdef cppclass Solver:
        Solver(const Position&, const Limits&, Memory&, Budget&)
        Optimum run() except +

cdef extern from "batch.hpp" namespace "hanabi" nogil:
    cdef cppclass CBatch "hanabi::Batch":
        CBatch(int, const Limits&, size_t) except +
        void push(Position) except +
        cbool wait(int)
        Optimum pop() except +


cdef extern from "ladder.hpp" namespace "hanabi" nogil:
    cdef enum class Rung(uint8_t):
        release
    cdef enum class Answer(uint8_t):
        reached
    Answer climb_packed(Position, const uint8_t*, Rung, Budget&, Memory&) except +

cdef extern from "replay.hpp" namespace "hanabi" nogil:
    cdef cppclass Replay:
        Replay(const uint8_t*, const uint8_t*, size_t) except +
        cbool act(int, size_t) except +
        int score()

cdef extern from "shuffle.hpp" namespace "hanabi" nogil:
    cdef cppclass Shuffles:
        Shuffles(size_t) except +
        void add(const uint32_t*, size_t) except +
        const vector[uint8_t]& places() except +

cdef extern from "survey.hpp" namespace "hanabi" nogil:
    cdef cppclass Surveyed:
        Optimum optimum
        double seconds
        int rung
        cbool first
    cdef cppclass CSurvey "hanabi::Survey":
        CSurvey(const uint8_t*, size_t, uint64_t, uint64_t, size_t) except +
        size_t cards()
        Surveyed run(const uint8_t*, Budget) except +
        cbool won_by_habit(const uint8_t*) except +

cdef extern from "endgame.hpp" namespace "hanabi" nogil:
    cdef cppclass Interval:
        uint64_t low
        uint64_t high
    cdef cppclass Aim:
        cbool score
        int target
    cdef cppclass AnyEndgame:
        AnyEndgame(const Position&, Aim, size_t, unsigned) except +
        Interval value(const Position&, Action, Budget&) except +
        size_t states()

cdef extern from "player.hpp" namespace "hanabi" nogil:
    cdef cppclass Play:
        int samples
        uint64_t nodes
        uint64_t seed
    cdef cppclass CPlayer "hanabi::Player":
        CPlayer(const Position&, const Play&, size_t) except +
        Action choose(const Position&, uint64_t, Budget&) except +


cdef Position _unpack(bytes packed) except *:
    return unpack(<const uint8_t*> <const char*> packed, len(packed))


cdef Limits _limits(object nodes, double seconds, int target, unsigned rules) except *:
    cdef Limits limits
    limits.nodes = <uint64_t> -1 if nodes is None else nodes
    limits.seconds = seconds
    limits.target = target
    limits.rules = rules
    return limits


cdef bytes _line(const vector[Action]& actions):
    return (<const char*> actions.data())[: 2 * actions.size()]


cdef tuple _tuple(const Optimum& o):
    return o.score, o.bound, _line(o.line), o.nodes, o.seconds, <int> o.stop


cdef cbool _poll(void* raised) noexcept with gil:
    try:
        PyErr_CheckSignals()
    except BaseException as error:
        (<list> raised).append(error)
        return True
    return False


cdef cbool _poll_event(void* seen) noexcept with gil:
    """Look for signals, and at the event that comes first in the list."""
    try:
        PyErr_CheckSignals()
        if (<list> seen)[0] is not None and (<list> seen)[0].is_set():
            raise InterruptedError("asked to stop")
    except BaseException as error:
        (<list> seen).append(error)
        return True
    return False


def solve(bytes packed, nodes, double seconds, int target, unsigned rules, size_t memory,
          int bound=-1):
    """Find the optimum of a packed position, which is known to be at most `bound`."""
    cdef Position position = _unpack(packed)
    cdef Limits limits = _limits(nodes, seconds, target, rules)
    cdef Budget budget
    cdef unique_ptr[Memory] tables
    cdef unique_ptr[Solver] solver
    cdef Optimum optimum
    cdef list raised = []
    limits.bound = bound
    budget.poll = _poll
    budget.poll_data = <void*> raised
    tables.reset(new Memory(memory))
    solver.reset(new Solver(position, limits, tables.get()[0], budget))
    with nogil:
        optimum = solver.get().run()
    if raised:
        raise raised[0]
    return _tuple(optimum)


def climb(bytes packed, bytes caps, int rung, nodes, size_t memory):
    """Answer a question on a rung of the ladder: 0 possible, 1 or 2 lost, 3 limit reached."""
    cdef Position position = _unpack(packed)
    cdef Budget budget
    cdef unique_ptr[Memory] tables
    cdef Answer answer
    cdef list raised = []
    cdef const uint8_t* heights = <const uint8_t*> <const char*> caps
    if not 0 <= rung <= 4:
        raise ValueError("rung is not 0 to 4")
    if len(caps) != 6:
        raise ValueError("caps are not six bytes")
    budget.node_limit = <uint64_t> -1 if nodes is None else nodes
    budget.poll = _poll
    budget.poll_data = <void*> raised
    tables.reset(new Memory(memory))
    with nogil:
        answer = climb_packed(position, heights, <Rung> rung, budget, tables.get()[0])
    if raised:
        raise raised[0]
    return <int> answer


@cython.final
cdef class Batch:
    """Many packed positions on native threads; answers come in the order of the questions."""

    cdef unique_ptr[CBatch] batch
    cdef Py_ssize_t waiting

    def __init__(self, int jobs, nodes, double seconds, int target, unsigned rules, size_t memory):
        cdef Limits limits = _limits(nodes, seconds, target, rules)
        if not 1 <= jobs <= 1024:
            raise ValueError("jobs is not 1 to 1024")
        self.waiting = 0
        self.batch.reset(new CBatch(jobs, limits, memory))

    def __len__(self):
        return self.waiting

    def push(self, bytes packed):
        """Add a question; ValueError once the batch is closed."""
        if not self.batch:
            raise ValueError("the batch is closed")
        self.batch.get().push(_unpack(packed))
        self.waiting += 1

    def pop(self):
        """Wait for the oldest answer and give it; IndexError if no question is waiting."""
        cdef cbool ready = False
        cdef Optimum optimum
        if self.waiting == 0:
            raise IndexError("no question is waiting")
        while not ready:
            with nogil:
                ready = self.batch.get().wait(50)
            PyErr_CheckSignals()
        self.waiting -= 1
        optimum = self.batch.get().pop()
        return _tuple(optimum)

    def close(self):
        """Stop the threads and forget all questions."""
        with nogil:
            self.batch.reset()
        self.waiting = 0


def shuffled(seeds, int size):
    """Shuffle the numbers below `size` as Python does by each of the seeds, integers; all in one.

    What stands at a place of a shuffled list is a byte.
    """
    cdef unique_ptr[Shuffles] made
    cdef vector[uint32_t] words
    cdef const vector[uint8_t]* places
    cdef size_t count, i
    if not 1 <= size <= 256:
        raise ValueError("size is not 1 to 256")
    made.reset(new Shuffles(size))
    for seed in seeds:
        seed = abs(seed)
        count = (seed.bit_length() + 31) // 32
        words.resize(count)
        for i in range(count):
            words[i] = (seed >> 32 * i) & 0xFFFFFFFF
        made.get().add(words.data(), count)
    places = &made.get().places()
    return (<const char*> places.data())[:places.size()]


def survey(bytes like, bytes decks, uint64_t nodes, uint64_t rung_nodes, size_t memory):
    """Solve decks of one set of rules; a tuple for each, as the stub says."""
    cdef unique_ptr[CSurvey] made
    cdef Budget budget
    cdef Surveyed found
    cdef const uint8_t* cards = <const uint8_t*> <const char*> decks
    cdef size_t size, at
    cdef list raised = []
    cdef list rows = []
    cdef const uint8_t* start = <const uint8_t*> <const char*> like
    made.reset(new CSurvey(start, len(like), nodes, rung_nodes, memory))
    budget.poll = _poll
    budget.poll_data = <void*> raised
    size = made.get().cards()
    if len(decks) % size:
        raise ValueError("the decks do not end with a whole deck")
    for at in range(0, <size_t> len(decks), size):
        with nogil:
            found = made.get().run(cards + at, budget)
        if raised:
            raise raised[0]
        PyErr_CheckSignals()
        rows.append((
            found.optimum.score, found.optimum.bound, _line(found.optimum.line),
            found.optimum.nodes, found.seconds, <int> found.optimum.stop, found.rung, found.first,
        ))
    return rows


def won_by_habit(bytes like, bytes decks):
    """Count the decks that the greedy player of csrc/habit.hpp wins with all hands open."""
    cdef const uint8_t* cards = <const uint8_t*> <const char*> decks
    cdef const uint8_t* start = <const uint8_t*> <const char*> like
    cdef unique_ptr[CSurvey] made
    cdef size_t size, at
    cdef int wins = 0
    made.reset(new CSurvey(start, len(like), 0, 0, 0))
    size = made.get().cards()
    if len(decks) % size:
        raise ValueError("the decks do not end with a whole deck")
    for at in range(0, <size_t> len(decks), size):
        wins += made.get().won_by_habit(cards + at)
    return wins


def replay(bytes like, bytes deck, bytes line):
    """Play a line by the rules that check the survey's: how many actions are legal, the score."""
    cdef unique_ptr[CSurvey] made
    cdef unique_ptr[Replay] game
    cdef Py_ssize_t at
    made.reset(new CSurvey(<const uint8_t*> <const char*> like, len(like), 0, 0, 0))
    if len(deck) != <Py_ssize_t> made.get().cards() or len(line) % 2:
        raise ValueError("this is no deck of these rules, or no line")
    game.reset(new Replay(<const uint8_t*> <const char*> like,
                          <const uint8_t*> <const char*> deck, len(deck)))
    for at in range(0, len(line), 2):
        if not game.get().act(line[at], line[at + 1]):
            return at // 2, game.get().score()
    return len(line) // 2, game.get().score()


def legal_actions(bytes packed):
    """List the legal actions of a packed position, two bytes each: kind and slot."""
    cdef Position position = _unpack(packed)
    return _line(c_legal_actions(position))


def after(bytes packed, int kind, int slot):
    """Pack the position after an action; ValueError if the action is illegal."""
    cdef Position position = _unpack(packed)
    cdef Action action
    if not 0 <= kind <= 3 or not 0 <= slot <= 255:
        raise ValueError("no such action")
    action.kind = <Kind> kind
    action.slot = slot
    if not is_legal(position, action):
        raise ValueError("the action is illegal")
    apply(position, action)
    return <bytes> pack_position(position)


def perft(bytes packed, int depth):
    """Count the lines of exactly ``depth`` actions from a packed position."""
    cdef Position position = _unpack(packed)
    cdef uint64_t lines
    if depth < 0:
        raise ValueError("depth is negative")
    with nogil:
        lines = c_perft(position, depth)
    return lines


@cython.final
cdef class Endgame:
    """Exact values of positions of one game with unknown draw order; it keeps what it found."""

    cdef unique_ptr[AnyEndgame] endgame

    def __init__(self, bytes like, bint score, int target, size_t memory, unsigned cuts=15):
        cdef Aim aim
        aim.score = score
        aim.target = target
        self.endgame.reset(new AnyEndgame(_unpack(like), aim, memory, cuts))

    def values(self, bytes packed, nodes, double seconds):
        """Value every legal action: kind, slot, low and high counts of orders; and nodes spent."""
        cdef Position position = _unpack(packed)
        cdef vector[Action] actions = c_legal_actions(position)
        cdef Budget budget
        cdef Interval value
        cdef size_t i
        cdef list raised = []
        cdef list found = []
        if not self.endgame:
            raise ValueError("the endgame was not made")
        budget.node_limit = <uint64_t> -1 if nodes is None else nodes
        budget.poll = _poll
        budget.poll_data = <void*> raised
        if seconds > 0:
            budget.allow(seconds)
        for i in range(actions.size()):
            with nogil:
                value = self.endgame.get().value(position, actions[i], budget)
            if raised:
                raise raised[0]
            found.append((<int> actions[i].kind, actions[i].slot, value.low, value.high))
        return found, budget.nodes

    def states(self):
        """Count the states whose values are kept."""
        return self.endgame.get().states() if self.endgame else 0


@cython.final
cdef class Player:
    """The open-hands player in one game; it keeps what it found out about its endgames."""

    cdef unique_ptr[CPlayer] player

    def __init__(self, bytes like, int samples, uint64_t nodes, uint64_t seed, size_t memory):
        cdef Play play
        play.samples = samples
        play.nodes = nodes
        play.seed = seed
        self.player.reset(new CPlayer(_unpack(like), play, memory))

    def choose(self, bytes packed, uint64_t turn, stop=None):
        """Choose the action of a packed position that has one: kind and slot.

        InterruptedError once the event ``stop`` is set, which other threads may do.
        """
        cdef Position position = _unpack(packed)
        cdef Budget budget
        cdef Action action
        cdef list seen = [stop]
        if not self.player:
            raise ValueError("the player was not made")
        if c_legal_actions(position).empty():
            raise ValueError("the position has no legal action")
        budget.poll = _poll_event
        budget.poll_data = <void*> seen
        with nogil:
            action = self.player.get().choose(position, turn, budget)
        if len(seen) > 1:
            raise seen[1]
        return <int> action.kind, action.slot
