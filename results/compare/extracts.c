/* The tables of a comparison that show the jobs which are farthest from a tie. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "results/compare/comparison_tables.h"

/* How many of the best and of the worst pairs are shown. */
enum { SHOWN = 10 };

/* The figure by which an extract is chosen. */
enum figure { BYTES, TIME, NODES };

/* The pairs with one verdict on a figure. */
struct extract {
    enum figure figure;
    enum comparison_verdict verdict;
};

/* The pairs shown so far, the farthest from a tie first. */
struct farthest {
    const struct comparison_pair *pair[SHOWN]; /* [count] */
    uint32_t count, all;
};

static enum comparison_verdict get_verdict(const struct comparison_pair *pair, enum figure figure)
{
    return figure == BYTES ? pair->bytes : figure == TIME ? pair->time : pair->nodes;
}

/* The logarithm of second / first. */
static double get_log(const struct comparison_pair *pair, enum figure figure)
{
    if (figure == NODES)
        return log((double)pair->row[1]->nodes / (double)pair->row[0]->nodes);
    return figure == BYTES ? pair->log_bytes : pair->log_time;
}

/* The distance of a pair from a tie. A plan that only one side has is farther away than any
   ratio. */
static double get_distance(const struct comparison_pair *pair, enum figure figure)
{
    return figure == BYTES && !pair->has_bytes ? INFINITY : fabs(get_log(pair, figure));
}

static bool is_repetition(const struct comparison_pair *pair, const struct comparison_pair *other)
{
    const struct result_row *a = pair->row[0], *b = other->row[0];
    return a->seed == b->seed && strcmp(a->instance, b->instance) == 0 &&
           strcmp(a->policy, b->policy) == 0 && strcmp(a->planner, b->planner) == 0 &&
           strcmp(a->options, b->options) == 0;
}

/* Inserts a pair if it is far enough. Of several repetitions of one job only the farthest is
   shown. */
static void insert_pair(enum figure figure, const struct comparison_pair *pair,
                        struct farthest *farthest)
{
    double distance = get_distance(pair, figure);
    uint32_t place = 0;
    farthest->all++;
    while (place < farthest->count && !is_repetition(pair, farthest->pair[place]))
        place++;
    if (place < farthest->count) {
        if (get_distance(farthest->pair[place], figure) >= distance)
            return;
        farthest->count--;
        for (; place < farthest->count; place++)
            farthest->pair[place] = farthest->pair[place + 1];
    }
    place = farthest->count;
    while (place && get_distance(farthest->pair[place - 1], figure) < distance)
        place--;
    if (place == SHOWN)
        return;
    farthest->count += farthest->count < SHOWN;
    for (uint32_t k = farthest->count - 1; k > place; k--)
        farthest->pair[k] = farthest->pair[k - 1];
    farthest->pair[place] = pair;
}

static void add_pair(const struct comparison *comparison, const struct comparison_pair *pair,
                     enum figure figure, struct table *table)
{
    table_add(table, cell_instance(pair->row[0]->instance), cell_text(pair->row[0]->policy));
    if (!comparison->sides->across_planners)
        table_add(table, cell_text(pair->row[0]->planner));
    for (int side = 0; side < 2; side++)
        if (figure == BYTES)
            table_add(table, comparison_tables_peak(pair->row[side]));
        else if (figure == TIME)
            table_add(table, cell_real((double)pair->row[side]->wall_ns / 1e6, 4));
        else
            table_add(table, cell_number(pair->row[side]->nodes));
    if (figure == NODES)
        table_add(table, cell_real((double)pair->row[1]->nodes / (double)pair->row[0]->nodes, 3));
    else
        table_add(table, cell_known_real(figure == TIME || pair->has_bytes,
                                         exp(get_log(pair, figure)), figure == BYTES ? 4 : 3));
}

static enum status fill(const struct comparison *comparison, const struct extract *extract,
                        struct table *table)
{
    static const char *const notes[] = {"Peaks in bytes.", "Medians in ms.", "Nodes of searches."};
    struct farthest farthest = {.count = 0};
    table_add_columns(table, comparison->sides->across_planners ? "instance | policy"
                                                                : "instance | policy | planner");
    for (int side = 0; side < 2; side++) {
        char heading[160];
        snprintf(heading, sizeof heading, "%s", comparison->sides->name[side]);
        table_add_column(table, heading, "", TABLE_RIGHT);
    }
    table_add_columns(table, "ratio:");
    for (uint32_t i = 0; i < comparison->pairs; i++)
        if (get_verdict(&comparison->pair[i], extract->figure) == extract->verdict)
            insert_pair(extract->figure, &comparison->pair[i], &farthest);
    for (uint32_t i = 0; i < farthest.count; i++)
        add_pair(comparison, farthest.pair[i], extract->figure, table);
    if (farthest.all > farthest.count)
        table_add_note(table, "The %u farthest apart of %u; repetitions of one job stand once.",
                       farthest.count, farthest.all);
    table_add_note(table, "%s", notes[extract->figure]);
    return STATUS_OK;
}

#define EXTRACT(name, title, figure, verdict)                                                      \
    static enum status fill_##name(const struct comparison *comparison, struct table *table,       \
                                   struct error *error)                                            \
    {                                                                                              \
        (void)error;                                                                               \
        return fill(comparison, &(struct extract){figure, verdict}, table);                        \
    }                                                                                              \
    const struct comparison_table comparison_table_##name = {#name, title, false, NULL, fill_##name}
EXTRACT(losses, "Peaks that got worse", BYTES, COMPARISON_LOSS);
EXTRACT(wins, "Peaks that got better", BYTES, COMPARISON_WIN);
EXTRACT(slower, "Times that got worse", TIME, COMPARISON_LOSS);
EXTRACT(faster, "Times that got better", TIME, COMPARISON_WIN);
/* Searches are listed only where nodes are judged. */
EXTRACT(longer, "Searches that got longer", NODES,
        comparison->sides->judges_nodes ? COMPARISON_LOSS : COMPARISON_VERDICTS);
