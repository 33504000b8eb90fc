#include "planning/policy_blocks.h"

#include <string.h>

#include "core/checked.h"
#include "core/memory.h"
#include "planning/homes.h"
#include "planning/level.h"

/* Sizes of one kind: as planned, at least, or at least by loads alone. */
struct sizes {
    uint64_t *region; /* [regions] what the region takes */
    uint64_t *offset; /* [regions] where it is in the block of its operator */
    uint64_t *block;  /* [operators] what its regions take together */
};

struct blocks {
    const struct blocks_rule *rule;
    const struct graph *graph;
    const struct level_planner *planner;
    struct homes *homes; /* NULL where the rule does not hoist */
    struct liveness *liveness;
    struct placement *placement;
    struct sizes planned, bound, load;
    struct error *error;
};

/* The regions of a loop make one level, that of the first. */
static bool is_in_level_of_first(const struct graph *graph, uint32_t region)
{
    uint32_t owner = graph->region[region].owner;
    return owner != GRAPH_NONE &&
           graph->operator[owner].loop && graph->operator[owner].first_region != region;
}

static enum status add_region(const struct blocks *blocks, uint64_t region_bytes, uint64_t *offset,
                              uint64_t *block_bytes)
{
    *offset = 0;
    if (!blocks->rule->side_by_side) {
        *block_bytes = *block_bytes < region_bytes ? region_bytes : *block_bytes;
        return STATUS_OK;
    }
    if (checked_align(*block_bytes, blocks->planner->alignment_bytes, offset) &&
        checked_add(*offset, region_bytes, block_bytes))
        return STATUS_OK;
    return error_set(blocks->error, STATUS_BAD_INPUT, "the regions of an operator overflow");
}

/* The first region of an operator is the last whose size is found. */
static enum status set_region(const struct blocks *blocks, const struct sizes *sizes,
                              uint32_t region, uint64_t bytes)
{
    const struct graph *graph = blocks->graph;
    uint32_t owner = graph->region[region].owner;
    sizes->region[region] = bytes;
    if (owner == GRAPH_NONE || graph->operator[owner].first_region != region)
        return STATUS_OK;
    for (uint32_t r = region; r != GRAPH_NONE; r = graph->region[r].next)
        TRY(add_region(blocks, sizes->region[r], &sizes->offset[r], &sizes->block[owner]));
    return STATUS_OK;
}

static enum status find_load(const struct blocks *blocks, uint32_t region,
                             const uint64_t *block_bytes, uint64_t *load_bytes)
{
    struct level *level;
    TRY(level_create_region(blocks->graph, blocks->liveness, region, block_bytes, 1, &level,
                            blocks->error));
    enum status status = problem_load(level->problem, load_bytes, NULL, blocks->error);
    level_free(level);
    return status;
}

/* What the planner proved about the level as it was planned counts only where no block in it can be
   smaller. */
static bool blocks_are_least(const struct blocks *blocks, const struct level *level)
{
    for (uint32_t b = 0; b < level->problem->buffers; b++) {
        uint32_t o = level->operator[b];
        if (o != GRAPH_NONE && blocks->bound.block[o] != blocks->planned.block[o])
            return false;
    }
    return true;
}

static enum status bound_region(const struct blocks *blocks, uint32_t region,
                                const struct level *level, const struct plan *plan, bool least)
{
    uint64_t bytes;
    TRY(least ? problem_load(level->problem, &bytes, NULL, blocks->error)
              : find_load(blocks, region, blocks->bound.block, &bytes));
    if (least && bytes < plan->lower_bound_bytes)
        bytes = plan->lower_bound_bytes;
    return set_region(blocks, &blocks->bound, region, bytes);
}

static enum status keep_tensor(const struct blocks *blocks, uint32_t tensor,
                               const struct plan *plan, uint32_t buffer)
{
    const struct graph_tensor *tensors = blocks->graph->tensor;
    struct placement *placement = blocks->placement;
    if (!blocks->homes)
        return placement_take(placement, tensor, plan, buffer, blocks->error);
    for (; tensor != GRAPH_NONE; tensor = blocks->homes->next[tensor])
        TRY(placement_take_first(placement, tensor, tensors[tensor].bytes, plan, buffer,
                                 blocks->error));
    return STATUS_OK;
}

