#ifndef MEMPLAN_SOLVERS_MEMORIES_WINDOW_PROBLEM_H
#define MEMPLAN_SOLVERS_MEMORIES_WINDOW_PROBLEM_H

#include "planning/memories/model.h"

/* A problem of some nodes of a plan alone: `frees` of them may lie elsewhere, the others, for which
   it costs nothing, stay where they are. */
struct window_problem {
    const struct memory_model *model;
    const uint32_t *arena;  /* [nodes of the model] where the plan has them */
    const uint64_t *offset; /* [the same] */
    const uint32_t *node;   /* [count] the free ones first; buffer i is node[i] */
    uint32_t *index;        /* [nodes of the model] i of node[i], or MEMORY_NONE */
    uint32_t frees, count;
};

/* Not for a model by pairs. Two nodes that do not move may be left without the reason for which
   they share no byte. */
enum status window_problem_create(const struct window_problem *window,
                                  struct memory_problem **created, struct error *error);

#endif
