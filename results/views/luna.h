#ifndef MEMPLAN_RESULTS_VIEWS_LUNA_H
#define MEMPLAN_RESULTS_VIEWS_LUNA_H

#include "results/published/published.h"
#include "results/views/picker.h"

/* The figures of Wang et al. 2025, Tables 1 to 3, beside measured ones. In
   results/published/wang2025.csv they are the rows whose figure is "MODEL: HOW". */

/* The instance that represents a model of the paper; "" for none. */
const char *luna_instance(const char *model);

#define LUNA_SOURCE "wang2025"
/* Bytes before and with control-flow optimisation, milliseconds. */
#define LUNA_TABLE_1 "Table 1"
#define LUNA_TABLE_2 "Table 2"
#define LUNA_TABLE_3 "Table 3"

struct luna_figure {
    struct published_value model;
    struct published_value how; /* a strategy; in Table 3 "sync", "pingpong" or "saving" */
    struct published_value printed;
};

/* Reads the next figure of a table, beginning at row *row of the published ones, and moves *row
   behind it; false after the last. Begin with 0. */
bool luna_next(unsigned *row, const char *table, struct luna_figure *figure);

/* A published and a measured figure of Table 1 or 2 for one model and strategy. */
struct luna_pair {
    uint64_t published_bytes, measured_bytes;
    bool published, measured;
    const struct result_row *row; /* NULL where there is none */
};
struct luna_pair luna_pair_find(struct picker *picker, const char *table, const char *model,
                                const char *strategy);

#endif
