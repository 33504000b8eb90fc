/* The table tflite-strategies: the bytes that each strategy of Pisarchyk and Lee 2020 needs for a
   network. */
#include <string.h>

#include "results/views/recipe.h"

/* Whether measure `index` is the peak of a strategy for the first instance. */
static bool is_of_first(const struct measure_set *set, uint32_t index)
{
    const struct measure *measure = &set->measure[index];
    return strcmp(measure->name, "peak_bytes") == 0 &&
           strcmp(measure->instance, set->measure[0].instance) == 0;
}

static enum status fill(struct table_making *making)
{
    static const char any[] = "tflite_greedy_by_size";
    const struct measure_set *set = &making->measures;
    struct table *table = making->table;
    for (uint32_t i = 0; i < set->count; i++)
        if (is_of_first(set, i))
            table_add_column(table, set->measure[i].variant, "bytes", TABLE_RIGHT);
    for (uint32_t i = 0; i < set->count; i++) {
        const char *instance = set->measure[i].instance;
        if (!making_starts_instance(making, i))
            continue;
        table_add(table, cell_text(instance),
                  making_measure(making, instance, "tensors", "intermediate"),
                  making_measure(making, instance, any, "naive_bytes"),
                  making_measure(making, instance, any, "load_bytes"));
        for (uint32_t k = 0; k < set->count; k++)
            if (is_of_first(set, k))
                table_add(table,
                          making_measure(making, instance, set->measure[k].variant, "peak_bytes"));
    }
    return STATUS_OK;
}

const struct table_recipe table_tflite_strategies = {
    .name = "tflite-strategies",
    .title = "networks under each strategy of Pisarchyk and Lee 2020",
    .caption = "Bytes under each strategy of Pisarchyk and Lee 2020",
    .columns = "instance | intermediate tensors: | naive (bytes): | load (bytes):",
    .source = TABLE_OF_MEASURES,
    .topic = "tflite",
    .fill = fill,
};
