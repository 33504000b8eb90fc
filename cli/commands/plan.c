/* The command plan: one plan of one instance, and what there is to say about it. */
#include <stdio.h>
#include <string.h>

#include "cli/arguments/command.h"
#include "cli/arguments/select.h"
#include "cli/commands/plan_finding.h"
#include "cli/output/cache.h"
#include "core/text.h"
#include "harness/joint/joint.h"
#include "harness/orders/ordered.h"

/* Whether an explanation is wanted. Where buffers are fixed at overlapping bytes it is not, since
   no capacity is enough. */
static bool wants_explanation(const struct outcome *outcome)
{
    return !outcome_found(outcome) && outcome->status != PLAN_UNSUPPORTED &&
           outcome->verdict.fault == VERIFY_VALID;
}

static enum status report_outcome(const struct arguments *arguments, struct plan_finding *finding,
                                  struct error *error)
{
    SCOPED(explanation_clear) struct explanation explanation = {0};
    if (!arguments->explain || !wants_explanation(finding->outcome))
        return plan_finding_report(arguments, finding, error);
    TRY(explanation_find(finding->job, &explanation, error));
    finding->explanation = &explanation;
    return plan_finding_report(arguments, finding, error);
}

/* ordered is NULL where the graph is planned as it is stored. */
static enum status plan_and_report(const struct arguments *arguments, struct plan_cache *cache,
                                   const struct job *job, const struct ordered *ordered,
                                   struct error *error)
{
    SCOPED(outcome_clear) struct outcome outcome = {0};
    struct plan_finding finding = {.job = job, .outcome = &outcome};
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
    struct order_row *row;
    struct ordered ordered;
    struct job reordered = *job;
    TRY(order_registry_configure(arguments->order_registry, arguments->orders, &row, error));
    const struct ordered_request request = {.instance = job->instance,
                                            .row = row,
                                            .policy = job->policy,
                                            .inplace = job->inplace,
                                            .time_limit_ns = job->time_limit_ns,
                                            .memory_limit_bytes = UINT64_MAX,
                                            .seed = job->seed};
    enum status status = ordered_create(&request, &ordered, error);
    order_free(row);
    TRY(status);
    reordered.instance = ordered.instance;
    status = plan_and_report(arguments, cache, &reordered, &ordered, error);
    ordered_clear(&ordered);
    return status;
}

/* Says on standard error which order was chosen and why; standard output is the same as for any
   plan. */
static void tell_orders(const struct joint *joint)
{
    const struct outcome *outcome = &joint->outcome;
    bool proved = joint->bound_bytes && outcome_found(outcome) &&
                  outcome->measures.peak_bytes == joint->bound_bytes;
    fprintf(stderr, "order %s, load %llu bytes; %u orders and %u moves placed\n", joint->order,
            (unsigned long long)joint->ordered.report.load_bytes, joint->orders, joint->moves);
    if (joint->bound_bytes)
        fprintf(stderr, "no order has a lower load than %llu bytes%s\n",
                (unsigned long long)joint->bound_bytes,
                proved ? ": no order and no plan has a lower peak" : "");
}

static enum status plan_jointly(const struct arguments *arguments, const struct job *job,
                                struct error *error)
{
    SCOPED(joint_clear) struct joint joint = {0};
    TRY(joint_plan(job, &joint, error));
    struct plan_finding finding = {
        .job = &joint.job, .outcome = &joint.outcome, .cache = CACHE_OFF};
    tell_orders(&joint);
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
    if (instance->problem && arguments->weights)
        return error_set(error, STATUS_USAGE, "'%s' is a problem, which has no --weights",
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
                      .alignment_bytes = arguments->alignment_bytes};
    SCOPED(instance_release) struct instance *instance = NULL;
    SCOPED(planner_release) struct planner *planner = NULL;
    TRY(plan_finding_check_output(arguments->output, error));
    TRY(select_memory_limit(arguments, error));
    if (arguments->explain && arguments->capacity_bytes == UINT64_MAX)
        return error_set(error, STATUS_USAGE, "--explain, but there is no --capacity");
    TRY(select_policy(arguments->policies, &job.policy, error));
    TRY(select_inplace(arguments, &job.inplace, error));
    TRY(select_options(arguments, &options, error));
    job.options = options.bytes;
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
    .options = OPTIONS(OPTION_PLANNER, OPTION_POLICY, OPTION_ORDER, OPTION_INPLACE,
                       OPTION_DISABLE_INPLACE, OPTION_CAPACITY, OPTION_EXPLAIN, OPTION_ALIGNMENT,
                       OPTION_TIME_LIMIT, OPTION_THREADS, OPTION_MEMORY_LIMIT, OPTION_SEED,
                       OPTION_WEIGHTS, OPTION_OUTPUT, OPTION_LAYOUT_REPORT, OPTION_JSON,
                       OPTION_IGNORE_OFFSETS, OPTION_DIALECT, OPTION_LIFETIMES, OPTION_BIND,
                       OPTION_ASSUME_DIM, OPTION_PLUGIN, OPTION_EXTERNAL, OPTION_EXTERNAL_ORDER),
    .description =
        "The extension of the output says what is written: .csv (MiniMalloc's), .json, "
        ".graph.json, "
        ".xla.csv (as XLA dumps its placements), .h (a C header with offsets and an arena), .bin "
        "and .tflite (the plan of TFLite Micro, alone and in a copy of the model), .trace.json "
        "(Perfetto), .svg, .pdf, .png. Exit code 1 when the plan does not fit the capacity; then "
        "the steps that are over it are named. A plan that was made before comes from the plan "
        "cache (memplan cache --help), with the time that making it took; --weights tells graphs "
        "apart there that differ in nothing but the values of their weights. --order puts the "
        "operators of a graph into another order first; --order best tries all orders, moves "
        "single "
        "operators of the most promising one, and plans those of least peak, until a peak is as "
        "low "
        "as the load of every order has to be.",
    .examples = "memplan plan patent/figure4 --planner glpk\n"
                "memplan plan luna/denoise --policy recursive -o denoise.svg\n"
                "memplan plan wired/darts_cell --order best\n"
                "memplan plan zoo/resnet50 -o resnet50.trace.json\n"
                "memplan plan zoo/mobilenet_v2 --inplace nnvm --disable-inplace Add\n"
                "memplan plan patent/figure4 --planner exclusive --layout-report\n"
                "memplan plan problem.csv --planner large_first --capacity 1MiB -o plan.csv\n"
                "memplan plan patent/figure4 -o figure4.h\n"
                "memplan plan patent/figure4 --capacity 42M --explain",
    .run = run_plan,
};
