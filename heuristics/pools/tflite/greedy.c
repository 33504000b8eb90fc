/* Two rules for shared objects that are not filled in execution order (Pisarchyk and Lee, arXiv
   2001.03288, and LiteRT delegates/gpu/common/memory_management). A buffer fits an object where
   none of the object's buffers is live at the same time.

   By size: the largest buffer first, into the first object that it fits, which is always large
   enough; else into a new one. O(n live log n).

   By breadth: steps by the bytes live at them, most first, ties by step. At each step the buffers
   that have no object yet, largest first, ties by position. Each goes into the smallest fitting
   object that is large enough, else into the largest fitting one, which grows, else into a new one;
   of equal objects the first. O(n (live log n + objects)). */

#include <stdlib.h>

#include "core/compare.h"
#include "heuristics/common/order.h"
#include "heuristics/common/rows.h"
#include "heuristics/common/spans.h"
#include "heuristics/pools/common/pools.h"

/* Objects with the buffers that are in them. While a buffer is being placed, refused_by notes the
   objects into which it does not fit. */
struct filling {
    struct pools pools;
    struct spans placed;
    uint32_t *found, *order; /* [buffers] */
    uint32_t *refused_by;    /* [objects] 1 + the last buffer that did not fit into it */
    uint32_t count;          /* number of buffers in `order` */
};

static enum status create_filling(struct filling *filling, const struct planner_task *task,
                                  struct error *error)
{
    const struct problem *problem = task->problem;
    uint32_t **arrays[] = {&filling->found, &filling->order, &filling->refused_by};
    *filling = (struct filling){.count = 0};
    TRY(pools_create(&filling->pools, task, error));
    TRY(spans_create(&filling->placed, problem, task->scratch, error));
    for (int i = 0; i < 3; i++)
        TRY(scratch_take(task->scratch, arrays[i], problem->buffers, sizeof(uint32_t), error));
    TRY(order_sort(order_find("size"), problem, 0, filling->order, error));
    filling->count = order_drop_fixed(problem, filling->order);
    return STATUS_OK;
}

static void refuse_objects(struct filling *filling, uint32_t buffer)
{
    const struct problem *problem = filling->pools.problem;
    uint32_t count = spans_find(&filling->placed, problem_lower(problem, buffer),
                                problem_upper(problem, buffer), filling->found);
    for (uint32_t i = 0; i < count; i++)
        filling->refused_by[filling->pools.object[filling->found[i]]] = buffer + 1;
}

static void put_buffer(struct filling *filling, uint32_t object, uint32_t buffer)
{
    if (object == filling->pools.objects)
        pools_add(&filling->pools, 0);
    pools_join(&filling->pools, object, buffer, filling->pools.problem->size[buffer]);
    spans_add(&filling->placed, buffer);
}

static enum status plan_objects_greedy_by_size(const struct planner *planner,
                                               const struct planner_task *task, struct plan *plan,
                                               struct error *error)
{
    struct filling filling;
    (void)planner;
    TRY(create_filling(&filling, task, error));
    for (uint32_t i = 0; i < filling.count; i++) {
        uint32_t buffer = filling.order[i], object = 0;
        refuse_objects(&filling, buffer);
        while (object < filling.pools.objects && filling.refused_by[object] == buffer + 1)
            object++;
        put_buffer(&filling, object, buffer);
    }
    return pools_lay_out(&filling.pools, 1, plan, error);
}

static uint32_t find_closest_fitting(const struct filling *filling, uint32_t buffer)
{
    const uint64_t *bytes = filling->pools.bytes, wanted = filling->pools.problem->size[buffer];
    uint32_t objects = filling->pools.objects, best = objects;
    for (uint32_t o = 0; o < objects; o++) {
        if (filling->refused_by[o] == buffer + 1)
            continue;
        bool enough = bytes[o] >= wanted;
        if (best == objects || (enough != (bytes[best] >= wanted)
                                    ? enough
                                    : (enough ? bytes[o] < bytes[best] : bytes[o] > bytes[best])))
            best = o;
    }
    return best;
}

/* The bytes live at a step at which some buffer begins. At any other step a subset of what was live
   before is live, so only these steps matter. */
struct breadth {
    uint64_t bytes;
    uint32_t step;
};

