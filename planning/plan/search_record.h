#ifndef MEMPLAN_PLANNING_PLAN_SEARCH_RECORD_H
#define MEMPLAN_PLANNING_PLAN_SEARCH_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/error.h"

/* What a tree search did, as plain numbers. */
enum search_counter {
    SEARCH_PLACEMENTS,      /* buffers placed */
    SEARCH_REJECTIONS,      /* buffers said to lie above their lowest place */
    SEARCH_SPLITS,          /* times that the buffers left fell apart into components */
    SEARCH_RESTARTS,        /* runs of a strategy of the race, and restarts of the search that
                               learns */
    SEARCH_FAILED_SPAN,     /* refused: a section ends above the capacity */
    SEARCH_FAILED_SUPPORT,  /* refused: nothing for a rejected buffer to lie on */
    SEARCH_FAILED_GAP,      /* refused: a rejected buffer still fits where it was */
    SEARCH_FAILED_FIXED,    /* refused: a fixed buffer would have to move */
    SEARCH_FAILED_HANDOVER, /* refused: too few bytes can be taken over at a border */
    SEARCH_RAISED_FIRST,    /* raised: the buffer cannot be the lowest of its section */
    SEARCH_RAISED_REJECTED, /* raised: the buffer was rejected and lies on another one */
    SEARCH_RAISED_TWIN,     /* raised: an equal buffer goes first */
    SEARCH_RAISED_HANDOVER, /* raised: the buffer takes over bytes that cannot lie lower */
    SEARCH_COLUMNS,         /* of the largest integer program that was solved, as what follows */
    SEARCH_ROWS,            /* without those that were separated */
    SEARCH_ENTRIES,         /* of these rows */
    SEARCH_SEPARATED,       /* rows that were added because a solution broke them */
    SEARCH_ROOT_BOUND,      /* bytes: the optimum of the linear relaxation */
    SEARCH_CUT_BOUND,       /* the same when the root was done, with all rows added there */
    SEARCH_ROOT_NS,         /* when that was, since the program was built */
    SEARCH_SOLVER_BYTES,    /* the most memory that the solver took */
    SEARCH_COUNTERS,
    SEARCH_FIRST_OF_PROGRAM = SEARCH_COLUMNS
};

/* For lists and results: "placements" and so on. */
const char *search_counter_name(enum search_counter counter);

struct search_record;
/* Whether the counter says something: those of an integer program where there was one, those of its
   root where the solver solved a relaxation, and the others where there was no program. */
bool search_counter_applies(const struct search_record *record, enum search_counter counter);

/* The interval in which the optimum was known to be from time_ns on. */
struct search_point {
    uint64_t time_ns;     /* since the search began */
    uint64_t peak_bytes;  /* of the best plan; UINT64_MAX for none yet */
    uint64_t bound_bytes; /* proved */
};

struct search_record {
    uint64_t counter[SEARCH_COUNTERS];
    uint64_t time_to_best_ns;
    struct search_point *point; /* [points] ascending in time, each better than the one before */
    uint32_t points;
    size_t capacity;
};

enum status search_record_create(struct search_record **record, struct error *error);
void search_record_free(struct search_record *record); /* NULL is fine */

/* Adds the counters of a record of another problem; of integer programs the greater ones. Its
   points say nothing about this problem and are not added. */
void search_record_join(struct search_record *record, const struct search_record *other);

/* Adds the point unless it says no more than the last one. O(1) amortised. */
enum status search_record_add(struct search_record *record, const struct search_point *point,
                              struct error *error);

#endif
