/* Tables of the GE article, beside the table of its figures: pools and colours, and networks with
   and without in-place operators. Both show what was measured on the topic "ge"; instances come
   from the measures themselves. */
#include <string.h>

#include "results/views/recipe.h"

/* These names are those that the reproduction uses. */
static const char lifetimes[] = "lifetimes", weights[] = "weights";

static bool is_solved(const struct table_making *making, const char *instance)
{
    int64_t value;
    return measures_find(&making->measures, instance, "exact", "peak_bytes", &value);
}

static void add_pools(struct table_making *making, const struct measure *peak)
{
    struct table *table = making->table;
    const char *instance = peak->instance, *variant = peak->variant;
    const char *least = strstr(variant, "; in place") ? "exact; in place" : "exact";
    int64_t pools = 0, sound = 0;
    table_add(table, cell_instance(instance), cell_text(variant),
              making_measure(making, instance, lifetimes, "colours"));
    measures_find(&making->measures, instance, variant, "pools", &pools);
    table_add(table, cell_known(pools, (uint64_t)pools), cell_number((uint64_t)peak->value),
              making_measure(making, instance, variant, "load_bytes"),
              making_measure(making, instance, least, "peak_bytes"));
    measures_find(&making->measures, instance, variant, "sound", &sound);
    table_add(table, cell_text(sound ? "valid" : "refused"));
}

static enum status fill_pools(struct table_making *making)
{
    for (uint32_t i = 0; i < making->measures.count; i++) {
        const struct measure *measure = &making->measures.measure[i];
        if (strcmp(measure->name, "peak_bytes") == 0 && is_solved(making, measure->instance))
            add_pools(making, measure);
    }
    return STATUS_OK;
}

static enum status fill_models(struct table_making *making)
{
    static const char *const variants[] = {"naive", "naive; in place", "ge_pool",
                                           "ge_pool; in place"};
    enum { VARIANTS = sizeof variants / sizeof *variants };
    for (uint32_t i = 0; i < making->measures.count; i++) {
        const char *instance = making->measures.measure[i].instance;
        if (!making_starts_instance(making, i) || is_solved(making, instance))
            continue;
        table_add(making->table, cell_instance(instance),
                  making_measure(making, instance, weights, "parameters"),
                  making_measure(making, instance, weights, "bytes"));
        for (unsigned k = 0; k < VARIANTS; k++)
            table_add(making->table, making_measure(making, instance, variants[k], "peak_bytes"));
        for (unsigned k = 2; k < VARIANTS; k++)
            table_add(making->table, making_measure(making, instance, variants[k], "load_bytes"));
        for (unsigned k = 1; k < VARIANTS; k++)
            table_add(making->table,
                      making_scaled(making, instance, variants[k], "saving", 1e4, 1));
    }
    return STATUS_OK;
}

const struct table_recipe table_ge_pools = {
    .name = "ge-pools",
    .title = "colours, pools and peaks of the GE article's examples",
    .caption = "Colours, pools and peaks (GE article, sections 1.2, 4, 6 and 10)",
    .columns = "instance | planner | colours: | pools: | peak (bytes): | load (bytes): | "
               "least (bytes): | verify, execute",
    .source = TABLE_OF_MEASURES,
    .topic = "ge",
    .fill = fill_pools,
};

const struct table_recipe table_ge_models = {
    .name = "ge-models",
    .title = "networks of the GE article with and without reuse and in-place",
    .caption = "Networks with and without reuse (GE article, sections 1.1, 5.3, 7)",
    .columns = "instance | parameters: | weights (bytes): | naive (bytes): | "
               "naive; in place (bytes): | ge_pool (bytes): | ge_pool; in place (bytes): | "
               "load (bytes): | load; in place (bytes): | saving in place (%): | of pools (%): | "
               "of both (%):",
    .source = TABLE_OF_MEASURES,
    .topic = "ge",
    .fill = fill_models,
};
