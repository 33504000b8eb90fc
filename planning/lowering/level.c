#include "planning/lowering/level.h"

#include <assert.h>

#include "core/memory.h"
#include "planning/verify/describe.h"
#include "planning/verify/plan.h"

struct builder {
    const struct graph *graph;
    const struct liveness *liveness;
    struct level *level;
    size_t tensor_capacity, operator_capacity;
    uint64_t alignment_bytes;
    uint32_t end; /* step that lifetimes are clipped to */
    struct error *error;
};

static struct builder start_builder(const struct level_source *source, uint32_t end,
                                    struct error *error)
{
    assert(source->alignment_bytes > 0);
    return (struct builder){.graph = source->graph,
                            .liveness = source->liveness,
                            .alignment_bytes = source->alignment_bytes,
                            .end = end,
                            .error = error};
}

static enum status add_buffer(struct builder *builder, const char *name, uint64_t bytes)
{
    assert(bytes > 0);
    const struct problem_buffer buffer = {.name = name,
                                          .size = bytes,
                                          .alignment = builder->alignment_bytes,
                                          .fixed_offset = PROBLEM_FREE,
                                          .hint = -1};
    return problem_add_buffer(builder->level->problem, &buffer, builder->error);
}

static enum status add_segment(struct builder *builder, uint32_t lower, uint32_t upper,
                               uint64_t bytes)
{
    assert(lower < builder->end);
    if (upper > builder->end)
        upper = builder->end;
    return problem_add_segment(builder->level->problem,
                               (struct problem_segment){lower, upper, 0, bytes}, builder->error);
}

/* Adds the segments of a place. At first its window is as large as the place. Where a tensor that
   is written into it later is needed longer than all before it and has fewer bytes, a segment with
   a smaller window follows once these have ended. There is a pause between two segments only where
   a variable is assigned without being read: its old value may be needed no longer some time
   before. */
static enum status add_segments(struct builder *builder, uint32_t root)
{
    const struct liveness *liveness = builder->liveness;
    const struct graph_tensor *tensor = builder->graph->tensor;
    uint32_t lower = liveness->lower[root], upper = liveness->upper[root];
    uint64_t bytes = liveness_place_bytes(liveness, builder->graph, root);
    uint32_t t = liveness->next ? liveness->next[root] : GRAPH_NONE;
    assert(lower < upper && bytes > 0);
    for (; t != GRAPH_NONE; t = liveness->next[t]) {
        assert(liveness->root[t] == root);
        if (liveness->upper[t] <= upper)
            continue;
        bool pauses = liveness->lower[t] > upper;
        if (pauses || tensor[t].bytes < bytes) {
            TRY(add_segment(builder, lower, upper, bytes));
            lower = pauses ? liveness->lower[t] : upper;
            bytes = tensor[t].bytes;
        }
        upper = liveness->upper[t];
    }
    return add_segment(builder, lower, upper, bytes);
}

/* Says for the problem's last buffer of what it is: of a tensor, or the block of an operator. */
static enum status own_buffer(struct builder *builder, uint32_t tensor, uint32_t op)
{
    struct level *level = builder->level;
    uint32_t buffer = level->problem->buffers - 1;
    assert(level->problem->buffers > 0 && (tensor == GRAPH_NONE) != (op == GRAPH_NONE));
    TRY(memory_reserve(&level->tensor, &builder->tensor_capacity, (size_t)buffer + 1,
                       sizeof *level->tensor, builder->error));
    TRY(memory_reserve(&level->op, &builder->operator_capacity, (size_t)buffer + 1,
                       sizeof *level->op, builder->error));
    level->tensor[buffer] = tensor;
    level->op[buffer] = op;
    return STATUS_OK;
}

static enum status add_tensor(struct builder *builder, uint32_t tensor)
{
    const struct liveness *liveness = builder->liveness;
    if (!liveness_has_place(liveness, tensor))
        return STATUS_OK;
    TRY(add_buffer(builder, names_get(&builder->graph->tensor_names, tensor),
                   liveness_place_bytes(liveness, builder->graph, tensor)));
    TRY(add_segments(builder, tensor));
    return own_buffer(builder, tensor, GRAPH_NONE);
}

static enum status add_tensors(struct builder *builder, struct span tensors)
{
    for (uint32_t i = 0; i < tensors.count; i++)
        TRY(add_tensor(builder, builder->graph->list[tensors.first + i]));
    return STATUS_OK;
}

static enum status add_block(struct builder *builder, uint32_t op, uint64_t bytes)
{
    const struct liveness *liveness = builder->liveness;
    assert(builder->graph->op[op].first_region != GRAPH_NONE && bytes > 0);
    TRY(add_buffer(builder, graph_label(builder->graph, builder->graph->op[op].name), bytes));
    TRY(add_segment(builder, liveness->enter_step[op], liveness->block_upper[op], bytes));
    return own_buffer(builder, GRAPH_NONE, op);
}

/* In the order of definition: a loop's arguments are written when it is entered, an operator's
   outputs when it has run. */