static enum status keep_offsets(const struct blocks *blocks, const struct level *level,
                                const struct plan *plan)
{
    struct placement *placement = blocks->placement;
    for (uint32_t b = 0; b < plan->buffers; b++)
        if (level->tensor[b] != GRAPH_NONE)
            TRY(keep_tensor(blocks, level->tensor[b], plan, b));
        else if (extents_count(plan->extents, b))
            placement->status = PLAN_UNSUPPORTED;
        else
            placement->block_offset[level->operator[b]] = plan->offset[b];
    return STATUS_OK;
}

static void keep_outermost(struct placement *placement, const struct plan *plan)
{
    placement->peak_bytes = plan->peak_bytes;
    placement->pool_bytes = plan->pool_bytes;
    placement->pools = plan->pools;
}

static enum status finish_region(const struct blocks *blocks, uint32_t region,
                                 const struct level *level, const struct plan *plan)
{
    struct placement *placement = blocks->placement;
    bool least = blocks_are_least(blocks, level);
    placement->nodes += plan->nodes;
    TRY(bound_region(blocks, region, level, plan, least));
    if (!plan_found(plan)) {
        /* A smaller block might fit where this one does not. */
        bool proved = plan->status != PLAN_INFEASIBLE || least;
        placement->status = proved ? plan->status : PLAN_GAVE_UP;
        return STATUS_OK;
    }
    TRY(set_region(blocks, &blocks->planned, region, plan->peak_bytes));
    if (region == 0)
        keep_outermost(placement, plan);
    return keep_offsets(blocks, level, plan);
}

static enum status place_region(const struct blocks *blocks, uint32_t region)
{
    struct level *level;
    struct plan *plan;
    TRY(level_create_region(blocks->graph, blocks->liveness, region, blocks->planned.block,
                            blocks->planner->alignment_bytes, &level, blocks->error));
    enum status status = level_plan(level, blocks->planner, &plan, blocks->error);
    if (!status) {
        status = finish_region(blocks, region, level, plan);
        plan_free(plan);
    }
    level_free(level);
    return status;
}

static uint64_t find_base(const struct blocks *blocks, uint32_t region)
{
    uint32_t owner = blocks->graph->region[region].owner;
    return owner == GRAPH_NONE
               ? 0
               : blocks->placement->block_offset[owner] + blocks->planned.offset[region];
}

/* A tensor was planned in the level of its home. */
static void move_tensor(const struct blocks *blocks, uint32_t tensor)
{
    const struct graph *graph = blocks->graph;
    struct placement *placement = blocks->placement;
    struct extents *extents = placement->extents;
    uint32_t home = blocks->homes ? blocks->homes->home[tensor] : tensor;
    if (placement->offset[tensor] == PROBLEM_FREE || graph->tensor[home].producer == GRAPH_NONE)
        return;
    const struct graph_operator *producer = &graph->operator[graph->tensor[home].producer];
    uint64_t base = find_base(blocks, producer->region);
    placement->offset[tensor] += base;
    for (uint32_t i = 0; i < extents_count(extents, tensor); i++)
        extents->extent[extents->of[tensor].first + i].offset += base;
}

/* Offsets inside regions become offsets in the arena, owners before what they hold. */
static void move_regions(const struct blocks *blocks)
{
    const struct graph *graph = blocks->graph;
    uint64_t *block_offset = blocks->placement->block_offset;
    for (uint32_t o = 0; o < graph->operators; o++)
        if (block_offset[o] != PROBLEM_FREE)
            block_offset[o] += find_base(blocks, graph->operator[o].region);
    for (uint32_t t = 0; t < graph->tensors; t++)
        move_tensor(blocks, t);
}

