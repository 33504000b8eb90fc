/* The command best: best known peaks and bounds, and taking better ones in. */
#include <string.h>

#include "cli/arguments/command.h"
#include "cli/output/json.h"
#include "cli/output/print.h"
#include "cli/results/best_accept.h"
#include "cli/results/best_filter.h"
#include "core/memory.h"
#include "core/text.h"
#include "results/best/list.h"
#include "results/store/query.h"
#include "results/table/table.h"

/* The lines that were asked for, in the order in which they are shown. */
struct shown {
    const struct best_known **line; /* [count] */
    uint32_t count;
};

static enum status choose_lines(const struct best_list *list, const struct best_filter *filter,
                                struct shown *shown, struct error *error)
{
    TRY(best_list_sort(list, &shown->line, error));
    for (uint32_t i = 0; i < list->count; i++) {
        const struct best_known *line = shown->line[i];
        if (best_filter_wants(filter, line->instance, line->digest, line->policy))
            shown->line[shown->count++] = line;
    }
    return STATUS_OK;
}

static void add_number(struct json_tree *facts, const char *key, uint64_t number)
{
    if (number)
        json_build_count(facts, key, number);
    else
        json_build_null(facts, key);
}

static void add_line_facts(const struct best_known *line, struct json_tree *facts)
{
    json_build_open(facts, NULL, JSON_OBJECT);
    json_build_text(facts, "instance", line->instance);
    json_build_text(facts, "digest", line->digest);
    json_build_text(facts, "policy", line->policy);
    json_build_text(facts, "options", line->options);
    json_build_text(facts, "status", line->status);
    add_number(facts, "peak", line->peak_bytes);
    add_number(facts, "lower_bound", line->lower_bound_bytes);
    json_build_text(facts, "planner", line->planner);
    json_build_text(facts, "prover", line->prover);
    json_build_text(facts, "since", line->since);
    json_build_text(facts, "witness", line->witness);
    json_build_close(facts);
}

static enum status print_json(const struct shown *shown, struct error *error)
{
    struct json_tree facts = {0};
    json_build_open(&facts, NULL, JSON_OBJECT);
    json_build_text(&facts, "format", "memplan-best/1");
    json_build_open(&facts, "values", JSON_ARRAY);
    for (uint32_t i = 0; i < shown->count; i++)
        add_line_facts(shown->line[i], &facts);
    json_build_close(&facts);
    json_build_close(&facts);
    enum status status = json_print(&facts, error);
    json_tree_free(&facts);
    return status;
}

static void add_columns(struct table *table)
{
    table_set_title(table, "Best known values");
    table_add_column(table, "instance", "", TABLE_LEFT);
    table_add_column(table, "policy", "", TABLE_LEFT);
    table_add_column(table, "options", "", TABLE_LEFT);
    table_add_column(table, "peak", "bytes", TABLE_RIGHT);
    table_add_column(table, "lower bound", "bytes", TABLE_RIGHT);
    table_add_column(table, "gap", "%", TABLE_RIGHT);
    table_add_column(table, "planner", "", TABLE_LEFT);
    table_add_column(table, "prover", "", TABLE_LEFT);
    table_add_column(table, "since", "", TABLE_LEFT);
    table_add_column(table, "witness", "", TABLE_LEFT);
}

static void add_line(const struct best_known *line, struct table *table)
{
    table_add_text(table, line->instance);
    table_add_text(table, line->policy);
    table_add_text(table, line->options);
    table_add_known(table, line->peak_bytes, line->peak_bytes);
    table_add_known(table, line->lower_bound_bytes, line->lower_bound_bytes);
    if (line->peak_bytes && line->lower_bound_bytes)
        table_add_real(table, query_gap_percent(line->peak_bytes, line->lower_bound_bytes), 2);
    else
        table_add_missing(table);
    table_add_text(table, line->planner);
    table_add_text(table, line->prover);
    table_add_text(table, line->since);
    table_add_text(table, line->witness);
}

static enum status print_shown(const struct shown *shown, const char *format, struct error *error)
{
    struct table table = {0};
    add_columns(&table);
    for (uint32_t i = 0; i < shown->count; i++)
        add_line(shown->line[i], &table);
    enum status status = table_check(&table, error);
    if (!status)
        status = print_table(&table, format, NULL, error);
    table_free(&table);
    return status;
}

static enum status print_lines(const struct arguments *arguments, const struct shown *shown,
                               struct error *error)
{
    TRY(arguments->json ? print_json(shown, error) : print_shown(shown, arguments->format, error));
    return shown->count ? STATUS_OK
                        : error_set(error, STATUS_NO, "no best known values of what was asked for");
}

static enum status show(const struct arguments *arguments, struct error *error)
{
    struct best_list list = {0};
    struct best_filter filter = {0};
    struct shown shown = {0};
    enum status status = best_list_read(arguments->best_known, &list, error);
    if (!status)
        status = best_filter_create(arguments, &filter, error);
    if (!status)
        status = choose_lines(&list, &filter, &shown, error);
    if (!status)
        status = print_lines(arguments, &shown, error);
    memory_free(shown.line);
    best_filter_free(&filter);
    best_list_free(&list);
    return status;
}

static enum status run_best(const struct arguments *arguments, struct error *error)
{
    if (arguments->accept)
        return best_accept(arguments, error);
    if (arguments->planners || arguments->run)
        return error_set(error, STATUS_USAGE, "--planner or --run without --accept");
    return show(arguments, error);
}

const struct command command_best = {
    .name = "best",
    .summary = "best known peaks and bounds; take better ones in",
    .operands = "[INSTANCE...]",
    .kind = "instances",
    .most = UINT32_MAX,
    .options = OPTIONS(OPTION_SUITE, OPTION_POLICY, OPTION_BEST_KNOWN, OPTION_FORMAT, OPTION_JSON,
                       OPTION_ACCEPT, OPTION_DB, OPTION_RUN, OPTION_PLANNER, OPTION_IGNORE_OFFSETS,
                       OPTION_DIALECT, OPTION_LIFETIMES, OPTION_BIND, OPTION_ASSUME_DIM),
    .description =
        "With --accept DB (or a label of a run in --db) the results of that database that are "
        "better than the list, or that it has nothing of, are written into it: a bound as a "
        "built-in planner proved it, a peak only with its plan, which bench --keep-plans keeps and "
        "which is verified and executed anew, then copied beside the list. With --accept PLAN.json "
        "the plan of one instance, whoever made it; --planner says who. Exit code 1 where "
        "something was refused, or where nothing is known of what was asked for.",
    .examples = "memplan best --suite tight\n"
                "memplan best zoo/resnet50 --json\n"
                "memplan best --accept my.db\n"
                "memplan best --accept plan.json problem.csv --planner 'another solver'",
    .run = run_best,
};
