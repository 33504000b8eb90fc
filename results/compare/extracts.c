/* The tables of a comparison that show the jobs which are farthest from a tie. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "results/compare/comparison_tables.h"

/* How many of the best and of the worst pairs are shown. */
enum { SHOWN = 10 };

static void add_pair_columns(const struct comparison *comparison, struct table *table)
{
    char heading[2][160];
    for (int side = 0; side < 2; side++)
        snprintf(heading[side], sizeof heading[side], "%s", comparison->sides->name[side]);
    table_add_column(table, "instance", "", TABLE_LEFT);
    table_add_column(table, "policy", "", TABLE_LEFT);
    if (!comparison->sides->across_planners)
        table_add_column(table, "planner", "", TABLE_LEFT);
    table_add_column(table, heading[0], "", TABLE_RIGHT);
    table_add_column(table, heading[1], "", TABLE_RIGHT);
    table_add_column(table, "ratio", "", TABLE_RIGHT);
}

static void add_names(const struct comparison *comparison, const struct comparison_pair *pair,
                      struct table *table)
{
    table_add_instance(table, pair->row[0]->instance);
    table_add_text(table, pair->row[0]->policy);
    if (!comparison->sides->across_planners)
        table_add_text(table, pair->row[0]->planner);
}

static void add_bytes_pair(const struct comparison *comparison, const struct comparison_pair *pair,
                           struct table *table)
{
    add_names(comparison, pair, table);
    comparison_tables_add_peak(pair->row[0], table);
    comparison_tables_add_peak(pair->row[1], table);
    if (pair->has_bytes)
        table_add_real(table, exp(pair->log_bytes), 4);
    else
        table_add_missing(table);
}

static void add_time_pair(const struct comparison *comparison, const struct comparison_pair *pair,
                          struct table *table)
{
    add_names(comparison, pair, table);
    table_add_real(table, (double)pair->row[0]->wall_ns / 1e6, 4);
    table_add_real(table, (double)pair->row[1]->wall_ns / 1e6, 4);
    table_add_real(table, exp(pair->log_time), 3);
}

static void add_nodes_pair(const struct comparison *comparison, const struct comparison_pair *pair,
                           struct table *table)
{
    add_names(comparison, pair, table);
    table_add_number(table, pair->row[0]->nodes);
    table_add_number(table, pair->row[1]->nodes);
    table_add_real(table, (double)pair->row[1]->nodes / (double)pair->row[0]->nodes, 3);
}

/* The distance of a pair from a tie by bytes. A plan that only one side has is farther away than
   any ratio. */
static double measure_bytes(const struct comparison_pair *pair)
{
    return pair->has_bytes ? fabs(pair->log_bytes) : INFINITY;
}

static double measure_time(const struct comparison_pair *pair)
{
    return fabs(pair->log_time);
}

static double measure_nodes(const struct comparison_pair *pair)
{
    return fabs(log((double)pair->row[1]->nodes / (double)pair->row[0]->nodes));
}

static enum comparison_verdict bytes_verdict(const struct comparison_pair *pair)
{
    return pair->bytes;
}

static enum comparison_verdict time_verdict(const struct comparison_pair *pair)
{
    return pair->time;
}

static enum comparison_verdict nodes_verdict(const struct comparison_pair *pair)
{
    return pair->nodes;
}

/* A kind of extract: which verdicts it shows, and how far a pair is from a tie; the farthest pairs
   come first. */
static const struct extract_kind {
    enum comparison_verdict (*verdict)(const struct comparison_pair *pair);
    double (*distance)(const struct comparison_pair *pair);
    void (*add)(const struct comparison *comparison, const struct comparison_pair *pair,
                struct table *table);
    const char *note;
} extract_bytes = {bytes_verdict, measure_bytes, add_bytes_pair, "Peaks in bytes."},
  extract_time = {time_verdict, measure_time, add_time_pair, "Medians in ms."},
  extract_nodes = {nodes_verdict, measure_nodes, add_nodes_pair, "Nodes of searches."};

struct extract {
    const struct extract_kind *kind;
    enum comparison_verdict verdict;
};

/* The pairs shown so far, the farthest from a tie first. */
struct farthest {
    const struct comparison_pair *pair[SHOWN]; /* [count] */
    uint32_t count, all;
};

