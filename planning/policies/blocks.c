#include "planning/policies/blocks.h"

#include <assert.h>
#include <string.h>

#include "core/checked.h"
#include "core/memory.h"
#include "planning/liveness/sharing.h"
#include "planning/policies/whole_graph.h"
#include "planning/problem/bounds.h"

/* The bytes of regions and blocks. struct blocks has three of these: as planned, as proved, and as
   loads. */
struct sizes {
    uint64_t *region; /* [regions] */
    uint64_t *offset; /* [regions] where it is in the block of its operator */
    uint64_t *block;  /* [operators] its regions together */
};

struct blocks {
    struct policy_blocks rule;
    const struct graph *graph;
    const struct level_planner *planner;
    struct result_places *places; /* NULL where the rule does not hoist */
    struct liveness *liveness;
    struct placement *placement;
    struct sizes planned; /* what the plans took */
    struct sizes proved;  /* no plan takes less, by what the planners proved */
    struct sizes loads;   /* no plan takes less, by loads alone, whatever a planner says */
    struct error *error;
};

/* The regions of a loop run in the same turn, so they are planned as one level, that of the loop's
   first region. The loop's other regions have no level of their own, and 0 bytes. */
static bool is_in_level_of_first(const struct graph *graph, uint32_t region)
{
    assert(region < graph->regions);
    uint32_t owner = graph->region[region].owner;
    return owner != GRAPH_NONE && graph->op[owner].loop && graph->op[owner].first_region != region;
}

/* Regions are planned from the highest number down. So an operator's first region is the last of
   its regions whose size is found, and then the size of the operator's block follows. */
static enum status set_region(const struct blocks *blocks, const struct sizes *sizes,
                              uint32_t region, uint64_t bytes)
{
    const struct graph *graph = blocks->graph;
    uint32_t owner = graph->region[region].owner;
    assert(!sizes->region[region]);
    sizes->region[region] = bytes;
    if (owner == GRAPH_NONE || graph->op[owner].first_region != region)
        return STATUS_OK;
    uint64_t *block_bytes = &sizes->block[owner];
    uint64_t alignment = level_block_alignment(graph, owner, blocks->planner->alignment_bytes);
    assert(*block_bytes == 0);
    for (uint32_t r = region; r != GRAPH_NONE; r = graph->region[r].next) {
        if (!blocks->rule.side_by_side || is_in_level_of_first(graph, r))
            *block_bytes = *block_bytes < sizes->region[r] ? sizes->region[r] : *block_bytes;
        else if (sizes->region[r] && /* what takes no bytes asks for no padding either */
                 (!checked_align(*block_bytes, alignment, &sizes->offset[r]) ||
                  !checked_add(sizes->offset[r], sizes->region[r], block_bytes)))
            return error_set(blocks->error, STATUS_BAD_INPUT,
                             "the regions of an operator add up to more than 2^64 - 1 bytes");
    }
    return STATUS_OK;
}

static bool blocks_agree(const struct level *level, const struct sizes *a, const struct sizes *b)
{
    for (uint32_t i = 0; i < level->problem->buffers; i++) {
        uint32_t o = level->op[i];
        assert((level->tensor[i] == GRAPH_NONE) != (o == GRAPH_NONE));
        if (o != GRAPH_NONE && a->block[o] != b->block[o])
            return false;
    }
    return true;
}

/* Takes over what a level's plan says: the bound, and of a plan found the peak and the offsets.
   That the level is infeasible is proved only where none of its blocks could be smaller: otherwise
   smaller blocks might still fit. The placement takes the measures of the outermost plan, but keeps
   its own count of nodes, which is the sum over all levels. */
