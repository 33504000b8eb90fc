/* ExecuTorch's greedy (exir/memory_planning.py). Sizes are rounded up to the alignment. Buffers
   come largest first, of equals the last one first. Each goes to the start of the first object none
   of whose buffers is live together with it; else, where overlapping is allowed, into the first
   object that has room above the buffers that are live with it; else into a new object of its size.
   Objects never grow. Departure: the order of equals is arbitrary there (a Python set). O(n (live
   log n + objects)). */

#include "core/checked.h"
#include "heuristics/common/order.h"
#include "heuristics/common/rows.h"
#include "heuristics/common/spans.h"
#include "heuristics/pools/common/pools.h"

enum { ALIGNMENT, OVERLAP };

static const struct planner_option options[] = {
    {"alignment", "bytes that sizes are rounded up to", 16, 1, 4096},
    {"overlap", "buffers that are live together may share an object", 1, 0, 1},
    {NULL, NULL, 0, 0, 0},
};

/* How far an object is filled by buffers that are live together with the one to be placed. */
struct level_in_object {
    uint64_t end;
    uint32_t buffer; /* 1 + the buffer for which `end` was found */
};

struct greedy {
    struct pools pools;
    struct spans placed;
    uint32_t *order, *found;        /* [buffers] */
    struct level_in_object *filled; /* [objects] how far each is filled */
    uint64_t alignment;
    bool overlap;
};

static bool round_up(const struct greedy *greedy, uint32_t buffer, uint64_t *bytes)
{
    return checked_align(greedy->pools.problem->size[buffer], greedy->alignment, bytes);
}

static uint64_t get_rounded(const void *context, uint32_t buffer)
{
    uint64_t bytes;
    return round_up(context, buffer, &bytes) ? bytes : UINT64_MAX;
}

static uint64_t get_position(const void *context, uint32_t buffer)
{
    (void)context;
    return buffer;
}

static const struct sort_key largest_first[SORT_MOST_KEYS] = {
    {.value = get_rounded, .descending = true}, {.value = get_position, .descending = true}};

static bool find_filled(struct greedy *greedy, uint32_t buffer)
{
    const struct problem *problem = greedy->pools.problem;
    uint32_t count = spans_find(&greedy->placed, problem_lower(problem, buffer),
                                problem_upper(problem, buffer), greedy->found);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t other = greedy->found[i];
        struct level_in_object *filled = &greedy->filled[greedy->pools.object[other]];
        uint64_t bytes, end;
        if (!round_up(greedy, other, &bytes) ||
            !checked_add(greedy->pools.inside[other], bytes, &end))
            return false;
        if (filled->buffer != buffer + 1)
            *filled = (struct level_in_object){0, buffer + 1};
        if (filled->end < end)
            filled->end = end;
    }
    return true;
}

static bool place_buffer(struct greedy *greedy, uint32_t buffer)
{
    struct pools *pools = &greedy->pools;
    uint64_t bytes, inside = 0, end, alignment = problem_alignment(pools->problem, buffer);
    uint32_t object = 0;
    if (!round_up(greedy, buffer, &bytes) || !find_filled(greedy, buffer))
        return false;
    while (object < pools->objects && greedy->filled[object].buffer == buffer + 1)
        object++;
    if (object == pools->objects && greedy->overlap)
        for (object = 0; object < pools->objects; object++)
            if (checked_align(greedy->filled[object].end, alignment, &inside) &&
                checked_add(inside, bytes, &end) && end <= pools->bytes[object])
                break;
    if (object == pools->objects) {
        object = pools_add(pools, bytes);
        inside = 0;
    }
    pools_join(pools, object, buffer, 0);
    pools->inside[buffer] = inside;
    spans_add(&greedy->placed, buffer);
    return true;
}

static enum status plan_executorch_greedy(const struct planner *planner,
                                          const struct planner_task *task, struct plan *plan,
                                          struct error *error)
{
    struct greedy all = {.alignment = planner_option_value(planner, ALIGNMENT),
                         .overlap = planner_option_value(planner, OVERLAP) == 1};
    struct greedy *greedy = &all;
    const struct problem *problem = task->problem;
    struct scratch *scratch = task->scratch;
    TRY(pools_create(&greedy->pools, task, error));
    TRY(spans_create(&greedy->placed, problem, scratch, error));
    TRY(scratch_take_all(scratch, problem->buffers, error, &greedy->order, &greedy->found,
                         &greedy->filled));
    TRY(sort_by_keys(largest_first, greedy, problem->buffers, greedy->order, error));
    uint32_t count = order_drop_fixed(problem, greedy->order);
    plan->status = PLAN_UNSUPPORTED;
    for (uint32_t i = 0; i < count; i++)
        if (!place_buffer(greedy, greedy->order[i]))
            return STATUS_OK;
    return pools_lay_out(&greedy->pools, greedy->alignment, plan, error);
}

static const struct planner rows[] = {
    {POOLS("executorch_greedy", plan_executorch_greedy,
           "largest first into objects that never grow, beside what is live there",
           "pytorch/executorch exir/memory_planning.py, greedy"),
     .options = options},
};

HEURISTICS_ROWS(executorch, rows);
