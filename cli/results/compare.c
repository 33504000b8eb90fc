/* The command compare: compares two sides of stored results, the second with the first. */
#include "cli/results/compare.h"

#include <string.h>

#include "cli/arguments/command.h"
#include "cli/output/print.h"
#include "results/compare/comparison_json.h"
#include "results/compare/comparison_tables.h"
#include "results/compare/side.h"
#include "results/compare/verdict.h"

static enum status append_tables(const struct comparison *comparison, const char *format,
                                 struct text *text, struct error *error)
{
    if (strcmp(format, "json") == 0)
        return comparison_json_write(comparison, text, error);
    /* People see the tables that sum up, programs get every pair. */
    bool for_programs = strcmp(format, "csv") == 0 || strcmp(format, "jsonl") == 0;
    for (unsigned i = 0; i < comparison_tables_count(); i++) {
        SCOPED(table_free) struct table table = {0};
        if (comparison_tables_at(i)->is_list != for_programs)
            continue;
        TRY(comparison_tables_build(comparison_tables_at(i), comparison, &table, error));
        if (!table_rows(&table))
            continue;
        text_append(text, "%s", text->length ? "\n" : "");
        TRY(print_append_table(&table, format, text, error));
    }
    return text_check(text, error);
}

struct comparison_sides compare_rules(const struct arguments *arguments)
{
    bool judges_nodes = arguments->node_tolerance_ppm != UINT64_MAX;
    return (struct comparison_sides){
        .time_threshold = COMPARISON_TIME_THRESHOLD,
        .tolerance = (double)arguments->tolerance_ppm / 1e6,
        .search_tolerance = (double)arguments->search_tolerance_ppm / 1e6,
        .judges_nodes = judges_nodes,
        .node_tolerance = judges_nodes ? (double)arguments->node_tolerance_ppm / 1e6 : 0,
    };
}

static enum status compare_sides(const struct arguments *arguments, const struct side side[2],
                                 struct error *error)
{
    SCOPED(comparison_free) struct comparison comparison = {0};
    SCOPED(text_free) struct text text = {0};
    SCOPED(text_free) struct text verdict = {0};
    struct comparison_sides sides = compare_rules(arguments);
    const char *format = print_choose_format(arguments->format, arguments->output);
    bool is_brief = strcmp(format, "brief") == 0;
    sides.across_planners = side[0].kind == SIDE_PLANNER;
    for (int i = 0; i < 2; i++) {
        sides.set[i] = &side[i].set;
        sides.name[i] = arguments->operand[i];
    }
    TRY(comparison_create(&sides, &comparison, error));
    if (!comparison.pairs)
        return error_set(error, STATUS_BAD_INPUT,
                         "the two sides have no job in common (%u and %u jobs)",
                         comparison.unmatched[0], comparison.unmatched[1]);
    TRY(verdict_append(&comparison, &verdict, error));
    if (!is_brief) {
        TRY(append_tables(&comparison, format, &text, error));
    } else {
        text_append(&text, "%s\n", verdict.bytes);
        TRY(verdict_append_worst(&comparison, side[1].command ? side[1].command : "", &text,
                                 error));
    }
    TRY(print_text(&text, arguments->output, error));
    return comparison_is_worse(&comparison) ? error_set(error, STATUS_NO, "%s", verdict.bytes)
                                            : STATUS_OK;
}

static void clear_sides(struct side (*side)[2])
{
    side_free(&(*side)[0]);
    side_free(&(*side)[1]);
}

static enum status run_compare(const struct arguments *arguments, struct error *error)
{
    SCOPED(clear_sides) struct side side[2] = {{0}, {0}};
    for (int i = 0; i < 2; i++)
        TRY(side_load(arguments->database, arguments->operand[i], arguments->run, &side[i], error));
    bool alike = side[0].kind == side[1].kind;
    for (int i = 0; i < 2; i++)
        alike |= side[i].kind != SIDE_PLANNER && side[i].kind != SIDE_ORDER &&
                 side[!i].kind != SIDE_PLANNER && side[!i].kind != SIDE_ORDER;
    if (!alike)
        return error_set(error, STATUS_USAGE,
                         "'%s' and '%s' are not of one kind, expected two planners, two orders or "
                         "two runs",
                         arguments->operand[0], arguments->operand[1]);
    return compare_sides(arguments, side, error);
}

const struct command command_compare = {
    .name = "compare",
    .summary = "compare results with others: runs, planners, orders, databases",
    .operands = "FIRST SECOND",
    .least = 2,
    .most = 2,
    .options = OPTIONS(OPTION_DB, OPTION_RUN, OPTION_TOLERANCE, OPTION_FORMAT, OPTION_OUTPUT),
    .description =
        "FIRST and SECOND are labels of runs, planners, orders, commits (the beginning of a hash: "
        "the newest run of that commit) or other databases. Jobs are matched by content, policy, "
        "planner (unless planners are compared), options and seed; repetitions are one job. "
        "Formats csv and jsonl list every job, json has everything, and brief says in one "
        "sentence what changed and names the ten worst jobs with the command that plans each "
        "again. Exit code 1 when the second side is worse beyond the tolerance: two planners by "
        "their mean ratio of peaks, else in any job, with --tolerance nodes=PERCENT also by the "
        "nodes of a "
        "search that is finished.",
    .examples = "memplan compare yesterday today --db my.db\n"
                "memplan compare naive tflite_greedy_by_size --db my.db\n"
                "memplan compare yesterday today --db my.db -f json -o changes.json\n"
                "memplan compare yesterday today --db my.db -f brief\n"
                "memplan compare old.db new.db --tolerance 0.5",
    .run = run_compare,
};