COMPARE_BY(compare_breadths, struct breadth, compare_numbers(b->bytes, a->bytes),
           compare_numbers(a->step, b->step))

struct event {
    uint32_t step, buffer;
    bool begins;
};

COMPARE_MEMBERS(compare_events, struct event, step, begins)

static enum status find_breadths(const struct filling *filling, struct scratch *scratch,
                                 struct breadth *breadth, uint32_t *count, struct error *error)
{
    const struct problem *problem = filling->pools.problem;
    struct event *event;
    size_t events = 0;
    uint64_t live = 0;
    TRY(scratch_take(scratch, &event, (size_t)filling->count * 2, sizeof *event, error));
    for (uint32_t i = 0; i < filling->count; i++) {
        uint32_t b = filling->order[i];
        event[events++] = (struct event){problem_lower(problem, b), b, true};
        event[events++] = (struct event){problem_upper(problem, b), b, false};
    }
    qsort(event, events, sizeof *event, compare_events);
    *count = 0;
    for (size_t i = 0; i < events; i++) {
        uint64_t bytes = problem->size[event[i].buffer];
        live += event[i].begins ? bytes : 0 - bytes;
        if (event[i].begins && (i + 1 == events || event[i + 1].step != event[i].step))
            breadth[(*count)++] = (struct breadth){live, event[i].step};
    }
    qsort(breadth, *count, sizeof *breadth, compare_breadths);
    return STATUS_OK;
}

/* Goes over the steps by the bytes live at them. The waiting buffers of a step are sorted by their
   position in the order by size, so that the largest comes first. */
struct breadth_walk {
    struct filling filling;
    struct spans waiting;
    uint32_t *position; /* [buffers] where each is in filling.order */
    uint32_t *live;     /* [buffers] positions of the waiting buffers that are live at a step */
    struct breadth *breadth;
};

static void fill_step(struct breadth_walk *walk, uint32_t step)
{
    struct filling *filling = &walk->filling;
    uint32_t count = spans_find(&walk->waiting, step, step + 1, walk->live);
    for (uint32_t i = 0; i < count; i++)
        walk->live[i] = walk->position[walk->live[i]];
    qsort(walk->live, count, sizeof *walk->live, compare_number_items_32);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t buffer = filling->order[walk->live[i]];
        refuse_objects(filling, buffer);
        put_buffer(filling, find_closest_fitting(filling, buffer), buffer);
        spans_remove(&walk->waiting, buffer);
    }
}

static enum status plan_objects_greedy_by_breadth(const struct planner *planner,
                                                  const struct planner_task *task,
                                                  struct plan *plan, struct error *error)
{
    struct breadth_walk walk;
    struct filling *filling = &walk.filling;
    struct scratch *scratch = task->scratch;
    uint32_t buffers = task->problem->buffers, count;
    (void)planner;
    TRY(create_filling(filling, task, error));
    TRY(spans_create(&walk.waiting, task->problem, scratch, error));
    TRY(scratch_take_all(scratch, buffers, error, &walk.position, &walk.live));
    TRY(scratch_take(scratch, &walk.breadth, filling->count, sizeof *walk.breadth, error));
    TRY(find_breadths(filling, scratch, walk.breadth, &count, error));
    for (uint32_t i = 0; i < filling->count; i++) {
        walk.position[filling->order[i]] = i;
        spans_add(&walk.waiting, filling->order[i]);
    }
    for (uint32_t i = 0; i < count; i++)
        fill_step(&walk, walk.breadth[i].step);
    return pools_lay_out(&filling->pools, 1, plan, error);
}

static const struct planner by_size[] = {
    {POOLS("objects_greedy_by_size", plan_objects_greedy_by_size,
           "largest first into the first object that it fits",
           "Pisarchyk and Lee, arXiv 2001.03288, greedy by size for shared objects")},
};

HEURISTICS_ROWS(objects_greedy_by_size, by_size);

static const struct planner by_breadth[] = {
    {POOLS("objects_greedy_by_breadth", plan_objects_greedy_by_breadth,
           "step with most live bytes first, into the best object that it fits",
           "LiteRT delegates/gpu/common/memory_management/greedy_by_breadth_assignment.cc")},
};

HEURISTICS_ROWS(objects_greedy_by_breadth, by_breadth);
