#include <assert.h>
#include <stdio.h>

#include "core/clock.h"
#include "core/parallel.h"
#include "solvers/mip/component.h"
#include "solvers/mip/mip.h"

/* Those that prove what the others do not; of several that need the same work the first wins. */
static const struct mip_formulation *const formulations[] = {
    &mip_formulation_cliques, &mip_formulation_benders, &mip_formulation_positions};
enum { RACERS = sizeof formulations / sizeof *formulations };

/* The work of the first round, about 0.2 s by GLPK. */
static const uint64_t first_work = 4000000;

struct racer {
    struct plan *plan; /* of this round */
    struct mip_meter meter;
    bool is_out; /* it refuses the problem, or cannot do more */
    bool is_ready;
    enum status status;
    struct error error;
};

struct race {
    const struct mip_way *way;
    const struct planner_task *task;
    struct plan *plan; /* the best of the rounds before */
    uint64_t most_work;
    atomic_uint_least64_t least; /* work of those who are ready */
    struct racer racer[RACERS];
};

static bool is_ready(const struct race *race, const struct plan *plan)
{
    return mip_is_proved(plan) || plan->measures.lower_bound_bytes > race->task->capacity_bytes;
}

static enum status search_round(const struct race *race, struct racer *racer, uint32_t i)
{
    struct mip_way way = *race->way;
    struct error *error = &racer->error;
    way.formulation = formulations[i];
    way.meter = &racer->meter;
    racer->meter = (struct mip_meter){.most = race->most_work, .least = &race->least};
    plan_free(racer->plan);
    racer->plan = NULL;
    TRY(plan_create(race->task->problem, &racer->plan, error));
    TRY(search_record_create(&racer->plan->search, error));
    racer->plan->status = race->plan->status;
    if (plan_found(race->plan))
        plan_take(racer->plan, race->plan);
    racer->plan->measures.lower_bound_bytes = race->plan->measures.lower_bound_bytes;
    TRY(mip_search(&way, race->task, racer->plan, error));
    return STATUS_OK;
}

static void run_racer(void *context, uint32_t i)
{
    struct race *race = context;
    struct racer *racer = &race->racer[i];
    assert(!racer->is_ready); /* else the race would be over */
    assert(racer->status == STATUS_OK);
    if (racer->is_out)
        return;
    racer->status = search_round(race, racer, i);
    racer->is_ready = racer->status == STATUS_OK && is_ready(race, racer->plan);
    racer->is_out = racer->meter.done < racer->meter.most && racer->meter.done <= race->least;
    uint64_t least = race->least;
    while (racer->is_ready && racer->meter.done < least &&
           !atomic_compare_exchange_weak(&race->least, &least, racer->meter.done))
        continue;
}

static void take_from(struct race *race, const struct racer *racer)
{
    const struct plan *found = racer->plan;
    struct measures *best = &race->plan->measures;
    if (plan_found(found) &&
        (!plan_found(race->plan) || found->measures.peak_bytes < best->peak_bytes))
        plan_take(race->plan, found);
    if (!plan_found(race->plan))
        race->plan->status = found->status;
    if (found->measures.lower_bound_bytes > best->lower_bound_bytes)
        best->lower_bound_bytes = found->measures.lower_bound_bytes;
    best->nodes += found->measures.nodes;
    assert(!plan_found(race->plan) || best->lower_bound_bytes <= best->peak_bytes);
    search_record_join(race->plan->search, found->search);
}

/* Takes what the round has brought: of the winner alone, where there is one, since how far the
   others came depends on the threads. */
static enum status end_round(struct race *race, bool *is_over, struct error *error)
{
    const struct racer *winner = NULL, *out = NULL;
    uint32_t outs = 0;
    for (uint32_t i = 0; i < RACERS; i++) {
        const struct racer *racer = &race->racer[i];
        if (racer->status) {
            *error = racer->error;
            return racer->status;
        }
        if (racer->is_ready && (!winner || racer->meter.done < winner->meter.done))
            winner = racer;
        out = racer->is_out && !out ? racer : out;
        outs += racer->is_out;
    }
    for (uint32_t i = 0; i < RACERS; i++)
        if (race->racer[i].plan && (!winner || winner == &race->racer[i]))
            take_from(race, &race->racer[i]);
    assert(!winner || winner->meter.done == race->least);
    *is_over = winner || is_ready(race, race->plan) || outs == RACERS ||
               !clock_left_ns(race->way->deadline_ns);
    if (outs == RACERS && !winner && !plan_found(race->plan))
        snprintf(race->plan->reason, sizeof race->plan->reason, "%s", out->plan->reason);
    return STATUS_OK;
}

enum status mip_race(const struct mip_way *way, const struct planner_task *task, struct plan *plan,
                     struct error *error)
{
    if (task->threads <= 1) {
        struct mip_way first = *way;
        first.formulation = formulations[0];
        return mip_search(&first, task, plan, error);
    }
    struct race race = {.way = way, .task = task, .plan = plan, .most_work = first_work};
    enum status status = STATUS_OK;
    bool is_over = false;
    assert(way->solver->counts_work && plan->search);
    while (!is_over && status == STATUS_OK) {
        race.least = UINT64_MAX;
        parallel_run(task->threads, RACERS, run_racer, &race);
        status = end_round(&race, &is_over, error);
        race.most_work *= 2;
    }
    for (uint32_t i = 0; i < RACERS; i++)
        plan_free(race.racer[i].plan);
    return status;
}

const struct planner planner_ilp_race = {
    ILP_PLANNER_COMMON,
    .name = "ilp_race",
    .title = "several integer programs at once, the first proof ends all",
    .source = "ours: docs/integer-programs.md",
    .options = mip_options,
    .plan = mip_plan,
};
