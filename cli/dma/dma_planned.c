#include "cli/dma/dma_planned.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "dma/planned/schedule_program.h"
#include "harness/job/child.h"

/* About so many capacities are tried. */
enum { MOST_POINTS = 200 };

struct placer {
    const struct arguments *arguments;
    const struct planner *planner;
};

static void take_outcome(const struct outcome *outcome, struct plan *plan)
{
    plan->status = outcome->status;
    plan->measures.peak_bytes = outcome->measures.peak_bytes;
    memcpy(plan->offset, outcome->plan->offset, plan->buffers * sizeof *plan->offset);
}

static enum status place(void *context, const struct problem *problem, struct plan *plan,
                         struct error *error)
{
    const struct placer *placer = context;
    const struct instance instance = {.name = (char *)names_get(&problem->name, 0),
                                      .problem = (struct problem *)problem};
    const struct job job = {.instance = &instance,
                            .planner = placer->planner,
                            .options = "",
                            .capacity_bytes = UINT64_MAX,
                            .time_limit_ns = placer->arguments->time_limit_ns / MOST_POINTS,
                            .seed = placer->arguments->seed,
                            .alignment_bytes = 1};
    struct outcome outcome;
    enum status status = STATUS_OK;
    TRY(child_run(&job, &outcome, error));
    if (outcome_found(&outcome) && outcome.plan->extents)
        status =
            error_set(error, STATUS_USAGE, "planner %s splits buffers, expected one that does not",
                      placer->planner->name);
    else if (outcome_is_good(&outcome))
        take_outcome(&outcome, plan);
    else
        status = error_set(error, STATUS_LIMIT, "planner %s found no valid plan: %s",
                           placer->planner->name, plan_status_name(outcome.status));
    outcome_clear(&outcome);
    return status;
}

enum status dma_planned_search(const struct arguments *arguments, const struct planner *planner,
                               const struct hardware *hardware, const struct instance *instance,
                               const struct transfer_mode *mode, struct transfer_run *run,
                               struct planned_front **front, struct error *error)
{
    struct placer placer = {arguments, planner};
    TRY(transfer_run_begin(instance->graph, &(struct transfer_setting){hardware, mode, 0}, run,
                           error));
    const struct planned_task task = {.regions = run->regions,
                                      .costs = run->costs,
                                      .alignment_bytes = 1,
                                      .time_limit_ns = arguments->time_limit_ns,
                                      .capacity_bytes = arguments->capacity_bytes,
                                      .most_points = MOST_POINTS,
                                      .place = place,
                                      .context = &placer};
    return planned_front_create(&task, front, error);
}

enum status dma_planned_arena(const struct arguments *arguments, const struct planner *planner,
                              const struct planned_front *front, uint64_t *arena_bytes,
                              struct error *error)
{
    struct placer placer = {arguments, planner};
    const struct problem *tensors = front->space->level->problem;
    struct plan *plan;
    TRY(plan_create(tensors, &plan, error));
    enum status status = place(&placer, tensors, plan, error);
    *arena_bytes = plan->measures.peak_bytes;
    plan_free(plan);
    return status;
}

enum status dma_planned_take(const struct planned_front *front, const struct planned_point *point,
                             struct transfer_run *run, struct error *error)
{
    TRY(schedule_program(front->space, point->start, &run->program, error));
    return transfer_run_finish(run, error);
}

void dma_planned_add(const struct planned_front *front, struct json_tree *facts)
{
    json_build_open(facts, "front", JSON_ARRAY);
    for (uint32_t i = 0; i < front->count; i++) {
        const struct planned_point *point = &front->point[i];
        json_build_open(facts, NULL, JSON_OBJECT);
        json_build_count(facts, "total_ns", point->times.expected_ns);
        json_build_count(facts, "worst_ns", point->times.worst_ns);
        json_build_count(facts, "on_chip_bytes", point->on_chip_bytes);
        json_build_count(facts, "load_bytes", point->load_bytes);
        json_build_close(facts);
    }
    json_build_close(facts);
    json_build_boolean(facts, "complete", front->complete);
}

void dma_planned_print(const struct planned_front *front)
{
    printf("\n%14s %14s  front%s\n", "total ms", "on chip bytes",
           front->complete ? "" : " (cut short by the time limit)");
    for (uint32_t i = 0; i < front->count; i++)
        printf("%14.6f %14" PRIu64 "\n", (double)front->point[i].times.expected_ns / 1e6,
               front->point[i].on_chip_bytes);
}
