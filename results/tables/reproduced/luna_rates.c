/* The table luna-rates: how fast each type of operator computes in the LUNA models, whose times are
   fitted: one rate for each type and model. */
#include <string.h>

#include "results/views/recipe.h"

static int64_t find_number(const struct measure_set *set, const struct measure *of,
                           const char *name)
{
    int64_t number;
    return measures_find(set, of->instance, of->variant, name, &number) ? number : 0;
}

static enum status fill(struct table_making *making)
{
    const struct measure_set *set = &making->measures;
    for (uint32_t i = 0; i < set->count; i++) {
        const struct measure *of = &set->measure[i];
        if (strcmp(of->name, "operators") != 0)
            continue;
        int64_t operations = find_number(set, of, "operations");
        int64_t compute_ns = find_number(set, of, "compute_ns");
        table_add(making->table, cell_instance(of->instance), cell_text(of->variant),
                  cell_number((uint64_t)of->value), cell_number((uint64_t)operations),
                  cell_real((double)compute_ns / 1e6, 3),
                  cell_known_real(compute_ns, 1e3 * (double)operations / (double)compute_ns, 4),
                  cell_number((uint64_t)find_number(set, of, "residual_ns")));
    }
    return STATUS_OK;
}

const struct table_recipe table_luna_rates = {
    .name = "luna-rates",
    .title = "LUNA models: the rate of each type of operator",
    .caption = "Rates of the LUNA models' operators (for Wang et al. 2025, Table 3)",
    .columns = "instance | type | operators: | operations: | computing (ms): | "
               "rate (million/s): | most that one operator is off (ns):",
    .source = TABLE_OF_MEASURES,
    .topic = "rates",
    .wanted = "luna-dma",
    .fill = fill,
};
