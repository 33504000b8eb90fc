#include "planning/lowering/level.h"

#include <assert.h>

#include "core/memory.h"
#include "planning/verify/describe.h"
#include "planning/verify/problem/plan.h"

enum status level_begin(struct level_maker *maker, const char *name)
{
    TRY(memory_create(&maker->level, 1, sizeof *maker->level, maker->error));
    maker->level->graph = maker->source->graph;
    maker->level->liveness = maker->source->liveness;
    return problem_create(&maker->level->problem, name, maker->error);
}

enum status level_add_bytes(const struct level_maker *maker, struct problem *problem,
                            const char *name, uint64_t bytes)
{
    const struct problem_buffer buffer = {
        .name = name,
        .size = bytes,
        .alignment = maker->source->alignment_bytes ? maker->source->alignment_bytes : 1,
        .fixed_offset = PROBLEM_FREE,
        .hint = -1};
    assert(bytes > 0);
    return problem_add_buffer(problem, &buffer, maker->error);
}

enum status level_add_buffer(struct level_maker *maker, uint32_t tensor, uint32_t op,
                             uint64_t bytes)
{
    struct level *level = maker->level;
    const struct graph *graph = level->graph;
    size_t buffer = level->problem->buffers;
    assert((tensor == GRAPH_NONE) != (op == GRAPH_NONE));
    TRY(memory_reserve(&level->tensor, &maker->tensor_capacity, buffer + 1, sizeof *level->tensor,
                       maker->error));
    TRY(memory_reserve(&level->op, &maker->op_capacity, buffer + 1, sizeof *level->op,
                       maker->error));
    assert(op == GRAPH_NONE ? tensor < graph->tensors : op < graph->operators);
    level->tensor[buffer] = tensor;
    level->op[buffer] = op;
    return level_add_bytes(maker, level->problem,
                           op == GRAPH_NONE ? names_get(&graph->tensor_names, tensor)
                                            : graph_label(graph, graph->op[op].name),
                           bytes);
}

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* The alignment that the dtypes of the tensors in a list need. */
static uint64_t find_list_alignment(const struct graph *graph, struct span tensors)
{
    uint64_t alignment = 1;
    for (uint32_t i = 0; i < tensors.count; i++)
        alignment = larger(alignment, graph_alignment(graph, graph->list[tensors.first + i]));
    return alignment;
}

uint64_t level_block_alignment(const struct graph *graph, uint32_t op, uint64_t alignment_bytes)
{
    uint64_t alignment = 1;
    assert(op < graph->operators && graph->op[op].end <= graph->operators);
    if (alignment_bytes)
        return alignment_bytes;
    for (uint32_t o = op + 1; o < graph->op[op].end; o++) {
        struct span carried = graph->op[o].carried;
        alignment = larger(alignment, find_list_alignment(graph, graph->op[o].outputs));
        for (uint32_t c = carried.first; c < carried.first + carried.count; c++)
            alignment = larger(alignment, graph_alignment(graph, graph->carried[c].argument));
    }
    return alignment;
}

/* The alignment that is needed by the dtypes of all tensors that begin where the place of the root
   does. */
static uint64_t find_place_alignment(const struct level *level, uint32_t root)
{
    const struct graph *graph = level->graph;
    const uint32_t *next = level->liveness ? level->liveness->next : NULL;
    uint64_t alignment = 1;
    assert(root < graph->tensors);
    for (uint32_t t = root; t != GRAPH_NONE; t = next ? next[t] : GRAPH_NONE) {
        uint32_t producer = graph->tensor[t].producer;
        const struct graph_carried *carried =
            producer == GRAPH_NONE ? NULL : graph_find_argument(graph, producer, t);
        alignment = larger(alignment, graph_alignment(graph, t));
        if (carried)
            alignment = larger(alignment, graph_alignment(graph, carried->result));
    }
    return alignment;
}

static enum status align_buffers(const struct level_maker *maker)
{
    const struct level *level = maker->level;
    for (uint32_t b = 0; b < level->problem->buffers && !maker->source->alignment_bytes; b++) {
        uint64_t alignment = level->op[b] == GRAPH_NONE
                                 ? find_place_alignment(level, level->tensor[b])
                                 : level_block_alignment(level->graph, level->op[b], 0);
        if (alignment > 1)
            TRY(problem_set_alignment(level->problem, b, alignment, maker->error));
    }
    return STATUS_OK;
}

enum status level_end(struct level_maker *maker, enum status status, struct level **level)
{
    if (!status)
        status = align_buffers(maker);
    if (!status)
        status = problem_finish(maker->level->problem, maker->error);
    if (status)
        level_free(maker->level);
    else
        *level = maker->level;
    return status;
}

/* Makes the levels of lifetimes on the line. */
struct builder {
    struct level_maker maker;
    const struct graph *graph;
    const struct liveness *liveness;
    uint32_t end; /* step that lifetimes are clipped to */
};

