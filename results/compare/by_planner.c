/* The table of a comparison with a row for each planner. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "results/compare/comparison_tables.h"

/* What the pairs of one planner add up to. */
struct standing {
    const char *planner;
    uint32_t bytes[4], time[4], pairs;
    double log_bytes, log_time;
    uint32_t with_bytes, with_time;
};

static int compare_standings(const void *left, const void *right)
{
    const struct standing *a = left, *b = right;
    return strcmp(a->planner, b->planner);
}

static void add_to_standing(struct standing *standing, const struct comparison_pair *pair)
{
    standing->planner = pair->row[1]->planner;
    standing->pairs++;
    standing->bytes[pair->bytes]++;
    standing->time[pair->time]++;
    standing->log_bytes += pair->log_bytes;
    standing->log_time += pair->log_time;
    standing->with_bytes += pair->has_bytes;
    standing->with_time += pair->has_time;
}

static void merge_standings(struct standing *standing, uint32_t *count)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < *count; i++) {
        struct standing *last = kept ? &standing[kept - 1] : NULL;
        if (!last || strcmp(last->planner, standing[i].planner) != 0) {
            standing[kept++] = standing[i];
            continue;
        }
        for (int v = 0; v < 4; v++) {
            last->bytes[v] += standing[i].bytes[v];
            last->time[v] += standing[i].time[v];
        }
        last->pairs += standing[i].pairs;
        last->log_bytes += standing[i].log_bytes;
        last->log_time += standing[i].log_time;
        last->with_bytes += standing[i].with_bytes;
        last->with_time += standing[i].with_time;
    }
    *count = kept;
}

static void add_mean(struct table *table, double sum, uint32_t count)
{
    if (count)
        table_add_real(table, exp(sum / count), 4);
    else
        table_add_missing(table);
}

static void add_standing(const struct standing *standing, struct table *table)
{
    table_add_text(table, standing->planner);
    table_add_number(table, standing->pairs);
    table_add_number(table, standing->bytes[COMPARISON_WIN]);
    table_add_number(table, standing->bytes[COMPARISON_TIE]);
    table_add_number(table, standing->bytes[COMPARISON_LOSS]);
    add_mean(table, standing->log_bytes, standing->with_bytes);
    table_add_number(table, standing->time[COMPARISON_WIN]);
    table_add_number(table, standing->time[COMPARISON_LOSS]);
    add_mean(table, standing->log_time, standing->with_time);
}

static enum status build_planners(const struct comparison *comparison, struct table *table,
                                  struct error *error)
{
    static const char *const numbers[] = {"jobs",       "better", "equal",  "worse",
                                          "peak ratio", "faster", "slower", "time ratio"};
    struct standing *standing;
    uint32_t count = comparison->pairs;
    TRY(memory_create(&standing, count, sizeof *standing, error));
    for (uint32_t i = 0; i < count; i++)
        add_to_standing(&standing[i], &comparison->pair[i]);
    qsort(standing, count, sizeof *standing, compare_standings);
    merge_standings(standing, &count);
    table_add_column(table, "planner", "", TABLE_LEFT);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        table_add_column(table, numbers[i], "", TABLE_RIGHT);
    for (uint32_t i = 0; i < count; i++)
        add_standing(&standing[i], table);
    memory_free(standing);
    table_add_note(table, "Ratios: second / first, geometric means over jobs.");
    return table_check(table, error);
}

const struct comparison_table comparison_table_planners = {"planners", "By planner", false,
                                                           build_planners};
