/* ONNX Runtime's AllocationPlanner (allocation_planner.cc): operators in order, each output into
   the free buffer of exactly its shape and element width that was freed last, else a new one.
   Inputs are freed in order when their last reader has run, then outputs that nobody reads. Inputs
   and outputs of the graph have buffers of their own. Where shapes are not known, equal bytes are
   one shape.

   Departure: sharing in place and views are decided before planning. O(n log n). */

#include "heuristics/pools/ort.h"

#include <stdlib.h>

#include "core/compare.h"
#include "heuristics/common/rows.h"
#include "heuristics/pools/common/facts.h"
#include "heuristics/pools/common/walk.h"
#include "planning/graph/dtype.h"

/* Two buffers have to agree in all of this to share an object. */
struct shape {
    const struct graph_tensor *tensor; /* NULL where the shape is not known */
    uint64_t bytes; /* of an element where the shape is known, else of the whole buffer */
    uint32_t buffer;
    bool alone; /* the buffer shares its object with no other */
};

static int compare_shapes(const void *left, const void *right)
{
    const struct shape *a = left, *b = right;
    int order = compare_numbers(a->alone, b->alone);
    order = order ? order : compare_numbers(a->bytes, b->bytes);
    order = order ? order : compare_numbers(a->tensor != NULL, b->tensor != NULL);
    if (order || !a->tensor)
        return order;
    order = compare_numbers(a->tensor->rank, b->tensor->rank);
    for (uint32_t i = 0; !order && i < a->tensor->rank; i++)
        order = compare_numbers(a->tensor->dimension[i], b->tensor->dimension[i]);
    return order;
}

static enum status find_classes(const struct planner_task *task, const struct pool_fact *facts,
                                bool reuse, uint64_t *class, struct error *error)
{
    const struct problem *problem = task->problem;
    struct shape *shapes;
    TRY(scratch_take(task->scratch, &shapes, problem->buffers, sizeof *shapes, error));
    for (uint32_t b = 0; b < problem->buffers; b++) {
        const struct pool_fact *fact = &facts[b];
        bool alone = fact->variable || fact->result || !reuse;
        shapes[b] = (struct shape){.bytes = problem->size[b], .buffer = b, .alone = alone};
        if (!fact->elements)
            continue;
        shapes[b].tensor = fact->tensor;
        graph_shape_bytes(fact->tensor->dtype, NULL, 0, &shapes[b].bytes);
    }
    qsort(shapes, problem->buffers, sizeof *shapes, compare_shapes);
    for (uint32_t i = 0; i < problem->buffers; i++) {
        bool same = i > 0 && !shapes[i].alone && !compare_shapes(&shapes[i - 1], &shapes[i]);
        class[shapes[i].buffer] = same ? class[shapes[i - 1].buffer] : i;
    }
    return STATUS_OK;
}

enum status ort_share(const struct planner_task *task, bool reuse, struct pools *pools,
                      struct error *error)
{
    const struct problem *problem = task->problem;
    struct pool_walk walk = {.scratch = task->scratch, .pools = pools, .bytes = problem->size};
    struct pool_fact *facts;
    struct pool_classes classes;
    uint64_t *class;
    uint32_t *rank;
    TRY(pool_facts_create(task, &facts, error));
    TRY(scratch_take(task->scratch, &class, problem->buffers, sizeof *class, error));
    TRY(scratch_take(task->scratch, &rank, problem->buffers, sizeof *rank, error));
    TRY(find_classes(task, facts, reuse, class, error));
    TRY(pool_classes_create(&classes, task, class, false, error));
    pool_facts_rank_releases(problem, facts, false, rank);
    walk.release_rank = rank;
    walk.rule = pool_classes_rule(&classes);
    return pool_walk_run_all(&walk, error);
}

static enum status plan_ort(const struct planner *planner, const struct planner_task *task,
                            struct plan *plan, struct error *error)
{
    struct pools pools;
    (void)planner;
    TRY(pools_create(&pools, task, error));
    TRY(ort_share(task, true, &pools, error));
    return pools_lay_out(&pools, 1, plan, error);
}

static const struct planner rows[] = {
    {POOLS("ort", plan_ort, "free buffer of exactly the same shape",
           "onnxruntime core/framework/allocation_planner.cc")},
};

HEURISTICS_ROWS(ort, rows);
