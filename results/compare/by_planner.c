/* The table of a comparison with a row for each planner. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "results/compare/comparison_tables.h"

/* What the pairs of one planner add up to. */
struct standing {
    const char *planner;
    uint32_t bytes[COMPARISON_VERDICTS], time[COMPARISON_VERDICTS], pairs;
    double log_bytes, log_time;
    uint32_t with_bytes, with_time;
};

static int compare_standings(const void *left, const void *right)
{
    const struct standing *a = left, *b = right;
    return strcmp(a->planner, b->planner);
}

/* Adds up the pairs of each planner: standing[planners->count], zeroed, with room for one a pair.
 */
static enum status add_up(const struct comparison *comparison, struct standing *standing,
                          struct names *planners, struct error *error)
{
    for (uint32_t i = 0; i < comparison->pairs; i++) {
        const struct comparison_pair *pair = &comparison->pair[i];
        const char *planner = pair->row[1]->planner;
        if (names_find(planners, planner) == NAMES_NONE)
            TRY(names_add(planners, planner, error));
        struct standing *of = &standing[names_find(planners, planner)];
        of->planner = planner;
        of->pairs++;
        of->bytes[pair->bytes]++;
        of->time[pair->time]++;
        of->log_bytes += pair->log_bytes;
        of->log_time += pair->log_time;
        of->with_bytes += pair->has_bytes;
        of->with_time += pair->has_time;
    }
    return STATUS_OK;
}

static enum status fill(const struct comparison *comparison, struct table *table,
                        struct error *error)
{
    struct standing *standing;
    struct names planners = {0};
    TRY(memory_create(&standing, comparison->pairs, sizeof *standing, error));
    enum status status = add_up(comparison, standing, &planners, error);
    if (!status)
        qsort(standing, planners.count, sizeof *standing, compare_standings);
    for (uint32_t i = 0; i < planners.count && !status; i++) {
        const struct standing *of = &standing[i];
        table_add(table, cell_text(of->planner), cell_number(of->pairs),
                  cell_number(of->bytes[COMPARISON_WIN]), cell_number(of->bytes[COMPARISON_TIE]),
                  cell_number(of->bytes[COMPARISON_LOSS]),
                  cell_known_real(of->with_bytes, exp(of->log_bytes / of->with_bytes), 4),
                  cell_number(of->time[COMPARISON_WIN]), cell_number(of->time[COMPARISON_LOSS]),
                  cell_known_real(of->with_time, exp(of->log_time / of->with_time), 4));
    }
    memory_free(standing);
    names_free(&planners);
    table_add_note(table, "Ratios: second / first, geometric means over jobs.");
    return status;
}

const struct comparison_table comparison_table_planners = {
    "planners", "By planner", false,
    "planner | jobs: | better: | equal: | worse: | peak ratio: | faster: | slower: | time ratio:",
    fill};
