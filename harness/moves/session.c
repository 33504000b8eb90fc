#include "harness/moves/session.h"

#include <inttypes.h>

#include "core/checked.h"
#include "core/clock.h"
#include "core/memory.h"
#include "harness/files/hardware_file.h"
#include "harness/memories/memory_planners.h"
#include "harness/memories/run.h"
#include "planning/execute/moves.h"
#include "planning/memories/address.h"
#include "planning/moves/create.h"
#include "planning/verify/memories/moves.h"

static enum status create_problem(struct move_session *session, struct error *error)
{
    const struct graph *graph = session->graph.job->instance->graph;
    const struct hardware *hardware = &session->hardware;
    enum { MOST_NS = 1000000000 };
    struct move_terms terms = {.graph = graph,
                               .chip = session->graph.file.problem,
                               .channel = {.contention = hardware->contention},
                               .alignment_bytes = session->graph.job->alignment_bytes};
    if (hardware->dma_start_ns > MOST_NS || hardware->dma_start_instruction_ns > MOST_NS ||
        hardware->dma_wait_instruction_ns > MOST_NS ||
        !checked_scale_up((uint64_t)1000 * MOST_NS, 1, hardware->dma_bytes_per_second,
                          &terms.off_chip_read_cost))
        return error_set(error, STATUS_BAD_INPUT,
                         "found an instruction or start-up of more than a second in '%s', expected "
                         "less",
                         hardware->name);
    terms.channel.start = hardware->dma_start_ns * MEMORY_COST_PARTS;
    terms.channel.start_instruction = hardware->dma_start_instruction_ns * MEMORY_COST_PARTS;
    terms.channel.wait_instruction = hardware->dma_wait_instruction_ns * MEMORY_COST_PARTS;
    TRY(memory_create(&session->compute_ns, graph->operators, sizeof(uint64_t), error));
    for (uint32_t o = 0; o < graph->operators; o++)
        if (!hardware_compute_ns(hardware, graph, o, &session->compute_ns[o]))
            session->compute_ns[o] = UINT64_MAX; /* which is refused with the sum */
    terms.compute_ns = session->compute_ns;
    return move_problem_create(&terms, &session->problem, error);
}

enum status move_session_create(const struct job *job, const char *profile, uint64_t capacity_bytes,
                                struct move_session *session, struct error *error)
{
    if (graph_has_streams(job->instance->graph))
        return error_set(error, STATUS_USAGE,
                         "'%s' has several streams, expected one with --moves; without it, "
                         "--memories plans all streams",
                         job->instance->name);
    if (job->policy != &policy_flat || job->inplace.rules)
        return error_set(error, STATUS_USAGE,
                         "found a policy other than flat or in-place rules, expected neither where "
                         "tensors move");
    TRY(graph_memories_create(job, profile, &session->graph, error));
    TRY(hardware_file_load(profile, &session->hardware, error));
    if (capacity_bytes != UINT64_MAX)
        session->graph.file.problem->memory[0].capacity_bytes = capacity_bytes;
    return create_problem(session, error);
}

void move_session_clear(struct move_session *session)
{
    move_plan_clear(&session->still);
    move_plan_clear(&session->fastest);
    move_problem_free(session->problem);
    memory_free(session->compute_ns);
    hardware_clear(&session->hardware);
    graph_memories_clear(&session->graph);
    *session = (struct move_session){.problem = NULL};
}

/* The plan in which every tensor stays where the assignment puts it, and weights off chip. */
static enum status add_still(struct move_session *session, struct error *error)
{
    const struct move_problem *problem = session->problem;
    for (uint32_t i = 0; i < problem->items; i++) {
        const struct move_item *item = &problem->item[i];
        struct move_stay stay = {
            i, problem->memories - 1, MEMORY_NONE, item->from, item->from, item->to, 0};
        if (!move_is_weights(problem, i)) {
            uint64_t address = session->graph.outcome.placement->offset[item->tensor];
            stay.memory = memory_of_address(address);
            stay.offset = memory_offset_of_address(address);
            stay.ready++;
        }
        TRY(move_plan_add(&session->still, &stay, error));
    }
    return STATUS_OK;
}

/* The assignment for this capacity, or that for a smaller one where it is faster. */
static enum status plan_still(struct move_session *session, struct error *error)
{
    const struct job *job = session->graph.job;
    const struct move_plan *smaller = session->smaller ? &session->smaller->still : NULL;
    SCOPED(memory_plan_release) struct memory_plan *plan = NULL;
    const struct memory_run run = {
        job->time_limit_ns == UINT64_MAX ? UINT64_MAX : job->time_limit_ns / 2, job->seed, 0};
    struct move_execution execution;
    session->still.count = 0;
    TRY(memory_plan_create(session->graph.file.problem, &plan, error));
    TRY(memory_run_planner(session->graph.file.problem, memory_planner_find("best"), &run, plan,
                           error));
    if (memory_plan_found(plan)) {
        TRY(graph_memories_take(&session->graph, plan, error));
        TRY(add_still(session, error));
        TRY(execute_moves(session->problem, &session->still, &execution, error));
        session->still.time = execution.time;
    }
    if (smaller && smaller->count && (!session->still.count || smaller->time < session->still.time))
        TRY(move_plan_copy(&session->still, smaller, error));
    return STATUS_OK;
}

static enum status check(const struct move_session *session, const char *planner,
                         const struct move_plan *plan, struct error *error)
{
    struct move_verdict verdict;
    struct move_execution execution;
    verify_moves(session->problem, plan, &verdict);
    if (!verdict.valid)
        return error_set(error, STATUS_INTERNAL, "%s made a wrong plan: %s", planner, verdict.text);
    TRY(execute_moves(session->problem, plan, &execution, error));
    if (!execution.intact)
        return error_set(error, STATUS_INTERNAL, "%s made a wrong plan: %s", planner,
                         execution.text);
    if (execution.time != plan->time || plan->time < plan->time_bound)
        return error_set(error, STATUS_INTERNAL,
                         "%s says that its plan takes %" PRIu64 " ps, at least %" PRIu64
                         ", and it takes %" PRIu64,
                         planner, plan->time, plan->time_bound, execution.time);
    return STATUS_OK;
}

enum status move_session_plan(struct move_session *session, const struct move_planner *planner,
                              struct move_plan *plan, bool *found, struct error *error)
{
    SCOPED(move_draft_clear) struct move_draft draft = {.problem = NULL};
    const struct move_plan none = {.stay = NULL};
    const struct move_task task = {
        session->problem, &session->still, session->smaller ? &session->smaller->fastest : &none,
        session->graph.job->seed, clock_deadline_ns(session->graph.job->time_limit_ns)};
    TRY(plan_still(session, error));
    TRY(move_draft_create(session->problem, &draft, error));
    TRY(planner->plan(planner, &task, &draft, found, error));
    if (!*found)
        return STATUS_OK;
    draft.plan.time_bound = move_time_bound(session->problem);
    TRY(move_plan_copy(plan, &draft.plan, error));
    TRY(check(session, planner->name, plan, error));
    if (!session->fastest.count || plan->time < session->fastest.time)
        TRY(move_plan_copy(&session->fastest, plan, error));
    return STATUS_OK;
}
