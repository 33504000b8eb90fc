#include <inttypes.h>
#include <string.h>

#include "cli/arguments/select.h"
#include "cli/dma/dma_output.h"
#include "cli/dma/dma_planned.h"
#include "cli/dma/dma_report.h"
#include "core/checked.h"
#include "core/text.h"
#include "harness/files/hardware_file.h"
#include "harness/job/child.h"
#include "planning/policies/policy.h"

enum { DEFAULT_BUFFERS = 3 };

/* --buffers is an option of the generators too and was kept as a text. */
static enum status read_buffers(const struct arguments *arguments, uint32_t *buffers,
                                struct error *error)
{
    uint64_t number = DEFAULT_BUFFERS;
    for (uint32_t i = 0; i < arguments->settings; i++)
        if (!text_parse_u64(arguments->setting[i].value, strlen(arguments->setting[i].value),
                            &number) ||
            number > UINT32_MAX)
            return error_set(error, STATUS_USAGE, "--buffers '%s', expected 1 to %d",
                             arguments->setting[i].value, TRANSFER_MOST_BUFFERS);
    *buffers = (uint32_t)number;
    return STATUS_OK;
}

/* What the tensors take beside the weights. */
static enum status plan_arena(struct dma_session *session, const struct planner *planner,
                              const struct policy *policy, struct error *error)
{
    const struct job job = {.instance = session->instance,
                            .policy = policy,
                            .planner = planner,
                            .options = "",
                            .capacity_bytes = UINT64_MAX,
                            .time_limit_ns = session->arguments->time_limit_ns,
                            .seed = session->arguments->seed,
                            .alignment_bytes = 1};
    struct outcome outcome;
    TRY(child_run(&job, &outcome, error));
    enum status status = STATUS_OK;
    if (!outcome_is_good(&outcome))
        status = error_set(error, STATUS_LIMIT, "planner %s found no valid plan of the arena: %s",
                           planner->name, plan_status_name(outcome.status));
    session->arena_bytes = outcome.measures.peak_bytes;
    outcome_clear(&outcome);
    if (!status &&
        !checked_add(session->arena_bytes, session->run.buffer_bytes, &session->on_chip_bytes))
        status = error_set(error, STATUS_BAD_INPUT, "arena and buffers exceed 2^64 bytes");
    return status;
}

static enum status refuse_capacity(const struct dma_session *session, uint64_t least_bytes,
                                   struct error *error)
{
    return error_set(error, STATUS_NO,
                     "mode %s needs %" PRIu64 " bytes on chip, more than the capacity of %" PRIu64,
                     session->run.mode->name, least_bytes, session->arguments->capacity_bytes);
}

/* Weights and tensors in one plan. */
static enum status run_in_arena(struct dma_session *session, const struct planner *planner,
                                const struct policy *policy, const struct transfer_mode *mode,
                                struct error *error)
{
    const struct arguments *arguments = session->arguments;
    if (policy != &policy_flat)
        return error_set(error, STATUS_USAGE, "policy %s, expected flat with mode %s", policy->name,
                         mode->name);
    TRY(dma_planned_search(arguments, planner, &session->hardware, session->instance, mode,
                           &session->run, &session->front, error));
    const struct planned_point *point =
        planned_front_pick(session->front, arguments->capacity_bytes);
    if (!point)
        return refuse_capacity(
            session, session->front->point[session->front->count - 1].on_chip_bytes, error);
    session->arena_bytes = session->on_chip_bytes = point->on_chip_bytes;
    return dma_planned_take(session->front, point, &session->run, error);
}

static enum status run_beside_arena(struct dma_session *session, const struct planner *planner,
                                    const struct policy *policy, const struct transfer_mode *mode,
                                    struct error *error)
{
    uint32_t buffers = DEFAULT_BUFFERS;
    TRY(read_buffers(session->arguments, &buffers, error));
    TRY(transfer_run_fill(session->instance->graph,
                          &(struct transfer_setting){&session->hardware, mode, buffers},
                          &session->run, error));
    return plan_arena(session, planner, policy, error);
}

static enum status run_session(struct dma_session *session, const struct planner *planner,
                               const struct policy *policy, struct error *error)
{
    const struct arguments *arguments = session->arguments;
    const struct transfer_mode *mode;
    TRY(transfer_modes_find(arguments->mode, &mode, error));
    TRY(hardware_file_load(arguments->hardware, &session->hardware, error));
    if (mode->in_arena)
        TRY(run_in_arena(session, planner, policy, mode, error));
    else
        TRY(run_beside_arena(session, planner, policy, mode, error));
    if (arguments->output)
        TRY(dma_output_write(session->instance, &session->run, arguments->output, error));
    TRY(dma_report_print(session, error));
    return session->on_chip_bytes > arguments->capacity_bytes
               ? refuse_capacity(session, session->on_chip_bytes, error)
               : STATUS_OK;
}

static enum status start_session(struct dma_session *session, const struct planner *planner,
                                 struct error *error)
{
    const struct policy *policy;
    TRY(select_policy(session->arguments->policies, &policy, error));
    if (!session->instance->graph)
        return error_set(error, STATUS_USAGE, "'%s' is a problem, expected a graph with weights",
                         session->instance->name);
    enum status status = run_session(session, planner, policy, error);
    planned_front_free(session->front);
    transfer_run_clear(&session->run);
    hardware_clear(&session->hardware);
    return status;
}

enum status command_dma(const struct arguments *arguments, struct error *error)
{
    struct instance *instance = NULL;
    struct planner *planner = NULL;
    enum status status;
    TRY(dma_output_check(arguments->output, error));
    TRY_OR_DONE(status, select_planner(arguments->registry, arguments->planners, &planner, error));
    TRY_OR_DONE(status, select_instance(arguments, arguments->operand[0], &instance, error));
    struct dma_session session = {.arguments = arguments, .instance = instance};
    TRY_OR_DONE(status, start_session(&session, planner, error));
done:
    planner_free(planner);
    instance_free(instance);
    return status;
}
