#include "cli/standings/memories.h"

#include <stdio.h>
#include <stdlib.h>

#include "cli/memories/memories.h"
#include "core/compare.h"
#include "core/memory.h"
#include "datasets/suite.h"
#include "harness/memories/memory_planners.h"
#include "results/store/measures.h"
#include "results/tables/tables.h"
#include "results/views/memories.h"

static const char *const suites[] = {"memories", "penalties"};

/* The label of the class's run. */
enum { LABEL_BYTES = 64 };
static void name_run(const struct arguments *arguments, char label[LABEL_BYTES])
{
    snprintf(label, LABEL_BYTES, "standings-memories-%.3gs",
             (double)arguments->time_limit_ns / 1e9);
}

/* Reads what the database has of the class. */
static enum status read_class(const struct arguments *arguments, struct store *store,
                              struct measure_set *set, struct error *error)
{
    char label[LABEL_BYTES];
    name_run(arguments, label);
    return measures_read(store, &(struct result_choice){.run = label}, MEMORIES_TOPIC, set, error);
}

/* Plans those problems of a suite that a planner has not planned. */
static enum status plan_suite(const struct arguments *arguments, const struct suite *suite,
                              const char *planner, const struct measure_set *there,
                              struct error *error)
{
    struct arguments own = *arguments;
    SCOPED(memory_release) const char **operand = NULL;
    char label[LABEL_BYTES];
    int64_t value;
    TRY(memory_create(&operand, suite_instances(suite), sizeof *operand, error));
    own.operands = 0;
    own.given = NULL;
    for (uint32_t i = 0; i < suite_instances(suite); i++)
        if (!measures_find(there, suite_instance(suite, i), planner, "wall_ns", &value))
            operand[own.operands++] = suite_instance(suite, i);
    name_run(arguments, label);
    own.operand = operand;
    own.planners = planner;
    own.run = label;
    return own.operands ? memories_bench(&own, error) : STATUS_OK;
}

enum status standings_memories_plan(const struct arguments *arguments, struct error *error)
{
    SCOPED(measures_free) struct measure_set there = {0};
    SCOPED(store_release) struct store *store = NULL;
    if (arguments->mine || arguments->planners)
        return STATUS_OK;
    TRY(store_open(arguments->database, STORE_WRITE, &store, error));
    TRY(read_class(arguments, store, &there, error));
    for (uint32_t i = 0; i < memory_planner_count(); i++)
        for (size_t k = 0; k < sizeof suites / sizeof *suites; k++)
            TRY(plan_suite(arguments, suite_find(suites[k]), memory_planner_at(i)->name, &there,
                           error));
    return STATUS_OK;
}

/* How a planner stands. */
struct line {
    const char *planner;
    uint32_t problems, fit, proved, least;
    uint64_t wall_ns;
};

static int compare_lines(const void *left, const void *right)
{
    const struct line *a = left, *b = right;
    int order = compare_numbers(b->least, a->least);
    order = order ? order : compare_numbers(b->fit, a->fit);
    return order ? order : strcmp(a->planner, b->planner);
}

/* The least cost of a problem by any planner; INT64_MAX where nobody has a plan. */
static int64_t find_least(const struct measure_set *set, const char *instance)
{
    int64_t least = INT64_MAX;
    for (uint32_t i = 0; i < set->count; i++)
        if (strcmp(set->measure[i].name, "cost") == 0 && set->measure[i].value < least &&
            strcmp(set->measure[i].instance, instance) == 0)
            least = set->measure[i].value;
    return least;
}

/* Judges a planner; each problem that it planned has a measure of its time. */
static struct line judge(const struct measure_set *set, const char *planner)
{
    struct line line = {.planner = planner};
    for (uint32_t i = 0; i < set->count; i++) {
        const struct measure *measure = &set->measure[i];
        int64_t cost = -1, optimal = 0, infeasible = 0;
        if (strcmp(measure->variant, planner) != 0 || strcmp(measure->name, "wall_ns") != 0)
            continue;
        measures_find(set, measure->instance, planner, "cost", &cost);
        measures_find(set, measure->instance, planner, "optimal", &optimal);
        measures_find(set, measure->instance, planner, "infeasible", &infeasible);
        line.problems++;
        line.fit += cost >= 0;
        line.proved += optimal == 1 || infeasible == 1;
        line.least += infeasible == 1 || (cost >= 0 && cost == find_least(set, measure->instance));
        line.wall_ns += (uint64_t)measure->value;
    }
    return line;
}

static enum status add_standing(const struct arguments *arguments, const struct measure_set *set,
                                struct report *report, struct error *error)
{
    SCOPED(table_free) struct table table = {0};
    SCOPED(memory_release) struct line *line = NULL;
    uint32_t lines = 0, rank = 0;
    TRY(memory_create(&line, memory_planner_count(), sizeof *line, error));
    for (uint32_t i = 0; i < memory_planner_count(); i++) {
        line[lines] = judge(set, memory_planner_at(i)->name);
        lines += line[lines].problems > 0;
    }
    qsort(line, lines, sizeof *line, compare_lines);
    table_set_title(&table, "Several memories: all planners");
    table_add_columns(&table, "rank: | planner | problems: | fit: | proved: | at the least cost: | "
                              "time (s):");
    for (uint32_t i = 0; i < lines; i++) {
        rank = i && line[i].least == line[i - 1].least ? rank : i + 1;
        table_add(&table, cell_number(rank), cell_text(line[i].planner),
                  cell_number(line[i].problems), cell_number(line[i].fit),
                  cell_number(line[i].proved), cell_number(line[i].least),
                  cell_real((double)line[i].wall_ns / 1e9, 3));
    }
    table_add_note(
        &table,
        "%.3g s for each plan. Ranked by the problems whose least cost a planner reaches "
        "or of which it proves that nothing fits. proved: that, or the least cost; time: "
        "of all problems.",
        (double)arguments->time_limit_ns / 1e9);
    return report_add_table(report, "standings-memories-all", &table, error);
}

enum status standings_memories_add(const struct standings_version *version, struct error *error)
{
    const struct arguments *arguments = version->arguments;
    struct report *report = version->report;
    SCOPED(measures_free) struct measure_set set = {0};
    SCOPED(table_free) struct table table = {0};
    char label[LABEL_BYTES];
    TRY(read_class(arguments, version->store, &set, error));
    if (!set.count)
        return report_add_absent(report, "memories", "nothing was planned of this track", error);
    name_run(arguments, label);
    TRY(report_add_section(report, "Several memories",
                           "All problems of the suites memories and penalties. They are no entries "
                           "of this version of the collection, which was chosen by features of "
                           "problems in one memory and does not change.",
                           error));
    TRY(add_standing(arguments, &set, report, error));
    TRY(tables_build("memories", version->store, &(struct result_choice){.run = label}, &table,
                     error));
    return report_add_table(report, "memories", &table, error);
}
