#ifndef MEMPLAN_PLANNING_PROBLEM_CONFLICTS_H
#define MEMPLAN_PLANNING_PROBLEM_CONFLICTS_H

#include "planning/problem/problem.h"

/* Pairs of conflicting buffers: the others of buffer b are other[first[b] .. first[b + 1] - 1],
   ascending. O(segments log segments + pairs); for clocks alone as precedence_list_conflicts. */
struct conflicts {
    uint64_t *first; /* [buffers + 1] */
    uint32_t *other;
};

/* The caller frees *conflicts with conflicts_free. */
enum status conflicts_create(const struct problem *problem, struct conflicts **conflicts,
                             struct error *error);
void conflicts_free(struct conflicts *conflicts);
SCOPED_POINTER(struct conflicts, conflicts_release, conflicts_free);

/* Counts the pairs that conflict without listing them. Two buffers count once for each pair of
   their segments that overlap. O(segments log segments), or what precedence_create costs. */
enum status conflicts_count_pairs(const struct problem *problem, uint64_t *pairs,
                                  struct error *error);

/* Whether conflicts_create takes little time, or about as long as the limit at most. */
enum status conflicts_has_time(const struct problem *problem, uint64_t limit_ns, bool *has_time,
                               struct error *error);

#endif
