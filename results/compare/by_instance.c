/* The tables of a comparison that show which instances got best and worst, over all their jobs. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/compare.h"
#include "core/memory.h"
#include "results/compare/comparison_tables.h"

enum { SHOWN = 10 };

static int compare_means(const void *left, const void *right)
{
    const struct comparison_instance *a = left, *b = right;
    int order = compare_reals(a->log_bytes, b->log_bytes);
    return order ? order : strcmp(a->name, b->name);
}

/* Adds the first of the sorted instances, whose ratio is below 1, or the last, whose ratio is above
   1; none where no instance has several jobs, since the tables of jobs say the same then. */
static enum status fill(const struct comparison *comparison, bool best, struct table *table,
                        struct error *error)
{
    struct comparison_instance *sorted;
    uint32_t count = comparison->instances;
    bool has_several = false;
    for (uint32_t i = 0; i < count; i++)
        has_several |= comparison->instance[i].jobs > 1;
    if (!has_several)
        return STATUS_OK;
    TRY(memory_create(&sorted, count, sizeof *sorted, error));
    memcpy(sorted, comparison->instance, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, compare_means);
    for (uint32_t i = 0; i < SHOWN && i < count; i++) {
        const struct comparison_instance *instance = &sorted[best ? i : count - 1 - i];
        if (best ? instance->log_bytes >= 0 : instance->log_bytes <= 0)
            break;
        table_add(table, cell_instance(instance->name), cell_number(instance->jobs),
                  cell_real(exp(instance->log_bytes), 4));
    }
    memory_free(sorted);
    table_add_note(table, "Geometric means over the jobs of each instance, %u %s at most.",
                   (unsigned)SHOWN, best ? "best" : "worst");
    return STATUS_OK;
}

static enum status fill_worst(const struct comparison *comparison, struct table *table,
                              struct error *error)
{
    return fill(comparison, false, table, error);
}

static enum status fill_best(const struct comparison *comparison, struct table *table,
                             struct error *error)
{
    return fill(comparison, true, table, error);
}

static const char columns[] = "instance | jobs: | peak ratio:";
const struct comparison_table comparison_table_worst_instances = {
    "worst_instances", "Instances that got worse", false, columns, fill_worst};
const struct comparison_table comparison_table_best_instances = {
    "best_instances", "Instances that got better", false, columns, fill_best};
