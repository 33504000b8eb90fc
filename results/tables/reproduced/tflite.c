/* The table tflite-strategies: what each strategy of Pisarchyk and Lee 2020 makes of a network. */

#include <string.h>

#include "results/store/measures.h"
#include "results/table/recipe.h"

static const char *const strategies[] = {
    "tflite_greedy_in_order",    "tflite_greedy_by_breadth", "tflite_greedy_by_size",
    "tflite_gpu_greedy_by_size", "objects_equality",         "objects_greedy_in_order",
    "objects_greedy_by_breadth", "objects_greedy_by_size",   "objects_greedy_by_size_improved",
    "objects_min_cost_flow",
};
enum { STRATEGIES = sizeof strategies / sizeof *strategies };

static void add_measure(const struct measure_set *set, struct table *table, const char *instance,
                        const char *variant, const char *name)
{
    int64_t value;
    if (measures_find(set, instance, variant, name, &value))
        table_add_number(table, (uint64_t)value);
    else
        table_add_missing(table);
}

static void add_columns(struct table *table)
{
    table_set_title(table, "Bytes under each strategy of Pisarchyk and Lee 2020");
    table_add_column(table, "instance", "", TABLE_LEFT);
    table_add_column(table, "intermediate tensors", "", TABLE_RIGHT);
    table_add_column(table, "naive", "bytes", TABLE_RIGHT);
    table_add_column(table, "load", "bytes", TABLE_RIGHT);
    for (unsigned i = 0; i < STRATEGIES; i++)
        table_add_column(table, strategies[i], "bytes", TABLE_RIGHT);
}

static void add_network(const struct measure_set *set, struct table *table, const char *instance)
{
    table_add_text(table, instance);
    add_measure(set, table, instance, "tensors", "intermediate");
    add_measure(set, table, instance, strategies[0], "naive_bytes");
    add_measure(set, table, instance, strategies[0], "load_bytes");
    for (unsigned i = 0; i < STRATEGIES; i++)
        add_measure(set, table, instance, strategies[i], "peak_bytes");
}

static enum status build(struct store *store, const struct result_choice *choice,
                         struct table *table, struct error *error)
{
    struct measure_set set = {0};
    TRY(measures_read(store, choice, "tflite", &set, error));
    if (!set.count)
        return error_set(error, STATUS_NO,
                         "no results for this table, expected those of memplan reproduce tflite");
    add_columns(table);
    for (uint32_t i = 0; i < set.count; i++)
        if (!i || strcmp(set.measure[i].instance, set.measure[i - 1].instance) != 0)
            add_network(&set, table, set.measure[i].instance);
    table_add_note(table,
                   "tflite_*: offsets, objects_*: shared objects, laid end to end. Inputs of "
                   "the graph take part and tensors live through every operator that reads "
                   "them. The load is the paper's lower bound for offsets.");
    measures_free(&set);
    return table_check(table, error);
}

const struct table_recipe table_tflite_strategies = {
    .name = "tflite-strategies",
    .title = "networks under each strategy of Pisarchyk and Lee 2020",
    .build = build,
};
