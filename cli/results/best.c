/* The command best: shows best known peaks and bounds, and takes better ones into the list. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/arguments/command.h"
#include "cli/arguments/select.h"
#include "cli/output/json.h"
#include "cli/output/print.h"
#include "core/file.h"
#include "core/memory.h"
#include "core/names.h"
#include "core/plural.h"
#include "core/text.h"
#include "datasets/memory_instance.h"
#include "datasets/suite.h"
#include "harness/best/best_update.h"
#include "harness/best/kept_plans.h"
#include "results/best/list.h"
#include "results/store/query.h"
#include "results/store/store.h"
#include "results/table/table.h"
#include "results/views/memories.h"

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
        SCOPED(memory_instance_clear) struct memory_instance memories = {.name = NULL};
        SCOPED(instance_release) struct instance *instance = NULL;
        bool has_memories = memory_instance_is(arguments->operand[i]);
        TRY(has_memories ? memory_instance_load(arguments->operand[i], &memories, error)
                         : select_instance(arguments, arguments->operand[i], &instance, error));
        TRY(names_add(&filter->digests, has_memories ? memories.digest : instance->digest, error));
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

static void add_number(struct json_tree *facts, const char *key, uint64_t number)
{
    if (number)
        json_build_count(facts, key, number);
    else
        json_build_null(facts, key);
}

static void add_cost(struct json_tree *facts, const char *key, const char *text, uint64_t cost)
{
    if (*text && cost != UINT64_MAX)
        json_build_real(facts, key, (double)cost / MEMORY_COST_PARTS);
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
    add_cost(facts, "cost", line->cost, best_cost(line));
    add_cost(facts, "cost_bound", line->cost_bound, best_cost_bound(line));
    json_build_text(facts, "planner", line->planner);
    json_build_text(facts, "prover", line->prover);
    json_build_text(facts, "proof", line->proof);
    json_build_text(facts, "proof_digest", line->proof_digest);
    json_build_text(facts, "since", line->since);
    json_build_text(facts, "witness", line->witness);
    json_build_close(facts);
}

static enum status print_json(const struct best_known *const *line, uint32_t count,
                              struct error *error)
{
    SCOPED(json_tree_free) struct json_tree facts = {0};
    json_open_facts(&facts, "best");
    json_build_open(&facts, "values", JSON_ARRAY);
    for (uint32_t i = 0; i < count; i++)
        add_line_facts(line[i], &facts);
    return json_print(&facts, error);
}

static void add_line(const struct best_known *line, struct table *table)
{
    table_add(table, cell_text(line->instance), cell_text(line->policy), cell_text(line->options),
              cell_known(line->peak_bytes, line->peak_bytes),
              cell_known(line->lower_bound_bytes, line->lower_bound_bytes));
    uint64_t cost = best_cost(line), bound = best_cost_bound(line);
    bool is_cost = cost != UINT64_MAX && bound;
    bool both = is_cost || (line->peak_bytes && line->lower_bound_bytes);
    double gap = !both     ? 0
                 : is_cost ? query_gap_percent(cost, bound)
                           : query_gap_percent(line->peak_bytes, line->lower_bound_bytes);
    table_add(table, cell_text(line->cost), cell_text(line->cost_bound),
              cell_known_real(both, gap, 2), cell_text(line->planner), cell_text(line->prover),
              cell_text(line->proof), cell_text(line->proof_digest), cell_text(line->since),
              cell_text(line->witness));
}

static enum status print_shown(const struct best_known *const *line, uint32_t count,
                               const char *format, struct error *error)
{
    SCOPED(table_free) struct table table = {0};
    table_set_title(&table, "Best known values");
    table_add_columns(&table,
                      "instance | policy | options | peak (bytes): | lower bound (bytes): | "
                      "cost: | cost bound: | gap (%): | planner | prover | proof | proof digest | "
                      "since | witness");
    for (uint32_t i = 0; i < count; i++)
        add_line(line[i], &table);
    return print_table(&table, format, NULL, error);
}

static const char default_list[] = "results/best_known.csv";

static enum status load(void *context, const char *path, struct instance **instance,
                        struct error *error)
{
    return select_instance(context, path, instance, error);
}

/* Takes what measures say of problems with several memories. Those of graphs are left out: they are
   of the memories of a profile, too. */
