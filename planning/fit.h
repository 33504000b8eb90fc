#ifndef MEMPLAN_PLANNING_FIT_H
#define MEMPLAN_PLANNING_FIT_H

#include "planning/conflicts.h"
#include "planning/plan.h"

/* Bytes [begin, end) taken by a placed buffer. */
struct interval {
    uint64_t begin, end;
};

/* What is asked: a place for size bytes at a multiple of alignment among the taken intervals, which
   are sorted by begin and may overlap each other. */
struct fit_request {
    const struct interval *taken; /* [count] */
    uint32_t count;
    uint64_t size, alignment;
};

struct fit {
    const char *name;
    const char *title;
    /* False only if every place would end beyond 2^64. O(count). */
    bool (*find)(const struct fit_request *request, uint64_t *offset);
};

uint32_t fit_count(void);
const struct fit *fit_at(uint32_t index);
const struct fit *fit_find(const char *name); /* NULL if there is none */

/* Places a buffer among the conflicting buffers that have an offset in the plan already. taken is
   scratch for fit_most_taken intervals. STATUS_BAD_INPUT if every place would end beyond 2^64.
   O(c log c) for c conflicts. */
enum status fit_place(const struct fit *fit, const struct problem *problem,
                      const struct conflicts *conflicts, uint32_t buffer, struct interval *taken,
                      struct plan *plan, struct error *error);

/* The most conflicts of any buffer. */
uint64_t fit_most_taken(const struct problem *problem, const struct conflicts *conflicts);

#endif