static enum status finish_region(const struct blocks *blocks, uint32_t region, uint64_t bound_bytes,
                                 const struct level *level, const struct plan *plan)
{
    struct placement *placement = blocks->placement;
    /* What the planner proves of the level as it is planned counts only where no block in it can be
       smaller. */
    bool least = blocks_agree(level, &blocks->proved, &blocks->planned);
    assert(blocks->placement->status == PLAN_FEASIBLE);
    uint64_t nodes = placement->measures.nodes + plan->measures.nodes;
    assert(blocks->loads.region[region] <= bound_bytes);
    placement->measures.nodes = nodes;
    if (least && bound_bytes < plan->measures.lower_bound_bytes)
        bound_bytes = plan->measures.lower_bound_bytes;
    TRY(set_region(blocks, &blocks->proved, region, bound_bytes));
    if (!plan_found(plan)) {
        placement->status = plan->status == PLAN_INFEASIBLE && !least ? PLAN_GAVE_UP : plan->status;
        return STATUS_OK;
    }
    assert(plan->measures.peak_bytes >= bound_bytes || blocks->planner->unchecked);
    TRY(set_region(blocks, &blocks->planned, region, plan->measures.peak_bytes));
    if (region == 0) {
        placement->measures = plan->measures;
        placement->measures.nodes = nodes;
    }
    assert(plan->buffers == level->problem->buffers);
    for (uint32_t b = 0; b < plan->buffers; b++)
        if (level->tensor[b] != GRAPH_NONE)
            TRY(policy_level_take(blocks->places, level->tensor[b], (struct plan_buffer){plan, b},
                                  placement, blocks->error));
        else if (extents_count(plan->extents, b))
            placement->status = PLAN_UNSUPPORTED;
        else
            placement->block_offset[level->op[b]] = plan->offset[b];
    return STATUS_OK;
}

static enum status plan_region(const struct blocks *blocks, uint32_t region)
{
    SCOPED(level_release) struct level *level = NULL;
    SCOPED(plan_release) struct plan *plan = NULL;
    uint64_t load_bytes, bound_bytes;
    assert(!is_in_level_of_first(blocks->graph, region));
    TRY(level_create_region(
        &(struct level_source){blocks->graph, blocks->liveness, blocks->planner->alignment_bytes},
        region, blocks->loads.block, &level, blocks->error));
    TRY(problem_load(level->problem, &load_bytes, NULL, blocks->error));
    TRY(set_region(blocks, &blocks->loads, region, load_bytes));
    /* Where some level has no plan those around it are no longer planned, but their loads still
       count: the load of the outermost is stored. */
    if (blocks->placement->status != PLAN_FEASIBLE)
        return STATUS_OK;
    bound_bytes = load_bytes;
    if (!blocks_agree(level, &blocks->loads, &blocks->proved)) {
        TRY(level_resize_blocks(level, blocks->proved.block, blocks->error));
        TRY(problem_load(level->problem, &bound_bytes, NULL, blocks->error));
    }
    assert(load_bytes <= bound_bytes);
    TRY(level_resize_blocks(level, blocks->planned.block, blocks->error));
    TRY(level_plan(level, blocks->planner, &plan, blocks->error));
    if (region != 0) {
        /* Each plan numbers its storage ids from 0. In one placement the ids of an inner level
           would look like objects of the outermost one, whose ids alone are kept. */
        memory_free(plan->storage_id);
        plan->storage_id = NULL;
    }
    return finish_region(blocks, region, bound_bytes, level, plan);
}

/* Where the region begins in the arena. */
static uint64_t find_base(const struct blocks *blocks, uint32_t region)
{
    uint32_t owner = blocks->graph->region[region].owner;
    assert(region < blocks->graph->regions);
    assert(owner == GRAPH_NONE || blocks->placement->block_offset[owner] != PROBLEM_FREE);
    return owner == GRAPH_NONE
               ? 0
               : blocks->placement->block_offset[owner] + blocks->planned.offset[region];
}

/* Offsets inside regions become offsets in the arena. Operators are numbered before those in their
   regions, so the offset of the block around is final by the time it is added. A tensor in the
   place of another one, `owner`, was planned in the level of that one. */
