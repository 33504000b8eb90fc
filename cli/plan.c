#include <stdio.h>
#include <string.h>

#include "cli/json.h"
#include "cli/picture.h"
#include "cli/select.h"
#include "core/text.h"
#include "harness/plan_buffers.h"
#include "harness/plan_file.h"
#include "harness/trace.h"
#include "planning/verify_paths.h"

static bool is_picture(const char *path)
{
    return plan_file_has_extension(path, ".svg") || plan_file_has_extension(path, ".pdf") ||
           plan_file_has_extension(path, ".png");
}

static enum status check_output(const char *path, struct error *error)
{
    if (!path || is_picture(path) || plan_file_has_extension(path, ".csv") ||
        plan_file_has_extension(path, ".json"))
        return STATUS_OK;
    return error_set(error, STATUS_USAGE,
                     "output '%s', expected .csv, .json, .trace.json, .svg, .pdf or .png", path);
}

static uint64_t find_divisor(uint64_t a, uint64_t b)
{
    return b ? find_divisor(b, a % b) : a;
}

static enum status align_problem(struct problem *problem, uint64_t alignment_bytes,
                                 struct error *error)
{
    for (uint32_t b = 0; b < problem->buffers; b++) {
        uint64_t *alignment = &problem->alignment[b];
        *alignment = *alignment / find_divisor(*alignment, alignment_bytes) * alignment_bytes;
        if (problem->fixed_offset[b] != PROBLEM_FREE && problem->fixed_offset[b] % *alignment)
            return error_set(
                error, STATUS_NO, "buffer '%s' is fixed at %llu, which is no multiple of %llu",
                names_get(&problem->names, b), (unsigned long long)problem->fixed_offset[b],
                (unsigned long long)*alignment);
    }
    return problem_finish(problem, error);
}

