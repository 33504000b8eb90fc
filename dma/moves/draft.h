#ifndef MEMPLAN_DMA_MOVES_DRAFT_H
#define MEMPLAN_DMA_MOVES_DRAFT_H

#include "core/groups.h"
#include "planning/moves/plan.h"

/* What planners of moves work with: a plan, its time, and room for further stays. */

struct move_draft {
    const struct move_problem *problem;
    struct move_plan plan;
    struct move_plan kept; /* what move_draft_undo goes back to */
    struct groups uses;    /* the steps that use each item, ascending; the first writes a tensor */
    uint64_t *span;        /* of move_draft_find: bytes that are taken, as lower and upper ends */
    size_t span_capacity;
};

/* An empty plan. Leaves the draft fit for move_draft_clear, also after an error. O(accesses). */
enum status move_draft_create(const struct move_problem *problem, struct move_draft *draft,
                              struct error *error);
void move_draft_clear(struct move_draft *draft);

/* Sets the time of the plan, which the clock of dma/timing counts. O(stays + accesses * stays of an
   item). */
enum status move_draft_time(struct move_draft *draft, struct error *error);

/* Sets the lowest offset at which the stay shares no byte with the others of its memory and keeps
   the memory's capacity, chunks and reserved ranges; *found is false where there is none. Stay
   number `but`, which is to be replaced, is ignored. O(stays log stays). */
enum status move_draft_find(struct move_draft *draft, struct move_stay *stay, uint32_t but,
                            bool *found, struct error *error);

/* Keeps the plan, and comes back to what was kept. */
enum status move_draft_keep(struct move_draft *draft, struct error *error);
enum status move_draft_undo(struct move_draft *draft, struct error *error);

#endif
