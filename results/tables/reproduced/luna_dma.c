/* The table luna-dma: Wang et al. 2025, Table 3, beside the times that the model of transfers
 * gives. */

#include <stdlib.h>
#include <string.h>

#include "results/views/luna.h"
#include "results/views/recipe.h"

/* Adds a printed figure as a number: milliseconds or percent. */
static bool add_published(struct table *table, const char *model, const char *how,
                          unsigned decimals, double *number)
{
    struct published_value value;
    bool found = published_of(LUNA_SOURCE, LUNA_TABLE_3, model, how, &value);
    *number = found ? strtod(value.text, NULL) : 0;
    table_add(table, cell_known_real(found, *number, decimals));
    return found;
}

/* Adds the published and the measured time side by side; *ns is the measured one, 0 for none. They
   count as different if they are not equal to the microsecond. */
static void add_pair(struct table_making *making, const char *model, const char *mode,
                     const char *variant, int64_t *ns, unsigned *different)
{
    const char *instance = luna_instance(model);
    double published_ms;
    bool published = add_published(making->table, model, mode, 3, &published_ms);
    *ns = 0;
    if (measures_find(&making->measures, instance, variant, "total_ns", ns) && published)
        *different += (int64_t)(published_ms * 1000 + 0.5) != (*ns + 500) / 1000;
    table_add(making->table, making_scaled(making, instance, variant, "total_ns", 1e6, 3));
}

static void add_model(struct table_making *making, const char *model, unsigned *different)
{
    const char *instance = luna_instance(model);
    int64_t sync_ns, pingpong_ns;
    double percent;
    table_add(making->table, cell_text(model));
    add_pair(making, model, "sync", "luna sync", &sync_ns, different);
    add_pair(making, model, "pingpong", "luna pingpong", &pingpong_ns, different);
    add_published(making->table, model, "saving", 2, &percent);
    table_add(making->table,
              cell_known_real(sync_ns && pingpong_ns,
                              100.0 * (double)(sync_ns - pingpong_ns) / (double)sync_ns, 2),
              making_scaled(making, instance, "luna pingpong", "worst_ns", 1e6, 0),
              making_scaled(making, instance, "luna cross_region", "total_ns", 1e6, 0),
              making_scaled(making, instance, "luna ring 3", "total_ns", 1e6, 0),
              making_scaled(making, instance, "luna pingpong", "bound_ns", 1e6, 0),
              making_measure(making, instance, "luna pingpong", "buffer_bytes"));
}

static enum status fill(struct table_making *making)
{
    struct table *table = making->table;
    struct luna_figure figure;
    unsigned different = 0;
    for (unsigned row = 0; luna_next(&row, LUNA_TABLE_3, &figure);)
        if (strcmp(figure.how.text, "sync") == 0)
            add_model(making, figure.model.text, &different);
    table_add_note(table, "Published figures that the model does not give to the microsecond: %u.",
                   different);
    return STATUS_OK;
}

const struct table_recipe table_luna_dma = {
    .name = "luna-dma",
    .title = "LUNA models, weight transfers: published times beside modelled ones (Wang et al. "
             "2025, Table 3)",
    .caption = "LUNA run times with weight transfers (Wang et al. 2025, Table 3)",
    .columns = "model | sync published (ms): | sync (ms): | ping-pong published (ms): | "
               "ping-pong (ms): | saving published (%): | saving (%): | slower branch (ms): | "
               "cross-region (ms): | "
               "ring of 3 (ms): | bound (ms): | ping-pong buffers (bytes):",
    .source = TABLE_OF_MEASURES,
    .topic = "dma",
    .wanted = "luna-dma",
    .fill = fill,
};
