#ifndef MEMPLAN_PLANNING_VERIFY_PATHS_WRITES_H
#define MEMPLAN_PLANNING_VERIFY_PATHS_WRITES_H

#include "planning/verify/paths/needed.h"
#include "planning/verify/verdict.h"

/* Checks what is written against what is needed at that time. A fault is put into the verdict,
   which keeps the first one.

   An output may lie on an input of its operator where the placement says that it overwrites it:

       conv -> x
       relu x -> y     y overwrites x: where y lies on the first bytes of x, writing y may hit x,
       dense y -> z    since after relu nobody needs x

   So there is at most one occupied place that writing a tensor may hit, its overwritable place.

   Operators with regions copy values into places of results and arguments, except values that lie
   there already. All copies of one step happen as if at the same time. */

struct verify_walk {
    const struct graph *graph;
    const struct placement *placement;
    struct verify_needs needs;
    uint32_t *step;       /* [operators] at which it is entered */
    uint32_t *leave_step; /* [operators]; the same without regions */
    uint32_t *overwrites; /* [tensors] the tensor in whose place it is to be written, or GRAPH_NONE,
                             also for views, which write nothing */
    struct verdict *verdict;
    struct error *error;
};

/* The overwritable place of a tensor is that of the tensor it overwrites, if it lies on it and only
   its own operator, which reads it `reads` times, still needs it. GRAPH_NONE where there is
   none. */
uint32_t verify_find_overwritable(const struct verify_walk *walk, uint32_t tensor, uint32_t reads);
/* Writing a tensor at its own offset must hit no occupied place but its own and the overwritable
   one, which may be GRAPH_NONE. O(log tensors) unless split places reach over others. */
void verify_check_written(struct verify_walk *walk, uint32_t tensor, uint32_t overwritable,
                          uint32_t step);

/* Checks the copies into the results of an If, where this branch was taken. walk->needs has what is
   needed after the If, without its results. O(results * (occupied + results)), more where values
   overlap on some paths only. */
enum status verify_check_leave(struct verify_walk *walk, uint32_t o, uint32_t region);
/* Checks the copies into the arguments of a loop. With `enters` these are copies of the inits,
   which are also checked against what is read at that step, and walk->needs has what is needed once
   the loop is entered. Else they are copies of what a turn yields, and walk->needs has what is
   needed after a turn. In both cases walk->needs includes the arguments. */
enum status verify_check_arguments(struct verify_walk *walk, uint32_t o, bool enters);

#endif
