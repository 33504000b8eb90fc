#ifndef MEMPLAN_SOLVERS_COMMON_COMPONENTS_H
#define MEMPLAN_SOLVERS_COMMON_COMPONENTS_H

#include "planning/plan/planner.h"
#include "solvers/common/reduction.h"

/* A problem that is solved part by part: what can wait is taken away (reduction.h), each component
   of what is left is a problem of its own, and their offsets together are a plan of the whole. What
   the exact planners share. */
struct parts {
    const struct problem *problem;
    struct reduction *reduction;
    uint32_t count;
};

/* The task's start where it is a valid plan, else NULL; it belongs to the task. */
enum status parts_find_start(const struct planner_task *task, const struct plan **start,
                             struct error *error);

/* bound_bytes: plans are only looked for at or above it. Leaves *parts fit for parts_clear; the
   problem must outlive it. O(conflicts). */
enum status parts_create(const struct problem *problem, uint64_t bound_bytes, struct parts *parts,
                         struct error *error);
void parts_clear(struct parts *parts); /* all zeroes is fine */

/* Called with the problem of one part, which is freed behind it. */
typedef enum status parts_visit(void *context, uint32_t part, const struct problem *problem,
                                struct error *error);
enum status parts_solve(const struct parts *parts, uint32_t part, parts_visit *visit, void *context,
                        struct error *error);

/* Where the part's highest buffer ends in a plan of the whole. O(buffers of the part). */
uint64_t parts_peak_bytes(const struct parts *parts, uint32_t part, const struct plan *whole);

/* Copies the offsets of the part's buffers from a plan of the whole, and into one; those of the
   part [buffers of the part] are in units of unit_bytes. */
void parts_take(const struct parts *parts, uint32_t part, const struct plan *whole,
                uint64_t *offset);
void parts_put(const struct parts *parts, uint32_t part, const uint64_t *offset,
               uint64_t unit_bytes, struct plan *whole);

/* When the offsets of all parts are in the plan: places what waited, and sets the peak. */
enum status parts_finish(const struct parts *parts, struct plan *whole, struct error *error);

#endif
