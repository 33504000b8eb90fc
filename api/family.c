/* memplan_plan_family, memplan_verify_family, memplan_place_family: one plan for all sizes. */
#include <stdio.h>
#include <string.h>

#include "api/answer.h"
#include "api/planners.h"
#include "core/memory.h"
#include "datasets/memplan_json/problem.h"
#include "harness/family/family_plan.h"
#include "memplan/memplan.h"
#include "planning/verify/problem/orientation.h"

static const uint64_t default_time_limit_ns = 1000000000;

/* Copies of the caller's structures; fields that they lack are zero. */
struct family_call {
    struct memplan_family given;
    struct memplan_family_plan plan;
    struct instance instance; /* whose problem is the family */
    struct family family;
    enum memplan_result result;
    struct error error;
};

static void clear_call(struct family_call *call)
{
    family_free(&call->family);
    problem_free(call->instance.problem);
}

static enum status read_problem(struct family_call *call)
{
    const struct memplan_family *given = &call->given;
    SCOPED(text_free) struct text text = {0};
    struct error found = ERROR_NONE;
    TRY(api_read_json(given->json, given->json_bytes, &text, &call->error));
    if (problem_json_read(&text, "json", false, &call->instance.problem, &found))
        return api_refuse_json(&found, &call->error);
    const struct problem *problem = call->instance.problem;
    if (!problem->sizes)
        return error_set(&call->error, STATUS_BAD_INPUT,
                         "found no parameters, expected sizes that depend on some");
    if (given->buffers != problem->buffers || given->parameters != problem->sizes->parameter.count)
        return error_set(&call->error, STATUS_BAD_INPUT,
                         "found %u buffers and %u parameters, expected the %u and %u of the JSON",
                         given->buffers, given->parameters, problem->buffers,
                         problem->sizes->parameter.count);
    return family_create(problem, &call->family, &call->error);
}

/* Begins a call: copies what the caller gave, and reads the family. */
static enum status begin(const struct memplan_family *family,
                         const struct memplan_family_plan *plan, struct family_call *call)
{
    struct error *error = &call->error;
    TRY(api_copy_in(plan, "plan", &call->plan, sizeof call->plan, error));
    call->plan.message[0] = '\0';
    TRY(api_copy_in(family, "family", &call->given, sizeof call->given, error));
    if (!call->plan.first || !call->plan.below)
        return error_set(error, STATUS_BAD_INPUT, "found no array %s, expected one",
                         call->plan.first ? "below" : "first");
    if (call->given.flags & ~(uint32_t)MEMPLAN_WORST_FIRST)
        return error_set(error, STATUS_BAD_INPUT, "found flags %u, expected those of the header",
                         call->given.flags);
    return read_problem(call);
}

/* Whether the caller's lists make a plan that is safe for all sizes; else the message says why. */
static enum status verify_lists(struct family_call *call)
{
    const struct memplan_family_plan *plan = &call->plan;
    const struct problem *problem = call->instance.problem;
    struct verdict verdict;
    bool in_order = plan->first[0] == 0;
    for (uint32_t b = 0; b < problem->buffers && in_order; b++) {
        in_order = plan->first[b] <= plan->first[b + 1] && plan->first[b + 1] <= plan->most_below;
        for (uint32_t e = plan->first[b]; in_order && e < plan->first[b + 1]; e++)
            in_order = plan->below[e] < problem->buffers;
    }
    if (!in_order)
        return error_set(&call->error, STATUS_BAD_INPUT,
                         "found lists that are none, expected first[] to rise from 0 to at most "
                         "most_below, and below[] to hold numbers of buffers");
    const struct below_lists lists = {plan->first, plan->below};
    TRY(verify_orientation(problem, &lists, &verdict, &call->error));
    call->result = verdict.fault ? MEMPLAN_WRONG : MEMPLAN_FOUND;
    if (verdict.fault)
        verify_orientation_describe(problem, &verdict, call->plan.message,
                                    sizeof call->plan.message);
    return STATUS_OK;
}

