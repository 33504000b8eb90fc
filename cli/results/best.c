/* The command best: best known peaks and bounds, and taking better ones in. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/arguments/command.h"
#include "cli/arguments/select.h"
#include "cli/output/json.h"
#include "cli/output/print.h"
#include "core/file_name.h"
#include "core/memory.h"
#include "core/names.h"
#include "core/text.h"
#include "datasets/suite.h"
#include "harness/best_update.h"
#include "harness/kept_plans.h"
#include "results/best/list.h"
#include "results/store/query.h"
#include "results/store/store.h"
#include "results/table/table.h"

/* Which lines of a list of best known values the user asked for: those of the operands and suites,
   or all where there are none. Zero-initialise it. */
struct best_filter {
    struct names names;   /* of instances in the list, and in suites */
    struct names digests; /* of other operands, which are loaded */
    const char *policy;   /* or NULL for any */
    bool all;
};

/* STATUS_USAGE for unknown suites and instances. The filter is freed also after a failure. */
static enum status create_filter(const struct arguments *arguments, struct best_filter *filter,
                                 struct error *error)
{
    const char *at = arguments->suites;
    filter->all = !at && !arguments->operands;
    filter->policy = arguments->policies;
    for (; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
        size_t length = strcspn(at, ",");
        const struct suite *suite;
        TRY(suite_select(at, length, &suite, error));
        const char *name;
        for (uint32_t i = 0; (name = suite_instance(suite, i)) != NULL; i++)
            TRY(names_add(&filter->names, name, error));
    }
    for (uint32_t i = 0; i < arguments->operands; i++) {
        /* by its content, since a name with options can be written in several ways */
        struct instance *instance;
        TRY(select_instance(arguments, arguments->operand[i], &instance, error));
        enum status status = names_add(&filter->digests, instance->digest, error);
        instance_free(instance);
        TRY(status);
    }
    return STATUS_OK;
}

static void free_filter(struct best_filter *filter)
{
    names_free(&filter->names);
    names_free(&filter->digests);
}

static bool wants(const struct best_filter *filter, const char *instance, const char *digest,
                  const char *policy)
{
    if (filter->policy && strcmp(filter->policy, policy) != 0)
        return false;
    return filter->all || names_find(&filter->names, instance) != NAMES_NONE ||
           names_find(&filter->digests, digest) != NAMES_NONE;
}

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
        if (wants(filter, line->instance, line->digest, line->policy))
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

static void add_line(const struct best_known *line, struct table *table)
{
    table_add(table, cell_text(line->instance), cell_text(line->policy), cell_text(line->options),
              cell_known(line->peak_bytes, line->peak_bytes),
              cell_known(line->lower_bound_bytes, line->lower_bound_bytes));
    bool both = line->peak_bytes && line->lower_bound_bytes;
    double gap = both ? query_gap_percent(line->peak_bytes, line->lower_bound_bytes) : 0;
    table_add(table, cell_known_real(both, gap, 2), cell_text(line->planner),
              cell_text(line->prover), cell_text(line->since), cell_text(line->witness));
}

static enum status print_shown(const struct shown *shown, const char *format, struct error *error)
{
    struct table table = {0};
    table_set_title(&table, "Best known values");
    table_add_columns(&table,
                      "instance | policy | options | peak (bytes): | lower bound (bytes): | "
                      "gap (%): | planner | prover | since | witness");
    for (uint32_t i = 0; i < shown->count; i++)
        add_line(shown->line[i], &table);
    enum status status = print_table(&table, format, NULL, error);
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
        status = create_filter(arguments, &filter, error);
    if (!status)
        status = choose_lines(&list, &filter, &shown, error);
    if (!status)
        status = print_lines(arguments, &shown, error);
    memory_free(shown.line);
    free_filter(&filter);
    best_list_free(&list);
    return status;
}

static const char default_list[] = "results/best_known.csv";

static enum status load(void *context, const char *path, struct instance **instance,
                        struct error *error)
{
    return select_instance(context, path, instance, error);
}

/* Opens the list. That of the sources must exist: no new one is made by mistake where the program
   is called from another folder. */
static enum status open_list(const struct arguments *arguments, struct best_update *update,
                             struct error *error)
{
    const char *path = arguments->best_known ? arguments->best_known : default_list;
    if (!arguments->best_known && access(path, F_OK) != 0)
        return error_set(error, STATUS_USAGE,
                         "no %s here, expected the top of the sources or --best-known FILE.csv",
                         path);
    TRY(best_update_open(path, update, error));
    update->load = load;
    update->load_context = (void *)arguments;
    return STATUS_OK;
}

