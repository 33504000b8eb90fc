/* Chooses by load alone and places afterwards, as Vela's fast storage does: the cheapest choice
   where a walk over the sections finds it (load_walk.h), else of each node the arena in which the
   relaxation of the master has most of it. Where an ordinary planner finds no place
   for what was chosen, the choice is repeated with a share of the capacity, which is found by
   bisection. */

#include <assert.h>
#include <string.h>

#include "core/clock.h"
#include "solvers/memories/choice.h"
#include "solvers/memories/load_walk.h"
#include "solvers/memories/master.h"
#include "solvers/memories/oracle.h"
#include "solvers/memories/program.h"
#include "solvers/memories/rows.h"

struct packing {
    const struct memory_task *task;
    struct memory_plan *plan, *made;
    struct oracle oracle;
    struct master_cuts cuts;
    struct master_answer choice;
    bool *has_choice;                /* [nodes] */
    uint32_t *other;                 /* [nodes] scratch: another choice */
    uint64_t *offset, *arena_offset; /* [nodes] */
    struct error *error;
};

static void clear_packing(struct packing *packing)
{
    oracle_free(&packing->oracle);
    master_cuts_free(&packing->cuts);
    memory_plan_free(packing->made);
}

static enum status begin(struct packing *packing)
{
    const struct memory_model *model = packing->task->model;
    struct scratch *scratch = packing->task->scratch;
    struct error *error = packing->error;
    size_t nodes = model->classes.count;
    TRY(oracle_create(model, &packing->oracle, error));
    TRY(master_cuts_create(model, &packing->cuts, error));
    TRY(memory_plan_create(model->problem, &packing->made, error));
    TRY(scratch_take_all(scratch, nodes, error, &packing->has_choice, &packing->choice.arena,
                         &packing->choice.share, &packing->other, &packing->offset,
                         &packing->arena_offset));
    TRY(scratch_take(scratch, &packing->choice.paid, model->edges, sizeof(bool), error));
    master_find_choices(model, packing->has_choice, packing->choice.arena);
    return STATUS_OK;
}

static uint64_t sum_traffic(const struct memory_model *model, const uint32_t *arena)
{
    uint64_t sum = 0;
    for (uint32_t n = 0; n < model->classes.count; n++) {
        assert(memory_model_traffic(model, n, arena[n]) != UINT64_MAX);
        sum += memory_model_traffic(model, n, arena[n]);
    }
    return sum;
}

/* Takes the choice of a branch and cut where it is cheaper than what was rounded. */
static enum status choose_whole(struct packing *packing, uint64_t limit_ns)
{
    const struct memory_model *model = packing->task->model;
    struct master_answer whole = {
        .choice_alone = true, .arena = packing->other, .paid = packing->choice.paid};
    assert(packing->choice.solved && !packing->choice.infeasible);
    memcpy(packing->other, packing->choice.arena, model->classes.count * sizeof *packing->other);
    TRY(master_solve(&packing->cuts, packing->has_choice, clock_deadline_ns(limit_ns), &whole,
                     packing->error));
    if (whole.solved &&
        sum_traffic(model, packing->other) < sum_traffic(model, packing->choice.arena))
        memcpy(packing->choice.arena, packing->other,
               model->classes.count * sizeof *packing->other);
    return STATUS_OK;
}

/* Places what is chosen; true where a planner finds a place for all of it in time. */
static enum status pack(struct packing *packing, uint64_t limit_ns, bool *fits)
{
    const struct memory_model *model = packing->task->model;
    *fits = true;
    for (uint32_t a = 0; a < model->arenas && *fits; a++) {
        struct oracle_question question = oracle_choose(&packing->oracle, a, packing->choice.arena,
                                                        packing->choice.paid, limit_ns);
        enum plan_status answer;
        assert(question.nodes <= model->classes.count);
        TRY(oracle_ask(&packing->oracle, packing->task->best, &question, packing->arena_offset,
                       NULL, &answer, packing->error));
        *fits = plan_status_is_found(answer);
        for (uint32_t i = 0; i < question.nodes && *fits; i++)
            packing->offset[question.node[i]] = packing->arena_offset[i];
    }
    if (!*fits)
        return STATUS_OK;
    memory_model_fill(model, packing->choice.arena, packing->offset, packing->made);
    assert(packing->made->cost >= packing->plan->cost_bound);
    if (!memory_plan_found(packing->plan) || packing->made->cost < packing->plan->cost)
        memory_plan_take(packing->plan, packing->made);
    return STATUS_OK;
}

