#include "results/compare/comparison_tables.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/compare.h"
#include "core/memory.h"
#include "core/plural.h"
#include "core/rows.h"
#include "results/store/reconstructions.h"

/* The row's peak, or why it has none. */
static struct cell peak_cell(const struct result_row *row)
{
    if (query_worth(row) == RESULT_NUMBER)
        return cell_number(row->peak_bytes);
    return cell_text(query_worth(row) == RESULT_INVALID ? "invalid" : row->status);
}

static void add_verdicts(struct table *table, const char *what, const uint32_t *verdicts)
{
    table_add(table, cell_words("%s: better", what), cell_number(verdicts[COMPARISON_WIN]),
              cell_words("%s: equal", what), cell_number(verdicts[COMPARISON_TIE]),
              cell_words("%s: worse", what), cell_number(verdicts[COMPARISON_LOSS]));
}

static struct cell ratio_cell(const struct statistics_interval *ratio)
{
    if (!isfinite(ratio->upper))
        return cell_known_real(!isnan(ratio->value), ratio->value, 4);
    return cell_words("%.4f (%.4f to %.4f)", ratio->value, ratio->lower, ratio->upper);
}

static struct cell probability_cell(double p_value)
{
    return p_value < 0.0001 ? cell_words("%.1e", p_value) : cell_words("%.4f", p_value);
}

