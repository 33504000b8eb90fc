#ifndef MEMPLAN_DMA_MOVES_DRAFT_H
#define MEMPLAN_DMA_MOVES_DRAFT_H

#include "core/groups.h"
#include "planning/moves/plan.h"

/* What planners of moves work with: a plan, its time, and room for further stays. */

struct move_draft {
    const struct move_problem *problem;
    struct move_plan plan;
    struct move_plan kept; /* the plan that move_draft_undo restores */
    struct groups uses;    /* the steps that use each item, ascending; the first writes a tensor */
    uint64_t *span;        /* of move_draft_find: bytes that are taken, as lower and upper ends */
    size_t span_capacity;
};

/* Begins with an empty plan. The caller clears the draft with move_draft_clear, also after an
   error. O(accesses). */
enum status move_draft_create(const struct move_problem *problem, struct move_draft *draft,
                              struct error *error);
void move_draft_clear(struct move_draft *draft);

/* Sets the time of the plan, which the clock of dma/timing counts. O(stays + accesses * stays of an
   item). */
enum status move_draft_time(struct move_draft *draft, struct error *error);

/* Lets the stay last until the ends of loops that it has to last for, and sets the lowest offset at
   which it shares no byte with the others of its memory and keeps the memory's capacity, chunks
   and reserved ranges; *found is false where there is none. Stay
   number `but`, which is to be replaced, is ignored. O(stays log stays). */
enum status move_draft_find(struct move_draft *draft, struct move_stay *stay, uint32_t but,
                            bool *found, struct error *error);

/* Puts all stays of the memory elsewhere in it: the largest first, each at the lowest offset.
 *packed: all had room; else the draft has to be undone. O(stays^2 log stays). */
enum status move_draft_repack(struct move_draft *draft, uint32_t memory, bool *packed,
                              struct error *error);

/* Whether the step can read the item where the stay holds it; and whether a transfer can copy the
   item from the source into the stay. */
bool move_can_read(const struct move_problem *problem, const struct move_stay *stay, uint32_t step);
bool move_can_copy(const struct move_problem *problem, const struct move_stay *source,
                   const struct move_stay *stay);
/* The stay of the item that a step reads from, MEMORY_NONE where none holds it. O(stays). */
uint32_t move_draft_find_read(const struct move_draft *draft, uint32_t item, uint32_t step);
/* Takes stay s, which no other stay is copied from, out of the list. */
void move_draft_take_out(struct move_draft *draft, uint32_t s);

/* Whether what is right in each step is right on every path: every copy of the item has a source,
   and every step that reads it a stay. O(stays + uses * stays of the item). */
bool move_draft_is_sound(const struct move_draft *draft, uint32_t item);
/* Takes out the stays of each item for which move_draft_is_sound is false, and lets the item stay
   for all steps in one memory instead: the first one behind memory 0 that has room, or off chip.
   *found says whether there was room for all of them. */
enum status move_draft_settle(struct move_draft *draft, bool *found, struct error *error);

/* Keeps a copy of the plan; and restores the plan that was kept last. */
enum status move_draft_keep(struct move_draft *draft, struct error *error);
enum status move_draft_undo(struct move_draft *draft, struct error *error);

#endif
