#ifndef MEMPLAN_DMA_PLANNED_SCHEDULE_H
#define MEMPLAN_DMA_PLANNED_SCHEDULE_H

#include "dma/program/borders.h"
#include "dma/timing/costs.h"
#include "planning/lowering/level.h"

/* Schedules say when each transfer starts whose weights share the arena with the tensors. The
   weights of each operator are a buffer of their own, live from the operator before which their
   transfer starts to the one that computes with them. So an earlier start costs memory and a later
   one time:

       conv1   start conv1, start conv3    conv1 [0, 1)   conv3 [0, 3)
       conv2   start conv2                 conv2 [1, 2)
       conv3                               the three take part in the plan as tensors do

   The first weights of a transfer region may also start early, in each region that may run directly
   before it. Where execution goes elsewhere, the other region first cancels them, so that they take
   memory only until the branch is decided:

       conv1   start a                     a [0, 2) and [2, 3)
       if                                  what the else branch has in memory may share it
         then: a
         else: cancel a, b

   A schedule is an array start[places]. For weighted operator number w (of regions->weighted_op)
   start[w] is the operator of its region before which its transfer starts: either itself, which
   then waits for the whole transfer, or an earlier one. Its rank is at schedule_own_rank. Or
   start[w] is SCHEDULE_EARLY. An early operator has two more places for each border into its
   region, found by schedule_place: the first names an operator of the region on the other side, or
   the end of that region for a start after all of them; the second is a rank.

   Weights that a loop's body needs in every turn may be kept: start[w] then names an operator of
   the transfer region that ends with a loop around operator w. Their transfer starts there, the
   loop waits for it, and they stay until the loop is left:

       conv    start a                     a [0, 3)
       loop    keep a
         body: a
               drop a, b

   Starts may be in any order. Starts at one place are in the order of their ranks. Among equal
   ranks the region's own starts come first, in the order in which their weights are needed, then
   the early ones in the order of their places. */

/* What all schedules of a graph have in common. */
struct schedule_space {
    const struct transfer_regions *regions;
    const struct transfer_costs *costs;
    uint64_t alignment_bytes;
    struct liveness *liveness;
    struct level *level;  /* the level of the tensors alone, without weights, under policy flat */
    uint64_t *load_bytes; /* [operators] bytes of the tensors that are live when it runs */
    uint64_t *step_bytes; /* [steps + 1] bytes of the tensors that are live at each step */
    struct transfer_borders *borders;
    /* [places] a schedule taken from another mode, with early operators, from which searches begin
       too; NULL: none */
    uint32_t *guess;
    uint32_t *home; /* [operators] the transfer region that holds it */
    /* [regions] the first entry of start[] for its early operators; GRAPH_NONE where its operators
       may not be early */
    uint32_t *early_place;
    uint32_t places;
};

#define SCHEDULE_EARLY UINT32_MAX

/* The regions and costs have to outlive the space. STATUS_BAD_INPUT where tensors and weights
   together are more than a problem may have. O(graph). */
enum status schedule_space_create(const struct transfer_regions *regions,
                                  const struct transfer_costs *costs, uint64_t alignment_bytes,
                                  struct schedule_space **space, struct error *error);
void schedule_space_free(struct schedule_space *space); /* NULL is fine */
SCOPED_POINTER(struct schedule_space, schedule_space_release, schedule_space_free);

/* The index in start[] of the rank of weighted operator number w where that is not early. */
uint32_t schedule_own_rank(const struct schedule_space *space, uint32_t w);
/* The index in start[] that says how early the n-th weighted operator of a region starts before a
   border (of borders->border) into that region; the operator must be one that may be early. Its
   rank is at the index SCHEDULE_RANK further on. */
enum { SCHEDULE_RANK = 1 };
uint32_t schedule_place(const struct schedule_space *space, uint32_t region, uint32_t n,
                        uint32_t border);
/* The range of operators before which such an early transfer may start, both ends included. Where a
   region follows itself, as the body of a loop does, the range begins after the operator itself,
   since its buffer is free only once it has computed. */
struct schedule_choice {
    uint32_t least, most;
};
struct schedule_choice schedule_choice_at(const struct schedule_space *space, uint32_t region,
                                          uint32_t n, uint32_t border);
/* Whether the n-th weighted operator of a region is early. */
bool schedule_is_early(const struct schedule_space *space, const uint32_t *start, uint32_t region,
                       uint32_t n);
/* Whether the weights of weighted operator number w are kept; schedule_keeper is then the loop
   during which they are. */
bool schedule_is_kept(const struct schedule_space *space, const uint32_t *start, uint32_t w);
uint32_t schedule_keeper(const struct schedule_space *space, const uint32_t *start, uint32_t w);
/* Writes for each operator the bytes of the kept weights that are live when it runs. O(graph) for
   each of the kept weights. */
void schedule_kept_bytes(const struct schedule_space *space, const uint32_t *start,
                         uint64_t *bytes);
/* The innermost loop around an operator, not counting the operator itself; GRAPH_NONE for none. */
uint32_t schedule_loop_around(const struct schedule_space *space, uint32_t op);
/* Writes the schedule in which each transfer starts right before the operator that needs it, into
   an array whose ranks are 0. */
void schedule_sync(const struct schedule_space *space, uint32_t *start);

#endif
