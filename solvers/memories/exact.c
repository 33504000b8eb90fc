/* Least cost by an implicit hitting set (Moreno-Centeno and Karp, Operations Research 61(2), 2013)
   and, where buffers have a choice of memories, by logic-based Benders decomposition (Hooker and
   Ottosson, Math. Programming 96, 2003). A master program chooses arenas and the edges to pay; an
   exact planner says whether what it chose fits into each arena; a refusal, made as small as is
   easy, becomes a cut of the master. When all fits, nothing is cheaper. Otherwise edges of the cuts
   are paid one after another until all fits, which gives a plan, and many cuts for each master. */

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/clock.h"
#include "solvers/memories/master.h"
#include "solvers/memories/oracle.h"
#include "solvers/memories/program.h"
#include "solvers/memories/rows.h"

struct search {
    const struct memory_task *task;
    const struct memory_model *model;
    struct memory_plan *plan, *made;
    struct oracle oracle;
    struct master_cuts cuts;
    struct master_answer choice;
    bool *has_choice;                   /* [nodes] several arenas are open to it */
    uint64_t *offset, *question_offset; /* [nodes] */
    struct oracle_core core;
    struct error *error;
};

static enum status begin(struct search *search)
{
    const struct memory_model *model = search->model;
    struct scratch *scratch = search->task->scratch;
    struct error *error = search->error;
    size_t nodes = model->classes.count, edges = model->edges;
    TRY(oracle_create(model, &search->oracle, error));
    TRY(master_cuts_create(model, &search->cuts, error));
    TRY(memory_plan_create(model->problem, &search->made, error));
    TRY(scratch_take_all(scratch, nodes, error, &search->choice.arena, &search->has_choice,
                         &search->offset, &search->question_offset, &search->core.node));
    TRY(scratch_take_all(scratch, edges, error, &search->choice.paid, &search->core.apart));
    master_find_choices(model, search->has_choice, search->choice.arena);
    return STATUS_OK;
}

/* Adds the refusal of a question as a cut. *edge is the cheapest edge that is in it, UINT32_MAX
   where it has none; *empty says that it has nothing that could be chosen otherwise. */
static enum status add_cut(struct search *search, const struct oracle_question *question,
                           uint32_t *edge, bool *empty)
{
    struct oracle_question asked = *question;
    uint64_t left_ns = clock_left_ns(search->task->deadline_ns);
    struct oracle_core *core = &search->core;
    if (left_ns != UINT64_MAX)
        asked.limit_ns = left_ns / 50;
    TRY(oracle_shrink(&search->oracle, search->task->exact, &asked, search->task->deadline_ns, core,
                      search->error));
    assert(core->nodes <= question->nodes && core->aparts <= question->aparts);
    assert(core->nodes > 0);
    TRY(master_cuts_add(&search->cuts, question->arena, core->node, core->nodes, core->apart,
                        core->aparts, search->has_choice, search->error));
    *edge = UINT32_MAX;
    for (uint32_t i = 0; i < core->aparts; i++)
        if (*edge == UINT32_MAX ||
            search->model->edge[core->apart[i]].cost < search->model->edge[*edge].cost)
            *edge = core->apart[i];
    *empty = !core->aparts && search->cuts.first_node[search->cuts.cuts - 1] ==
                                  search->cuts.first_node[search->cuts.cuts];
    return STATUS_OK;
}

/* Says which buffers do not fit into an arena together: those of the latest core. */
static void give_reason(struct search *search, uint32_t arena)
{
    enum { MOST_NAMES = 5 };
    const struct memory_model *model = search->model;
    const struct oracle_core *core = &search->core;
    char *reason = search->plan->reason;
    size_t room = sizeof search->plan->reason, used = 0;
    assert(core->nodes > 0);
    for (uint32_t i = 0; i < core->nodes && i < MOST_NAMES && used < room; i++)
        used += (size_t)snprintf(reason + used, room - used, "%s'%.32s'", i ? ", " : "",
                                 names_get(&model->nodes->names, core->node[i]));
    if (core->nodes > MOST_NAMES && used < room)
        used += (size_t)snprintf(reason + used, room - used, " and %" PRIu32 " more",
                                 core->nodes - MOST_NAMES);
    if (used < room)
        snprintf(reason + used, room - used, " do not fit into memory '%.32s' together",
                 names_get(&model->problem->names, model->arena[arena].memory));
}

enum outcome_of_choice { FITS, FITS_NOT, NEVER_FITS, NOT_KNOWN };

/* Places what is chosen for an arena, and pays edges until it fits. *extended tells whether some
   were paid. */
