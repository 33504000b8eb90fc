#ifndef MEMPLAN_SOLVERS_MEMORIES_ORACLE_H
#define MEMPLAN_SOLVERS_MEMORIES_ORACLE_H

#include "planning/memories/memory_planner.h"

/* Asks an exact planner of ordinary problems what fits into one arena. */

struct oracle_question {
    uint32_t arena;
    const uint32_t *node; /* [nodes] ascending */
    uint32_t nodes;
    const uint32_t *apart; /* [aparts] edges between these nodes that must not share bytes */
    uint32_t aparts;
    uint64_t capacity; /* that of the arena, or UINT64_MAX for the least peak */
    uint64_t limit_ns;
};

struct oracle {
    const struct memory_model *model;
    uint32_t *index;        /* [nodes of the model] scratch: the place of a node in a question */
    uint32_t *node, *apart; /* [nodes], [edges] of the question that oracle_choose made */
    uint64_t questions;
};

enum status oracle_create(const struct memory_model *model, struct oracle *oracle,
                          struct error *error);
void oracle_free(struct oracle *oracle);

/* The question whether what is chosen for an arena fits: the nodes that arena_of[] puts there, with
   the edges between them that are not paid kept apart. It is valid until the next call. */
struct oracle_question oracle_choose(struct oracle *oracle, uint32_t arena,
                                     const uint32_t *arena_of, const bool *paid, uint64_t limit_ns);

/* *answer is PLAN_INFEASIBLE where it is proved that they do not fit, and a status with a plan
   where they do; offset[nodes], where it is not NULL, has the offsets in the arena then, and *peak,
   if not NULL, where the highest of them ends. Any other status: nothing is known. */
enum status oracle_ask(struct oracle *oracle, const struct planner *planner,
                       const struct oracle_question *question, uint64_t *offset, uint64_t *peak,
                       enum plan_status *answer, struct error *error);

/* What does not fit into an arena, and as little of it as is easily found. */
struct oracle_core {
    uint32_t *node, *apart; /* [nodes], [aparts] */
    uint32_t nodes, aparts;
};

/* Drops nodes, then edges, of a question that was refused, as long as it is still refused. core has
   room for those of the question. Each question has a limit; those that are not answered drop
   nothing. */
enum status oracle_shrink(struct oracle *oracle, const struct planner *planner,
                          const struct oracle_question *question, uint64_t deadline_ns,
                          struct oracle_core *core, struct error *error);

#endif