static json_t *make_facts(const struct job *job, const struct outcome *outcome)
{
    bool found = outcome_found(outcome);
    json_t *facts = json_pack(
        "{ss ss ss ss sI sI sI sI sI sI sI}", "instance", job->instance->name, "policy",
        job_policy_name(job), "planner", job->planner->name, "status",
        plan_status_name(outcome->status), "buffers", (json_int_t)outcome->buffers, "naive",
        (json_int_t)outcome->naive_bytes, "load", (json_int_t)outcome->load_bytes, "lower_bound",
        (json_int_t)outcome->lower_bound_bytes, "nodes", (json_int_t)outcome->nodes, "seed",
        (json_int_t)job->seed, "wall_ns", (json_int_t)outcome_median_ns(outcome));
    if (!facts || !found)
        return facts;
    json_object_set_new(facts, "peak", json_integer((json_int_t)outcome->peak_bytes));
    json_object_set_new(facts, "verdict", json_string(verify_fault_name(outcome->verdict.fault)));
    if (outcome->placement) {
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
    if (outcome_found(outcome)) {
        uint64_t over = outcome->peak_bytes - outcome->lower_bound_bytes;
        printf("peak         %llu bytes\n", (unsigned long long)outcome->peak_bytes);
        if (outcome->lower_bound_bytes)
            printf("gap          %.2f %%\n",
                   100.0 * (double)over / (double)outcome->lower_bound_bytes);
        printf("verify       %s\n", verify_fault_name(outcome->verdict.fault));
        if (outcome->placement)
            printf("execute      %s on %llu paths\n",
                   outcome->execution.intact ? "intact" : "damaged",
                   (unsigned long long)outcome->execution.paths_run);
    }
    printf("lower bound  %llu bytes\nload         %llu bytes\nnaive        %llu bytes\n",
           (unsigned long long)outcome->lower_bound_bytes, (unsigned long long)outcome->load_bytes,
           (unsigned long long)outcome->naive_bytes);
    printf("time         %.3f ms\n", (double)outcome_median_ns(outcome) / 1e6);
}

/* What is live at the step with the greatest load, for a capacity below it. */
static void describe_section(const struct problem *problem, uint32_t step, struct text *text)
{
    uint32_t named = 0;
    for (uint32_t b = 0; b < problem->buffers; b++)
        for (uint32_t s = problem->first[b]; s < problem->first[b + 1]; s++)
            if (problem->lower[s] <= step && step < problem->upper[s] && named++ < 8)
                text_append(
                    text, "%s%s (%llu)", named > 1 ? ", " : "", names_get(&problem->names, b),
                    (unsigned long long)(problem->window_upper[s] - problem->window_lower[s]));
    if (named > 8)
        text_append(text, " and %u more", named - 8);
}

static enum status explain_problem(const struct problem *problem, uint64_t capacity_bytes,
                                   struct error *error)
{
    struct text text = {0};
    uint64_t load_bytes;
    uint32_t step;
    TRY(problem_load(problem, &load_bytes, &step, error));
    if (load_bytes <= capacity_bytes)
        return STATUS_OK;
    describe_section(problem, step, &text);
    enum status status = text_check(&text, error);
    if (!status)
        status = error_set(error, STATUS_NO,
                           "does not fit: the section at step %u needs %llu bytes, %llu over the "
                           "capacity: %s",
                           step, (unsigned long long)load_bytes,
                           (unsigned long long)(load_bytes - capacity_bytes), text.bytes);
    text_free(&text);
    return status;
}

static enum status explain_capacity(const struct job *job, const struct outcome *outcome,
                                    struct error *error)
{
    if (job->instance->problem || outcome->load_bytes > job->capacity_bytes) {
        struct plan_buffers buffers;
        TRY(plan_buffers_create(job->instance, &buffers, error));
        enum status status = explain_problem(buffers.problem, job->capacity_bytes, error);
        plan_buffers_clear(&buffers);
        TRY(status);
    }
    if (!outcome_found(outcome))
        return error_set(error, STATUS_NO, "does not fit: no plan has %llu bytes or less",
                         (unsigned long long)job->capacity_bytes);
    return error_set(error, STATUS_NO,
                     "does not fit: this plan needs %llu bytes, %llu over the capacity; no section "
                     "does, the load is %llu",
                     (unsigned long long)outcome->peak_bytes,
                     (unsigned long long)(outcome->peak_bytes - job->capacity_bytes),
                     (unsigned long long)outcome->load_bytes);
}

static enum status report_fault(const struct job *job, const struct outcome *outcome,
                                struct error *error)
{
    char text[sizeof error->text];
    if (outcome->plan)
        verify_describe(job->instance->problem, outcome->plan, &outcome->verdict, text,
                        sizeof text);
    else if (outcome->verdict.fault != VERIFY_VALID)
        verify_paths_describe(job->instance->graph, outcome->placement, &outcome->verdict, text,
                              sizeof text);
    else
        TRY(execute_describe(job->instance->graph, &outcome->execution, text, sizeof text, error));
    return error_set(error, STATUS_NO, "the plan is wrong: %s", text);
}

static enum status judge(const struct job *job, const struct outcome *outcome, struct error *error)
{
    if (outcome->status == PLAN_UNSUPPORTED)
        return error_set(error, STATUS_LIMIT,
                         "%s cannot plan this instance: it was built without "
                         "it, or the instance is too large",
                         job->planner->name);
    if (outcome->status == PLAN_TIMEOUT)
        return error_set(error, STATUS_LIMIT, "time limit reached without a plan");
    if (*outcome->stop_reason && !outcome_found(outcome))
        return error_set(error, STATUS_NO, "no plan: %s", outcome->stop_reason);
    if (!outcome_found(outcome) || outcome->peak_bytes > job->capacity_bytes)
        return explain_capacity(job, outcome, error);
    return outcome_is_good(outcome) ? STATUS_OK : report_fault(job, outcome, error);
}

static enum status write_output(const struct job *job, const struct outcome *outcome,
                                const char *path, struct error *error)
{
    char options[64] = "";
    struct text text = {0};
    if (is_picture(path))
        return picture_draw_layout(job, outcome, path, error);
    if (job->alignment_bytes > 1)
        snprintf(options, sizeof options, "alignment=%llu",
                 (unsigned long long)job->alignment_bytes);
    enum status status = plan_file_has_extension(path, ".trace.json")
                             ? trace_write(job, outcome, &text, error)
                             : plan_file_write(job, outcome, options, path, &text, error);
    if (!status)
        status = text_write_file(path, &text, error);
    text_free(&text);
    return status;
}

static enum status report_outcome(const struct arguments *arguments, const struct job *job,
                                  const struct outcome *outcome, struct error *error)
{
    if (arguments->json)
        TRY(json_print(make_facts(job, outcome), error));
    else
        print_facts(job, outcome);
    TRY(judge(job, outcome, error));
    return arguments->output ? write_output(job, outcome, arguments->output, error) : STATUS_OK;
}

static enum status plan_instance(const struct arguments *arguments, struct job *job,
                                 struct instance *instance, struct error *error)
{
    struct outcome outcome;
    job->instance = instance;
    if (instance->problem) {
        job->policy = NULL;
        TRY(align_problem(instance->problem, arguments->alignment_bytes, error));
    }
    TRY(job_run(job, &outcome, error));
    enum status status = report_outcome(arguments, job, &outcome, error);
    outcome_clear(&outcome);
    return status;
}

enum status command_plan(const struct arguments *arguments, struct error *error)
{
    struct job job = {.capacity_bytes = arguments->capacity_bytes,
                      .time_limit_ns = arguments->time_limit_ns,
                      .seed = arguments->seed,
                      .alignment_bytes = arguments->alignment_bytes};
    struct instance *instance;
    TRY(check_output(arguments->output, error));
    TRY(select_planner(arguments->planners, &job.planner, error));
    TRY(select_policy(arguments->policies, &job.policy, error));
    TRY(select_instance(arguments, arguments->operand[0], &instance, error));
    enum status status = plan_instance(arguments, &job, instance, error);
    instance_free(instance);
    return status;
}