static enum status place_arena(struct search *search, uint32_t arena, bool *extended,
                               enum outcome_of_choice *outcome)
{
    assert(arena < search->model->arenas);
    for (*outcome = NOT_KNOWN; clock_left_ns(search->task->deadline_ns);) {
        uint64_t left_ns = clock_left_ns(search->task->deadline_ns);
        struct oracle_question question =
            oracle_choose(&search->oracle, arena, search->choice.arena, search->choice.paid,
                          left_ns == UINT64_MAX ? left_ns : left_ns / 4);
        enum plan_status answer;
        uint32_t edge;
        bool empty;
        TRY(oracle_ask(&search->oracle, search->task->exact, &question, search->question_offset,
                       NULL, &answer, search->error));
        if (plan_status_is_found(answer)) {
            for (uint32_t i = 0; i < question.nodes; i++)
                search->offset[question.node[i]] = search->question_offset[i];
            *outcome = FITS;
            return STATUS_OK;
        }
        if (answer != PLAN_INFEASIBLE)
            return STATUS_OK;
        TRY(add_cut(search, &question, &edge, &empty));
        *outcome = empty ? NEVER_FITS : FITS_NOT;
        if (empty)
            give_reason(search, arena);
        if (edge == UINT32_MAX)
            return STATUS_OK;
        assert(!search->choice.paid[edge]); /* questions have edges that are not paid */
        search->choice.paid[edge] = *extended = true;
        *outcome = NOT_KNOWN;
    }
    return STATUS_OK;
}

/* Places what is chosen for all arenas. */
static enum status place_choice(struct search *search, enum outcome_of_choice *outcome)
{
    bool extended = false;
    *outcome = FITS;
    for (uint32_t a = 0; a < search->model->arenas; a++) {
        enum outcome_of_choice one;
        TRY(place_arena(search, a, &extended, &one));
        *outcome = one > *outcome ? one : *outcome;
        if (one == NEVER_FITS || one == NOT_KNOWN) {
            *outcome = one;
            return STATUS_OK;
        }
    }
    if (*outcome != FITS)
        return STATUS_OK;
    memory_model_fill(search->model, search->choice.arena, search->offset, search->made);
    assert(search->made->cost != UINT64_MAX);
    assert(search->made->cost >= search->plan->cost_bound);
    if (!memory_plan_found(search->plan) || search->made->cost < search->plan->cost)
        memory_plan_take(search->plan, search->made);
    return STATUS_OK;
}

/* Raises the bound until it meets the plan, nothing fits, or the time is over. */
static enum status run(struct search *search)
{
    assert(search->cuts.cuts == 0 && search->task->exact);
    struct memory_plan *plan = search->plan;
    enum outcome_of_choice outcome = FITS;
    bool has_choice = false;
    for (uint32_t n = 0; n < search->model->classes.count; n++)
        has_choice |= search->has_choice[n];
    if (!has_choice && !memory_plan_found(plan)) {
        /* Whether anything fits at all, which no master has to be solved for. */
        memset(search->choice.paid, true, search->model->edges);
        TRY(place_choice(search, &outcome));
    }
    while (outcome < NEVER_FITS) {
        uint32_t cuts = search->cuts.cuts;
        TRY(master_solve(&search->cuts, search->has_choice, search->task->deadline_ns,
                         &search->choice, search->error));
        if (search->choice.infeasible) {
            outcome = NEVER_FITS;
            snprintf(plan->reason, sizeof plan->reason,
                     "no choice of memories leaves room for all buffers");
            break;
        }
        if (search->choice.bound > plan->cost_bound)
            plan->cost_bound = search->choice.bound;
        assert(!memory_plan_found(plan) || plan->cost >= plan->cost_bound);
        if ((memory_plan_found(plan) && plan->cost <= plan->cost_bound) || !search->choice.solved ||
            !clock_left_ns(search->task->deadline_ns))
            break;
        TRY(place_choice(search, &outcome));
        if (outcome == FITS && search->cuts.cuts == cuts)
            break; /* the choice is the cheapest, but its cost is not known to the last unit */
    }
    if (outcome == NEVER_FITS && !memory_plan_found(plan))
        plan->status = PLAN_INFEASIBLE;
    else if (memory_plan_found(plan))
        plan->status = plan->cost <= plan->cost_bound ? PLAN_OPTIMAL : PLAN_FEASIBLE;
    else
        plan->status = PLAN_TIMEOUT;
    return STATUS_OK;
}

static void clear_search(struct search *search)
{
    oracle_free(&search->oracle);
    master_cuts_free(&search->cuts);
    memory_plan_free(search->made);
}

static enum status plan_hitting_set(const struct memory_task *task, struct memory_plan *plan,
                                    struct error *error)
{
    SCOPED(clear_search)
    struct search search = {.task = task, .model = task->model, .plan = plan, .error = error};
    if (task->start && memory_plan_found(task->start))
        memory_plan_take(plan, task->start);
    TRY(begin(&search));
    TRY(run(&search));
    plan->questions = search.oracle.questions;
    return STATUS_OK;
}

const struct memory_planner memory_planner_hitting_set = {
    .name = "hitting_set",
    .title = "least cost: a master program chooses, an exact planner refuses what does not fit",
    .source = "Moreno-Centeno and Karp 2013; Hooker and Ottosson 2003",
    .flags = MEMORY_PLANNER_EXACT | MEMORY_PLANNER_SEARCHES | MEMORY_PLANNER_WANTS_START,
    .plan = plan_hitting_set};
