/* The table of a comparison that says it all in one figure each. */
#include <stdio.h>

#include "results/compare/comparison_tables.h"

static void add_count(struct table *table, const char *name, uint64_t count)
{
    table_add(table, cell_text(name), cell_number(count));
}

static void add_verdicts(struct table *table, const char *what, const uint32_t verdict[4])
{
    char name[64];
    static const char *const names[] = {"equal", "better", "worse"};
    static const enum comparison_verdict order[] = {COMPARISON_WIN, COMPARISON_TIE,
                                                    COMPARISON_LOSS};
    for (int i = 0; i < 3; i++) {
        snprintf(name, sizeof name, "%s: %s", what, names[order[i]]);
        add_count(table, name, verdict[order[i]]);
    }
}

static void add_ratio(struct table *table, const char *what,
                      const struct statistics_interval *ratio)
{
    char text[96];
    table_add(table, cell_text(what));
    snprintf(text, sizeof text, "%.4f (%.4f to %.4f)", ratio->value, ratio->lower, ratio->upper);
    table_add(table, cell_text(text));
}

static void add_probability(struct table *table, const char *what, double p_value)
{
    char text[32];
    table_add(table, cell_text(what));
    snprintf(text, sizeof text, p_value < 0.0001 ? "%.1e" : "%.4f", p_value);
    table_add(table, cell_text(text));
}

static enum status fill(const struct comparison *comparison, struct table *table,
                        struct error *error)
{
    const struct comparison_sides *sides = comparison->sides;
    (void)error;
    add_count(table, "jobs on both sides", comparison->pairs);
    add_count(table, "only on the first side", comparison->unmatched[0]);
    add_count(table, "only on the second side", comparison->unmatched[1]);
    if (comparison->changed)
        table_add_note(table,
                       "%u instances have the same name on both sides and another content: their "
                       "rows are not compared.",
                       comparison->changed);
    table_add_note(
        table,
        "second: %s; first: %s. Ratios are second / first, geometric means in which each "
        "instance counts once, with 95%% intervals: below 1 the second is better.",
        sides->name[1], sides->name[0]);
    add_verdicts(table, "peak", comparison->bytes);
    add_count(table, "plan only on the first side", comparison->found[0]);
    add_count(table, "plan only on the second side", comparison->found[1]);
    add_count(table, "instances better on average", comparison->better);
    add_count(table, "instances worse on average", comparison->worse);
    add_ratio(table, "peak, ratio", &comparison->bytes_ratio);
    add_probability(table, "luck, by the sign test", comparison->sign_p);
    add_probability(table, "luck, by the signed-rank test", comparison->rank_p);
    add_verdicts(table, "time", comparison->time);
    add_ratio(table, "time, ratio", &comparison->time_ratio);
    add_count(table, "other number of nodes", comparison->nodes_differ);
    add_count(table, "searches with other counters", comparison->counters_differ);
    add_ratio(table, "nodes, ratio", &comparison->nodes_ratio);
    if (sides->judges_nodes)
        add_verdicts(table, "nodes of finished searches", comparison->nodes);
    table_add_note(table,
                   "luck: how likely so uneven a result over %u instances is where both sides are "
                   "equally good.",
                   comparison->instances);
    table_add_note(
        table,
        "A time is worse or better where the intervals of the two medians do not overlap "
        "and the ratio is beyond %.0f%%.",
        100 * sides->time_threshold);
    return STATUS_OK;
}

const struct comparison_table comparison_table_overview = {"overview", "Second against first",
                                                           false, "measure | value:", fill};