static enum status take_findings(const struct best_findings *findings,
                                 const struct best_filter *filter, const char *folder,
                                 struct best_update *update, struct error *error)
{
    for (uint32_t i = 0; i < findings->count; i++) {
        const struct best_found *found = &findings->found[i];
        const struct result_row *row = best_found_row(found);
        if (wants(filter, row->instance, row->digest, row->policy))
            TRY(best_update_take(update, found, folder, error));
    }
    return STATUS_OK;
}

static enum status take_rows(const struct arguments *arguments, const struct result_set *set,
                             const char *database, struct best_update *update, struct error *error)
{
    struct best_findings findings = {0};
    struct best_filter filter = {0};
    struct text folder = {0};
    enum status status;
    kept_plans_append_folder(&folder, database);
    TRY_OR_DONE(status, text_check(&folder, error));
    TRY_OR_DONE(status, create_filter(arguments, &filter, error));
    TRY_OR_DONE(status, best_findings_create(set, &update->list, &findings, error));
    status = take_findings(&findings, &filter, folder.bytes, update, error);
done:
    best_findings_free(&findings);
    free_filter(&filter);
    text_free(&folder);
    return status;
}

/* Takes the database that --accept names, or a run of the database that --db names. */
static enum status take_database(const struct arguments *arguments, struct best_update *update,
                                 struct error *error)
{
    bool is_database = access(arguments->accept, F_OK) == 0;
    const char *database = is_database ? arguments->accept : arguments->database;
    const struct result_choice choice = {.run = is_database ? arguments->run : arguments->accept};
    const struct result_filter rows = {.choice = &choice, .each = true};
    struct result_set set = {0};
    struct store *store;
    if (access(database, F_OK) != 0)
        return error_set(error, STATUS_USAGE,
                         "found no '%s', expected a database, a plan or a run of %s",
                         arguments->accept, database);
    TRY(store_open(database, STORE_READ, &store, error));
    enum status status = query_newest(store, &rows, &set, error);
    store_close(store);
    if (!status && !set.count)
        status = error_set(error, STATUS_USAGE, "no results of '%s' in %s, memplan runs lists them",
                           choice.run ? choice.run : "any run", database);
    if (!status)
        status = take_rows(arguments, &set, database, update, error);
    query_free(&set);
    return status;
}

static enum status take_file(const struct arguments *arguments, struct best_update *update,
                             struct error *error)
{
    struct instance *instance;
    if (arguments->operands != 1)
        return error_set(error, STATUS_USAGE, "%u instances, expected the one that '%s' is of",
                         arguments->operands, arguments->accept);
    TRY(select_instance(arguments, arguments->operand[0], &instance, error));
    enum status status =
        best_update_take_file(update, arguments->accept, instance, arguments->planners, error);
    instance_free(instance);
    return status;
}

static enum status end_update(const struct best_update *update, struct error *error)
{
    if (update->peaks || update->bounds)
        TRY(best_update_write(update, error));
    if (update->lines.length)
        fputs(update->lines.bytes, stdout);
    printf("%u peaks and %u bounds taken into %s, %u refused\n", update->peaks, update->bounds,
           update->path, update->refused);
    return update->refused ? error_set(error, STATUS_NO, "%u refused", update->refused) : STATUS_OK;
}

/* best --accept: takes what is better into the list, and prints what was taken and refused. */
static enum status accept_better(const struct arguments *arguments, struct error *error)
{
    const char *accept = arguments->accept;
    bool is_plan =
        file_name_has_extension(accept, ".json") || file_name_has_extension(accept, ".json.gz");
    struct best_update update = {0};
    if (!is_plan && arguments->planners)
        return error_set(error, STATUS_USAGE, "--planner, but '%s' is no plan", accept);
    enum status status = open_list(arguments, &update, error);
    if (!status)
        status = is_plan ? take_file(arguments, &update, error)
                         : take_database(arguments, &update, error);
    if (!status)
        status = end_update(&update, error);
    best_update_close(&update);
    return status;
}

static enum status run_best(const struct arguments *arguments, struct error *error)
{
    if (arguments->accept)
        return accept_better(arguments, error);
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
