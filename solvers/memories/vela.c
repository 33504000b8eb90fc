/* Vela's choice of what stays in fast storage (nxp-imx/ethos-u-vela a6f65663db12, scheduler.py): a
   buffer's worth is its traffic, loads alone decide, and offsets come afterwards. Fast is the first
   memory; what may not lie there, or is evicted, lies in the first other memory that it may use.
   Offsets are found by the suite's `best` in the place of Vela's hill climb; where they are above
   the fast capacity, no plan is found, as with Vela. */

#include <assert.h>
#include <string.h>

#include "core/clock.h"
#include "core/sort.h"
#include "solvers/memories/oracle.h"
#include "solvers/memories/rows.h"

enum { MOST_TOGETHER = 20, FAST = 0 };

struct storage {
    const struct memory_task *task;
    const struct memory_model *model;
    uint32_t *arena;           /* [nodes] */
    uint64_t *offset, *placed; /* [nodes] */
    uint32_t *rival;           /* [rivals] nodes that compete, by start, end and size */
    uint32_t rivals;
    uint32_t *step;        /* [steps] at which some node begins, ascending */
    uint64_t *base, *most; /* [steps] the load without, and with all that is not yet decided */
    uint32_t steps;
    bool kept[MOST_TOGETHER], best_kept[MOST_TOGETHER];
    uint64_t worth, best_worth;
    bool found;
};

static bool is_live(const struct storage *storage, uint32_t node, uint32_t step)
{
    assert(step < storage->steps && (!step || storage->step[step - 1] < storage->step[step]));
    const struct problem *nodes = storage->model->nodes;
    return problem_lower(nodes, node) <= storage->step[step] &&
           storage->step[step] < problem_upper(nodes, node);
}

/* Whether the load, with `more` bytes, is within the fast capacity while the node lives. */
static bool fits(const struct storage *storage, const uint64_t *load, uint32_t node, uint64_t more)
{
    uint64_t capacity = storage->model->arena[FAST].capacity;
    for (uint32_t s = 0; s < storage->steps; s++)
        if (is_live(storage, node, s) && (more > capacity || load[s] > capacity - more))
            return false;
    return true;
}

static void change(const struct storage *storage, uint64_t *load, uint32_t node, uint64_t by)
{
    for (uint32_t s = 0; s < storage->steps; s++)
        if (is_live(storage, node, s)) {
            assert(by <= INT64_MAX || load[s] >= -by); /* no load falls below 0 */
            load[s] += by;
        }
}

static uint64_t get_worth(const struct memory_model *model, uint32_t node)
{
    const struct memory_problem *problem = model->problem;
    uint64_t worth = 0;
    for (uint32_t i = model->classes.first[node]; i < model->classes.first[node + 1]; i++)
        worth += problem->read_bytes[model->classes.member[i]] +
                 problem->write_bytes[model->classes.member[i]];
    return worth;
}

/* The first memory but the fast one that the node may use; MEMORY_NONE where there is none. */
static uint32_t find_slow(const struct memory_model *model, uint32_t node)
{
    for (uint32_t a = 1; a < model->arenas; a++)
        if (memory_model_traffic(model, node, a) != UINT64_MAX)
            return a;
    return MEMORY_NONE;
}

static void keep(struct storage *storage, uint32_t node)
{
    assert(storage->arena[node] == MEMORY_NONE);
    storage->arena[node] = FAST;
    change(storage, storage->base, node, storage->model->nodes->size[node]);
}

static void evict(struct storage *storage, uint32_t node)
{
    assert(storage->arena[node] == MEMORY_NONE);
    storage->arena[node] = find_slow(storage->model, node);
    assert(storage->arena[node] != MEMORY_NONE);
    change(storage, storage->most, node, -storage->model->nodes->size[node]);
}

/* Tries to keep and to evict each of rival[first .. first + count), in this order. */
static void search(struct storage *storage, uint32_t first, uint32_t count, uint32_t at)
{
    if (at == count) {
        assert(count <= MOST_TOGETHER);
        assert(first + count <= storage->rivals);
        if (!storage->found || storage->worth > storage->best_worth) {
            storage->found = true;
            storage->best_worth = storage->worth;
            for (uint32_t i = 0; i < count; i++)
                storage->best_kept[i] = storage->kept[i];
        }
        return;
    }
    uint32_t node = storage->rival[first + at];
    uint64_t bytes = storage->model->nodes->size[node], worth = get_worth(storage->model, node);
    if (fits(storage, storage->base, node, bytes)) {
        storage->kept[at] = true;
        storage->worth += worth;
        change(storage, storage->base, node, bytes);
        search(storage, first, count, at + 1);
        change(storage, storage->base, node, -bytes);
        storage->worth -= worth;
    }
    if (!fits(storage, storage->most, node, 0)) {
        storage->kept[at] = false;
        change(storage, storage->most, node, -bytes);
        search(storage, first, count, at + 1);
        change(storage, storage->most, node, bytes);
    }
}

