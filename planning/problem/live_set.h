#ifndef MEMPLAN_PLANNING_PROBLEM_LIVE_SET_H
#define MEMPLAN_PLANNING_PROBLEM_LIVE_SET_H

#include "planning/problem/problem.h"

/* The segments that are live while a sweep goes along a timeline, in no order. Inserting and
   removing are O(1). */
struct live_set {
    uint32_t *segment, *place; /* [segments]; place finds a segment to take it out */
    uint32_t count;
};

enum status live_set_create(const struct problem *problem, struct live_set *live,
                            struct error *error);
void live_set_free(struct live_set *live);

void live_set_insert(struct live_set *live, uint32_t segment);
void live_set_remove(struct live_set *live, uint32_t segment);

#endif
