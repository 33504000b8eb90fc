#ifndef MEMPLAN_PLANNING_LIVENESS_RESULT_PLACES_H
#define MEMPLAN_PLANNING_LIVENESS_RESULT_PLACES_H

#include "planning/plan/placement.h"

/* In whose place what a branch yields is written, where the result of an If has a place of its own:
   nothing has to move when the If is left.

       if -> r                    home of r, t and e: r, which takes the bytes of the largest
         then: relu -> t  yield t
         else: if -> e    yield e
                 then: pool -> p  yield p      home of p: r, by way of e
                 else:            yield x      x is from outside: its home is x, it is copied

   A yield is at home in a result where
   - its branch defines it directly, by a plain operator, an If or a loop; of a loop's result it is
     the carried argument that has the place;
   - its branch yields it once;
   - neither it nor the result is external;
   - it is not in place of another tensor (placement->overwrites). */
struct homes {
    uint32_t *home; /* [tensors] outermost result in whose place it is, mostly itself */
    uint32_t *next; /* [tensors] that is in the same home and has a place, GRAPH_NONE; from the home
                       on, which is not the next of any */
    uint64_t *bytes; /* [tensors] that a place of it holds on any path: its own; of the result of an
                        If also what any branch yields */
};

/* The overwrites of the placement have been set. O(size of the graph). */
enum status homes_create(const struct graph *graph, const struct placement *placement,
                         struct homes **homes, struct error *error);
void homes_free(struct homes *homes); /* NULL is fine */

/* Some branch yields into the arena what is not at home in the result, and so has to be copied
   where the result has a place. O(yields). */
bool homes_leave_copies(const struct graph *graph, const struct homes *homes);

/* Fills bytes [tensors] as above. O(size of the graph). */
void homes_find_bytes(const struct graph *graph, uint64_t *bytes);

#endif
