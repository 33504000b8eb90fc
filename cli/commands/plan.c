/* The command plan: one plan of one instance, with its checks, its explanation and its files. */
#include <stdio.h>
#include <string.h>

#include "cli/arguments/arguments.h"
#include "cli/arguments/command.h"
#include "cli/arguments/select.h"
#include "cli/commands/plan_family.h"
#include "cli/commands/plan_proof.h"
#include "cli/memories/memories.h"
#include "cli/output/cache.h"
#include "cli/output/explanation.h"
#include "cli/output/json.h"
#include "cli/output/picture.h"
#include "cli/output/print.h"
#include "core/file.h"
#include "core/plural.h"
#include "core/text.h"
#include "datasets/json/parse.h"
#include "harness/cache/plan_cache.h"
#include "harness/files/plan_write.h"
#include "harness/job/job.h"
#include "harness/joint/alternatives.h"
#include "harness/joint/joint.h"
#include "harness/layout/report.h"
#include "harness/layout/report_write.h"
#include "harness/layout/trace.h"
#include "harness/orders/ordered.h"
#include "results/store/reconstructions.h"

/* What the command plan found out about a job; all of it is borrowed. */
struct plan_finding {
    const struct job *job;
    const struct outcome *outcome;
    const struct explanation *explanation;   /* NULL where none was asked for, or needed */
    const struct alternatives *alternatives; /* NULL where none were asked for */
    enum cache_use cache;
};

/* Writes the layout report of an outcome with a plan to the file that arguments->layout_report
   names: as a table, or as JSON where facts is not NULL. A report for standard output then becomes
   the field "layout" of the object that is open in facts. */
static enum status write_layout(const struct arguments *arguments, const struct job *job,
                                const struct outcome *outcome, struct json_tree *facts,
                                struct error *error)
{
    SCOPED(layout_report_free) struct layout_report report = {0};
    SCOPED(text_free) struct text text = {0};
    TRY(layout_report_create(job, outcome, &report, error));
    bool standard = strcmp(arguments->layout_report, "-") == 0;
    TRY(facts ? layout_report_write_json(&report, &text, error)
              : layout_report_write(&report, standard ? print_width() : SIZE_MAX, &text, error));
    if (!standard && facts) {
        /* Writes a file with the rows of a layout report, which are a JSON array. */
        SCOPED(text_free) struct text object = {0};
        text_append(&object, "{\n\"format\": \"memplan-layout/1\",\n\"layout\": %s}\n", text.bytes);
        return text_write_file(arguments->layout_report, &object, error);
    }
    if (!standard)
        return text_write_file(arguments->layout_report, &text, error);
    if (facts)
        return json_parse(&text, "layout", "layout", facts, error);
    printf("\n%s", text.bytes);
    return STATUS_OK;
}

/* Whether there is a plan, even one over the capacity. The peak of a graph without buffers is 0. */
static bool has_plan(const struct outcome *outcome)
{
    return outcome_found(outcome) || outcome->measures.peak_bytes;
}

static void add_facts(const struct job *job, const struct outcome *outcome, struct json_tree *facts)
{
    json_build_text(facts, "instance", job->instance->name);
    json_build_boolean(facts, "reconstruction", job->instance->is_reconstruction);
    json_build_text(facts, "policy", job_policy_name(job));
    json_build_text(facts, "planner", job->planner->name);
    json_build_text(facts, "status", plan_status_name(outcome->status));
    json_build_count(facts, "buffers", outcome->buffers);
    json_build_count(facts, "naive", outcome->measures.naive_bytes);
    json_build_count(facts, "load", outcome->measures.load_bytes);
    json_build_count(facts, "lower_bound", outcome->measures.lower_bound_bytes);
    json_build_count(facts, "nodes", outcome->measures.nodes);
    json_build_count(facts, "seed", job->seed);
    json_build_count(facts, "wall_ns", outcome_median_ns(outcome));
    if (outcome_found(outcome) && *outcome->stop_reason)
        json_build_text(facts, "note", outcome->stop_reason);
    if (outcome->search) {
        json_build_open(facts, "search", JSON_OBJECT);
        json_build_count(facts, "time_to_best_ns", outcome->search->time_to_best_ns);
        for (int i = 0; i < SEARCH_COUNTERS; i++)
            if (search_counter_applies(outcome->search, (enum search_counter)i))
                json_build_count(facts, search_counter_name((enum search_counter)i),
                                 outcome->search->counter[i]);
        json_build_close(facts);
    }
    if (!has_plan(outcome))
        return;
    json_build_count(facts, "peak", outcome->measures.peak_bytes);
    if (outcome->measures.pools) {
        json_build_count(facts, "pools", outcome->measures.pools);
        json_build_count(facts, "pool_bytes", outcome->measures.pool_bytes);
    }
    json_build_text(facts, "verdict", verify_fault_name(outcome->verdict.fault));
    if (outcome->placement) {
        json_build_count(facts, "in_place", outcome->in_place);
        json_build_text(facts, "execution", execute_verdict_name(&outcome->execution));
        json_build_count(facts, "paths", outcome->execution.paths_run);
    }
}

