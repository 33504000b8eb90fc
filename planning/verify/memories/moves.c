#include "planning/verify/memories/moves.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>

/* What is being checked, and the verdict, which is valid until something is wrong. */
struct checking {
    const struct move_problem *problem;
    const struct move_plan *plan;
    struct move_verdict *verdict;
};

static bool refuse(const struct checking *checking, uint32_t s, const char *fault)
{
    const struct move_stay *stay = &checking->plan->stay[s];
    assert(s < checking->plan->count && checking->verdict->valid);
    snprintf(checking->verdict->text, sizeof checking->verdict->text,
             "stay %" PRIu32 ", of '%.100s' in %.60s in steps [%" PRIu32 ", %" PRIu32 "), %.200s",
             s, move_item_name(checking->problem, stay->item),
             move_memory_name(checking->problem, stay->memory), stay->lower, stay->upper, fault);
    return false;
}

/* The stay in which an item begins: it is written there, or off chip. */
static bool check_first(const struct checking *checking, uint32_t s)
{
    const struct move_problem *problem = checking->problem;
    const struct move_stay *stay = &checking->plan->stay[s];
    bool is_weights = move_is_weights(problem, stay->item);
    uint32_t from = problem->item[stay->item].from;
    for (uint32_t k = 0; k < s; k++)
        if (checking->plan->stay[k].item == stay->item)
            return refuse(checking, s, "is another first one");
    if (move_is_off_chip(problem, stay->memory) != is_weights)
        return refuse(checking, s, "but weights begin off chip, and only they");
    if (stay->lower != from || stay->ready != from + !is_weights)
        return refuse(checking, s, "begins at another step than its item");
    return true;
}

/* Whether a region is one of those around the step's operator, or the graph. */
static bool is_around(const struct checking *checking, uint32_t region, uint32_t step)
{
    const struct graph *graph = checking->problem->graph;
    assert(region < graph->regions && step < checking->problem->steps);
    uint32_t at = checking->problem->region[step];
    for (; at != region && at != 0; at = graph->op[graph->region[at].owner].region)
        ;
    return at == region;
}

/* What is there when a loop begins and when one of its turns runs is there in all turns. */
static bool check_loops(const struct checking *checking, uint32_t s)
{
    const struct move_problem *problem = checking->problem;
    const struct move_stay *stay = &checking->plan->stay[s];
    assert(stay->lower < stay->upper && stay->upper <= problem->steps);
    for (uint32_t o = 0; o < problem->graph->operators; o++)
        if (problem->graph->op[o].loop && stay->lower <= problem->enter[o] &&
            problem->enter[o] + 1 < stay->upper && stay->upper < problem->leave[o])
            return refuse(checking, s, "ends within a loop that it is there before");
    return true;
}

static bool check_transfer(const struct checking *checking, uint32_t s)
{
    const struct move_stay *stay = &checking->plan->stay[s];
    if (stay->source >= s)
        return refuse(checking, s, "has no earlier source");
    const struct move_stay *source = &checking->plan->stay[stay->source];
    bool is_first = source->source == MEMORY_NONE;
    assert(source->lower <= source->ready && source->ready <= source->upper);
    if (source->item != stay->item || move_is_off_chip(checking->problem, stay->memory))
        return refuse(checking, s, "is copied from another item, or off chip");
    if (stay->ready < stay->lower || stay->ready >= stay->upper)
        return refuse(checking, s, "is not ready while it lasts");
    if (checking->problem->section[stay->lower] != checking->problem->section[stay->ready])
        return refuse(checking, s, "is copied across the border of a branch or loop");
    if (!is_around(checking, checking->problem->region[checking->problem->item[stay->item].from],
                   stay->lower) ||
        (!is_first && !is_around(checking, checking->problem->region[source->ready], stay->lower)))
        return refuse(checking, s, "is copied where its source may not have been filled");
    if (source->ready > stay->lower || (!is_first && source->lower == stay->lower))
        return refuse(checking, s, "is copied before its source is ready");
    if (source->upper < stay->ready || source->upper <= stay->lower)
        return refuse(checking, s, "is copied from a source that has ended");
    return true;
}

