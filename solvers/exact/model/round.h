#ifndef MEMPLAN_SOLVERS_EXACT_MODEL_ROUND_H
#define MEMPLAN_SOLVERS_EXACT_MODEL_ROUND_H

#include <stdbool.h>
#include <stdint.h>

/* What either search is asked, and what it says. All bytes are in units of the model. */

enum { EXACT_LAST_ROUND = 62 };

/* Does a plan fit the capacity? The later the round, the longer a search looks for an answer: each
   round takes twice as many steps as the one before. */
struct exact_round {
    uint64_t capacity;
    uint32_t number;      /* from 0 to EXACT_LAST_ROUND */
    uint64_t deadline_ns; /* UINT64_MAX for none */
    uint64_t pause_ns;    /* no sooner than then it pauses; UINT64_MAX for no pause */
    bool is_short; /* for plans, not for proofs: what takes longest makes fewer steps or none */
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
                               peak */
    bool paused; /* stopped so; the same question, as the next one, goes on from there as if there
                    had been no pause */
};

/* So many steps doubled so often, at most 62 times; UINT64_MAX where that is too many. */
static inline uint64_t exact_round_double(uint64_t steps, uint32_t times)
{
    return steps < UINT64_MAX >> times ? steps << times : UINT64_MAX;
}

#endif