static void move_regions(const struct blocks *blocks)
{
    const struct graph *graph = blocks->graph;
    struct placement *placement = blocks->placement;
    struct extents *extents = placement->extents;
    for (uint32_t o = 0; o < graph->operators; o++)
        if (placement->block_offset[o] != PROBLEM_FREE)
            placement->block_offset[o] += find_base(blocks, graph->op[o].region);
    for (uint32_t t = 0; t < graph->tensors; t++) {
        uint32_t owner = blocks->places ? blocks->places->place[t] : t;
        uint32_t producer = graph->tensor[owner].producer;
        if (placement->offset[t] == PROBLEM_FREE || producer == GRAPH_NONE)
            continue;
        uint64_t base = find_base(blocks, graph->op[producer].region);
        assert(producer < graph->operators && placement->offset[t] + base >= base);
        placement->offset[t] += base;
        for (uint32_t i = 0; i < extents_count(extents, t); i++)
            extents->extent[extents->of[t].first + i].offset += base;
    }
}

static void set_measures(const struct blocks *blocks)
{
    const struct graph *graph = blocks->graph;
    struct measures *measures = &blocks->placement->measures;
    assert(!blocks->proved.region[0] || blocks->proved.region[0] >= blocks->loads.region[0]);
    measures->load_bytes = measures->lower_bound_bytes = blocks->loads.region[0];
    if (blocks->proved.region[0] > measures->lower_bound_bytes)
        measures->lower_bound_bytes = blocks->proved.region[0];
    if (blocks->placement->status == PLAN_FEASIBLE &&
        measures->peak_bytes == measures->lower_bound_bytes)
        blocks->placement->status = PLAN_OPTIMAL;
    for (uint32_t t = 0; t < graph->tensors; t++)
        if (liveness_has_place(blocks->liveness, t))
            measures->naive_bytes += liveness_place_bytes(blocks->liveness, graph, t);
}

static enum status plan_regions(struct blocks *blocks, struct scratch *scratch)
{
    const struct graph *graph = blocks->graph;
    struct placement *placement = blocks->placement;
    struct error *error = blocks->error;
    struct sizes *const sizes[] = {&blocks->planned, &blocks->proved, &blocks->loads};
    for (int i = 0; i < 3; i++) {
        TRY(scratch_take_all(scratch, graph->regions, error, &sizes[i]->region, &sizes[i]->offset));
        TRY(scratch_take(scratch, &sizes[i]->block, graph->operators, sizeof(uint64_t), error));
    }
    if (blocks->rule.hoists) {
        TRY(result_places_create(graph, placement, NULL, &blocks->places, error));
        TRY(liveness_create_in_places(graph, placement, blocks->places, &blocks->liveness, error));
    } else
        TRY(liveness_create_shared(graph, placement, &blocks->liveness, error));
    for (uint32_t o = 0; o < graph->operators && blocks->rule.until_left; o++)
        blocks->liveness->block_upper[o] = blocks->liveness->leave_step[o] + 1;
    placement->status = PLAN_FEASIBLE;
    for (uint32_t r = graph->regions; r-- > 0;)
        if (!is_in_level_of_first(graph, r))
            TRY(plan_region(blocks, r));
    memcpy(placement->block_bytes, blocks->planned.block,
           graph->operators * sizeof *placement->block_bytes);
    if (placement->status == PLAN_FEASIBLE)
        move_regions(blocks);
    set_measures(blocks);
    return STATUS_OK;
}

enum status blocks_place(const struct policy *policy, const struct graph *graph,
                         const struct level_planner *planner, struct placement *placement,
                         struct error *error)
{
    struct blocks blocks = {.rule = policy->blocks,
                            .graph = graph,
                            .planner = planner,
                            .placement = placement,
                            .error = error};
    SCOPED(scratch_free) struct scratch scratch = {0};
    assert(placement->tensors == graph->tensors && placement->operators == graph->operators);
    enum status status = plan_regions(&blocks, &scratch);
    result_places_free(blocks.places);
    liveness_free(blocks.liveness);
    return status;
}