/* Copies the plan into the caller's arrays, from which it is verified. */
static enum status take_plan(const struct family_plan *found, struct family_call *call)
{
    const struct orientation *orientation = found->orientation;
    struct memplan_family_plan *plan = &call->plan;
    uint32_t buffers = orientation->buffers, pairs = orientation->first[buffers];
    if (pairs > plan->most_below)
        return error_set(&call->error, STATUS_BAD_INPUT,
                         "found room for %u pairs in below, expected %u, two for each segment",
                         plan->most_below, 2 * call->instance.problem->segments);
    memcpy(plan->first, orientation->first, ((size_t)buffers + 1) * sizeof *plan->first);
    memcpy(plan->below, orientation->below, pairs * sizeof *plan->below);
    plan->peak_bytes = found->peak_bytes;
    plan->lower_bound_bytes = found->bound_bytes;
    plan->worst_ratio = family_ratio_value(found->worst.ratio);
    plan->proved_ratio = family_ratio_value(found->worst.proved);
    TRY(verify_lists(call));
    if (call->result == MEMPLAN_FOUND && found->status == PLAN_OPTIMAL)
        call->result = MEMPLAN_OPTIMAL;
    return STATUS_OK;
}

static enum status plan_family(const char *name, struct family_call *call)
{
    const struct memplan_family *given = &call->given;
    SCOPED(planner_release) struct planner *planner = NULL;
    SCOPED(family_plan_clear) struct family_plan plan = {.orientation = NULL};
    TRY(api_planner_create(name, &planner, &call->error));
    call->instance.name = call->instance.path = "family";
    const struct job job = {.instance = &call->instance,
                            .planner = planner,
                            .capacity_bytes = UINT64_MAX,
                            .time_limit_ns =
                                given->time_limit_ns ? given->time_limit_ns : default_time_limit_ns,
                            .threads = given->threads,
                            .seed = given->seed,
                            .options = ""};
    const struct family_request request = {.job = &job,
                                           .worst_first = given->flags & MEMPLAN_WORST_FIRST};
    TRY(family_plan_find(&request, &plan, &call->error));
    if (plan.status != PLAN_TIMEOUT)
        return take_plan(&plan, call);
    call->result = MEMPLAN_TIMEOUT;
    snprintf(call->plan.message, sizeof call->plan.message,
             "the planner has no plan for the greatest sizes");
    return STATUS_OK;
}

enum memplan_result memplan_plan_family(const char *planner, const struct memplan_family *family,
                                        struct memplan_family_plan *plan)
{
    SCOPED(clear_call)
    struct family_call call = {.result = MEMPLAN_FAILED, .error = ERROR_NONE};
    enum status status = begin(family, plan, &call);
    if (!status)
        status = plan_family(planner, &call);
    return API_END(&call, plan, status, plan);
}

enum memplan_result memplan_verify_family(const struct memplan_family *family,
                                          struct memplan_family_plan *plan)
{
    SCOPED(clear_call)
    struct family_call call = {.result = MEMPLAN_FAILED, .error = ERROR_NONE};
    enum status status = begin(family, plan, &call);
    if (!status)
        status = verify_lists(&call);
    return API_END(&call, plan, status, plan);
}

/* Computes the offsets at each point. */
static enum status place_points(struct family_call *call, const struct memplan_points *points)
{
    const struct problem *problem = call->instance.problem;
    uint32_t buffers = problem->buffers;
    SCOPED(memory_release) uint32_t *sorted = NULL;
    SCOPED(memory_release) uint64_t *size = NULL;
    const struct family *family = &call->family;
    struct orientation orientation = {
        .buffers = buffers, .first = call->plan.first, .below = call->plan.below};
    TRY(memory_create_all(buffers, &call->error, &sorted, &size));
    orientation.sorted = sorted;
    TRY(orientation_sort(&orientation, &call->error));
    for (uint32_t i = 0; i < points->count; i++)
        if (!family_sizes(family, points->value + (size_t)i * family->parameters, size) ||
            !orientation_place(&orientation, problem, size, points->offset + (size_t)i * buffers,
                               &points->peak_bytes[i]))
            return error_set(&call->error, STATUS_BAD_INPUT,
                             "at point %u a size is below 1 or the peak is above 2^63 - 1 bytes",
                             i);
    return STATUS_OK;
}

enum memplan_result memplan_place_family(const struct memplan_family *family,
                                         struct memplan_family_plan *plan,
                                         const struct memplan_points *points)
{
    SCOPED(clear_call)
    struct family_call call = {.result = MEMPLAN_FAILED, .error = ERROR_NONE};
    struct memplan_points copy = {0};
    enum status status = begin(family, plan, &call);
    if (!status)
        status = api_copy_in(points, "points", &copy, sizeof copy, &call.error);
    if (!status && copy.count && (!copy.value || !copy.offset || !copy.peak_bytes))
        status = error_set(&call.error, STATUS_BAD_INPUT,
                           "found no array value, offset or peak_bytes, expected all three");
    if (!status)
        status = verify_lists(&call);
    if (!status && call.result == MEMPLAN_FOUND)
        status = place_points(&call, &copy);
    return API_END(&call, plan, status, plan);
}