/* Makes the choice for this share of the capacities; *walks becomes false where there are too many
   states to walk. Then the relaxation is solved once where later choices `can_round` it. */
static enum status choose(struct packing *packing, bool *walks, bool can_round,
                          uint64_t deadline_ns)
{
    struct master_answer *choice = &packing->choice;
    if (*walks) {
        TRY(load_walk_choose(packing->task->model, packing->cuts.room, deadline_ns, choice,
                             packing->error));
        *walks = choice->solved || choice->infeasible;
    }
    return *walks || (can_round && choice->solved)
               ? STATUS_OK
               : master_solve(&packing->cuts, packing->has_choice, deadline_ns, choice,
                              packing->error);
}

/* Narrows the share of the capacities down: what fits is the low end. The first choice has all of
   it, and its bound holds for all plans. */
static enum status narrow(struct packing *packing)
{
    enum { MOST_STEPS = 12, MOST_LOADS = 1 << 22 };
    static const double enough = 0.0005;
    struct master_cuts *cuts = &packing->cuts;
    const struct memory_model *model = packing->task->model;
    bool can_round = !model->by_pairs && !model->edges &&
                     (uint64_t)model->arenas * model->classes.count < MOST_LOADS;
    assert(cuts->room == 1 && !memory_plan_found(packing->plan));
    double low = 0, high = 1, step = 0.01;
    bool walks = true;
    for (int i = 0; i < MOST_STEPS && high - low > enough; i++) {
        uint64_t left_ns = clock_left_ns(packing->task->deadline_ns);
        uint64_t slice_ns = left_ns == UINT64_MAX ? 1000000000 : left_ns / (i ? 8 : 3);
        bool fits = false;
        const struct choice_request request = {.share = packing->choice.share,
                                               .room = cuts->room,
                                               .deadline_ns = clock_deadline_ns(slice_ns / 4),
                                               .seed = packing->task->seed,
                                               .arena = packing->choice.arena};
        TRY(choose(packing, &walks, can_round, clock_deadline_ns(slice_ns)));
        if (!i) {
            packing->plan->cost_bound = packing->choice.bound;
            if (packing->choice.infeasible)
                packing->plan->status = PLAN_INFEASIBLE;
        }
        if (packing->choice.infeasible || !clock_left_ns(packing->task->deadline_ns))
            break;
        if (packing->choice.solved && can_round && !walks) {
            TRY(choice_round(model, &request, packing->task->scratch, packing->error));
            TRY(choose_whole(packing, slice_ns / 4));
        }
        if (packing->choice.solved)
            TRY(pack(packing, slice_ns, &fits));
        if (fits && cuts->room >= 1)
            break;
        *(fits ? &low : &high) = cuts->room;
        assert(low < high); /* what fits is below what does not */
        cuts->room = low > 0 ? (low + high) / 2 : high - step;
        step *= 2;
        if (cuts->room <= 0)
            break;
    }
    return STATUS_OK;
}

static enum status plan_packed(const struct memory_task *task, struct memory_plan *plan,
                               struct error *error)
{
    SCOPED(clear_packing) struct packing packing = {.task = task, .plan = plan, .error = error};
    TRY(begin(&packing));
    TRY(narrow(&packing));
    if (memory_plan_found(plan) && plan->cost <= plan->cost_bound)
        plan->status = PLAN_OPTIMAL;
    plan->questions = packing.oracle.questions;
    return STATUS_OK;
}

const struct memory_planner memory_planner_choose_and_pack = {
    .name = "choose_and_pack",
    .title = "the cheapest choice by load, then places; with less room until all have one",
    .source = "ours, after Bar-Noy et al., J. ACM 48(5), 2001",
    .flags = MEMORY_PLANNER_EXACT | MEMORY_PLANNER_SEARCHES | MEMORY_PLANNER_NEEDS_BEST,
    .plan = plan_packed};
