#include "results/compare/comparison_tables.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/rows.h"

/* How many of the best and of the worst pairs are shown. */
enum { SHOWN = 10 };

static void add_count(struct table *table, const char *name, uint64_t count)
{
    table_add_text(table, name);
    table_add_number(table, count);
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
    table_add_text(table, what);
    snprintf(text, sizeof text, "%.4f (%.4f to %.4f)", ratio->value, ratio->lower, ratio->upper);
    table_add_text(table, text);
}

static void add_probability(struct table *table, const char *what, double p_value)
{
    char text[32];
    table_add_text(table, what);
    snprintf(text, sizeof text, p_value < 0.0001 ? "%.1e" : "%.4f", p_value);
    table_add_text(table, text);
}

static void add_sides(const struct comparison *comparison, struct table *table)
{
    const struct comparison_sides *sides = comparison->sides;
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
}

static enum status build_overview(const struct comparison *comparison, struct table *table,
                                  struct error *error)
{
    table_add_column(table, "measure", "", TABLE_LEFT);
    table_add_column(table, "value", "", TABLE_RIGHT);
    add_sides(comparison, table);
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
    if (comparison->sides->judges_nodes)
        add_verdicts(table, "nodes of finished searches", comparison->nodes);
    table_add_note(table,
                   "luck: how likely so uneven a result over %u instances is where both sides are "
                   "equally good.",
                   comparison->instances);
    table_add_note(
        table,
        "A time is worse or better where the intervals of the two medians do not overlap "
        "and the ratio is beyond %.0f%%.",
        100 * comparison->sides->time_threshold);
    return table_check(table, error);
}

/* What one planner's pairs say. */
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
    table_add_text(table, pair->row[0]->instance);
    table_add_text(table, pair->row[0]->policy);
    if (!comparison->sides->across_planners)
        table_add_text(table, pair->row[0]->planner);
}

static void add_peak(const struct result_row *row, struct table *table)
{
    if (query_worth(row) == RESULT_NUMBER)
        table_add_number(table, row->peak_bytes);
    else
        table_add_text(table, query_worth(row) == RESULT_INVALID ? "invalid" : row->status);
}

static void add_bytes_pair(const struct comparison *comparison, const struct comparison_pair *pair,
                           struct table *table)
{
    add_names(comparison, pair, table);
    add_peak(pair->row[0], table);
    add_peak(pair->row[1], table);
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

/* A plan that only one side has is farther from a tie than any ratio. */
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

/* What an extract shows of pairs, and how far a pair is from a tie: the farthest come first. */
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

static void insert_pair(const struct extract *extract, const struct comparison_pair *pair,
                        struct farthest *farthest)
{
    double distance = extract->kind->distance(pair);
    uint32_t place = farthest->count;
    farthest->all++;
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
        table_add_note(table, "The %u farthest apart of %u.", farthest.count, farthest.all);
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

/* Where nodes are not judged they are no reason to call anything longer. */
static enum status build_longer(const struct comparison *comparison, struct table *table,
                                struct error *error)
{
    const struct extract longer = {
        &extract_nodes, comparison->sides->judges_nodes ? COMPARISON_LOSS : COMPARISON_VERDICTS};
    return build_extract(comparison, &longer, table, error);
}

static void add_list_columns(struct table *table)
{
    static const char *const texts[] = {"instance",  "digest",    "policy",
                                        "planner 1", "planner 2", "options"};
    static const struct {
        const char *heading, *unit;
    } numbers[] = {{"seed", ""},     {"repetition", ""}, {"peak 1", "bytes"}, {"peak 2", "bytes"},
                   {"time 1", "ns"}, {"time 2", "ns"},   {"nodes 1", ""},     {"nodes 2", ""}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        table_add_column(table, texts[i], "", TABLE_LEFT);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        table_add_column(table, numbers[i].heading, numbers[i].unit, TABLE_RIGHT);
    table_add_column(table, "peak", "", TABLE_LEFT);
    table_add_column(table, "time", "", TABLE_LEFT);
}

static void add_listed(const struct comparison_pair *pair, struct table *table)
{
    static const char *const verdicts[] = {
        [COMPARISON_TIE] = "equal", [COMPARISON_WIN] = "better", [COMPARISON_LOSS] = "worse"};
    const struct result_row *first = pair->row[0], *second = pair->row[1];
    const char *const texts[] = {first->instance, first->digest,   first->policy,
                                 first->planner,  second->planner, first->options};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        table_add_text(table, texts[i]);
    table_add_number(table, first->seed);
    table_add_number(table, first->repetition);
    add_peak(first, table);
    add_peak(second, table);
    table_add_number(table, first->wall_ns);
    table_add_number(table, second->wall_ns);
    table_add_number(table, first->nodes);
    table_add_number(table, second->nodes);
    table_add_text(table, pair->bytes == COMPARISON_NONE ? "" : verdicts[pair->bytes]);
    table_add_text(table, pair->time == COMPARISON_NONE ? "" : verdicts[pair->time]);
}

static enum status build_list(const struct comparison *comparison, struct table *table,
                              struct error *error)
{
    add_list_columns(table);
    for (uint32_t i = 0; i < comparison->pairs; i++)
        add_listed(&comparison->pair[i], table);
    return table_check(table, error);
}

static const struct comparison_table recipes[] = {
    {"overview", "Second against first", false, build_overview},
    {"planners", "By planner", false, build_planners},
    {"losses", "Peaks that got worse", false, build_losses},
    {"wins", "Peaks that got better", false, build_wins},
    {"longer", "Searches that got longer", false, build_longer},
    {"slower", "Times that got worse", false, build_slower},
    {"faster", "Times that got better", false, build_faster},
    {"pairs", "All jobs on both sides", true, build_list},
};

ROWS_DEFINE(comparison_tables, struct comparison_table, recipes);

enum status comparison_tables_build(const struct comparison_table *recipe,
                                    const struct comparison *comparison, struct table *table,
                                    struct error *error)
{
    table_set_title(table, recipe->title);
    return recipe->build(comparison, table, error);
}
