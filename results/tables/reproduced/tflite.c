/* The table tflite-strategies: the bytes that each strategy of Pisarchyk and Lee 2020 needs for a
   network. */
#include "results/views/recipe.h"

static const char *const strategies[] = {
    "tflite_greedy_in_order",    "tflite_greedy_by_breadth", "tflite_greedy_by_size",
    "tflite_gpu_greedy_by_size", "objects_equality",         "objects_greedy_in_order",
    "objects_greedy_by_breadth", "objects_greedy_by_size",   "objects_greedy_by_size_improved",
    "objects_min_cost_flow",
};
enum { STRATEGIES = sizeof strategies / sizeof *strategies };

static enum status fill(struct table_making *making)
{
    struct table *table = making->table;
    for (unsigned i = 0; i < STRATEGIES; i++)
        table_add_column(table, strategies[i], "bytes", TABLE_RIGHT);
    for (uint32_t i = 0; i < making->measures.count; i++) {
        const char *instance = making->measures.measure[i].instance;
        if (!making_starts_instance(making, i))
            continue;
        table_add(table, cell_text(instance),
                  making_measure(making, instance, "tensors", "intermediate"),
                  making_measure(making, instance, strategies[0], "naive_bytes"),
                  making_measure(making, instance, strategies[0], "load_bytes"));
        for (unsigned s = 0; s < STRATEGIES; s++)
            table_add(table, making_measure(making, instance, strategies[s], "peak_bytes"));
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