static enum status add_operator(struct builder *builder, uint32_t o)
{
    const struct graph_operator *op = &builder->graph->op[o];
    for (uint32_t i = 0; i < op->carried.count; i++)
        TRY(add_tensor(builder, builder->graph->carried[op->carried.first + i].argument));
    return add_tensors(builder, op->outputs);
}

static enum status create_builder(struct builder *builder, const char *name)
{
    struct level *level;
    TRY(memory_create(&level, 1, sizeof *level, builder->error));
    enum status status = problem_create(&level->problem, name, builder->error);
    builder->level = level;
    level->graph = builder->graph;
    level->liveness = builder->liveness;
    if (status)
        level_free(level);
    return status;
}

static enum status finish_builder(struct builder *builder, enum status status, struct level **level)
{
    if (!status)
        status = problem_finish(builder->level->problem, builder->error);
    if (status)
        level_free(builder->level);
    else
        *level = builder->level;
    return status;
}

static enum status fill_flat(struct builder *builder)
{
    TRY(add_tensors(builder, builder->graph->inputs));
    for (uint32_t o = 0; o < builder->graph->operators; o++)
        TRY(add_operator(builder, o));
    return STATUS_OK;
}

enum status level_create_flat(const struct level_source *source, struct level **level,
                              struct error *error)
{
    struct builder builder = start_builder(source, source->liveness->steps, error);
    TRY(create_builder(&builder, graph_name(source->graph)));
    return finish_builder(&builder, fill_flat(&builder), level);
}

static enum status add_region(struct builder *builder, uint32_t region, const uint64_t *block_bytes)
{
    const struct graph *graph = builder->graph;
    for (uint32_t o = graph->region[region].begin; o < graph->region[region].end;
         o = graph->op[o].end) {
        if (block_bytes[o])
            TRY(add_block(builder, o, block_bytes[o]));
        TRY(add_operator(builder, o));
    }
    return STATUS_OK;
}

static enum status fill_region(struct builder *builder, uint32_t region,
                               const uint64_t *block_bytes)
{
    const struct graph *graph = builder->graph;
    uint32_t owner = graph->region[region].owner;
    if (region == 0)
        TRY(add_tensors(builder, graph->inputs));
    TRY(add_region(builder, region, block_bytes));
    if (owner == GRAPH_NONE || !graph->op[owner].loop)
        return STATUS_OK;
    for (uint32_t r = graph->region[region].next; r != GRAPH_NONE; r = graph->region[r].next)
        TRY(add_region(builder, r, block_bytes));
    return STATUS_OK;
}

static uint32_t find_level_end(const struct graph *graph, const struct liveness *liveness,
                               uint32_t region)
{
    uint32_t owner = graph->region[region].owner;
    if (owner != GRAPH_NONE && graph->op[owner].loop)
        return liveness->leave_step[owner];
    return liveness->region_end[region];
}

enum status level_create_region(const struct level_source *source, uint32_t region,
                                const uint64_t *block_bytes, struct level **level,
                                struct error *error)
{
    const struct graph *graph = source->graph;
    assert(region < graph->regions);
    uint32_t end = find_level_end(graph, source->liveness, region);
    struct builder builder = start_builder(source, end, error);
    TRY(create_builder(&builder, graph_label(graph, graph->region[region].name)));
    builder.level->region = region;
    return finish_builder(&builder, fill_region(&builder, region, block_bytes), level);
}

enum status level_resize_blocks(struct level *level, const uint64_t *block_bytes,
                                struct error *error)
{
    struct problem *problem = level->problem;
    for (uint32_t b = 0; b < problem->buffers; b++)
        assert(level->op[b] == GRAPH_NONE || block_bytes[level->op[b]] > 0);
    for (uint32_t b = 0; b < problem->buffers; b++)
        if (level->op[b] != GRAPH_NONE)
            problem_resize(problem, b, block_bytes[level->op[b]]);
    return problem_finish(problem, error);
}

void level_free(struct level *level)
{
    if (!level)
        return;
    problem_free(level->problem);
    memory_free(level->tensor);
    memory_free(level->op);
    memory_free(level);
}

static enum status check_plan(const struct level *level, const struct plan *plan,
                              struct error *error)
{
    assert(plan->buffers == level->problem->buffers);
    struct verdict verdict;
    char text[256];
    if (!plan_found(plan))
        return STATUS_OK;
    TRY(verify_plan(level->problem, plan, &verdict, error));
    if (verdict.fault == VERIFY_VALID)
        return STATUS_OK;
    verify_describe(level->problem, plan, &verdict, text, sizeof text);
    return error_set(error, STATUS_NO, "planner made an invalid plan: %s", text);
}

enum status level_plan(const struct level *level, const struct level_planner *planner,
                       struct plan **created, struct error *error)
{
    struct plan *plan;
    assert(planner->alignment_bytes > 0);
    TRY(plan_create(level->problem, &plan, error));
    enum status status = planner->plan(planner->context, level, plan, error);
    if (!status && !planner->unchecked)
        status = check_plan(level, plan, error);
    if (status)
        plan_free(plan);
    else
        *created = plan;
    return status;
}