static enum status take_costs(struct best_update *update, const struct best_filter *filter,
                              const struct measure_set *set, const char *folder,
                              struct error *error)
{
    for (uint32_t i = 0; i < set->count; i++) {
        const struct measure *measure = &set->measure[i];
        SCOPED(memory_instance_clear) struct memory_instance instance = {.name = NULL};
        SCOPED(text_free) struct text name = {0};
        if ((i && strcmp(measure->instance, measure[-1].instance) == 0) ||
            !wants(filter, measure->instance, measure->digest, BEST_MEMORIES))
            continue;
        text_append(&name, "%s", measure->instance);
        if (!memory_instance_is(measure->instance))
            text_append(&name, ".json"); /* which names of instances are without */
        TRY(text_check(&name, error));
        if (!memory_instance_is(name.bytes))
            continue;
        TRY(memory_instance_load(name.bytes, &instance, error));
        TRY(best_update_take_costs(update, set, &instance, folder, error));
    }
    return STATUS_OK;
}

/* Takes the database that --accept names, or a run of the database that --db names. */
static enum status take_database(const struct arguments *arguments, struct best_update *update,
                                 struct error *error)
{
    bool is_database = access(arguments->accept, F_OK) == 0;
    const char *database = is_database ? arguments->accept : arguments->database;
    const struct result_choice choice = {.run = is_database ? arguments->run : arguments->accept};
    const struct result_filter rows = {.choice = &choice, .each = true};
    SCOPED(query_free) struct result_set set = {0};
    SCOPED(measures_free) struct measure_set measures = {0};
    SCOPED(store_release) struct store *store = NULL;
    if (access(database, F_OK) != 0)
        return error_set(error, STATUS_USAGE,
                         "found no '%s', expected a database, a plan or a run of %s",
                         arguments->accept, database);
    TRY(store_open(database, STORE_READ, &store, error));
    TRY(query_newest(store, &rows, &set, error));
    TRY(measures_read(store, &choice, MEMORIES_TOPIC, &measures, error));
    if (!set.count && !measures.count)
        return error_set(error, STATUS_USAGE, "no results of '%s' in %s, memplan runs lists them",
                         choice.run ? choice.run : "any run", database);
    SCOPED(best_findings_free) struct best_findings findings = {0};
    SCOPED(free_filter) struct best_filter filter = {0};
    SCOPED(text_free) struct text folder = {0};
    kept_plans_append_folder(&folder, database);
    TRY(text_check(&folder, error));
    TRY(create_filter(arguments, &filter, error));
    TRY(best_findings_create(&set, &update->list, &findings, error));
    for (uint32_t i = 0; i < findings.count; i++) {
        const struct result_row *row = best_found_row(&findings.found[i]);
        if (wants(&filter, row->instance, row->digest, row->policy))
            TRY(best_update_take(update, &findings.found[i], folder.bytes, error));
    }
    return take_costs(update, &filter, &measures, folder.bytes, error);
}

static enum status take_file(const struct arguments *arguments, struct best_update *update,
                             struct error *error)
{
    SCOPED(instance_release) struct instance *instance = NULL;
    SCOPED(memory_instance_clear) struct memory_instance memories = {.name = NULL};
    if (arguments->operands != 1)
        return error_set(error, STATUS_USAGE, "%u instances, expected the one that '%s' is of",
                         arguments->operands, arguments->accept);
    if (memory_instance_is(arguments->operand[0])) {
        if (!arguments->planners)
            return error_set(error, STATUS_USAGE,
                             "'%s' does not say who made it, expected --planner beside a plan for "
                             "several memories",
                             arguments->accept);
        TRY(memory_instance_load(arguments->operand[0], &memories, error));
        return best_update_take_cost_file(update, arguments->accept, &memories, arguments->planners,
                                          error);
    }
    TRY(select_instance(arguments, arguments->operand[0], &instance, error));
    return best_update_take_file(update, arguments->accept, instance, arguments->planners, error);
}

