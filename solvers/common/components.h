#ifndef MEMPLAN_SOLVERS_COMMON_COMPONENTS_H
#define MEMPLAN_SOLVERS_COMMON_COMPONENTS_H

#include "core/scratch.h"
#include "planning/plan/planner.h"
#include "planning/problem/conflicts.h"

/* The part of a problem that is left to search, given a lower bound L on its peak: components
   without conflicts between them, each a problem of its own. Their offsets together are a plan of
   the whole.

   A buffer can wait, that is, be placed last, when it has a place below L wherever the buffers that
   conflict with it lie: k buffers of sum S leave k + 1 gaps and at least L - S free bytes in [0,
   L), so one gap is large enough when L - S > (k + 1) * (size + alignment - 2), in the unit that
   all offsets are multiples of. Without such buffers others can wait, too, so this is repeated. */
struct components {
    const struct problem *problem;
    uint32_t count;
    uint32_t *first;             /* [count + 1] into kept */
    uint32_t *kept;              /* buffers by component, ascending in each */
    uint32_t waiting_count;      /* how many buffers are placed last */
    uint32_t *waiting;           /* [waiting_count] in the order in which they were taken away */
    struct conflicts *conflicts; /* of those that wait; the lists of others are empty */
    struct scratch memory;
};

/* *start is the task's start, with which exact planners begin, or NULL where it is no valid plan.
   It belongs to the task. */
enum status components_find_start(const struct planner_task *task, const struct plan **start,
                                  struct error *error);

/* bound_bytes is L. The problem must outlive the components, which the caller clears, also after an
   error. O(conflicts). */
enum status components_create(const struct problem *problem, uint64_t bound_bytes,
                              struct components *components, struct error *error);
void components_clear(struct components *components); /* all zeroes is fine */

/* Calls visit with the problem of one component, whose buffer i is kept[first[component] + i], and
   frees that problem afterwards. */
typedef enum status components_visit(void *context, uint32_t component,
                                     const struct problem *problem, struct error *error);
enum status components_solve(const struct components *components, uint32_t component,
                             components_visit *visit, void *context, struct error *error);

/* Where the component's highest buffer ends in a plan of the whole. O(buffers of the component). */
uint64_t components_peak_bytes(const struct components *components, uint32_t component,
                               const struct plan *whole);

/* Copies the component's offsets from a plan of the whole, in bytes. offset [its buffers]. */
void components_take(const struct components *components, uint32_t component,
                     const struct plan *whole, uint64_t *offset);

/* Copies the component's offsets into a plan of the whole. offset [its buffers] is in units of
   unit_bytes. */
void components_put(const struct components *components, uint32_t component, const uint64_t *offset,
                    uint64_t unit_bytes, struct plan *whole);

/* When the offsets of all components are in the plan: places the buffers that waited, the last
   taken away first, at their lowest offsets, and sets the peak. STATUS_BAD_INPUT if one has no
   place below 2^64. */
enum status components_finish(const struct components *components, struct plan *whole,
                              struct error *error);

#endif
