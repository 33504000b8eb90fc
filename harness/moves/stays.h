#ifndef MEMPLAN_HARNESS_MOVES_STAYS_H
#define MEMPLAN_HARNESS_MOVES_STAYS_H

#include "core/text.h"
#include "planning/memories/memory_plan.h"
#include "planning/moves/plan.h"

/* A plan with moves as an ordinary plan for several memories, in which each stay on the chip is a
   buffer of its own. So what shows such plans shows moves, too. */
struct move_stays {
    struct memory_problem *problem; /* the buffers, which are live during the stays, and the chip's
                                       memories */
    struct memory_plan *plan;       /* cost and bound are the times of the plan with moves */
    uint32_t *buffer;               /* [stays of the plan] MEMORY_NONE for one off chip */
};

/* The struct is zeroed before, and cleared by the caller, also after an error. O(stays). */
enum status move_stays_create(const struct move_problem *problem, const struct move_plan *plan,
                              struct move_stays *stays, struct error *error);
void move_stays_clear(struct move_stays *stays);

/* Appends a header of C (plan_header.h) with a place for each stay on the chip, and a list of these
   with their steps and what fills them. Names in it begin with the name of the file. */
enum status move_stays_write_header(const struct move_stays *stays, const struct move_plan *plan,
                                    const char *planner, const char *path, struct text *text,
                                    struct error *error);

#endif