/* Decides the rivals: long ones that many others outlast go, the others by components. */
static void decide_rivals(struct storage *storage)
{
    const struct problem *nodes = storage->model->nodes;
    uint32_t count = 0;
    for (uint32_t i = 0; i < storage->rivals; i++) {
        uint32_t node = storage->rival[i], later = i + MOST_TOGETHER,
                 end = problem_upper(nodes, node);
        bool is_long = later < storage->rivals &&
                       end - problem_lower(nodes, node) >= MOST_TOGETHER &&
                       end > problem_upper(nodes, storage->rival[later]) + MOST_TOGETHER;
        if (is_long)
            evict(storage, node);
        else
            storage->rival[count++] = node;
    }
    for (uint32_t first = 0, members; first < count; first += members) {
        uint32_t end = problem_upper(nodes, storage->rival[first]);
        assert(!first || problem_lower(nodes, storage->rival[first - 1]) <=
                             problem_lower(nodes, storage->rival[first]));
        for (members = 1; members < MOST_TOGETHER && first + members < count; members++) {
            uint32_t next = storage->rival[first + members];
            if (problem_lower(nodes, next) >= end)
                break;
            end = problem_upper(nodes, next) > end ? problem_upper(nodes, next) : end;
        }
        storage->found = false;
        storage->worth = storage->best_worth = 0;
        search(storage, first, members, 0);
        for (uint32_t i = 0; i < members; i++)
            (storage->found && storage->best_kept[i] ? keep : evict)(storage,
                                                                     storage->rival[first + i]);
    }
}

static uint64_t get_start(const void *context, uint32_t node)
{
    return problem_lower(context, node);
}

static uint64_t get_end(const void *context, uint32_t node)
{
    return problem_upper(context, node);
}

/* Splits the nodes into those that have to be somewhere, those that fit in any case or never, and
   rivals, which are decided at last. A node with no other memory counts as one that has to stay. */
static enum status choose(struct storage *storage, struct scratch *scratch, struct error *error)
{
    const struct memory_model *model = storage->model;
    uint32_t nodes = model->classes.count, *order;
    const struct sort_key keys[SORT_MOST_KEYS] = {
        {.value = get_start}, {.value = get_end}, {SORT_ARRAY(model->nodes->size)}};
    TRY(scratch_take(scratch, &order, nodes, sizeof *order, error));
    TRY(sort_by_keys(keys, model->nodes, nodes, order, error));
    for (uint32_t i = 0; i < nodes; i++) {
        uint32_t start = problem_lower(model->nodes, order[i]);
        if (!i || storage->step[storage->steps - 1] != start) {
            assert(!storage->steps || storage->step[storage->steps - 1] < start);
            storage->step[storage->steps++] = start;
        }
    }
    for (uint32_t n = 0; n < nodes; n++) {
        bool may_be_fast = memory_model_traffic(model, n, FAST) != UINT64_MAX;
        if (may_be_fast)
            change(storage, storage->most, n, model->nodes->size[n]);
        if (may_be_fast && find_slow(model, n) == MEMORY_NONE)
            keep(storage, n);
        else if (!may_be_fast)
            storage->arena[n] = find_slow(model, n);
    }
    for (uint32_t i = 0; i < nodes; i++) {
        uint32_t n = order[i];
        if (storage->arena[n] != MEMORY_NONE)
            continue;
        if (!fits(storage, storage->base, n, model->nodes->size[n]))
            evict(storage, n);
        else
            storage->rival[storage->rivals++] = n;
    }
    uint32_t rivals = 0;
    for (uint32_t i = 0; i < storage->rivals; i++) {
        uint32_t n = storage->rival[i];
        if (fits(storage, storage->most, n, 0))
            keep(storage, n);
        else
            storage->rival[rivals++] = n;
    }
    storage->rivals = rivals;
    decide_rivals(storage);
    return STATUS_OK;
}

/* Finds offsets in each memory by itself. */
static enum status place(struct storage *storage, struct memory_plan *plan, struct oracle *oracle,
                         const bool *paid, struct error *error)
{
    for (uint32_t a = 0; a < storage->model->arenas; a++) {
        struct oracle_question question = oracle_choose(
            oracle, a, storage->arena, paid, clock_left_ns(storage->task->deadline_ns) / 4);
        enum plan_status answer;
        TRY(oracle_ask(oracle, storage->task->best, &question, storage->placed, NULL, &answer,
                       error));
        if (!plan_status_is_found(answer))
            return STATUS_OK;
        for (uint32_t i = 0; i < question.nodes; i++)
            storage->offset[question.node[i]] = storage->placed[i];
    }
    memory_model_fill(storage->model, storage->arena, storage->offset, plan);
    plan->status = PLAN_FEASIBLE;
    return STATUS_OK;
}

static enum status plan_vela(const struct memory_task *task, struct memory_plan *plan,
                             struct error *error)
{
    const struct memory_model *model = task->model;
    struct storage storage = {.task = task, .model = model};
    SCOPED(oracle_free) struct oracle oracle = {.model = NULL};
    bool *paid; /* Vela knows no penalties: all are paid where that is of use */
    TRY(oracle_create(model, &oracle, error));
    TRY(scratch_take(task->scratch, &paid, model->edges, sizeof *paid, error));
    TRY(scratch_take_all(task->scratch, model->classes.count, error, &storage.arena,
                         &storage.offset, &storage.placed, &storage.rival, &storage.step,
                         &storage.base, &storage.most));
    memset(paid, true, model->edges);
    for (uint32_t n = 0; n < model->classes.count; n++)
        storage.arena[n] = MEMORY_NONE;
    TRY(choose(&storage, task->scratch, error));
    return place(&storage, plan, &oracle, paid, error);
}

const struct memory_planner memory_planner_vela_fast_storage = {
    .name = "vela_fast_storage",
    .title = "what stays in the first memory is chosen by load, the greatest traffic first",
    .source = "nxp-imx/ethos-u-vela a6f65663db12, ethosu/vela/scheduler.py",
    .flags = MEMORY_PLANNER_NO_PINS | MEMORY_PLANNER_NO_CHUNKS | MEMORY_PLANNER_NEEDS_BEST,
    .plan = plan_vela};
