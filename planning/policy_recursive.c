#include "core/memory.h"
#include "planning/level.h"

/* Wang et al., "Memory optimization method for control flow computation graph", J. NUDT 47(6),
   2025, Algorithm 2: the regions of an operator are planned first, each alone; the operator gets
   one block as large as the largest region's peak, which lives to the last use of any of its
   results and is planned with the tensors of the enclosing level.

       region then  [a][b]      peak 3 |  block of the If: 3 bytes,
       region else  [c]         peak 1 |  then at the start of it, else too

   A block is one run of bytes, whatever the planner may split: where a plan splits a block, the
   placement is PLAN_UNSUPPORTED. Tensors may be split.

   Operators are numbered owner first, so going through the regions backwards meets the innermost
   ones before those around them. */

struct recursion {
    const struct graph *graph;
    const struct liveness *liveness;
    const struct level_planner *planner;
    struct placement *placement;
    uint64_t *block_bound; /* [operators] no plan of its regions gives a smaller block */
    uint64_t *block_load;  /* [operators] the same from loads alone */
    struct error *error;
};

static void raise_to(uint64_t *value, uint64_t least)
{
    if (*value < least)
        *value = least;
}

static enum status keep_offsets(struct recursion *recursion, const struct level *level,
                                const struct plan *plan)
{
    struct placement *placement = recursion->placement;
    for (uint32_t b = 0; b < plan->buffers; b++)
        if (level->tensor[b] != GRAPH_NONE)
            TRY(placement_take(placement, level->tensor[b], plan, b, recursion->error));
        else if (extents_count(plan->extents, b))
            placement->status = PLAN_UNSUPPORTED;
        else
            placement->block_offset[level->operator[b]] = plan->offset[b];
    return STATUS_OK;
}

static enum status find_load(struct recursion *recursion, uint32_t region,
                             const uint64_t *block_bytes, uint64_t *load_bytes)
{
    struct level *level;
    TRY(level_create_region(recursion->graph, recursion->liveness, region, block_bytes, 1, &level,
                            recursion->error));
    enum status status = problem_load(level->problem, load_bytes, NULL, recursion->error);
    level_free(level);
    return status;
}

/* What the planner proved about the level as it was planned counts only where no block in it can be
   smaller. */
static bool blocks_are_least(const struct recursion *recursion, const struct level *level)
{
    for (uint32_t b = 0; b < level->problem->buffers; b++) {
        uint32_t o = level->operator[b];
        if (o != GRAPH_NONE && recursion->block_bound[o] != recursion->placement->block_bytes[o])
            return false;
    }
    return true;
}

static enum status bound_region(struct recursion *recursion, uint32_t region,
                                const struct level *level, const struct plan *plan)
{
    struct placement *placement = recursion->placement;
    uint32_t owner = recursion->graph->region[region].owner;
    uint64_t bound;
    TRY(find_load(recursion, region, recursion->block_bound, &bound));
    if (blocks_are_least(recursion, level))
        raise_to(&bound, plan->lower_bound_bytes);
    raise_to(owner == GRAPH_NONE ? &placement->lower_bound_bytes : &recursion->block_bound[owner],
             bound);
    return STATUS_OK;
}

static enum status finish_region(struct recursion *recursion, uint32_t region,
                                 const struct level *level, const struct plan *plan)
{
    struct placement *placement = recursion->placement;
    uint32_t owner = recursion->graph->region[region].owner;
    placement->nodes += plan->nodes;
    TRY(bound_region(recursion, region, level, plan));
    if (!plan_found(plan)) {
        /* A smaller block might fit where this one does not. */
        bool proved = plan->status != PLAN_INFEASIBLE || blocks_are_least(recursion, level);
        placement->status = proved ? plan->status : PLAN_GAVE_UP;
        return STATUS_OK;
    }
    raise_to(owner == GRAPH_NONE ? &placement->peak_bytes : &placement->block_bytes[owner],
             plan->peak_bytes);
    if (owner == GRAPH_NONE) {
        placement->pool_bytes = plan->pool_bytes;
        placement->pools = plan->pools;
    }
    return keep_offsets(recursion, level, plan);
}

/* The regions of a loop make one level, that of the first. */
static bool is_in_level_of_first(const struct graph *graph, uint32_t region)
{
    uint32_t owner = graph->region[region].owner;
    return owner != GRAPH_NONE &&
           graph->operator[owner].loop && graph->operator[owner].first_region != region;
}

