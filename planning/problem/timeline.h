#ifndef MEMPLAN_PLANNING_PROBLEM_TIMELINE_H
#define MEMPLAN_PLANNING_PROBLEM_TIMELINE_H

#include "planning/problem/problem.h"

/* Segments in the order in which they start, and in the order in which they end, ties by index:
   what every sweep over the steps goes along. O(segments). */
struct timeline {
    uint32_t *by_lower, *by_upper; /* [segments] */
    uint32_t *buffer;              /* [segments] whose segment it is */
};

enum status timeline_create(const struct problem *problem, struct timeline *timeline,
                            struct error *error);
void timeline_free(struct timeline *timeline);

/* Pairs of segments that overlap in time: what lists of conflicts and of sections need room for.
   O(segments log segments). */
enum status timeline_count_pairs(const struct problem *problem, uint64_t *pairs,
                                 struct error *error);

/* The segments that are live while a sweep goes along a timeline, in no order. Inserting and
   removing are O(1). */
struct live_set {
    uint32_t *segment, *position; /* [segments]; position finds a segment to take it out */
    uint32_t count;
};

enum status live_set_create(const struct problem *problem, struct live_set *live,
                            struct error *error);
void live_set_free(struct live_set *live);

/* Takes in a segment that is not in the set, and takes out one that is. */
void live_set_insert(struct live_set *live, uint32_t segment);
void live_set_remove(struct live_set *live, uint32_t segment);

#endif
