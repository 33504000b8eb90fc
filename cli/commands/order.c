/* The command order: finds other orders of a graph's operators, places the graph in each, and
   writes the graph in the best one. */
#include <stdio.h>
#include <string.h>

#include "cli/arguments/command.h"
#include "cli/arguments/select.h"
#include "cli/output/json.h"
#include "cli/output/print.h"
#include "core/compare.h"
#include "core/file.h"
#include "core/memory.h"
#include "core/text.h"
#include "datasets/memplan_json/graph.h"
#include "harness/job/workers.h"
#include "harness/orders/order_bound.h"
#include "harness/orders/ordered.h"

/* One order of the graph, and the plan of the graph in that order. */
struct trial {
    struct order_row *row;
    struct ordered ordered;
    struct outcome outcome;
    struct error error; /* why there is no order, or no plan */
};

struct trials {
    struct job job; /* the job on the instance as it is stored */
    struct instance *instance;
    struct planner *planner;
    struct trial *trial; /* [count] the stored order first */
    uint32_t count;
    uint64_t bound_bytes; /* no order has a lower load; 0 where nothing is proved */
    uint32_t best;        /* the trial of the least peak, then of the least load, then the first */
};

static enum status add_trial(const struct registry *registry, struct trials *trials,
                             const char *name, struct error *error)
{
    struct trial *trial = &trials->trial[trials->count];
    TRY(registry_configure_order(registry, name, &trial->row, error));
    trials->count++;
    return STATUS_OK;
}

/* Selects the orders to try. The stored order is always one of them, so that the others can be
   compared with it. */
static enum status select_trials(const struct arguments *arguments, struct trials *trials,
                                 struct error *error)
{
    const char *stored = "stored";
    const struct registry *registry = arguments->registry;
    uint32_t count = registry_order_count(registry);
    TRY(memory_create(&trials->trial, (size_t)count + 1, sizeof *trials->trial, error));
    TRY(add_trial(registry, trials, stored, error));
    if (arguments->orders && strcmp(arguments->orders, stored) != 0)
        return add_trial(registry, trials, arguments->orders, error);
    for (uint32_t i = 0; i < count && !arguments->orders; i++)
        if (strcmp(registry_order_at(registry, i)->name, stored) != 0)
            TRY(add_trial(registry, trials, registry_order_at(registry, i)->name, error));
    return STATUS_OK;
}

static enum status try_order(const struct arguments *arguments, const struct trials *trials,
                             struct trial *trial, struct error *error)
{
    const struct ordered_request request = {.instance = trials->instance,
                                            .row = trial->row,
                                            .policy = trials->job.policy,
                                            .inplace = trials->job.inplace,
                                            .time_limit_ns = arguments->time_limit_ns,
                                            .memory_limit_bytes = UINT64_MAX,
                                            .seed = arguments->seed};
    struct job job = trials->job;
    TRY(ordered_create(&request, &trial->ordered, error));
    if (*trial->ordered.report.said)
        fprintf(stderr, "order %s said: %s\n", trial->row->name, trial->ordered.report.said);
    job.instance = trial->ordered.instance;
    TRY(workers_run(&job, &trial->outcome, error));
    if (outcome_found(&trial->outcome) && outcome_is_good(&trial->outcome))
        return ordered_check_plan(&trial->ordered, &trial->outcome.measures,
                                  trial->ordered.report.bound_bytes, error);
    const char *reason = trial->outcome.stop_reason;
    return error_set(error, STATUS_NO, "the plan of order %s by %s: %s%s%s", trial->row->name,
                     job.planner->name, plan_status_name(trial->outcome.status),
                     *reason ? ", " : "", reason);
}

/* Tries all orders. Fails if the order that the user named fails, or if all fail. */
static enum status run_trials(const struct arguments *arguments, struct trials *trials,
                              struct error *error)
{
    for (uint32_t i = 0; i < trials->count; i++) {
        struct trial *trial = &trials->trial[i];
        bool last = arguments->orders && i + 1 == trials->count;
        trial->error = ERROR_NONE;
        if (!try_order(arguments, trials, trial, &trial->error)) {
            const struct trial *best = &trials->trial[trials->best];
            uint64_t bound = trial->ordered.report.bound_bytes;
            int order = compare_numbers(trial->outcome.measures.peak_bytes,
                                        best->outcome.measures.peak_bytes);
            if (!order)
                order = compare_numbers(trial->ordered.report.load_bytes,
                                        best->ordered.report.load_bytes);
            trials->bound_bytes = bound > trials->bound_bytes ? bound : trials->bound_bytes;
            if (best->error.status || order < 0)
                trials->best = i;
        } else if (last || error_is_no_memory(&trial->error)) {
            *error = trial->error;
            return error->status;
        }
    }
    *error = trials->trial[trials->best].error;
    return error->status;
}

