#ifndef MEMPLAN_HARNESS_MOVES_SESSION_H
#define MEMPLAN_HARNESS_MOVES_SESSION_H

#include "dma/moves/planner.h"
#include "dma/timing/hardware.h"
#include "harness/files/graph_memories.h"

/* A graph on a chip with several memories between which its tensors and weights move. */
struct move_session {
    struct graph_memories graph;
    struct hardware hardware;
    uint64_t *compute_ns; /* [operators] */
    struct move_problem *problem;
    struct move_plan still;   /* the plan in which nothing moves; without stays before
                                 move_session_plan and where none was found */
    struct move_plan fastest; /* of those that move_session_plan has made; without stays: none */
    /* NULL, or a session of the same graph and chip with less capacity, whose plans are plans here
       too: none that is made here is slower where the planner is `still` or `best`. */
    const struct move_session *smaller;
};

/* STATUS_USAGE unless the job's policy is flat and has no in-place rules. The chip is the built-in
   profile or the file of that name; the first memory gets capacity_bytes unless that is UINT64_MAX.
   The struct is zeroed before and cleared by the caller, also after an error; it must not be moved,
   and the job has to outlive it. */
enum status move_session_create(const struct job *job, const char *profile, uint64_t capacity_bytes,
                                struct move_session *session, struct error *error);
void move_session_clear(struct move_session *session);

/* Plans without moves, in at most half of the job's time limit, and then with the planner. The plan
   has gone through both checks, and its time is that of the second; a plan that is refused is
   STATUS_INTERNAL. *found: there is one. The caller clears the plan. */
enum status move_session_plan(struct move_session *session, const struct move_planner *planner,
                              struct move_plan *plan, bool *found, struct error *error);

#endif
