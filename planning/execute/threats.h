#ifndef MEMPLAN_PLANNING_EXECUTE_THREATS_H
#define MEMPLAN_PLANNING_EXECUTE_THREATS_H

#include "planning/execute/arena.h"

/* Writes that could harm: of a tensor into bytes of another one that was written before and may be
   read afterwards, perhaps under another name, where branches yield it on and nothing is copied.

       make -> x                          the write of w could harm x, on the path keep, keep alone:
       if -> r: keep yields x, else new   then what last reads, s, is still x
       if -> s: keep yields r, else new   a threat is the list of branches that such a path takes
       other -> w (over x); last: s

   Where operators run on several streams, the first threat is a path on which one may write bytes
   that another stream still uses, if planning/verify/streams/pairs.h finds one; only running that
   path decides whether there is a fault.

   Whether x is live is not asked here. A tensor that is written into the place of another one
   because the placement says so is no threat to that tensor. Each loop counts as having one
   turn. */

struct execute_threats {
    uint32_t *first;  /* [threats + 1] */
    uint32_t *region; /* regions to be taken, of operators with branches and of loops; from
                         graph->regions on the operator of a loop that has no turn */
    uint32_t threats;
    bool complete; /* false where finding all would have taken too long */
};

/* What is executed. */
struct execute_threatened {
    const struct graph *graph;
    const struct placement *placement;
    const struct execute_arena *arena;
};

/* At most `most` threats. Leaves *threats fit for execute_threats_free. O(tensors squared + for
   each pair in the same bytes the names of one and the depth of regions). */
enum status execute_threats_create(struct execute_threats *threats,
                                   const struct execute_threatened *threatened, uint64_t most,
                                   struct error *error);
void execute_threats_free(struct execute_threats *threats);

#endif
