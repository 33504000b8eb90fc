/* The list of all pairs of a comparison, for programs. */
#include "results/compare/comparison_tables.h"

static void add_listed(const struct comparison_pair *pair, struct table *table)
{
    static const char *const verdicts[] = {[COMPARISON_TIE] = "equal",
                                           [COMPARISON_WIN] = "better",
                                           [COMPARISON_LOSS] = "worse",
                                           [COMPARISON_NONE] = ""};
    const struct result_row *first = pair->row[0], *second = pair->row[1];
    const char *const texts[] = {first->instance, first->digest,   first->policy,
                                 first->planner,  second->planner, first->options};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        table_add(table, cell_text(texts[i]));
    table_add(table, cell_number(first->seed), cell_number(first->repetition),
              comparison_tables_peak(first), comparison_tables_peak(second),
              cell_number(first->wall_ns), cell_number(second->wall_ns), cell_number(first->nodes),
              cell_number(second->nodes), cell_text(verdicts[pair->bytes]),
              cell_text(verdicts[pair->time]), cell_text(verdicts[pair->nodes]));
}

static enum status fill(const struct comparison *comparison, struct table *table,
                        struct error *error)
{
    (void)error;
    for (uint32_t i = 0; i < comparison->pairs; i++)
        add_listed(&comparison->pair[i], table);
    return STATUS_OK;
}

const struct comparison_table comparison_table_pairs = {
    "pairs", "All jobs on both sides", true,
    "instance | digest | policy | planner 1 | planner 2 | options | seed: | repetition: | "
    "peak 1 (bytes): | peak 2 (bytes): | time 1 (ns): | time 2 (ns): | nodes 1: | nodes 2: | peak "
    "| "
    "time | nodes",
    fill};