static void print_facts(const struct job *job, const struct outcome *outcome)
{
    print_lines("instance     %s%s\npolicy       %s\nplanner      %s\nstatus       %s\n",
                job->instance->name, job->instance->is_reconstruction ? RECONSTRUCTIONS_LABEL : "",
                job_policy_name(job), job->planner->name, plan_status_name(outcome->status));
    if (has_plan(outcome)) {
        double over =
            (double)outcome->measures.peak_bytes - (double)outcome->measures.lower_bound_bytes;
        print_lines("peak         %llu bytes\n", (unsigned long long)outcome->measures.peak_bytes);
        if (outcome->measures.lower_bound_bytes)
            print_lines("gap          %.2f %%\n",
                        100.0 * over / (double)outcome->measures.lower_bound_bytes);
        if (outcome->measures.pools)
            print_lines("pools        %llu, in all %llu bytes\n",
                        (unsigned long long)outcome->measures.pools,
                        (unsigned long long)outcome->measures.pool_bytes);
        print_lines("verify       %s\n", verify_fault_name(outcome->verdict.fault));
        if (outcome->placement) {
            unsigned long long run = outcome->execution.paths_run, paths = outcome->execution.paths;
            bool is_sampled = outcome->execution.intact && !outcome->execution.all_paths;
            printf("execute      %s on %llu", outcome->execution.intact ? "intact" : "damaged",
                   run);
            if (is_sampled && outcome->execution.paths == UINT64_MAX)
                printf(" of more than %llu", paths - 1);
            else if (is_sampled)
                printf(" of %llu", paths);
            printf(" path%s\n", run == 1 && !is_sampled ? "" : "s");
        }
    }
    if (job->inplace.rules)
        print_lines("in place     %llu tensor%s\n", (unsigned long long)outcome->in_place,
                    plural_ending(outcome->in_place));
    print_lines("lower bound  %llu bytes\nload         %llu bytes\nnaive        %llu bytes\n",
                (unsigned long long)outcome->measures.lower_bound_bytes,
                (unsigned long long)outcome->measures.load_bytes,
                (unsigned long long)outcome->measures.naive_bytes);
    print_lines("time         %.3f ms\n", (double)outcome_median_ns(outcome) / 1e6);
    if (outcome_found(outcome) && *outcome->stop_reason)
        print_lines("note         %s\n", outcome->stop_reason);
}

/* Adds everything that was asked for beside the plan: to `facts` where they are printed as JSON;
   else facts are NULL. */
static enum status add_reports(const struct arguments *arguments,
                               const struct plan_finding *finding, struct json_tree *facts,
                               struct error *error)
{
    if (finding->explanation)
        TRY(explanation_report(finding->explanation, finding->job, facts, error));
    if (finding->alternatives)
        alternatives_report(finding->alternatives, finding->job, finding->outcome, facts);
    if (arguments->layout_report && outcome_found(finding->outcome))
        TRY(write_layout(arguments, finding->job, finding->outcome, facts, error));
    return STATUS_OK;
}

static enum status prove(const struct arguments *arguments, const struct plan_finding *finding,
                         struct json_tree *facts, struct error *error)
{
    return arguments->proof
               ? plan_proof_write(arguments, finding->job, finding->outcome, facts, error)
               : STATUS_OK;
}

/* Writes the files that the user asked for (output, layout report) where there is a plan for them,
   and prints the facts, as text or JSON. Returns what the exit code says of the plan: STATUS_OK,
   STATUS_NO where it does not fit, STATUS_LIMIT where none was found in time; or a fault. */