static bool check_place(const struct checking *checking, uint32_t s)
{
    const struct move_problem *problem = checking->problem;
    const struct move_stay *stay = &checking->plan->stay[s];
    const struct move_item *item = &problem->item[stay->item];
    const struct memory *memory = &problem->chip->memory[stay->memory];
    uint64_t offset = stay->offset, bytes = item->bytes, chunk = memory->chunk_bytes;
    assert(item->alignment > 0 && memory->alignment > 0);
    if (offset > memory->capacity_bytes || bytes > memory->capacity_bytes - offset)
        return refuse(checking, s, "ends above the capacity");
    if (offset % item->alignment || offset % memory->alignment)
        return refuse(checking, s, "is not aligned");
    if (chunk && bytes && bytes > chunk - offset % chunk)
        return refuse(checking, s, "lies in two chunks");
    for (uint32_t r = 0; r < problem->chip->reserved_ranges; r++) {
        const struct memory_range *range = &problem->chip->reserved[r];
        if (range->memory == stay->memory && bytes && offset < range->upper &&
            range->lower < offset + bytes)
            return refuse(checking, s, "lies on reserved bytes");
    }
    return true;
}

static bool check_pairs(const struct checking *checking, uint32_t s)
{
    const struct move_problem *problem = checking->problem;
    const struct move_stay *stay = &checking->plan->stay[s];
    uint64_t bytes = problem->item[stay->item].bytes;
    assert(stay->offset <= UINT64_MAX - bytes); /* as check_place has found */
    if (!bytes)
        return true;
    for (uint32_t k = 0; k < s; k++) {
        const struct move_stay *other = &checking->plan->stay[k];
        uint64_t taken = problem->item[other->item].bytes;
        char fault[128];
        if (other->memory != stay->memory || other->lower >= stay->upper ||
            stay->lower >= other->upper || !taken || other->offset >= stay->offset + bytes ||
            stay->offset >= other->offset + taken)
            continue;
        snprintf(fault, sizeof fault, "shares bytes with stay %" PRIu32 ", of '%.60s'", k,
                 move_item_name(problem, other->item));
        return refuse(checking, s, fault);
    }
    return true;
}

static bool check_stay(const struct checking *checking, uint32_t s)
{
    const struct move_stay *stay = &checking->plan->stay[s];
    if (stay->lower >= stay->upper || stay->upper > checking->problem->steps)
        return refuse(checking, s, "does not lie within the steps");
    if (!(stay->source == MEMORY_NONE ? check_first(checking, s) : check_transfer(checking, s)))
        return false;
    return move_is_off_chip(checking->problem, stay->memory) ||
           (check_loops(checking, s) && check_place(checking, s) && check_pairs(checking, s));
}

/* Whether some stay holds what a step reads, or is where the step writes. */
static bool check_access(const struct checking *checking, uint32_t step,
                         const struct move_access *access)
{
    assert(checking->problem->item[access->item].from <= step &&
           step < checking->problem->item[access->item].to);
    for (uint32_t s = 0; s < checking->plan->count; s++) {
        const struct move_stay *stay = &checking->plan->stay[s];
        bool is_first = stay->source == MEMORY_NONE;
        if (stay->item != access->item || step >= stay->upper)
            continue;
        if (access->is_write || access->is_handed
                ? is_first
                : stay->ready <= step &&
                      (is_first ||
                       is_around(checking, checking->problem->region[stay->ready], step)))
            return true;
    }
    snprintf(checking->verdict->text, sizeof checking->verdict->text,
             "step %" PRIu32 " %s '%.100s', which is in no memory then", step,
             access->is_write ? "writes" : "reads",
             move_item_name(checking->problem, access->item));
    return false;
}

void verify_moves(const struct move_problem *problem, const struct move_plan *plan,
                  struct move_verdict *verdict)
{
    const struct checking checking = {problem, plan, verdict};
    *verdict = (struct move_verdict){.valid = true, .text = "valid"};
    for (uint32_t s = 0; s < plan->count && verdict->valid; s++)
        verdict->valid = check_stay(&checking, s);
    for (uint32_t step = 0; step < problem->steps; step++) {
        assert(problem->first[step] <= problem->first[step + 1]);
        for (uint32_t a = problem->first[step]; a < problem->first[step + 1] && verdict->valid; a++)
            verdict->valid = check_access(&checking, step, &problem->access[a]);
    }
}