/* best --accept: takes what is better into the list, and prints what was taken and refused. */
static enum status accept_better(const struct arguments *arguments, struct error *error)
{
    const char *accept = arguments->accept;
    bool is_plan =
        file_name_has_extension(accept, ".json") || file_name_has_extension(accept, ".json.gz");
    SCOPED(best_update_close) struct best_update update = {0};
    if (!is_plan && arguments->planners)
        return error_set(error, STATUS_USAGE, "--planner, but '%s' is no plan", accept);
    /* Opens the list. That of the sources must exist: no new one is made by mistake where the
       program is called from another folder. */
    const char *path = arguments->best_known ? arguments->best_known : default_list;
    if (!arguments->best_known && access(path, F_OK) != 0)
        return error_set(error, STATUS_USAGE,
                         "no %s here, expected the top of the sources or --best-known FILE.csv",
                         path);
    TRY(best_update_open(path, &update, error));
    update.load = load;
    update.load_context = (void *)arguments;
    TRY(is_plan ? take_file(arguments, &update, error) : take_database(arguments, &update, error));
    if (update.peaks || update.costs || update.bounds || update.proofs)
        TRY(best_update_write(&update, error));
    if (update.lines.length)
        fputs(update.lines.bytes, stdout);
    print_lines("%u peak%s, %u cost%s, %u bound%s and %u proof%s taken into %s, %u refused\n",
                update.peaks, plural_ending(update.peaks), update.costs,
                plural_ending(update.costs), update.bounds, plural_ending(update.bounds),
                update.proofs, plural_ending(update.proofs), update.path, update.refused);
    return update.refused ? error_set(error, STATUS_NO, "%u refused", update.refused) : STATUS_OK;
}

static enum status run_best(const struct arguments *arguments, struct error *error)
{
    if (arguments->accept)
        return accept_better(arguments, error);
    if (arguments->planners || arguments->run)
        return error_set(error, STATUS_USAGE, "--planner or --run without --accept");
    SCOPED(best_list_free) struct best_list list = {0};
    SCOPED(free_filter) struct best_filter filter = {0};
    SCOPED(memory_release) const struct best_known **line = NULL;
    TRY(best_list_read(arguments->best_known, &list, error));
    TRY(create_filter(arguments, &filter, error));
    TRY(best_list_sort(&list, &line, error));
    uint32_t count = 0;
    for (uint32_t i = 0; i < list.count; i++)
        if (wants(&filter, line[i]->instance, line[i]->digest, line[i]->policy))
            line[count++] = line[i];
    bool is_json = arguments->format && strcmp(arguments->format, "json") == 0;
    TRY(is_json ? print_json(line, count, error)
                : print_shown(line, count, arguments->format, error));
    return count ? STATUS_OK
                 : error_set(error, STATUS_NO, "no best known values of what was asked for");
}

const struct command command_best = {
    .name = "best",
    .summary = "best known peaks, costs and bounds; take better ones in",
    .operands = "[INSTANCE...]",
    .kind = "instances",
    .most = UINT32_MAX,
    .options = OPTIONS(OPTION_SUITE, OPTION_POLICY, OPTION_BEST_KNOWN, OPTION_FORMAT, OPTION_ACCEPT,
                       OPTION_DB, OPTION_RUN, OPTION_PLANNER, OPTION_IGNORE_OFFSETS, OPTION_DIALECT,
                       OPTION_BIND, OPTION_ASSUME_DIM),
    .help = HELP({OPTION_POLICY, "only values under this policy"},
                 {OPTION_PLANNER, "who made the plan that --accept takes"},
                 {OPTION_RUN, "take only results of the run with this label"}),
    .description =
        "With --accept DB (or a label of a run in --db) the results of that database that are "
        "better than the list, or that it has nothing of, are written into it: a bound as a "
        "built-in planner proved it, a peak only with its plan, which bench --keep-plans keeps "
        "and which is verified and executed again, then copied beside the list. With --accept "
        "PLAN.json the plan of one instance, made by any program, which --planner names. Exit "
        "code 1 where something was refused, or where nothing is known of what was asked for.",
    .examples = "memplan best --suite tight\n"
                "memplan best zoo/resnet50 -f json\n"
                "memplan best --accept my.db\n"
                "memplan best --accept plan.json problem.csv --planner 'another solver'",
    .run = run_best,
};