/* Before anything is planned, so that it is known also where a level fails. */
static enum status find_loads(const struct blocks *blocks)
{
    struct placement *placement = blocks->placement;
    for (uint32_t r = blocks->graph->regions; r-- > 0;) {
        uint64_t bytes;
        if (is_in_level_of_first(blocks->graph, r))
            continue;
        TRY(find_load(blocks, r, blocks->load.block, &bytes));
        TRY(set_region(blocks, &blocks->load, r, bytes));
    }
    placement->load_bytes = placement->lower_bound_bytes = blocks->load.region[0];
    return STATUS_OK;
}

static enum status place_regions(const struct blocks *blocks)
{
    const struct graph *graph = blocks->graph;
    struct placement *placement = blocks->placement;
    TRY(find_loads(blocks));
    placement->status = PLAN_FEASIBLE;
    for (uint32_t r = graph->regions; r-- > 0;) {
        if (is_in_level_of_first(graph, r))
            continue;
        TRY(place_region(blocks, r));
        if (placement->status != PLAN_FEASIBLE)
            break;
    }
    if (blocks->bound.region[0] > placement->lower_bound_bytes)
        placement->lower_bound_bytes = blocks->bound.region[0];
    memcpy(placement->block_bytes, blocks->planned.block,
           graph->operators * sizeof *placement->block_bytes);
    if (placement->status != PLAN_FEASIBLE)
        return STATUS_OK;
    move_regions(blocks);
    if (placement->peak_bytes == placement->lower_bound_bytes)
        placement->status = PLAN_OPTIMAL;
    return STATUS_OK;
}

static void sum_naive(const struct blocks *blocks)
{
    const struct graph *graph = blocks->graph;
    for (uint32_t t = 0; t < graph->tensors; t++)
        if (liveness_has_place(blocks->liveness, t))
            blocks->placement->naive_bytes += liveness_place_bytes(blocks->liveness, graph, t);
}

static void cut_blocks(const struct blocks *blocks)
{
    for (uint32_t o = 0; o < blocks->graph->operators; o++)
        blocks->liveness->block_upper[o] = blocks->liveness->leave_step[o] + 1;
}

static enum status create_liveness(struct blocks *blocks)
{
    const struct graph *graph = blocks->graph;
    const struct placement *placement = blocks->placement;
    if (!blocks->rule->hoists)
        return liveness_create_shared(graph, placement, &blocks->liveness, blocks->error);
    TRY(homes_create(graph, placement, &blocks->homes, blocks->error));
    return liveness_create_homed(graph, placement, blocks->homes, &blocks->liveness, blocks->error);
}

static enum status create_sizes(const struct blocks *blocks, struct sizes *sizes)
{
    const struct graph *graph = blocks->graph;
    TRY(memory_create(&sizes->region, graph->regions, sizeof *sizes->region, blocks->error));
    TRY(memory_create(&sizes->offset, graph->regions, sizeof *sizes->offset, blocks->error));
    return memory_create(&sizes->block, graph->operators, sizeof *sizes->block, blocks->error);
}

static enum status create_blocks(struct blocks *blocks)
{
    TRY(create_sizes(blocks, &blocks->planned));
    TRY(create_sizes(blocks, &blocks->bound));
    TRY(create_sizes(blocks, &blocks->load));
    return create_liveness(blocks);
}

static void free_sizes(struct sizes *sizes)
{
    memory_free(sizes->region);
    memory_free(sizes->offset);
    memory_free(sizes->block);
}

static void free_blocks(struct blocks *blocks)
{
    free_sizes(&blocks->planned);
    free_sizes(&blocks->bound);
    free_sizes(&blocks->load);
    homes_free(blocks->homes);
    liveness_free(blocks->liveness);
}

enum status policy_blocks_place(const struct blocks_rule *rule, const struct graph *graph,
                                const struct level_planner *planner, struct placement *placement,
                                struct error *error)
{
    struct blocks blocks = {
        .rule = rule, .graph = graph, .planner = planner, .placement = placement, .error = error};
    enum status status;
    TRY_OR_DONE(status, create_blocks(&blocks));
    if (rule->until_left)
        cut_blocks(&blocks);
    sum_naive(&blocks);
    TRY_OR_DONE(status, place_regions(&blocks));
done:
    free_blocks(&blocks);
    return status;
}
