#ifndef MEMPLAN_PLANNING_MEMORIES_MEMORY_PLAN_H
#define MEMPLAN_PLANNING_MEMORIES_MEMORY_PLAN_H

#include "planning/memories/memory_problem.h"
#include "planning/plan/plan.h"

/* A memory and an offset for each buffer. They are a plan only where the status is PLAN_FEASIBLE,
   or PLAN_OPTIMAL, which says that no plan costs less. */
struct memory_plan {
    enum plan_status status;
    uint32_t buffers, memories;
    uint32_t *memory; /* [buffers] */
    uint64_t *offset; /* [buffers] */
    uint64_t *peak;   /* [memories] the greatest end of a buffer in it, 0 without one */
    uint64_t cost;
    uint64_t cost_bound; /* proved: no plan costs less */
    uint64_t questions;  /* how often an exact search was asked whether something fits */
    char reason[256];    /* why there is no plan, or no proof of the best one; or "" */
};

/* No buffer lies anywhere; the status is PLAN_TIMEOUT. */
enum status memory_plan_create(const struct memory_problem *problem, struct memory_plan **plan,
                               struct error *error);
void memory_plan_free(struct memory_plan *plan); /* NULL is fine */
SCOPED_POINTER(struct memory_plan, memory_plan_release, memory_plan_free);

bool memory_plan_found(const struct memory_plan *plan);
/* Copies places, peaks and cost; the status becomes feasible. */
void memory_plan_take(struct memory_plan *plan, const struct memory_plan *other);
/* The sum of all peaks; UINT64_MAX where it does not fit. */
uint64_t memory_plan_peaks(const struct memory_plan *plan);

#endif
