#ifndef MEMPLAN_RESULTS_TABLES_LUNA_H
#define MEMPLAN_RESULTS_TABLES_LUNA_H

#include "results/views/picker.h"

/* What Tables 1 and 2 of Wang et al. 2025 share. */

struct luna_model {
    const char *instance, *published;
    bool control_flow;
};
enum { LUNA_MODELS = 5 };
extern const struct luna_model luna_models[LUNA_MODELS];

/* A published and a measured figure for one model, policy and strategy. */
struct luna_pair {
    uint64_t published_bytes, measured_bytes;
    bool published, measured;
    const struct result_row *row; /* NULL where there is none */
};
struct luna_pair luna_pair_find(struct picker *picker, const struct luna_model *model,
                                const char *policy, const char *strategy);

/* Adds published, measured and the difference, and counts a difference that is not 0. */
void luna_pair_add(struct picker *picker, struct table *table, const struct luna_pair *pair,
                   uint32_t *different);

/* Notes that go below both tables. */
void luna_add_notes(const struct picker *picker, struct table *table, uint32_t different);

#endif
