/* The table quantise-dma: modelled times of twelve networks under every mode of transferring
   weights, with weights as they are and quantised. */
#include <stdio.h>

#include "results/tables/reproduced/quantised.h"
#include "results/views/recipe.h"

static const char *const modes[] = {"sync", "pingpong", "cross_region", "ring", "planned"};

static bool find_time(struct table_making *making, const char *instance, const char *dtype,
                      const char *mode, int64_t *total_ns)
{
    char variant[64];
    snprintf(variant, sizeof variant, "%s %s", dtype, mode);
    return measures_find(&making->measures, instance, variant, "total_ns", total_ns);
}

static enum status fill(struct table_making *making)
{
    for (unsigned i = 0; i < QUANTISED_NETWORKS; i++)
        for (unsigned m = 0; m < sizeof modes / sizeof *modes; m++) {
            const struct quantised_network *network = &quantised_networks[i];
            static const char *const dtypes[] = {"int8", "int4"};
            struct table *table = making->table;
            int64_t before_ns = 0, after_ns = 0;
            table_add(table, cell_text(network->published), cell_text(modes[m]));
            bool known = find_time(making, network->instance, "before", modes[m], &before_ns);
            table_add(table, cell_known_real(known, (double)before_ns / 1e6, 3));
            for (unsigned k = 0; k < sizeof dtypes / sizeof *dtypes; k++) {
                known = find_time(making, network->instance, dtypes[k], modes[m], &after_ns) &&
                        before_ns;
                table_add(table, cell_known_real(known, (double)after_ns / 1e6, 3),
                          cell_known_real(
                              known, 100 * (double)(before_ns - after_ns) / (double)before_ns, 2));
            }
        }
    return STATUS_OK;
}

const struct table_recipe table_quantise_dma = {
    .name = "quantise-dma",
    .title = "what quantised weights do to the time of transfers, under every mode",
    .caption = "What quantised weights do to the time of transfers",
    .columns = "network | mode | float16 (ms): | int8 (ms): | saving (%): | int4 (ms): | "
               "saving (%):",
    .source = TABLE_OF_MEASURES,
    .topic = "quantise-dma",
    .wanted = "quantise",
    .fill = fill,
};
