#include "dma/planned/schedule.h"

#include <assert.h>
#include <string.h>

#include "core/checked.h"
#include "core/memory.h"

/* Whether a region's weights may start before it. Those of a region that follows a loop may not
   unless the loop makes exactly one turn: their transfer would have to be started in each of the
   loop's turns. */
static bool may_be_early(const struct schedule_space *space, uint32_t region)
{
    const struct transfer_regions *regions = space->regions;
    const struct graph *graph = regions->graph;
    const uint32_t *into = space->borders->into;
    for (uint32_t b = into[region]; b < into[region + 1]; b++) {
        const struct transfer_region *from = &regions->region[space->borders->border[b].from];
        uint32_t owner = from->owner;
        if (space->borders->border[b].kind != TRANSFER_LEAVE)
            continue;
        if (owner == GRAPH_NONE)
            owner = graph->region[from->graph_region].owner;
        assert(graph->op[owner].loop);
        if (graph->op[owner].trip_count != 1)
            return false;
    }
    return into[region] < into[region + 1] && regions->region[region].weighted.count;
}

/* Numbers the entries of start[]: first one for each weighted operator, then its rank, then, region
   after region, the places and ranks of those that may be early. */
static enum status number_places(struct schedule_space *space, struct error *error)
{
    const struct transfer_regions *regions = space->regions;
    const struct transfer_borders *borders = space->borders;
    uint64_t places = 2 * (uint64_t)regions->weighted_count;
    for (uint32_t r = 0; r < regions->count; r++) {
        space->early_place[r] = may_be_early(space, r) ? (uint32_t)places : GRAPH_NONE;
        if (space->early_place[r] != GRAPH_NONE)
            places += (uint64_t)(borders->into[r + 1] - borders->into[r]) *
                      regions->region[r].weighted.count * (1 + SCHEDULE_RANK);
        if (places >= UINT32_MAX)
            return error_set(error, STATUS_BAD_INPUT, "weights may start at more than 2^32 places");
    }
    space->places = (uint32_t)places;
    return STATUS_OK;
}

enum status schedule_space_create(const struct transfer_regions *regions,
                                  const struct transfer_costs *costs, uint64_t alignment_bytes,
                                  struct schedule_space **created, struct error *error)
{
    const struct graph *graph = regions->graph;
    SCOPED(schedule_space_release) struct schedule_space *space = NULL;
    TRY(memory_create(&space, 1, sizeof *space, error));
    space->regions = regions;
    space->costs = costs;
    space->alignment_bytes = alignment_bytes;
    TRY(liveness_create(graph, &space->liveness, error));
    TRY(level_create_flat(&(struct level_source){graph, space->liveness, alignment_bytes},
                          &space->level, error));
    TRY(memory_create_all(graph->operators, error, &space->load_bytes, &space->home));
    TRY(memory_create(&space->early_place, regions->count, sizeof *space->early_place, error));
    for (uint32_t r = 0; r < regions->count; r++)
        for (uint32_t o = regions->region[r].begin; o < regions->region[r].end; o++)
            space->home[o] = r;
    TRY(transfer_borders_create(regions, &space->borders, error));
    TRY(number_places(space, error));

    /* No sum of live bytes may overflow. */
    const struct problem *problem = space->level->problem;
    uint64_t *bytes, sum_bytes;
    if (!checked_add(problem_naive_bytes(problem), regions->total_bytes, &sum_bytes))
        return error_set(error, STATUS_BAD_INPUT,
                         "tensors and weights add up to more than 2^64 bytes");

    /* At first the change at each step, modulo 2^64, then the sum of all changes up to it. */
    TRY(memory_create(&bytes, (size_t)space->liveness->steps + 1, sizeof *bytes, error));
    space->step_bytes = bytes;
    for (uint32_t s = 0; s < problem->segments; s++) {
        uint64_t width = problem_window_upper(problem, s) - problem_window_lower(problem, s);
        bytes[problem->lower[s]] += width;
        bytes[problem->upper[s]] -= width;
    }
    for (uint32_t step = 0; step < space->liveness->steps; step++)
        bytes[step + 1] += bytes[step];
    for (uint32_t o = 0; o < graph->operators; o++)
        space->load_bytes[o] = bytes[space->liveness->enter_step[o]];
    HAND_OVER(space, created);
}

void schedule_space_free(struct schedule_space *space)
{
    if (!space)
        return;
    level_free(space->level);
    liveness_free(space->liveness);
    transfer_borders_free(space->borders);
    memory_free_all(space->home, space->guess, space->early_place, space->step_bytes,
                    space->load_bytes, space);
}

uint32_t schedule_own_rank(const struct schedule_space *space, uint32_t w)
{
    assert(w < space->regions->weighted_count);
    return space->regions->weighted_count + w;
}

uint32_t schedule_place(const struct schedule_space *space, uint32_t region, uint32_t n,
                        uint32_t border)
{
    const uint32_t *into = space->borders->into;
    assert(space->early_place[region] != GRAPH_NONE);
    assert(n < space->regions->region[region].weighted.count);
    assert(into[region] <= border && border < into[region + 1]);
    return space->early_place[region] +
           (1 + SCHEDULE_RANK) * (n * (into[region + 1] - into[region]) + border - into[region]);
}

struct schedule_choice schedule_choice_at(const struct schedule_space *space, uint32_t region,
                                          uint32_t n, uint32_t border)
{
    const struct transfer_regions *regions = space->regions;
    uint32_t from = space->borders->border[border].from;
    struct schedule_choice choice = {regions->region[from].begin, regions->region[from].end};
    if (from == region)
        choice.least = transfer_regions_weighted(regions, region, n) + 1;
    return choice;
}

bool schedule_is_early(const struct schedule_space *space, const uint32_t *start, uint32_t region,
                       uint32_t n)
{
    return start[space->regions->region[region].weighted.first + n] == SCHEDULE_EARLY;
}

bool schedule_is_kept(const struct schedule_space *space, const uint32_t *start, uint32_t w)
{
    const struct transfer_regions *regions = space->regions;
    return start[w] < regions->region[space->home[regions->weighted_op[w]]].begin;
}

uint32_t schedule_keeper(const struct schedule_space *space, const uint32_t *start, uint32_t w)
{
    assert(schedule_is_kept(space, start, w));
    return space->regions->region[space->home[start[w]]].owner;
}

void schedule_kept_bytes(const struct schedule_space *space, const uint32_t *start, uint64_t *bytes)
{
    const struct transfer_regions *regions = space->regions;
    memset(bytes, 0, regions->graph->operators * sizeof *bytes);
    for (uint32_t w = 0; w < regions->weighted_count; w++) {
        if (!schedule_is_kept(space, start, w))
            continue;
        uint32_t end = regions->graph->op[schedule_keeper(space, start, w)].end;
        for (uint32_t o = start[w]; o < end; o++)
            bytes[o] += regions->weight_bytes[regions->weighted_op[w]];
    }
}

uint32_t schedule_loop_around(const struct schedule_space *space, uint32_t op)
{
    const struct graph *graph = space->regions->graph;
    uint32_t owner = op;
    do
        owner = graph->region[graph->op[owner].region].owner;
    while (owner != GRAPH_NONE && !graph->op[owner].loop);
    return owner;
}

void schedule_sync(const struct schedule_space *space, uint32_t *start)
{
    memcpy(start, space->regions->weighted_op, space->regions->weighted_count * sizeof *start);
}