static enum status report_finding(const struct arguments *arguments,
                                  const struct plan_finding *finding, struct error *error)
{
    const struct job *job = finding->job;
    const struct outcome *outcome = finding->outcome;
    enum status answer = explain_outcome(job, outcome, finding->explanation, error);
    if (!answer && arguments->output && picture_has_name(arguments->output)) {
        TRY(picture_draw_layout(job, outcome, arguments->output, error));
    } else if (!answer && arguments->output) {
        SCOPED(text_free) struct text text = {0};
        TRY(file_name_has_extension(arguments->output, ".trace.json")
                ? trace_write(job, outcome, &text, error)
                : plan_file_write(job, outcome, arguments->output, &text, error));
        TRY(text_write_file(arguments->output, &text, error));
    }
    if (arguments->json) {
        SCOPED(json_tree_free) struct json_tree facts = {0};
        json_open_facts(&facts, "outcome");
        add_facts(finding->job, finding->outcome, &facts);
        if (finding->cache != CACHE_OFF)
            json_build_text(&facts, "cache", cache_use_name(finding->cache));
        TRY(add_reports(arguments, finding, &facts, error));
        enum status proved = prove(arguments, finding, &facts, error);
        if (proved && proved != STATUS_LIMIT)
            return proved;
        json_build_close(&facts);
        TRY(json_print(&facts, error));
        return answer ? answer : proved;
    }
    print_facts(job, outcome);
    if (finding->cache != CACHE_OFF)
        printf("cache        %s\n", cache_use_name(finding->cache));
    TRY(add_reports(arguments, finding, NULL, error));
    enum status proved = prove(arguments, finding, NULL, error);
    return answer ? answer : proved;
}

/* STATUS_USAGE where a file of this name would be in no form that a plan is written in; NULL is
   fine. */
static enum status check_output(const char *path, struct error *error)
{
    SCOPED(text_free) struct text forms = {0};
    if (!path || picture_has_name(path) || plan_file_has_form(path))
        return STATUS_OK;
    plan_file_append_forms(&forms);
    error_set(error, STATUS_USAGE,
              "output '%s', expected one of: %s, .trace.json, .svg, .pdf, .png", path,
              forms.failed ? "" : forms.bytes);
    return STATUS_USAGE;
}

/* Finds the explanation and the alternatives where they were asked for, and reports. Where buffers
   are fixed at overlapping bytes there is none, since no capacity is enough. */
static enum status report_outcome(const struct arguments *arguments, struct plan_finding *finding,
                                  struct error *error)
{
    SCOPED(explanation_clear) struct explanation explanation = {0};
    SCOPED(alternatives_clear) struct alternatives alternatives = {0};
    const struct outcome *outcome = finding->outcome;
    if (arguments->explain && !outcome_found(outcome) && outcome->status != PLAN_UNSUPPORTED &&
        outcome->verdict.fault == VERIFY_VALID) {
        TRY(explanation_find(finding->job, &explanation, error));
        finding->explanation = &explanation;
    }
    if (arguments->explain && finding->job->instance->graph) {
        TRY(alternatives_find(finding->job, &alternatives, error));
        finding->alternatives = &alternatives;
    }
    return report_finding(arguments, finding, error);
}

/* ordered is NULL where the graph is planned as it is stored. */
static enum status plan_and_report(const struct arguments *arguments, struct plan_cache *cache,
                                   const struct job *job, const struct ordered *ordered,
                                   struct error *error)
{
    SCOPED(outcome_clear) struct outcome outcome = {0};
    struct plan_finding finding = {.job = job, .outcome = &outcome};
    if (arguments->memories && arguments->moves)
        return moves_plan_graph(arguments, job, error);
    if (arguments->memories)
        return memories_plan_graph(arguments, job, error);
    TRY(plan_cache_run(cache, job, &outcome, &finding.cache, error));
    TRY(report_outcome(arguments, &finding, error));
    if (ordered && outcome_found(&outcome))
        TRY(ordered_check_plan(ordered, &outcome.measures, ordered->report.bound_bytes, error));
    return STATUS_OK;
}

