#include "harness/transfers/planned.h"

#include <assert.h>
#include <string.h>

#include "dma/planned/schedule_program.h"
#include "harness/job/workers.h"

/* About this many capacities are tried, between the least and the greatest that make a
   difference. */
enum { MOST_POINTS = 400 };

/* Plans a problem in a process of its own, within a share of the time, since many plans are
   made. */
static enum status place(void *context, const struct problem *problem, struct plan *plan,
                         struct error *error)
{
    const struct transfer_request *request = context;
    const struct instance instance = {.name = (char *)names_get(&problem->name, 0),
                                      .problem = (struct problem *)problem};
    struct job job = job_make(&instance, NULL, request->planner);
    job.time_limit_ns = request->time_limit_ns / MOST_POINTS;
    job.seed = request->seed;
    SCOPED(outcome_clear) struct outcome outcome = {0};
    TRY(workers_run(&job, &outcome, error));
    if (outcome_found(&outcome) && outcome.plan->extents)
        return error_set(error, STATUS_USAGE,
                         "planner %s splits buffers, expected one that does not",
                         request->planner->name);
    if (!outcome_is_good(&outcome))
        return error_set(error, STATUS_LIMIT, "planner %s found no valid plan: %s",
                         request->planner->name, plan_status_name(outcome.status));
    plan->status = outcome.status;
    plan->measures.peak_bytes = outcome.measures.peak_bytes;
    memcpy(plan->offset, outcome.plan->offset, plan->buffers * sizeof *plan->offset);
    return STATUS_OK;
}

enum status transfer_planned_search(const struct transfer_request *request,
                                    struct transfer_run *run, struct planned_front **front,
                                    struct error *error)
{
    assert(request->setting.mode->in_arena);
    SCOPED(transfer_program_release) struct transfer_program *guess = NULL;
    TRY(transfer_run_begin(request->instance->graph, &request->setting, run, error));
    /* Builds the program of mode cross_region, the other mode that starts transfers before their
       region. */
    const struct transfer_mode *mode;
    TRY(transfer_modes_find("cross_region", &mode, error));
    TRY(transfer_modes_build(mode, &(struct transfer_task){run->regions, run->costs, 0}, &guess,
                             error));
    const struct planned_task task = {.regions = run->regions,
                                      .costs = run->costs,
                                      .alignment_bytes = 1,
                                      .time_limit_ns = request->time_limit_ns,
                                      .capacity_bytes = request->capacity_bytes,
                                      .most_points = MOST_POINTS,
                                      .in_order = request->in_order,
                                      .guess = guess,
                                      .place = place,
                                      .context = (void *)request};
    return planned_front_create(&task, front, error);
}

enum status transfer_planned_arena(const struct transfer_request *request,
                                   const struct planned_front *front, uint64_t *arena_bytes,
                                   struct error *error)
{
    const struct problem *tensors = front->space->level->problem;
    SCOPED(plan_release) struct plan *plan = NULL;
    TRY(plan_create(tensors, &plan, error));
    TRY(place((void *)request, tensors, plan, error));
    *arena_bytes = plan->measures.peak_bytes;
    return STATUS_OK;
}

enum status transfer_planned_take(const struct planned_front *front,
                                  const struct planned_point *point, struct transfer_run *run,
                                  struct error *error)
{
    TRY(schedule_program(front->space, point->start, &run->program, error));
    return transfer_run_finish(run, error);
}
