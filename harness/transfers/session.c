#include "harness/transfers/session.h"

#include <assert.h>
#include <inttypes.h>

#include "core/checked.h"
#include "harness/job/workers.h"

static enum status refuse_capacity(const struct transfer_request *request, uint64_t least_bytes,
                                   struct error *error)
{
    return error_set(error, STATUS_NO,
                     "mode %s needs %" PRIu64 " bytes on chip, more than the capacity of %" PRIu64,
                     request->setting.mode->name, least_bytes, request->capacity_bytes);
}

enum status transfer_session_fill(const struct transfer_request *request,
                                  struct transfer_session *session, struct error *error)
{
    const char *mode = request->setting.mode->name;
    SCOPED(outcome_clear) struct outcome outcome = {0};
    assert(request->instance->graph && request->policy);
    *session = (struct transfer_session){0};
    if (request->setting.mode->in_arena) {
        /* Weights and tensors are planned together. */
        if (request->policy != &policy_flat)
            return error_set(error, STATUS_USAGE, "policy %s, expected flat with mode %s",
                             request->policy->name, mode);
        TRY(transfer_planned_search(request, &session->run, &session->front, error));
        const struct planned_front *front = session->front;
        const struct planned_point *point = planned_front_pick(front, request->capacity_bytes);
        if (!point)
            return refuse_capacity(request, front->point[front->count - 1].on_chip_bytes, error);
        session->arena_bytes = session->on_chip_bytes = point->on_chip_bytes;
        return transfer_planned_take(front, point, &session->run, error);
    }
    /* The tensors are planned alone; the weights have buffers of their own. */
    struct job job = job_make(request->instance, request->policy, request->planner);
    job.time_limit_ns = request->time_limit_ns;
    job.seed = request->seed;
    TRY(transfer_run_fill(request->instance->graph, &request->setting, &session->run, error));
    TRY(workers_run(&job, &outcome, error));
    if (!outcome_is_good(&outcome))
        return error_set(error, STATUS_LIMIT, "planner %s found no valid plan of the arena: %s",
                         job.planner->name, plan_status_name(outcome.status));
    session->arena_bytes = outcome.measures.peak_bytes;
    if (!checked_add(session->arena_bytes, session->run.buffer_bytes, &session->on_chip_bytes))
        return error_set(error, STATUS_BAD_INPUT, "arena and buffers exceed 2^64 bytes");
    return STATUS_OK;
}

void transfer_session_clear(struct transfer_session *session)
{
    planned_front_free(session->front);
    transfer_run_clear(&session->run);
    *session = (struct transfer_session){0};
}

enum status transfer_session_fits(const struct transfer_request *request,
                                  const struct transfer_session *session, struct error *error)
{
    return session->on_chip_bytes > request->capacity_bytes
               ? refuse_capacity(request, session->on_chip_bytes, error)
               : STATUS_OK;
}
