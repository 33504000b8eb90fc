/* The table luna-dma: the times that the model of transfers gives for the models of Wang et al.
   2025, Table 3, under the modes of the paper and others. */
#include <string.h>

#include "results/views/luna.h"
#include "results/views/recipe.h"

static enum status fill(struct table_making *making)
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

const struct table_recipe table_luna_dma = {
    .name = "luna-dma",
    .title = "LUNA models, weight transfers: modelled times (for Wang et al. 2025, Table 3)",
    .caption = "LUNA run times with weight transfers (for Wang et al. 2025, Table 3)",
    .columns = "model | sync (ms): | ping-pong (ms): | cross-region (ms): | ring of 3 (ms): | "
               "ping-pong, slower branch (ms): | bound (ms): | ping-pong buffers (bytes):",
    .source = TABLE_OF_MEASURES,
    .topic = "dma",
    .wanted = "luna-dma",
    .fill = fill,
};