static bool is_repetition(const struct comparison_pair *pair, const struct comparison_pair *other)
{
    const struct result_row *a = pair->row[0], *b = other->row[0];
    return a->seed == b->seed && strcmp(a->instance, b->instance) == 0 &&
           strcmp(a->policy, b->policy) == 0 && strcmp(a->planner, b->planner) == 0 &&
           strcmp(a->options, b->options) == 0;
}

static void remove_pair(struct farthest *farthest, uint32_t place)
{
    farthest->count--;
    for (uint32_t k = place; k < farthest->count; k++)
        farthest->pair[k] = farthest->pair[k + 1];
}

/* Inserts a pair if it is far enough. Of several repetitions of one job only the farthest is
   shown. */
static void insert_pair(const struct extract *extract, const struct comparison_pair *pair,
                        struct farthest *farthest)
{
    double distance = extract->kind->distance(pair);
    uint32_t place = 0;
    farthest->all++;
    while (place < farthest->count && !is_repetition(pair, farthest->pair[place]))
        place++;
    if (place < farthest->count) {
        if (extract->kind->distance(farthest->pair[place]) >= distance)
            return;
        remove_pair(farthest, place);
    }
    place = farthest->count;
    while (place && extract->kind->distance(farthest->pair[place - 1]) < distance)
        place--;
    if (place == SHOWN)
        return;
    farthest->count += farthest->count < SHOWN;
    for (uint32_t k = farthest->count - 1; k > place; k--)
        farthest->pair[k] = farthest->pair[k - 1];
    farthest->pair[place] = pair;
}

static enum status build_extract(const struct comparison *comparison, const struct extract *extract,
                                 struct table *table, struct error *error)
{
    struct farthest farthest = {.count = 0};
    add_pair_columns(comparison, table);
    for (uint32_t i = 0; i < comparison->pairs; i++)
        if (extract->kind->verdict(&comparison->pair[i]) == extract->verdict)
            insert_pair(extract, &comparison->pair[i], &farthest);
    for (uint32_t i = 0; i < farthest.count; i++)
        extract->kind->add(comparison, farthest.pair[i], table);
    if (farthest.all > farthest.count)
        table_add_note(table, "The %u farthest apart of %u; repetitions of one job stand once.",
                       farthest.count, farthest.all);
    table_add_note(table, "%s", extract->kind->note);
    return table_check(table, error);
}

static enum status build_losses(const struct comparison *comparison, struct table *table,
                                struct error *error)
{
    return build_extract(comparison, &(struct extract){&extract_bytes, COMPARISON_LOSS}, table,
                         error);
}

static enum status build_wins(const struct comparison *comparison, struct table *table,
                              struct error *error)
{
    return build_extract(comparison, &(struct extract){&extract_bytes, COMPARISON_WIN}, table,
                         error);
}

static enum status build_slower(const struct comparison *comparison, struct table *table,
                                struct error *error)
{
    return build_extract(comparison, &(struct extract){&extract_time, COMPARISON_LOSS}, table,
                         error);
}

static enum status build_faster(const struct comparison *comparison, struct table *table,
                                struct error *error)
{
    return build_extract(comparison, &(struct extract){&extract_time, COMPARISON_WIN}, table,
                         error);
}

/* Lists the searches that became longer, but only where nodes are judged. */
static enum status build_longer(const struct comparison *comparison, struct table *table,
                                struct error *error)
{
    const struct extract longer = {
        &extract_nodes, comparison->sides->judges_nodes ? COMPARISON_LOSS : COMPARISON_VERDICTS};
    return build_extract(comparison, &longer, table, error);
}

const struct comparison_table comparison_table_losses = {"losses", "Peaks that got worse", false,
                                                         build_losses};
const struct comparison_table comparison_table_wins = {"wins", "Peaks that got better", false,
                                                       build_wins};
const struct comparison_table comparison_table_longer = {"longer", "Searches that got longer",
                                                         false, build_longer};
const struct comparison_table comparison_table_slower = {"slower", "Times that got worse", false,
                                                         build_slower};
const struct comparison_table comparison_table_faster = {"faster", "Times that got better", false,
                                                         build_faster};
