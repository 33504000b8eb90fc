/* The table quantise-dma: modelled times of twelve networks under every mode of transferring
   weights, with weights as they are and quantised. */

#include <stdio.h>

#include "results/store/measures.h"
#include "results/table/recipe.h"
#include "results/views/quantised.h"

static const char *const modes[] = {"sync", "pingpong", "cross_region", "ring", "planned"};
static const char *const dtypes[] = {"before", "int8", "int4"};

static void add_columns(struct table *table)
{
    table_set_title(table, "What quantised weights do to the time of transfers");
    table_add_column(table, "network", "", TABLE_LEFT);
    table_add_column(table, "mode", "", TABLE_LEFT);
    table_add_column(table, "float16", "ms", TABLE_RIGHT);
    table_add_column(table, "int8", "ms", TABLE_RIGHT);
    table_add_column(table, "saving", "%", TABLE_RIGHT);
    table_add_column(table, "int4", "ms", TABLE_RIGHT);
    table_add_column(table, "saving", "%", TABLE_RIGHT);
}

/* The measured times of one instance under one mode. */
struct times {
    const struct measure_set *set;
    const char *instance, *mode;
};

static bool find_time(const struct times *times, const char *dtype, int64_t *total_ns)
{
    char variant[64];
    snprintf(variant, sizeof variant, "%s %s", dtype, times->mode);
    return measures_find(times->set, times->instance, variant, "total_ns", total_ns);
}

static void add_time(const struct times *times, struct table *table, const char *dtype,
                     int64_t before_ns)
{
    int64_t total_ns;
    if (!find_time(times, dtype, &total_ns) || !before_ns) {
        table_add_missing(table);
        table_add_missing(table);
        return;
    }
    table_add_real(table, (double)total_ns / 1e6, 3);
    table_add_real(table, 100 * (double)(before_ns - total_ns) / (double)before_ns, 2);
}

static void add_row(const struct measure_set *set, struct table *table,
                    const struct quantised_network *network, const char *mode)
{
    const struct times times = {set, network->instance, mode};
    int64_t before_ns = 0;
    table_add_text(table, network->published);
    table_add_text(table, mode);
    if (find_time(&times, dtypes[0], &before_ns))
        table_add_real(table, (double)before_ns / 1e6, 3);
    else
        table_add_missing(table);
    for (unsigned i = 1; i < sizeof dtypes / sizeof *dtypes; i++)
        add_time(&times, table, dtypes[i], before_ns);
}

static enum status build(struct store *store, const struct result_choice *choice,
                         struct table *table, struct error *error)
{
    struct measure_set set = {0};
    TRY(measures_read(store, choice, "quantise-dma", &set, error));
    if (!set.count)
        return error_set(error, STATUS_NO,
                         "no results for this table, expected those of memplan reproduce quantise");
    add_columns(table);
    for (unsigned i = 0; i < QUANTISED_NETWORKS; i++)
        for (unsigned m = 0; m < sizeof modes / sizeof *modes; m++)
            add_row(&set, table, &quantised_networks[i], modes[m]);
    table_add_note(table, "Hardware profile ethos_u55; ring has three buffers, planned is the "
                          "fastest schedule whatever memory it takes. Computing takes as long as "
                          "before: a profile's rates do not depend on the type of weights.");
    measures_free(&set);
    return table_check(table, error);
}

const struct table_recipe table_quantise_dma = {
    .name = "quantise-dma",
    .title = "what quantised weights do to the time of transfers, under every mode",
    .build = build,
};