static enum status refuse_bound(const struct trial *trial, const char *prover, uint64_t bound_bytes,
                                struct error *error)
{
    return error_set(error, STATUS_NO,
                     "order %s has a load of %llu bytes, below the bound of %llu that %s proves",
                     trial->row->name, (unsigned long long)trial->ordered.report.load_bytes,
                     (unsigned long long)bound_bytes, prover);
}

/* Fails if some order has a load below the bound that another order, or the analysis of the graph,
   proved: that proof is wrong then. */
static enum status judge_bounds(const struct trials *trials, struct error *error)
{
    for (uint32_t i = 0; i < trials->count; i++) {
        const struct trial *trial = &trials->trial[i];
        uint64_t load = trial->ordered.report.load_bytes;
        for (uint32_t j = 0; j < trials->count && !trial->error.status; j++) {
            const struct trial *proof = &trials->trial[j];
            if (!proof->error.status && load < proof->ordered.report.bound_bytes)
                return refuse_bound(trial, proof->row->name, proof->ordered.report.bound_bytes,
                                    error);
        }
        if (!trial->error.status && load < trials->bound_bytes)
            return refuse_bound(trial, "the graph", trials->bound_bytes, error);
    }
    return STATUS_OK;
}

static void add_row(const struct trials *trials, const struct trial *trial, struct table *table)
{
    const struct order_report *report = &trial->ordered.report;
    bool failed = trial->error.status != STATUS_OK;
    double bound = (double)trials->bound_bytes;
    table_add(table, cell_text(trial->row->name), cell_known(!failed, report->load_bytes));
    if (failed || !trials->bound_bytes)
        table_add(table, cell_missing());
    else
        table_add(table, cell_real(100 * ((double)report->load_bytes - bound) / bound, 2));
    table_add(table, cell_known(!failed, trial->outcome.measures.peak_bytes),
              cell_text(!failed                               ? plan_status_name(report->status)
                        : trial->error.status == STATUS_LIMIT ? "none"
                                                              : "error"));
    if (failed)
        table_add(table, cell_missing());
    else
        table_add(table, cell_real((double)trial->ordered.wall_ns / 1e6, 3));
}

static enum status print_trials(const struct trials *trials, struct error *error)
{
    SCOPED(table_free) struct table table = {0};
    table_set_title(&table, "Orders of the operators");
    table_add_columns(&table,
                      "order | load (bytes): | gap (%): | peak (bytes): | status | time (ms):");
    for (uint32_t i = 0; i < trials->count; i++)
        add_row(trials, &trials->trial[i], &table);
    table_add_note(&table, "%s under %s, peak by %s; best: %s.", trials->instance->name,
                   trials->job.policy->name, trials->planner->name,
                   trials->trial[trials->best].row->name);
    if (trials->bound_bytes)
        table_add_note(&table, "No order has a lower load than %llu bytes.",
                       (unsigned long long)trials->bound_bytes);
    if (graph_has_streams(trials->instance->graph))
        table_add_note(&table, "Loads are those of operators that run one after the other; side by "
                               "side on several streams more may be live at once.");
    return print_table(&table, "text", NULL, error);
}

static void add_trial_facts(const struct trial *trial, struct json_tree *facts)
{
    const struct order_report *report = &trial->ordered.report;
    json_build_open(facts, NULL, JSON_OBJECT);
    json_build_text(facts, "order", trial->row->name);
    if (trial->error.status) {
        json_build_text(facts, "status", "error");
        json_build_text(facts, "error", trial->error.text);
    } else {
        json_build_text(facts, "status", plan_status_name(report->status));
        json_build_count(facts, "load", report->load_bytes);
        json_build_count(facts, "bound", report->bound_bytes);
        json_build_count(facts, "states", report->states);
        json_build_count(facts, "wall_ns", trial->ordered.wall_ns);
        json_build_count(facts, "peak", trial->outcome.measures.peak_bytes);
        json_build_text(facts, "digest", trial->ordered.instance->digest);
    }
    json_build_close(facts);
}

static enum status print_trials_json(const struct trials *trials, struct error *error)
{
    SCOPED(json_tree_free) struct json_tree facts = {0};
    json_open_facts(&facts, "order");
    json_build_text(&facts, "instance", trials->instance->name);
    json_build_text(&facts, "policy", trials->job.policy->name);
    json_build_text(&facts, "planner", trials->planner->name);
    json_build_count(&facts, "bound", trials->bound_bytes);
    json_build_text(&facts, "best", trials->trial[trials->best].row->name);
    json_build_open(&facts, "orders", JSON_ARRAY);
    for (uint32_t i = 0; i < trials->count; i++)
        add_trial_facts(&trials->trial[i], &facts);
    return json_print(&facts, error);
}