/* The instance with its operators in the order that was asked for. */
static enum status plan_ordered(const struct arguments *arguments, struct plan_cache *cache,
                                const struct job *job, struct error *error)
{
    SCOPED(order_release) struct order_row *row = NULL;
    SCOPED(ordered_clear) struct ordered ordered = {0};
    struct job reordered = *job;
    TRY(registry_configure_order(arguments->registry, arguments->orders, &row, error));
    const struct ordered_request request = {.instance = job->instance,
                                            .row = row,
                                            .policy = job->policy,
                                            .inplace = job->inplace,
                                            .time_limit_ns = job->time_limit_ns,
                                            .memory_limit_bytes = UINT64_MAX,
                                            .seed = job->seed,
                                            .pin_io = job->pin_io};
    TRY(ordered_create(&request, &ordered, error));
    reordered.instance = ordered.instance;
    return plan_and_report(arguments, cache, &reordered, &ordered, error);
}

static enum status plan_jointly(const struct arguments *arguments, const struct job *job,
                                struct error *error)
{
    SCOPED(joint_clear) struct joint joint = {0};
    TRY(joint_plan(job, &joint, error));
    struct plan_finding finding = {
        .job = &joint.job, .outcome = &joint.outcome, .cache = CACHE_OFF};
    /* Says on standard error which order was chosen and why; standard output is the same as for any
       plan. */
    const struct outcome *outcome = &joint.outcome;
    bool proved = joint.bound_bytes && outcome_found(outcome) &&
                  outcome->measures.peak_bytes == joint.bound_bytes;
    fprintf(stderr, "order %s, load %llu bytes; %u orders and %u moves placed\n", joint.order,
            (unsigned long long)joint.ordered.report.load_bytes, joint.orders, joint.moves);
    if (joint.bound_bytes)
        fprintf(stderr, "no order has a lower load than %llu bytes%s\n",
                (unsigned long long)joint.bound_bytes,
                proved ? ": no order and no plan has a lower peak" : "");
    return report_outcome(arguments, &finding, error);
}

static enum status plan_instance(const struct arguments *arguments, struct job *job,
                                 struct instance *instance, struct error *error)
{
    SCOPED(plan_cache_release) struct plan_cache *cache = NULL;
    job->instance = instance;
    if (instance->problem) {
        job->policy = NULL;
        job->inplace.rules = NULL;
        TRY(problem_align(instance->problem, arguments->alignment_bytes, error));
    }
    if (instance->problem && arguments->orders)
        return error_set(error, STATUS_USAGE,
                         "'%s' is a problem, whose steps are fixed: it has no --order",
                         instance->name);
    if (instance->problem && arguments->explain && arguments->capacity_bytes == UINT64_MAX)
        return error_set(error, STATUS_USAGE,
                         "--explain of '%s', which is a problem, but there is no --capacity",
                         instance->name);
    if (instance->problem && arguments->weights)
        return error_set(error, STATUS_USAGE, "'%s' is a problem, which has no --weights",
                         instance->name);
    if (arguments->memories)
        TRY(memories_check_options(arguments, instance, error));
    if (instance_sizes(instance))
        return plan_family_run(arguments, job, error);
    if (arguments->at)
        return error_set(error, STATUS_USAGE, "--at, but no size of '%s' depends on a parameter",
                         instance->name);
    if (arguments->orders && strcmp(arguments->orders, "best") == 0)
        return plan_jointly(arguments, job, error);
    TRY(cache_open(&cache, error));
    if (cache)
        cache->values = arguments->weights;
    return arguments->orders ? plan_ordered(arguments, cache, job, error)
                             : plan_and_report(arguments, cache, job, NULL, error);
}

