/* The table throughput: Xu 2019, Table 6.4, beside what a model of its chip gives. */

#include <stdio.h>

#include "results/tables/reproduced/quantised.h"
#include "results/views/recipe.h"

static const char place[] = "Table 6.4";

/* Images per second before and after quantising; 0 where unknown. */
struct pair {
    double before, after;
};

static void add_pair(struct table *table, const struct pair *pair)
{
    if (pair->before <= 0 || pair->after <= 0) {
        table_repeat(table, 3, cell_missing());
        return;
    }
    table_add(table, cell_real(pair->before, 2), cell_real(pair->after, 2),
              cell_real(100 * (pair->after - pair->before) / pair->before, 2));
}

static double find_rate(const struct measure_set *set, const char *instance, const char *variant)
{
    int64_t total_ns;
    bool found = measures_find(set, instance, variant, "total_ns", &total_ns) && total_ns > 0;
    return found ? 1e9 / (double)total_ns : 0;
}

static struct pair find_pair(const struct measure_set *set, const char *instance, const char *mode)
{
    char before[64], after[64];
    snprintf(before, sizeof before, "float16 %s", mode);
    snprintf(after, sizeof after, "int8 %s", mode);
    return (struct pair){find_rate(set, instance, before), find_rate(set, instance, after)};
}

static enum status fill(struct table_making *making)
{
    struct table *table = making->table;
    for (unsigned i = 0; i < QUANTISED_NETWORKS; i++) {
        const struct quantised_network *network = &quantised_networks[i];
        const struct pair published = {quantised_number(place, network->published, "before"),
                                       quantised_number(place, network->published, "after")};
        const struct pair sync = find_pair(&making->measures, network->instance, "sync");
        const struct pair planned = find_pair(&making->measures, network->instance, "planned");
        table_add(table, cell_text(network->published));
        add_pair(table, &published);
        add_pair(table, &sync);
        add_pair(table, &planned);
    }
    return STATUS_OK;
}

const struct table_recipe table_throughput = {
    .name = "throughput",
    .title = "images per second of twelve networks before and after quantisation: published beside "
             "modelled (Xu 2019, Table 6.4)",
    .caption = "Images per second with 16-bit and with int8 weights (Xu 2019, Table 6.4)",
    .columns = "network | published float16 (1/s): | published int8 (1/s): | gain (%): | "
               "sync float16 (1/s): | sync int8 (1/s): | gain (%): | planned float16 (1/s): | "
               "planned int8 (1/s): | gain (%):",
    .source = TABLE_OF_MEASURES,
    .topic = "throughput",
    .fill = fill,
};
