#ifndef MEMPLAN_SOLVERS_EXACT_RACE_STATE_H
#define MEMPLAN_SOLVERS_EXACT_RACE_STATE_H

#include <assert.h>

#include "planning/plan/search_record.h"
#include "solvers/exact/race/batches.h"

/* What a strategy has learned about a problem in its runs, and keeps after them. Everything else of
   a run is in a struct exact_state, which strategies can use one after another. */
struct exact_experience {
    double *weight,
        increment; /* [sections] each refusal in a section adds the increment, which itself grows */
    uint64_t *blame; /* [buffers] see blame.h; NULL where the strategy does not learn */
    uint64_t restarts;
    uint64_t counter[SEARCH_COUNTERS];
};

/* Creates an experience of no runs. O(sections + buffers). */
enum status exact_experience_create(const struct exact_model *model, bool learns,
                                    struct exact_experience **experience, struct error *error);
void exact_experience_free(struct exact_experience *experience); /* NULL is fine */
SCOPED_POINTER(struct exact_experience, exact_experience_release, exact_experience_free);

/* Copies an experience into another one of the same strategy and model. */
void exact_experience_copy(const struct exact_model *model, const struct exact_experience *from,
                           struct exact_experience *to);

/* The present node of a search: where the placed buffers lie, what is known of the others, and the
   trail, which keeps all changes in their order, so that the search can go back.

   The search looks for one plan among all that fit the capacity: the one with the least sum over
   the movable buffers of offset * size * sections. Of plans with equal sums it is the one that has
   the longer-lived buffers lower, then those of better rank, but of equal buffers the first. In
   this plan no buffer can go down, and no exchange of buffers makes it better in this sense; every
   rule may use that. It is built from the bottom up: a placed buffer lies below all conflicting
   buffers that are not placed. */

/* The rules that can be switched off, since the search is right without them, too. */
enum exact_rule {
    EXACT_RULE_PERSIST = 1, /* a rejection lasts until something is placed below the buffer */
    EXACT_RULE_NESTED =
        2, /* a buffer live only within a rejected buffer's life cannot be its support */
    EXACT_RULE_GAP = 4,    /* something must end up where a rejected buffer would have been */
    EXACT_RULE_FIRST = 8,  /* a buffer too high to be the lowest of a section lies on another one */
    EXACT_RULE_TWINS = 16, /* of equal buffers the first lies lowest */
    EXACT_RULE_SPLIT = 32, /* sections without a common buffer are searched one after another */
    EXACT_RULE_FORCED = 64, /* a section with one buffer that can be the lowest comes first */
    EXACT_RULE_HANDOVER =
        128, /* buffers that begin at a border take over the bytes of those that end there */
    EXACT_RULES_ALL = 255,
};

/* What a rejected buffer still lacks, see reject.h. */
enum exact_need {
    EXACT_NEEDS_SUPPORT = 1, /* something below it on which it can lie */
    EXACT_NEEDS_FILLER = 2,  /* something where it would have been */
};

struct exact_saved_offset {
    uint64_t offset;
    uint32_t buffer;
};

struct exact_saved_needs {
    uint64_t refused;
    uint32_t buffer;
    uint8_t needs;
};

/* A state to go back to: how long each stack of the trail was. What was saved after the mark has
   the mark's serial number and is not saved again. */
struct exact_mark {
    size_t offsets, batches, needs, placed;
    uint64_t serial;
};

struct exact_state {
    const struct exact_model *model;
    const uint32_t *rank;   /* [buffers] the least is the best */
    unsigned rules;         /* of exact_rule */
    uint64_t capacity;      /* units */
    uint64_t next_capacity; /* the least greater one for which some refusal would not hold */

    uint64_t *lowest;           /* [buffers] least offset; of a placed one its offset */
    bool *placed;               /* [buffers] */
    uint8_t *needs;             /* [buffers] of exact_need, of a buffer that is not placed */
    uint64_t *refused;          /* [buffers] the offset at which it was rejected */
    uint64_t *support, *filler; /* [buffers] conflict entry that met the need when last looked at */
    uint32_t *rejected, rejected_count; /* [rejected_count] buffers that need something */
    uint32_t *rejected_at;              /* [buffers] its index in rejected */

    struct exact_batches batches;
    uint32_t *across; /* [sections + 1] how many buffers that are left live before the section and
                         in it or later */
    uint64_t *floor, *candidates,
        *compared; /* [sections, up to whole batches] scratch for looking at many sections */
    struct exact_experience *experience; /* of the strategy that runs; borrowed */

    struct exact_saved_offset *saved_offset;
    struct exact_saved_batch *saved_batch;
    struct exact_saved_needs *saved_needs;
    uint32_t *placement; /* [mark.placed] in the order in which they were placed */
    size_t offset_capacity, saved_batch_capacity, needs_capacity;
    struct exact_mark top;
    uint64_t *offset_serial; /* [buffers] serial number of the mark after which lowest was saved */
    uint64_t last_serial;
    /* Where other models are along the model, each has a state, too, in which the same buffers are
       placed and rejected. */
    struct exact_state *along;       /* of the next one, or NULL */
    const struct exact_state *first; /* of the model of the search */
    struct exact_mark *mark;         /* [buffers] of a state along another, by the number placed */
    struct exact_rectangles rectangles; /* of a state along another, whose capacity never changes */
    struct exact_grid *grid;
    struct scratch memory; /* of all arrays but the trail */
};

/* The model must outlive the state. It needs an experience before the first start. */
enum status exact_state_create(const struct exact_model *model, struct exact_state **state,
                               struct error *error);
void exact_state_free(struct exact_state *state); /* NULL is fine */
SCOPED_POINTER(struct exact_state, exact_state_release, exact_state_free);

/* To be called before a start with another grid, which must outlive the state. */
enum status exact_state_fit(struct exact_state *state, const struct exact_grid *grid,
                            struct error *error);

/* Makes room for what one more step of the search can save. */
enum status exact_state_reserve(struct exact_state *state, struct error *error);

/* Notes that a refusal would not hold for the capacity. */
static inline void exact_state_lower_next_capacity(struct exact_state *state, uint64_t capacity)
{
    assert(capacity > state->capacity);
    if (capacity < state->next_capacity)
        state->next_capacity = capacity;
}

#endif