static enum status add_segment(struct builder *builder, uint32_t lower, uint32_t upper,
                               uint64_t bytes)
{
    assert(lower < builder->end);
    upper = upper < builder->end ? upper : builder->end;
    assert(lower < upper && bytes > 0);
    return problem_add_segment(builder->maker.level->problem,
                               (struct problem_segment){lower, upper, 0, bytes},
                               builder->maker.error);
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

static enum status add_tensor(struct builder *builder, uint32_t tensor)
{
    const struct liveness *liveness = builder->liveness;
    if (!liveness_has_place(liveness, tensor))
        return STATUS_OK;
    TRY(level_add_buffer(&builder->maker, tensor, GRAPH_NONE,
                         liveness_place_bytes(liveness, builder->graph, tensor)));
    return add_segments(builder, tensor);
}

static enum status add_tensors(struct builder *builder, struct span tensors)
{
    for (uint32_t i = 0; i < tensors.count; i++)
        TRY(add_tensor(builder, builder->graph->list[tensors.first + i]));
    return STATUS_OK;
}

static bool is_loop_region(const struct graph *graph, uint32_t region)
{
    uint32_t owner = graph->region[region].owner;
    return owner != GRAPH_NONE && graph->op[owner].loop;
}

/* Adds buffers in the order of definition: the block of an operator and a loop's arguments are
   there when it is entered, its outputs are written when it has run. Of what the region holds
   directly, or of the whole graph where region is GRAPH_NONE. */
static enum status fill(struct builder *builder, uint32_t region, const uint64_t *block_bytes)
{
    const struct graph *graph = builder->graph;
    const struct liveness *liveness = builder->liveness;
    bool whole = region == GRAPH_NONE;
    TRY(level_begin(&builder->maker,
                    whole ? graph_name(graph) : graph_label(graph, graph->region[region].name)));
    builder->maker.level->region = region = whole ? 0 : region;
    if (region == 0)
        TRY(add_tensors(builder, graph->inputs));
    for (uint32_t r = region; r != GRAPH_NONE;
         r = is_loop_region(graph, region) ? graph->region[r].next : GRAPH_NONE)
        for (uint32_t o = graph->region[r].begin; o < graph->region[r].end;
             o = whole ? o + 1 : graph->op[o].end) {
            const struct graph_operator *op = &graph->op[o];
            uint64_t bytes = block_bytes ? block_bytes[o] : 0;
            assert(!bytes || op->first_region != GRAPH_NONE);
            if (bytes) {
                TRY(level_add_buffer(&builder->maker, GRAPH_NONE, o, bytes));
                TRY(add_segment(builder, liveness->enter_step[o], liveness->block_upper[o], bytes));
            }
            for (uint32_t c = op->carried.first; c < op->carried.first + op->carried.count; c++)
                TRY(add_tensor(builder, graph->carried[c].argument));
            TRY(add_tensors(builder, op->outputs));
        }
    return STATUS_OK;
}

enum status level_create_flat(const struct level_source *source, struct level **level,
                              struct error *error)
{
    struct builder builder = {.maker = {.source = source, .error = error},
                              .graph = source->graph,
                              .liveness = source->liveness,
                              .end = source->liveness->steps};
    return level_end(&builder.maker, fill(&builder, GRAPH_NONE, NULL), level);
}

enum status level_create_region(const struct level_source *source, uint32_t region,
                                const uint64_t *block_bytes, struct level **level,
                                struct error *error)
{
    const struct graph *graph = source->graph;
    const struct liveness *liveness = source->liveness;
    assert(region < graph->regions);
    struct builder builder = {.maker = {.source = source, .error = error},
                              .graph = graph,
                              .liveness = liveness,
                              .end = is_loop_region(graph, region)
                                         ? liveness->leave_step[graph->region[region].owner]
                                         : liveness->region_end[region]};
    return level_end(&builder.maker, fill(&builder, region, block_bytes), level);
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
    memory_free_all(level->tensor, level->op, level);
}

enum status level_plan(const struct level *level, const struct level_planner *planner,
                       struct plan **created, struct error *error)
{
    SCOPED(plan_release) struct plan *plan = NULL;
    struct verdict verdict;
    char text[256];
    TRY(plan_create(level->problem, &plan, error));
    TRY(planner->plan(planner->context, level, plan, error));
    assert(plan->buffers == level->problem->buffers);
    if (!planner->unchecked && plan_found(plan)) {
        TRY(verify_plan(level->problem, plan, &verdict, error));
        if (verdict.fault != VERIFY_VALID) {
            verify_describe(level->problem, plan, &verdict, text, sizeof text);
            return error_set(error, STATUS_NO, "planner made an invalid plan: %s", text);
        }
    }
    HAND_OVER(plan, created);
}
