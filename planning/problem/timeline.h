#ifndef MEMPLAN_PLANNING_PROBLEM_TIMELINE_H
#define MEMPLAN_PLANNING_PROBLEM_TIMELINE_H

#include <assert.h>

#include "core/scratch.h"
#include "planning/problem/problem.h"

/* The segments in the order in which they start, and in the order in which they end, ties by index.
   Every sweep over the steps goes along these. O(segments). */
struct timeline {
    uint32_t *by_lower, *by_upper; /* [segments] */
    uint32_t *buffer;              /* [segments] the buffer of each */
    struct scratch scratch;        /* of all these */
};

enum status timeline_create(const struct problem *problem, struct timeline *timeline,
                            struct error *error);
void timeline_free(struct timeline *timeline);

/* Counts the pairs of segments that overlap in time, which lists of conflicts and of sections need
   room for. O(segments log segments). */
enum status timeline_count_pairs(const struct problem *problem, uint64_t *pairs,
                                 struct error *error);

/* A set of numbers below some limit, such as the segments that are live while a sweep goes along a
   timeline, in no order. Inserting, removing and asking are O(1). */
struct live_set {
    uint32_t *item;     /* [count] */
    uint32_t *position; /* [limit] where each number stands in item, if it is in the set */
    uint32_t count;
};

/* The set is empty. It lives as long as the scratch. */
enum status live_set_create(struct live_set *live, uint32_t limit, struct scratch *scratch,
                            struct error *error);

static inline bool live_set_has(const struct live_set *live, uint32_t number)
{
    uint32_t position = live->position[number];
    return position < live->count && live->item[position] == number;
}

static inline void live_set_insert(struct live_set *live, uint32_t number)
{
    assert(!live_set_has(live, number));
    live->position[number] = live->count;
    live->item[live->count++] = number;
}

static inline void live_set_remove(struct live_set *live, uint32_t number)
{
    assert(live_set_has(live, number));
    uint32_t moved = live->item[--live->count];
    live->item[live->position[number]] = moved;
    live->position[moved] = live->position[number];
}

#endif
