#include <stdio.h>
#include <string.h>

#include "cli/arguments/select.h"
#include "cli/output/explain.h"
#include "cli/output/explanation.h"
#include "cli/output/json.h"
#include "cli/output/layout_output.h"
#include "cli/output/picture.h"
#include "core/file_name.h"
#include "core/text.h"
#include "harness/files/plan_write.h"
#include "harness/job/child.h"
#include "harness/layout/trace.h"

static bool is_picture(const char *path)
{
    return file_name_has_extension(path, ".svg") || file_name_has_extension(path, ".pdf") ||
           file_name_has_extension(path, ".png");
}

static enum status check_output(const char *path, struct error *error)
{
    if (!path || is_picture(path) || file_name_has_extension(path, ".csv") ||
        file_name_has_extension(path, ".json"))
        return STATUS_OK;
    return error_set(error, STATUS_USAGE,
                     "output '%s', expected .csv, .json, .trace.json, .svg, .pdf or .png", path);
}

/* Also one that is over the capacity; the peak of a graph without buffers is 0. */
static bool has_plan(const struct outcome *outcome)
{
    return outcome_found(outcome) || outcome->measures.peak_bytes;
}

static json_t *make_search_facts(const struct search_record *search)
{
    json_t *facts = json_pack("{sI}", "time_to_best_ns", (json_int_t)search->time_to_best_ns);
    for (int i = 0; facts && i < SEARCH_COUNTERS; i++)
        json_object_set_new(facts, search_counter_name((enum search_counter)i),
                            json_integer((json_int_t)search->counter[i]));
    return facts;
}

static json_t *make_facts(const struct job *job, const struct outcome *outcome)
{
    json_t *facts = json_pack(
        "{ss ss ss ss sI sI sI sI sI sI sI}", "instance", job->instance->name, "policy",
        job_policy_name(job), "planner", job->planner->name, "status",
        plan_status_name(outcome->status), "buffers", (json_int_t)outcome->buffers, "naive",
        (json_int_t)outcome->measures.naive_bytes, "load", (json_int_t)outcome->measures.load_bytes,
        "lower_bound", (json_int_t)outcome->measures.lower_bound_bytes, "nodes",
        (json_int_t)outcome->measures.nodes, "seed", (json_int_t)job->seed, "wall_ns",
        (json_int_t)outcome_median_ns(outcome));
    if (facts && outcome->search)
        json_object_set_new(facts, "search", make_search_facts(outcome->search));
    if (!facts || !has_plan(outcome))
        return facts;
    json_object_set_new(facts, "peak", json_integer((json_int_t)outcome->measures.peak_bytes));
    if (outcome->measures.pools) {
        json_object_set_new(facts, "pools", json_integer((json_int_t)outcome->measures.pools));
        json_object_set_new(facts, "pool_bytes",
                            json_integer((json_int_t)outcome->measures.pool_bytes));
    }
    json_object_set_new(facts, "verdict", json_string(verify_fault_name(outcome->verdict.fault)));
    if (outcome->placement) {
        json_object_set_new(facts, "in_place", json_integer((json_int_t)outcome->in_place));
        json_object_set_new(facts, "execution",
                            json_string(outcome->execution.intact ? "intact" : "damaged"));
        json_object_set_new(facts, "paths", json_integer((json_int_t)outcome->execution.paths_run));
    }
    return facts;
}

static void print_facts(const struct job *job, const struct outcome *outcome)
{
    printf("instance     %s\npolicy       %s\nplanner      %s\nstatus       %s\n",
           job->instance->name, job_policy_name(job), job->planner->name,
           plan_status_name(outcome->status));
    if (has_plan(outcome)) {
        double over =
            (double)outcome->measures.peak_bytes - (double)outcome->measures.lower_bound_bytes;
        printf("peak         %llu bytes\n", (unsigned long long)outcome->measures.peak_bytes);
        if (outcome->measures.lower_bound_bytes)
            printf("gap          %.2f %%\n",
                   100.0 * over / (double)outcome->measures.lower_bound_bytes);
        if (outcome->measures.pools)
            printf("pools        %llu, in all %llu bytes\n",
                   (unsigned long long)outcome->measures.pools,
                   (unsigned long long)outcome->measures.pool_bytes);
        printf("verify       %s\n", verify_fault_name(outcome->verdict.fault));
        if (outcome->placement)
            printf("execute      %s on %llu path%s\n",
                   outcome->execution.intact ? "intact" : "damaged",
                   (unsigned long long)outcome->execution.paths_run,
                   outcome->execution.paths_run == 1 ? "" : "s");
    }
    if (job->inplace.rules)
        printf("in place     %llu tensor%s\n", (unsigned long long)outcome->in_place,
               outcome->in_place == 1 ? "" : "s");
    printf("lower bound  %llu bytes\nload         %llu bytes\nnaive        %llu bytes\n",
           (unsigned long long)outcome->measures.lower_bound_bytes,
           (unsigned long long)outcome->measures.load_bytes,
           (unsigned long long)outcome->measures.naive_bytes);
    printf("time         %.3f ms\n", (double)outcome_median_ns(outcome) / 1e6);
}

