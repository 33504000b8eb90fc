/* Rules of frameworks that try memories in their order: ExecuTorch's banked greedy and TVM's
   unified static memory planner with several pools. Neither knows penalties, pins or reserved
   ranges: they keep what a node conflicts with apart. */

#include "core/checked.h"
#include "core/sort.h"
#include "heuristics/memories/orders.h"
#include "heuristics/memories/place.h"
#include "heuristics/memories/rows.h"

/* An object of a bank: the nodes in it share its bytes. */
struct object {
    uint32_t bank;
    uint64_t offset, bytes;
};

struct banks {
    const struct memory_model *model;
    struct placing placing;
    struct object *object; /* [objects] */
    uint32_t *object_of;   /* [nodes] MEMORY_NONE: not placed */
    uint64_t *used;        /* [arenas] bytes of its objects */
    uint32_t objects;
};

/* One past the highest byte, in the object, of a member that conflicts with the node. */
static uint64_t find_live_end(const struct banks *banks, uint32_t node, uint32_t object)
{
    const struct memory_model *model = banks->model;
    uint64_t end = 0;
    for (uint64_t i = model->first[node]; i < model->first[node + 1]; i++) {
        uint32_t other = model->other[i];
        if (banks->object_of[other] != object)
            continue;
        uint64_t top =
            banks->placing.offset[other] + model->nodes->size[other] - banks->object[object].offset;
        end = top > end ? top : end;
    }
    return end;
}

/* Puts the node into an object of the bank: one that is large enough and free while it lives, one
   with room above its live members, or a new one. */
static bool put_into_bank(struct banks *banks, uint32_t node, uint32_t bank)
{
    const struct memory_model *model = banks->model;
    uint64_t alignment = memory_model_alignment(model, node, bank), bytes, at;
    struct place_found found = {.arena = bank};
    if (!checked_align(model->nodes->size[node], alignment, &bytes))
        return false;
    for (int above = 0; above < 2; above++)
        for (uint32_t o = 0; o < banks->objects; o++) {
            const struct object *object = &banks->object[o];
            if (object->bank != bank || bytes > object->bytes)
                continue;
            uint64_t end = find_live_end(banks, node, o);
            if ((!above && end) || !checked_align(object->offset + end, alignment, &at) ||
                at - object->offset > object->bytes - bytes)
                continue;
            found.offset = at;
            placing_put(&banks->placing, node, found);
            banks->object_of[node] = o;
            return true;
        }
    if (!checked_align(banks->used[bank], alignment, &at) || bytes > model->arena[bank].capacity ||
        at > model->arena[bank].capacity - bytes)
        return false;
    found.offset = at;
    banks->object[banks->objects] = (struct object){bank, at, bytes};
    banks->object_of[node] = banks->objects++;
    banks->used[bank] = at + bytes;
    placing_put(&banks->placing, node, found);
    return true;
}

static enum status plan_banks(const struct memory_task *task, struct memory_plan *plan,
                              struct error *error)
{
    const struct memory_model *model = task->model;
    struct banks banks = {.model = model};
    uint32_t nodes = model->classes.count, *order, *reversed;
    TRY(placing_create(model, task->scratch, &banks.placing, error));
    TRY(scratch_take_all(task->scratch, nodes, error, &banks.object, &banks.object_of, &order,
                         &reversed));
    TRY(scratch_take(task->scratch, &banks.used, model->arenas, sizeof(uint64_t), error));
    /* The largest first, equal ones in reverse. */
    for (uint32_t n = 0; n < nodes; n++) {
        reversed[n] = nodes - n;
        banks.object_of[n] = MEMORY_NONE;
    }
    const struct sort_key keys[SORT_MOST_KEYS] = {
        {.descending = true, SORT_ARRAY(model->nodes->size)}, {SORT_ARRAY(reversed)}};
    TRY(sort_by_keys(keys, NULL, nodes, order, error));
    for (uint32_t i = 0; i < nodes; i++) {
        uint32_t n = order[i], a = 0;
        while (a < model->arenas &&
               (memory_model_traffic(model, n, a) == UINT64_MAX || !put_into_bank(&banks, n, a)))
            a++;
        if (a == model->arenas)
            return STATUS_OK;
    }
    placing_read(&banks.placing, plan);
    return STATUS_OK;
}

const struct memory_planner memory_planner_executorch_banked = {
    .name = "executorch_banked",
    .title = "objects in the first bank of the order that has room",
    .source = "pytorch/executorch 26aed9f0c075, exir/banked_memory_planning.py",
    .flags = MEMORY_PLANNER_NO_PINS | MEMORY_PLANNER_NO_CHUNKS,
    .plan = plan_banks};

/* The lowest offset of the node in an arena above all nodes there that conflict with it and that
   the rule has placed before; UINT64_MAX where it does not fit. A pool that was struck out is never
   tried again. */
static uint64_t find_pool_offset(const struct placing *placing, uint32_t node, uint32_t arena)
{
    const struct memory_model *model = placing->model;
    uint64_t offset = 0, bytes = model->nodes->size[node];
    uint64_t alignment = memory_model_alignment(model, node, arena);
    for (uint64_t i = model->first[node]; i < model->first[node + 1]; i++) {
        uint32_t other = model->other[i];
        uint64_t end;
        if (placing->arena[other] != arena)
            continue;
        if (!checked_align(placing->offset[other] + model->nodes->size[other], alignment, &end))
            return UINT64_MAX;
        offset = end > offset ? end : offset;
    }
    return bytes <= model->arena[arena].capacity && offset <= model->arena[arena].capacity - bytes
               ? offset
               : UINT64_MAX;
}

static enum status plan_pools(const struct memory_task *task, struct memory_plan *plan,
                              struct error *error)
{
    const struct memory_model *model = task->model;
    struct placing placing;
    uint32_t *order;
    TRY(placing_create(model, task->scratch, &placing, error));
    TRY(scratch_take(task->scratch, &order, model->classes.count, sizeof *order, error));
    TRY(memory_order_make(model, MEMORY_ORDER_SIZE, order, error));
    for (uint32_t i = 0; i < model->classes.count; i++) {
        struct place_found found = {.offset = UINT64_MAX};
        for (uint32_t a = 0; a < model->arenas && found.offset == UINT64_MAX; a++)
            if (memory_model_traffic(model, order[i], a) != UINT64_MAX)
                found = (struct place_found){a, find_pool_offset(&placing, order[i], a), 0};
        if (found.offset == UINT64_MAX)
            return STATUS_OK;
        placing_put(&placing, order[i], found);
    }
    placing_read(&placing, plan);
    return STATUS_OK;
}

const struct memory_planner memory_planner_usmp_pools = {
    .name = "usmp_pools",
    .title = "above all placed conflicts, in the first pool of the order in which that fits",
    .source = "apache/tvm a531d170b9, src/tir/usmp/algo/greedy.cc",
    .flags = MEMORY_PLANNER_NO_PINS | MEMORY_PLANNER_NO_CHUNKS,
    .plan = plan_pools};
