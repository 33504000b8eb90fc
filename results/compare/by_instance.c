/* The tables of a comparison that show which instances got best and worst, over all their jobs. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "results/compare/comparison_tables.h"

enum { SHOWN = 10 };

static int compare_means(const void *left, const void *right)
{
    const struct comparison_instance *a = left, *b = right;
    if (a->log_bytes != b->log_bytes)
        return a->log_bytes < b->log_bytes ? -1 : 1;
    return strcmp(a->name, b->name);
}

/* Whether some instance has several jobs; otherwise the tables of jobs say the same. */
static bool is_worth_telling(const struct comparison *comparison)
{
    for (uint32_t i = 0; i < comparison->instances; i++)
        if (comparison->instance[i].jobs > 1)
            return true;
    return false;
}

static void add_instance(const struct comparison_instance *instance, struct table *table)
{
    table_add_instance(table, instance->name);
    table_add_number(table, instance->jobs);
    table_add_real(table, exp(instance->log_bytes), 4);
}

/* Adds the first of the sorted instances, whose ratio is below 1, or the last, whose ratio is above
   1. */
static void add_farthest(const struct comparison_instance *sorted, uint32_t count, bool best,
                         struct table *table)
{
    for (uint32_t i = 0; i < SHOWN && i < count; i++) {
        const struct comparison_instance *instance = &sorted[best ? i : count - 1 - i];
        if (best ? instance->log_bytes < 0 : instance->log_bytes > 0)
            add_instance(instance, table);
    }
}

static enum status build(const struct comparison *comparison, bool best, struct table *table,
                         struct error *error)
{
    struct comparison_instance *sorted;
    uint32_t count = comparison->instances;
    table_add_column(table, "instance", "", TABLE_LEFT);
    table_add_column(table, "jobs", "", TABLE_RIGHT);
    table_add_column(table, "peak ratio", "", TABLE_RIGHT);
    if (!is_worth_telling(comparison))
        return table_check(table, error);
    TRY(memory_create(&sorted, count, sizeof *sorted, error));
    memcpy(sorted, comparison->instance, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, compare_means);
    add_farthest(sorted, count, best, table);
    memory_free(sorted);
    table_add_note(table, "Geometric means over the jobs of each instance, %u %s at most.",
                   (unsigned)SHOWN, best ? "best" : "worst");
    return table_check(table, error);
}

static enum status build_worst(const struct comparison *comparison, struct table *table,
                               struct error *error)
{
    return build(comparison, false, table, error);
}

static enum status build_best(const struct comparison *comparison, struct table *table,
                              struct error *error)
{
    return build(comparison, true, table, error);
}

const struct comparison_table comparison_table_worst_instances = {
    "worst_instances", "Instances that got worse", false, build_worst};
const struct comparison_table comparison_table_best_instances = {
    "best_instances", "Instances that got better", false, build_best};