/* All in one figure each. */
static enum status fill_overview(const struct comparison *comparison,
                                 const struct comparison_table *recipe, struct table *table,
                                 struct error *error)
{
    const struct comparison_sides *sides = comparison->sides;
    (void)recipe;
    (void)error;
    table_add(table, cell_text("jobs on both sides"), cell_number(comparison->pairs),
              cell_text("only on the first side"), cell_number(comparison->unmatched[0]),
              cell_text("only on the second side"), cell_number(comparison->unmatched[1]));
    if (comparison->changed)
        table_add_note(
            table,
            "Not compared, for they have the same name on both sides and another content: "
            "%u instance%s.",
            comparison->changed, plural_ending(comparison->changed));
    table_add_note(
        table,
        "second: %s; first: %s. Ratios are second / first, geometric means in which each "
        "instance counts once, with 95%% intervals by Student's t: below 1 the second is better.",
        sides->name[1], sides->name[0]);
    add_verdicts(table, "peak", comparison->verdicts[COMPARISON_BYTES]);
    table_add(table, cell_text("plan only on the first side"), cell_number(comparison->found[0]),
              cell_text("plan only on the second side"), cell_number(comparison->found[1]),
              cell_text("instances better on average"), cell_number(comparison->better),
              cell_text("instances worse on average"), cell_number(comparison->worse),
              cell_text("peak, ratio"), ratio_cell(&comparison->ratio[COMPARISON_BYTES]),
              cell_text("luck, by the sign test"), probability_cell(comparison->sign_p),
              cell_text("luck, by the signed-rank test"), probability_cell(comparison->rank_p));
    add_verdicts(table, "time", comparison->verdicts[COMPARISON_TIME]);
    table_add(table, cell_text("time, ratio"), ratio_cell(&comparison->ratio[COMPARISON_TIME]),
              cell_text("other number of nodes"), cell_number(comparison->nodes_differ),
              cell_text("searches with other counters"), cell_number(comparison->counters_differ),
              cell_text("nodes, ratio"), ratio_cell(&comparison->ratio[COMPARISON_NODES]));
    if (sides->judges_nodes)
        add_verdicts(table, "nodes of finished searches", comparison->verdicts[COMPARISON_NODES]);
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

static enum status fill_planners(const struct comparison *comparison,
                                 const struct comparison_table *recipe, struct table *table,
                                 struct error *error)
{
    (void)recipe;
    (void)error;
    for (uint32_t i = 0; i < comparison->planners; i++) {
        const struct comparison_planner *of = &comparison->planner[i];
        const uint32_t *bytes = of->verdicts[COMPARISON_BYTES];
        const uint32_t *time = of->verdicts[COMPARISON_TIME], *with = of->with;
        double ratio[COMPARISON_FIGURES];
        for (int figure = 0; figure < COMPARISON_FIGURES; figure++)
            ratio[figure] = exp(of->log_ratio[figure] / with[figure]);
        table_add(table, cell_text(of->name), cell_number(of->pairs),
                  cell_number(bytes[COMPARISON_WIN]), cell_number(bytes[COMPARISON_TIE]),
                  cell_number(bytes[COMPARISON_LOSS] - of->failures), cell_number(of->failures),
                  cell_known_real(with[COMPARISON_BYTES], ratio[COMPARISON_BYTES], 4),
                  cell_number(time[COMPARISON_WIN]), cell_number(time[COMPARISON_LOSS]),
                  cell_known_real(with[COMPARISON_TIME], ratio[COMPARISON_TIME], 4));
    }
    table_add_note(table, "Repetitions are one job. failed: no plan that counts on the second side "
                          "alone. Ratios: second / first, geometric means over jobs.");
    return STATUS_OK;
}

/* How many of the best and of the worst instances and pairs are shown. */
enum { SHOWN = 10 };

COMPARE_BY(compare_means, struct comparison_instance, compare_reals(a->log_bytes, b->log_bytes),
           strcmp(a->name, b->name))

/* Adds the first of the sorted instances, whose ratio is below 1, or the last, whose ratio is above
   1; none where no instance has several jobs, since the tables of jobs say the same then. */
static enum status fill_instances(const struct comparison *comparison,
                                  const struct comparison_table *recipe, struct table *table,
                                  struct error *error)
{
    struct comparison_instance *sorted;
    uint32_t count = comparison->instances;
    bool has_several = false, best = recipe->verdict == COMPARISON_WIN;
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

/* A pair and how far it is from a tie. */
struct far_pair {
    const struct comparison_pair *pair;
    double distance;
};

/* The farthest first, of equal ones that which stands first. */
COMPARE_BY(compare_far_pairs, struct far_pair, compare_reals(b->distance, a->distance),
           (a->pair > b->pair) - (a->pair < b->pair))

/* The logarithm of second / first. */
static double get_log(const struct comparison_pair *pair, enum comparison_figure figure)
{
    if (figure == COMPARISON_NODES)
        return log((double)pair->row[1]->nodes / (double)pair->row[0]->nodes);
    return pair->log_ratio[figure];
}

/* The distance of a pair from a tie. A plan that only one side has is farther away than any
   ratio. */
static double get_distance(const struct comparison_pair *pair, enum comparison_figure figure)
{
    return figure == COMPARISON_BYTES && !pair->has[COMPARISON_BYTES] ? INFINITY
                                                                      : fabs(get_log(pair, figure));
}

/* The jobs that are farthest from a tie. Searches are listed only where nodes are judged. */
static enum status fill_extract(const struct comparison *comparison,
                                const struct comparison_table *recipe, struct table *table,
                                struct error *error)
{
    static const char *const notes[] = {"Peaks in bytes.", "Medians in ms.", "Nodes of searches."};
    const enum comparison_figure figure = recipe->figure;
    bool is_judged = figure != COMPARISON_NODES || comparison->sides->judges_nodes;
    SCOPED(memory_release) struct far_pair *far = NULL;
    uint32_t all = 0;
    TRY(memory_create(&far, comparison->pairs, sizeof *far, error));
    table_add_columns(table, comparison->sides->across_planners ? "instance | policy"
                                                                : "instance | policy | planner");
    for (int side = 0; side < 2; side++) {
        char heading[160];
        snprintf(heading, sizeof heading, "%s", comparison->sides->name[side]);
        table_add_column(table, heading, "", TABLE_RIGHT);
    }
    table_add_columns(table, "ratio:");
    for (uint32_t i = 0; i < comparison->pairs; i++) {
        const struct comparison_pair *pair = &comparison->pair[i];
        if (is_judged && pair->verdict[figure] == recipe->verdict)
            far[all++] = (struct far_pair){pair, get_distance(pair, figure)};
    }
    if (all)
        qsort(far, all, sizeof *far, compare_far_pairs);
    uint32_t shown = all < SHOWN ? all : SHOWN;
    for (uint32_t i = 0; i < shown; i++) {
        const struct comparison_pair *pair = far[i].pair;
        table_add(table, cell_instance(pair->row[0]->instance), cell_text(pair->row[0]->policy));
        if (!comparison->sides->across_planners)
            table_add(table, cell_text(pair->row[0]->planner));
        for (int side = 0; side < 2; side++)
            if (figure == COMPARISON_BYTES)
                table_add(table, peak_cell(pair->row[side]));
            else if (figure == COMPARISON_TIME)
                table_add(table, cell_real((double)pair->wall_ns[side] / 1e6, 4));
            else
                table_add(table, cell_number(pair->row[side]->nodes));
        if (figure == COMPARISON_NODES)
            table_add(table,
                      cell_real((double)pair->row[1]->nodes / (double)pair->row[0]->nodes, 3));
        else
            table_add(table, cell_known_real(
                                 figure == COMPARISON_TIME || pair->has[COMPARISON_BYTES],
                                 exp(get_log(pair, figure)), figure == COMPARISON_BYTES ? 4 : 3));
    }
    if (all > shown)
        table_add_note(table, "The %u farthest apart of %u.", shown, all);
    table_add_note(table, "%s", notes[figure]);
    return STATUS_OK;
}

static enum status fill_pairs(const struct comparison *comparison,
                              const struct comparison_table *recipe, struct table *table,
                              struct error *error)
{
    (void)recipe;
    (void)error;
    for (uint32_t i = 0; i < comparison->pairs; i++) {
        const struct comparison_pair *pair = &comparison->pair[i];
        static const char *const verdicts[] = {[COMPARISON_TIE] = "equal",
                                               [COMPARISON_WIN] = "better",
                                               [COMPARISON_LOSS] = "worse",
                                               [COMPARISON_NONE] = ""};
        const struct result_row *first = pair->row[0], *second = pair->row[1];
        const char *const texts[] = {first->instance, first->digest,   first->policy,
                                     first->planner,  second->planner, first->options};
        for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
            table_add(table, cell_text(texts[k]));
        table_add(table, cell_number(first->seed), peak_cell(first), peak_cell(second),
                  cell_number(pair->wall_ns[0]), cell_number(pair->wall_ns[1]),
                  cell_number(first->nodes), cell_number(second->nodes),
                  cell_text(verdicts[pair->verdict[COMPARISON_BYTES]]),
                  cell_text(verdicts[pair->verdict[COMPARISON_TIME]]),
                  cell_text(verdicts[pair->verdict[COMPARISON_NODES]]));
    }
    return STATUS_OK;
}

#define OF_INSTANCES "instance | jobs: | peak ratio:"
/* In the order in which they are shown. */
static const struct comparison_table recipes[] = {
    {.name = "overview",
     .title = "Second against first",
     .columns = "measure | value:",
     .fill = fill_overview},
    {.name = "planners",
     .title = "By planner",
     .columns = "planner | jobs: | better: | equal: | worse: | failed: | peak ratio: | faster: | "
                "slower: | time ratio:",
     .fill = fill_planners},
    {"worst_instances", "Instances that got worse", OF_INSTANCES, fill_instances, COMPARISON_BYTES,
     COMPARISON_LOSS, false},
    {"best_instances", "Instances that got better", OF_INSTANCES, fill_instances, COMPARISON_BYTES,
     COMPARISON_WIN, false},
    {"losses", "Peaks that got worse", NULL, fill_extract, COMPARISON_BYTES, COMPARISON_LOSS,
     false},
    {"wins", "Peaks that got better", NULL, fill_extract, COMPARISON_BYTES, COMPARISON_WIN, false},
    {"longer", "Searches that got longer", NULL, fill_extract, COMPARISON_NODES, COMPARISON_LOSS,
     false},
    {"slower", "Times that got worse", NULL, fill_extract, COMPARISON_TIME, COMPARISON_LOSS, false},
    {"faster", "Times that got better", NULL, fill_extract, COMPARISON_TIME, COMPARISON_WIN, false},
    {.name = "pairs",
     .title = "All jobs on both sides",
     .columns = "instance | digest | policy | planner 1 | planner 2 | options | seed: | "
                "peak 1 (bytes): | peak 2 (bytes): | time 1 (ns): | time 2 (ns): | "
                "nodes 1: | nodes 2: | peak | time | nodes",
     .fill = fill_pairs,
     .is_list = true},
};

ROWS_DEFINE(comparison_tables, struct comparison_table, recipes);

enum status comparison_tables_build(const struct comparison_table *recipe,
                                    const struct comparison *comparison, struct table *table,
                                    struct error *error)
{
    SCOPED(names_free) struct names reconstructions = {0};
    table_set_title(table, recipe->title);
    for (int side = 0; side < 2; side++)
        TRY(reconstructions_list(comparison->sides->set[side], &reconstructions, error));
    table_set_label(table, &reconstructions, RECONSTRUCTIONS_LABEL);
    if (recipe->columns)
        table_add_columns(table, recipe->columns);
    TRY(recipe->fill(comparison, recipe, table, error));
    table_set_label(table, NULL, NULL);
    return table_check(table, error);
}