static enum status run_plan(const struct arguments *arguments, struct error *error)
{
    SCOPED(text_free) struct text options = {0};
    struct job job = {.capacity_bytes = arguments->capacity_bytes,
                      .time_limit_ns = arguments->time_limit_ns,
                      .threads = (uint32_t)arguments->threads,
                      .memory_limit_bytes = arguments->memory_limit_bytes,
                      .seed = arguments->seed,
                      .alignment_bytes = arguments->alignment_bytes,
                      .pin_io = arguments->pin_io};
    SCOPED(instance_release) struct instance *instance = NULL;
    SCOPED(planner_release) struct planner *planner = NULL;
    if (arguments->moves && !arguments->memories)
        return error_set(error, STATUS_USAGE, "found --moves, expected --memories beside it");
    if (memory_instance_is(arguments->operand[0]))
        return memories_plan(arguments, error);
    TRY(check_output(arguments->output, error));
    TRY(select_memory_limit(arguments, error));
    TRY(select_policy(arguments->policies, &job.policy, error));
    TRY(select_inplace(arguments, &job.inplace, error));
    TRY(select_options(arguments, &options, error));
    job.options = options.bytes;
    if (!arguments->memories)
        TRY(select_planner(arguments->registry, arguments->planners, &planner, error));
    job.planner = planner;
    TRY(select_instance(arguments, arguments->operand[0], &instance, error));
    select_suited_policy(arguments, instance, &job.policy);
    TRY(select_graph_options(arguments, &instance, 1, error));
    TRY(select_inplace_types(&job.inplace, &instance, 1, error));
    return plan_instance(arguments, &job, instance, error);
}

const struct command command_plan = {
    .name = "plan",
    .summary = "plan one instance, verify and execute the plan, write it",
    .operands = "INSTANCE",
    .kind = "instances",
    .least = 1,
    .most = 1,
    .options = OPTIONS(
        OPTION_PLANNER, OPTION_POLICY, OPTION_ORDER, OPTION_INPLACE, OPTION_DISABLE_INPLACE,
        OPTION_CAPACITY, OPTION_EXPLAIN, OPTION_ALIGNMENT, OPTION_PIN_IO, OPTION_AT,
        OPTION_MEMORIES, OPTION_MOVES, OPTION_OBJECTIVE, OPTION_TIME_LIMIT, OPTION_THREADS,
        OPTION_MEMORY_LIMIT, OPTION_SEED, OPTION_WEIGHTS, OPTION_OUTPUT, OPTION_PROOF,
        OPTION_LAYOUT_REPORT, OPTION_FACTS, OPTION_IGNORE_OFFSETS, OPTION_DIALECT, OPTION_BIND,
        OPTION_RANGE, OPTION_ASSUME_DIM, OPTION_PLUGIN, OPTION_EXTERNAL, OPTION_EXTERNAL_ORDER),
    .help = HELP({OPTION_PLANNER, "planner (default best)"}),
    .description =
        "The extension of the output says what is written: .csv (MiniMalloc's), .json, "
        ".graph.json, .xla.csv (as XLA dumps its placements), .h (a C header with offsets and an "
        "arena), .bin and .tflite (the plan of TFLite Micro, alone and in a copy of the model), "
        ".trace.json (Perfetto), .svg, .pdf, .png. Exit code 1 when the plan does not fit the "
        "capacity; then the steps that are over it are named. A plan that was made before comes "
        "from the plan cache (memplan cache --help), with the time that making it took; --weights "
        "tells graphs apart there that differ in nothing but the values of their weights. --order "
        "puts the operators of a graph into another order first; --order best tries all orders, "
        "moves single operators of the most promising one, and plans those of least peak, until a "
        "peak is as low as the load of every order has to be. A file of a problem with several "
        "memories gets a memory and an offset for each buffer; its planners are those of memplan "
        "list memory-planners, its outputs .json and, for dsa-solver, .solution.json. --memories "
        "does the same with the tensors of a graph, and writes .json, .csv or .h. With --moves "
        "tensors and weights are copied from memory to memory while the graph runs; --capacity is "
        "that of the first memory then, and --planner is one of memplan list move-planners.",
    .examples = "memplan plan patent/figure4 --planner glpk\n"
                "memplan plan luna/denoise --policy recursive -o denoise.svg\n"
                "memplan plan wired/darts_cell --order best\n"
                "memplan plan zoo/mobilenet_v2 --inplace nnvm --disable-inplace Add\n"
                "memplan plan patent/figure4 --planner exclusive --layout-report\n"
                "memplan plan problem.csv --planner large_first --capacity 1MiB -o plan.csv\n"
                "memplan plan patent/figure4 --capacity 42MB --explain\n"
                "memplan plan zoo/resnet50 --explain\n"
                "memplan plan zoo/squeezenet --pin-io -o squeezenet.h\n"
                "memplan plan model.tflite --memories stm32h7 -o plan.h\n"
                "memplan plan zoo/blazeface --memories imxrt1060 --moves -t 1 -o plan.json",
    .run = run_plan,
};
