/* The tables luna-dma and luna-rates: the times that the model of transfers gives for the models of
   Wang et al. 2025, Table 3, under the modes of the paper and others; and how fast each type of
   operator computes in them, which is fitted: one rate for each type and model. */
#include <string.h>

#include "results/views/luna.h"
#include "results/views/recipe.h"

static enum status fill_times(struct table_making *making)
{
    struct published_value last = {""};
    struct luna_figure figure;
    for (unsigned row = 0; luna_next(&row, LUNA_TABLE_3, &figure);) {
        static const char *const names[] = {"luna sync", "luna pingpong", "luna cross_region",
                                            "luna ring 3"};
        const char *instance = luna_instance(figure.model.text);
        if (strcmp(figure.model.text, last.text) == 0)
            continue;
        last = figure.model;
        table_add(making->table, cell_text(figure.model.text));
        for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
            table_add(making->table,
                      making_scaled(making, instance, names[i], "total_ns", 1e6, i < 2 ? 3 : 0));
        table_add(making->table, making_scaled(making, instance, names[1], "worst_ns", 1e6, 0),
                  making_scaled(making, instance, names[1], "bound_ns", 1e6, 0),
                  making_measure(making, instance, names[1], "buffer_bytes"));
    }
    return STATUS_OK;
}

static enum status fill_rates(struct table_making *making)
{
    const struct measure_set *set = &making->measures;
    for (uint32_t i = 0; i < set->count; i++) {
        const struct measure *of = &set->measure[i];
        int64_t operations = 0, compute_ns = 0;
        if (strcmp(of->name, "operators") != 0)
            continue;
        measures_find(set, of->instance, of->variant, "operations", &operations);
        measures_find(set, of->instance, of->variant, "compute_ns", &compute_ns);
        table_add(making->table, cell_instance(of->instance), cell_text(of->variant),
                  cell_number((uint64_t)of->value), cell_number((uint64_t)operations),
                  cell_real((double)compute_ns / 1e6, 3),
                  cell_known_real(compute_ns, 1e3 * (double)operations / (double)compute_ns, 4),
                  making_measure(making, of->instance, of->variant, "residual_ns"));
    }
    return STATUS_OK;
}

const struct table_recipe table_luna_dma = {
    .name = "luna-dma",
    .title = "LUNA models, weight transfers: modelled times (for Wang et al. 2025, Table 3)",
    .caption = "LUNA run times with weight transfers (for Wang et al. 2025, Table 3)",
    .columns = "model | sync (ms): | ping-pong (ms): | cross-region (ms): | ring of 3 (ms): | "
               "ping-pong, slower branch (ms): | bound (ms): | ping-pong buffers (bytes):",
    .source = TABLE_OF_MEASURES,
    .topic = "dma",
    .wanted = "luna-dma",
    .fill = fill_times,
};

const struct table_recipe table_luna_rates = {
    .name = "luna-rates",
    .title = "LUNA models: the rate of each type of operator",
    .caption = "Rates of the LUNA models' operators (for Wang et al. 2025, Table 3)",
    .columns = "instance | type | operators: | operations: | computing (ms): | "
               "rate (million/s): | most that one operator is off (ns):",
    .source = TABLE_OF_MEASURES,
    .topic = "rates",
    .wanted = "luna-dma",
    .fill = fill_rates,
};
