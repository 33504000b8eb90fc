#ifndef MEMPLAN_RESULTS_VIEWS_LUNA_H
#define MEMPLAN_RESULTS_VIEWS_LUNA_H

#include "results/published/published.h"
#include "results/views/picker.h"

/* The figures of Wang et al. 2025, Tables 1 to 3, beside measured ones. */

/* The instance that stands for a model of the paper; "" for none. */
const char *luna_instance(const char *model);

/* A figure of Tables 1 and 2, without its bytes. */
struct luna_figure {
    struct published_value model, strategy;
};

/* The next figure under the policy from row *row of the published ones on, and moves *row behind
   it; false after the last. Begin with 0. */
bool luna_next(unsigned *row, const char *policy, struct luna_figure *figure);

/* A published and a measured figure for one model, policy and strategy. */
struct luna_pair {
    uint64_t published_bytes, measured_bytes;
    bool published, measured;
    const struct result_row *row; /* NULL where there is none */
};
struct luna_pair luna_pair_find(struct picker *picker, const char *model, const char *policy,
                                const char *strategy);

/* Adds published, measured and the difference, and counts a difference that is not 0. */
void luna_pair_add(struct picker *picker, struct table *table, const struct luna_pair *pair,
                   uint32_t *different);

/* Notes that go below both tables. */
void luna_add_notes(const struct picker *picker, struct table *table, uint32_t different);

#endif