static enum status place_region(struct recursion *recursion, uint32_t region)
{
    struct level *level;
    struct plan *plan;
    TRY(level_create_region(recursion->graph, recursion->liveness, region,
                            recursion->placement->block_bytes, recursion->planner->alignment_bytes,
                            &level, recursion->error));
    enum status status = level_plan(level, recursion->planner, &plan, recursion->error);
    if (!status) {
        status = finish_region(recursion, region, level, plan);
        plan_free(plan);
    }
    level_free(level);
    return status;
}

static uint64_t find_region_base(const struct recursion *recursion, uint32_t region)
{
    uint32_t owner = recursion->graph->region[region].owner;
    return owner == GRAPH_NONE ? 0 : recursion->placement->block_offset[owner];
}

static void move_tensor(struct placement *placement, uint32_t tensor, uint64_t base)
{
    if (placement->offset[tensor] == PROBLEM_FREE)
        return;
    placement->offset[tensor] += base;
    for (uint32_t i = 0; i < extents_count(placement->extents, tensor); i++)
        placement->extents->extent[placement->extents->of[tensor].first + i].offset += base;
}

/* Offsets inside regions become offsets in the arena, owners before what they hold. */
static void move_regions(struct recursion *recursion)
{
    const struct graph *graph = recursion->graph;
    struct placement *placement = recursion->placement;
    for (uint32_t o = 0; o < graph->operators; o++) {
        const struct graph_operator *operator= & graph->operator[o];
        uint64_t base = find_region_base(recursion, operator->region);
        if (placement->block_offset[o] != PROBLEM_FREE)
            placement->block_offset[o] += base;
        for (uint32_t i = 0; i < operator->outputs.count; i++)
            move_tensor(placement, graph->list[operator->outputs.first + i], base);
        for (uint32_t i = 0; i < operator->carried.count; i++)
            move_tensor(placement, graph->carried[operator->carried.first + i].argument, base);
    }
}

/* Before anything is planned, so that it is known also where a level fails. */
static enum status find_loads(struct recursion *recursion)
{
    struct placement *placement = recursion->placement;
    for (uint32_t r = recursion->graph->regions; r-- > 0;) {
        uint32_t owner = recursion->graph->region[r].owner;
        uint64_t load;
        if (is_in_level_of_first(recursion->graph, r))
            continue;
        TRY(find_load(recursion, r, recursion->block_load, &load));
        raise_to(owner == GRAPH_NONE ? &placement->load_bytes : &recursion->block_load[owner],
                 load);
    }
    placement->lower_bound_bytes = placement->load_bytes;
    return STATUS_OK;
}

static enum status place_regions(struct recursion *recursion)
{
    struct placement *placement = recursion->placement;
    TRY(find_loads(recursion));
    placement->status = PLAN_FEASIBLE;
    for (uint32_t r = recursion->graph->regions; r-- > 0;) {
        if (is_in_level_of_first(recursion->graph, r))
            continue;
        TRY(place_region(recursion, r));
        if (placement->status != PLAN_FEASIBLE)
            return STATUS_OK;
    }
    move_regions(recursion);
    if (placement->peak_bytes == placement->lower_bound_bytes)
        placement->status = PLAN_OPTIMAL;
    return STATUS_OK;
}

static void sum_naive(struct recursion *recursion)
{
    for (uint32_t t = 0; t < recursion->graph->tensors; t++)
        if (liveness_has_place(recursion->liveness, t))
            recursion->placement->naive_bytes += recursion->graph->tensor[t].bytes;
}

static enum status place_recursive(const struct graph *graph, const struct level_planner *planner,
                                   struct placement *placement, struct error *error)
{
    struct recursion recursion = {
        .graph = graph, .planner = planner, .placement = placement, .error = error};
    struct liveness *liveness = NULL;
    enum status status;
    TRY_OR_DONE(status, liveness_create_shared(graph, placement, &liveness, error));
    recursion.liveness = liveness;
    TRY_OR_DONE(status,
                memory_create(&recursion.block_bound, graph->operators, sizeof(uint64_t), error));
    TRY_OR_DONE(status,
                memory_create(&recursion.block_load, graph->operators, sizeof(uint64_t), error));
    sum_naive(&recursion);
    TRY_OR_DONE(status, place_regions(&recursion));
done:
    memory_free(recursion.block_bound);
    memory_free(recursion.block_load);
    liveness_free(liveness);
    return status;
}

const struct policy policy_recursive = {
    .name = "recursive",
    .title = "innermost first; the regions of an operator share one block, live to the last use of "
             "its results",
    .source = "Wang et al., J. NUDT 47(6), 2025: Algorithm 2",
    .place = place_recursive,
};
