#ifndef MEMPLAN_PLANNING_LIVENESS_RESULT_PLACES_H
#define MEMPLAN_PLANNING_LIVENESS_RESULT_PLACES_H

#include "planning/graph/moves.h"
#include "planning/plan/placement.h"

/* The place that each tensor is in where the result of an If has a place of its own: what a branch
   yields is written straight into the place of the result, so that nothing has to be copied when
   the If is left.

       if -> r                    t, e and p are in the place of r, which has the bytes of the
         then: relu -> t  yield t    largest of them; p is there by way of e
         else: if -> e    yield e
                 then: pool -> p  yield p
                 else:            yield x      x is from outside: it has its own place and is copied

   What a branch yields is in the place of the result where
   - the branch defines it directly, by a plain operator, an If or a loop; of a loop's result it is
     the carried argument that has the place;
   - the branch yields it once, and the result has a place;
   - neither it nor the result is external;
   - it is not written in the place of another tensor (placement->overwrites). */
struct place_choice {
    const bool *unplaced; /* [tensors] results that have no place; NULL: none */
    bool apart;           /* what a branch yields is never in the place of a result */
    const struct graph_moves *moves;
    /* [moves] whether the source and the target share one place. The caller makes sure that the
       place is not needed for two values at once. NULL: none does */
    const bool *coincides;
    const uint32_t *same; /* [tensors] the tensor whose place each shares, even where no plan can do
                             that; NULL: each its own */
};

struct result_places {
    bool *has_place; /* [tensors] results of Ifs that are neither external nor unplaced */
    uint32_t *place; /* [tensors] the outermost result in whose place it is, or itself */
    uint32_t *next;  /* [tensors] the next tensor in the same place that needs room there, or
                        GRAPH_NONE; the list begins with the tensor whose place it is */
    uint64_t *bytes; /* [tensors] of a place for it: value_bytes_create */
    bool merged;     /* equal values share a place even where no plan can do that, for a bound */
};

/* The overwrites of the placement have been set. With choice NULL all members of struct
   place_choice are NULL or false. O(size of the graph). */
enum status result_places_create(const struct graph *graph, const struct placement *placement,
                                 const struct place_choice *choice, struct result_places **places,
                                 struct error *error);
void result_places_free(struct result_places *places); /* NULL is fine */
SCOPED_POINTER(struct result_places, result_places_release, result_places_free);

#endif