static enum status write_output(const struct job *job, const struct outcome *outcome,
                                const char *path, struct error *error)
{
    struct text text = {0};
    if (is_picture(path))
        return picture_draw_layout(job, outcome, path, error);
    enum status status = file_name_has_extension(path, ".trace.json")
                             ? trace_write(job, outcome, &text, error)
                             : plan_file_write(job, outcome, path, &text, error);
    if (!status)
        status = text_write_file(path, &text, error);
    text_free(&text);
    return status;
}

/* Not where buffers are fixed on the same bytes: no capacity is enough for them. */
static bool wants_explanation(const struct outcome *outcome)
{
    return !outcome_found(outcome) && outcome->status != PLAN_UNSUPPORTED &&
           outcome->verdict.fault == VERIFY_VALID;
}

static enum status report_explained(const struct arguments *arguments, const struct job *job,
                                    const struct outcome *outcome,
                                    const struct explanation *explanation, struct error *error)
{
    enum status answer = explain_outcome(job, outcome, explanation, error);
    if (!answer && arguments->output)
        TRY(write_output(job, outcome, arguments->output, error));
    json_t *facts = arguments->json ? make_facts(job, outcome) : NULL;
    if (!arguments->json)
        print_facts(job, outcome);
    if (explanation)
        TRY(explanation_report(explanation, job, facts, error));
    if (arguments->layout_report && outcome_found(outcome))
        TRY(layout_output(arguments, job, outcome, facts, error));
    if (arguments->json)
        TRY(json_print(facts, error));
    return answer;
}

static enum status report_outcome(const struct arguments *arguments, const struct job *job,
                                  const struct outcome *outcome, struct error *error)
{
    struct explanation explanation;
    if (!arguments->explain || !wants_explanation(outcome))
        return report_explained(arguments, job, outcome, NULL, error);
    enum status status = explanation_find(job, &explanation, error);
    if (!status)
        status = report_explained(arguments, job, outcome, &explanation, error);
    explanation_clear(&explanation);
    return status;
}

static enum status plan_instance(const struct arguments *arguments, struct job *job,
                                 struct instance *instance, struct error *error)
{
    struct outcome outcome;
    job->instance = instance;
    if (instance->problem) {
        job->policy = NULL;
        job->inplace.rules = NULL;
        TRY(problem_align(instance->problem, arguments->alignment_bytes, error));
    }
    TRY(child_run(job, &outcome, error));
    enum status status = report_outcome(arguments, job, &outcome, error);
    outcome_clear(&outcome);
    return status;
}

enum status command_plan(const struct arguments *arguments, struct error *error)
{
    struct text options = {0};
    struct job job = {.capacity_bytes = arguments->capacity_bytes,
                      .time_limit_ns = arguments->time_limit_ns,
                      .threads = (uint32_t)arguments->threads,
                      .memory_limit_bytes = arguments->memory_limit_bytes,
                      .seed = arguments->seed,
                      .alignment_bytes = arguments->alignment_bytes};
    struct instance *instance = NULL;
    struct planner *planner = NULL;
    enum status status;
    TRY(check_output(arguments->output, error));
    TRY(select_memory_limit(arguments, error));
    if (arguments->explain && arguments->capacity_bytes == UINT64_MAX)
        return error_set(error, STATUS_USAGE, "--explain, but there is no --capacity");
    TRY(select_policy(arguments->policies, &job.policy, error));
    TRY(select_inplace(arguments, &job.inplace, error));
    TRY_OR_DONE(status, select_options(arguments, &options, error));
    job.options = options.bytes;
    TRY_OR_DONE(status, select_planner(arguments->registry, arguments->planners, &planner, error));
    job.planner = planner;
    TRY_OR_DONE(status, select_instance(arguments, arguments->operand[0], &instance, error));
    TRY_OR_DONE(status, select_inplace_types(&job.inplace, &instance, 1, error));
    TRY_OR_DONE(status, plan_instance(arguments, &job, instance, error));
done:
    planner_free(planner);
    instance_free(instance);
    text_free(&options);
    return status;
}
