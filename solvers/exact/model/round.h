#ifndef MEMPLAN_SOLVERS_EXACT_MODEL_ROUND_H
#define MEMPLAN_SOLVERS_EXACT_MODEL_ROUND_H

#include <stdbool.h>
#include <stdint.h>

/* The question for both searches, the race of strategies and the learning search, and their answer.
   All bytes are in units of the model. */

enum { EXACT_LAST_ROUND = 62 };

/* Does a plan fit the capacity? The later the round, the longer a search looks for an answer: each
   round takes twice as many steps as the one before. */
struct exact_round {
    uint64_t capacity;
    uint32_t number;      /* from 0 to EXACT_LAST_ROUND */
    uint64_t deadline_ns; /* UINT64_MAX for none */
    uint64_t pause_ns;    /* from then on the search may pause; UINT64_MAX for no pause */
    bool is_short; /* for plans, not proofs: the slowest strategies make fewer steps or none */
};

enum exact_outcome {
    EXACT_FOUND,   /* a plan */
    EXACT_REFUTED, /* there is none */
    EXACT_STOPPED, /* at a limit; nothing is known */
};

struct exact_answer {
    enum exact_outcome outcome;
    uint64_t *offset;       /* [buffers] allocated by the caller; filled where a plan was found */
    uint64_t next_capacity; /* where refuted: the least capacity that may fit; no plan has a lower
                               peak. UINT64_MAX where none may, since fixed buffers collide */
    bool paused; /* it stopped to pause: if the next question is the same, it goes on as if there
                    had been no pause */
};

/* The number of steps, doubled `times` times, at most 62; UINT64_MAX where the result would
   overflow. */
static inline uint64_t exact_round_double(uint64_t steps, uint32_t times)
{
    return steps < UINT64_MAX >> times ? steps << times : UINT64_MAX;
}

/* The term of the series 1 1 2 1 1 2 4 ... for `index` from 1 on, by which restarts are spaced
   (Luby, Sinclair and Zuckerman, Information Processing Letters 47, 1993). O(log index). */
static inline uint64_t exact_round_luby(uint64_t index)
{
    for (;;) {
        uint64_t term = 1;
        while (2 * term - 1 < index)
            term *= 2;
        if (2 * term - 1 == index)
            return term;
        index -= term - 1;
    }
}

#endif