static enum status prepare_trials(const struct arguments *arguments, struct trials *trials,
                                  struct error *error)
{
    const char *path = arguments->output;
    if (path && !file_name_has_extension(path, ".json") && !file_name_has_extension(path, ".txt"))
        return error_set(error, STATUS_USAGE, "output '%s', expected FILE.json or FILE.txt", path);
    TRY(select_policy(arguments->policies, &trials->job.policy, error));
    TRY(select_inplace(arguments, &trials->job.inplace, error));
    TRY(select_planner(arguments->registry,
                       arguments->planners ? arguments->planners : "large_first", &trials->planner,
                       error));
    TRY(select_trials(arguments, trials, error));
    TRY(select_instance(arguments, arguments->operand[0], &trials->instance, error));
    select_suited_policy(arguments, trials->instance, &trials->job.policy);
    trials->job.planner = trials->planner;
    const struct graph *graph = trials->instance->graph;
    if (graph)
        TRY(order_bound_find(graph, &trials->job.inplace, &trials->bound_bytes, error));
    return select_inplace_types(&trials->job.inplace, &trials->instance, 1, error);
}

static enum status report_trials(const struct arguments *arguments, const struct trials *trials,
                                 struct error *error)
{
    TRY(arguments->json ? print_trials_json(trials, error) : print_trials(trials, error));
    if (arguments->output) {
        /* Writes the graph in the order that was asked for, or in the best of all. */
        uint32_t written = arguments->orders ? trials->count - 1 : trials->best;
        const struct graph *graph = trials->trial[written].ordered.instance->graph;
        SCOPED(text_free) struct text text = {0};
        if (!file_name_has_extension(arguments->output, ".txt"))
            TRY(graph_json_write(graph, &text, error));
        else
            for (uint32_t o = 0; o < graph->operators; o++)
                text_append(&text, "%s\n", graph_label(graph, graph->op[o].name));
        TRY(text_write_file(arguments->output, &text, error));
    }
    /* Fails if a bound is wrong or an order failed. That an order found none is no failure: those
       for small graphs find none for large ones. */
    TRY(judge_bounds(trials, error));
    for (uint32_t i = 0; i < trials->count; i++)
        if (trials->trial[i].error.status && trials->trial[i].error.status != STATUS_LIMIT)
            return error_set(error, STATUS_NO, "order %s failed: %s", trials->trial[i].row->name,
                             trials->trial[i].error.text);
    return STATUS_OK;
}

static void clear_trials(struct trials *trials)
{
    for (uint32_t i = 0; i < trials->count; i++) {
        order_free(trials->trial[i].row);
        ordered_clear(&trials->trial[i].ordered);
        outcome_clear(&trials->trial[i].outcome);
    }
    memory_free(trials->trial);
    instance_free(trials->instance);
    planner_free(trials->planner);
}

static enum status run_order(const struct arguments *arguments, struct error *error)
{
    SCOPED(clear_trials) struct trials trials = {.job = job_make(NULL, NULL, NULL)};
    trials.job.time_limit_ns = arguments->time_limit_ns;
    trials.job.seed = arguments->seed;
    TRY(prepare_trials(arguments, &trials, error));
    TRY(run_trials(arguments, &trials, error));
    return report_trials(arguments, &trials, error);
}

const struct command command_order = {
    .name = "order",
    .summary = "put the operators of a graph into other orders, and place each",
    .operands = "GRAPH",
    .kind = "instances",
    .least = 1,
    .most = 1,
    .options =
        OPTIONS(OPTION_ORDER, OPTION_PLANNER, OPTION_POLICY, OPTION_INPLACE, OPTION_DISABLE_INPLACE,
                OPTION_TIME_LIMIT, OPTION_SEED, OPTION_OUTPUT, OPTION_FACTS, OPTION_BIND,
                OPTION_ASSUME_DIM, OPTION_PLUGIN, OPTION_EXTERNAL, OPTION_EXTERNAL_ORDER),
    .help = HELP({OPTION_PLANNER, "planner of the peaks (default large_first)"},
                 {OPTION_ORDER, "the order beside the stored one (default: all)"}),
    .description =
        "Beside the stored order stands the one that is asked for, or every order there is: the "
        "most bytes that are live at once (load), how far above what no order can beat that is "
        "(gap), and the peak of a plan by --planner (default large_first). A lower load may have a "
        "higher peak. --output writes the graph in that order, or in the one of least peak, as "
        ".json, or the names of its operators as .txt, which --order takes again. Every order is "
        "checked against the graph; exit code 3 where a file's order is none, 1 where another "
        "order is not what it says.",
    .examples = "memplan order zoo/inception_v3\n"
                "memplan order zoo/resnet50 --order xla_list -o reordered.json\n"
                "memplan order wired/darts_cifar --order inductor --planner best -o names.txt",
    .run = run_order,
};
