/* The mode cross_region: ping-pong with two buffers that also loads the first weights of the region
   that is likely to follow.

   The last weighted operator of a region, when it starts computing, starts the first weights of the
   region that follows directly: of an If its likeliest branch, of a loop its body again. Where that
   region's first buffer is the one it computes from, it starts them only afterwards. Where the
   channel has carried those weights before the branch is decided, and computing goes on without
   weights, the first weights of the next likely branch follow into the buffer that has become free.
   A region without weights starts them when it begins. Where execution goes elsewhere, the
   transfers are cancelled, so that no path takes longer than under pingpong if instructions cost
   nothing.

   All regions in this file are transfer regions. Which one runs after another is known only up to
   the branch that an If takes and the turns of a loop, so for each region one successor is guessed,
   its target, and before an If maybe a second one. */
#include <assert.h>

#include "core/scratch.h"
#include "dma/modes/modes.h"
#include "dma/program/paths.h"

struct crossing {
    const struct transfer_regions *regions;
    const struct transfer_costs *costs;
    struct transfer_program *program;
    uint32_t *from; /* [regions] a region that runs directly before it, if any */
    /* [regions] the region that probably follows, whose first weights this one starts; GRAPH_NONE
       for none */
    uint32_t *target;
    /* [regions] another region whose first weights this one starts after those of the target;
       GRAPH_NONE for none */
    uint32_t *second;
    bool *guessed;          /* [regions] whether the region before it starts its first weights */
    uint32_t *first_buffer; /* [regions] the buffer that gets its first weights, 0 or 1 */
    struct scratch scratch; /* of all arrays */
    struct error *error;
};

static const struct graph_operator *get_owner(const struct crossing *crossing, uint32_t region)
{
    return &crossing->regions->graph->op[crossing->regions->region[region].owner];
}

static bool has_weights(const struct crossing *crossing, uint32_t region)
{
    return region != GRAPH_NONE && crossing->regions->region[region].weighted.count;
}

/* Another branch, the likeliest beside the target, whose first weights can be loaded before the
   branch is decided. Two things are needed: the channel has carried the target's weights by then,
   and something is still computed after the last weighted operator, whose buffer is free from then
   on. */
static uint32_t guess_second(const struct crossing *crossing, uint32_t r)
{
    const struct transfer_regions *regions = crossing->regions;
    const struct transfer_region *region = &regions->region[r];
    const uint64_t *compute_ns = crossing->costs->compute_ns;
    uint32_t owner = region->owner, target = crossing->target[r], other = GRAPH_NONE;
    if (owner == GRAPH_NONE || regions->graph->op[owner].loop || target == GRAPH_NONE)
        return GRAPH_NONE;
    for (uint32_t g = regions->graph->op[owner].first_region; g != GRAPH_NONE;
         g = regions->graph->region[g].next)
        if (regions->first_of[g] != target &&
            (other == GRAPH_NONE || regions->probability[g] > regions->probability[other]))
            other = g;
    if (other == GRAPH_NONE || !has_weights(crossing, regions->first_of[other]))
        return GRAPH_NONE;
    uint32_t weighted = region->weighted.count;
    uint32_t last = weighted ? transfer_regions_weighted(regions, r, weighted - 1) : region->begin;
    uint64_t left_ns = 0, after_ns = 0;
    for (uint32_t o = last; o < region->end; o++) {
        left_ns += compute_ns[o];
        after_ns += o > last || !weighted ? compute_ns[o] : 0;
    }
    uint64_t carried_ns =
        crossing->costs->transfer_ns[transfer_regions_weighted(regions, target, 0)];
    return left_ns > carried_ns && after_ns > 0 ? regions->first_of[other] : GRAPH_NONE;
}

/* The region that probably runs after the end of a region of the graph: the next region of the same
   loop, another turn of it, or what follows the control-flow operator. */
static uint32_t guess_after_end(const struct crossing *crossing, uint32_t graph_region)
{
    const struct transfer_regions *regions = crossing->regions;
    if (regions->graph->region[graph_region].owner == GRAPH_NONE)
        return GRAPH_NONE;
    uint32_t before = regions->before[graph_region];
    const struct graph_operator *owner = get_owner(crossing, before);
    uint32_t sibling = regions->graph->region[graph_region].next;
    if (!owner->loop)
        return regions->region[before].next;
    if (owner->trip_count == 0)
        return GRAPH_NONE;
    if (sibling != GRAPH_NONE)
        return regions->first_of[sibling];
    return owner->trip_count == 1 ? regions->region[before].next
                                  : regions->first_of[owner->first_region];
}

static uint32_t guess_next(const struct crossing *crossing, uint32_t region)
{
    const struct transfer_regions *regions = crossing->regions;
    const struct transfer_region *guesser = &regions->region[region];
    uint32_t guess = guesser->next;
    if (guesser->owner != GRAPH_NONE) {
        const struct graph_operator *owner = get_owner(crossing, region);
        uint32_t branch = owner->loop ? owner->first_region
                                      : transfer_paths_likeliest_branch(regions, guesser->owner);
        bool skipped = owner->loop && owner->trip_count == 0;
        guess = skipped ? GRAPH_NONE : regions->first_of[branch];
    } else if (guess == GRAPH_NONE) {
        guess = guess_after_end(crossing, guesser->graph_region);
    }
    return has_weights(crossing, guess) ? guess : GRAPH_NONE;
}

/* Notes which region runs before each branch of the region's control-flow operator, and which
   before the region that follows that operator: after an If that is the end of the likeliest
   branch. */
static void relate_owner(struct crossing *crossing, uint32_t region)
{
    const struct transfer_regions *regions = crossing->regions;
    const struct graph_operator *owner = get_owner(crossing, region);
    uint32_t from = region, last = GRAPH_NONE;
    for (uint32_t g = owner->first_region; g != GRAPH_NONE; g = regions->graph->region[g].next) {
        crossing->from[regions->first_of[g]] = from;
        from = owner->loop ? regions->last_of[g] : region;
        last = g;
    }
    uint32_t left = last;
    if (!owner->loop)
        left = transfer_paths_likeliest_branch(regions, regions->region[region].owner);
    bool skipped = owner->loop && owner->trip_count == 0;
    crossing->from[regions->region[region].next] = skipped ? region : regions->last_of[left];
}

/* Relates the regions, and chooses each one's first buffer so that weights which are loaded ahead
   do not overwrite those that the region before still computes with. Regions are taken in ascending
   order, so that the buffers of `from`, which has a lower number, are known. A loop's body is also
   reached from its own end, which starts the same weights as the region before the loop. */
static void choose_buffers(struct crossing *crossing)
{
    const struct transfer_regions *regions = crossing->regions;
    for (uint32_t r = 0; r < regions->count; r++) {
        if (regions->region[r].owner != GRAPH_NONE)
            relate_owner(crossing, r);
        else if (regions->region[r].next != GRAPH_NONE)
            crossing->from[regions->region[r].next] = r;
    }
    for (uint32_t r = 0; r < regions->count; r++) {
        crossing->target[r] = guess_next(crossing, r);
        crossing->second[r] = guess_second(crossing, r);
    }
    for (uint32_t r = 1; r < regions->count; r++) {
        uint32_t from = crossing->from[r], weighted = regions->region[from].weighted.count;
        assert(from < r);
        bool first = crossing->target[from] == r, second = crossing->second[from] == r;
        bool ends_in_first = weighted && (crossing->first_buffer[from] + weighted - 1) % 2 == 0;
        crossing->guessed[r] = first || second;
        crossing->first_buffer[r] = (first && ends_in_first) || (second && !ends_in_first);
    }
}

static enum status add(struct crossing *crossing, enum transfer_action action, uint32_t o,
                       uint32_t buffer)
{
    return transfer_program_add(crossing->program, action, o, buffer, crossing->error);
}

static enum status add_first(struct crossing *crossing, enum transfer_action action,
                             uint32_t region)
{
    const struct transfer_regions *regions = crossing->regions;
    if (region == GRAPH_NONE)
        return STATUS_OK;
    return add(crossing, action, transfer_regions_weighted(regions, region, 0),
               crossing->first_buffer[region]);
}

/* Called before the n-th weighted operator of a region computes (computed is false) and after it.
   Starts the next weights of the region; the last weighted operator starts those of the target and
   the second guess instead. */
static enum status start_after(struct crossing *crossing, uint32_t r, uint32_t n, bool computed)
{
    const struct transfer_region *region = &crossing->regions->region[r];
    uint32_t buffer = (crossing->first_buffer[r] + n) % 2;
    if (n + 1 < region->weighted.count)
        return computed ? STATUS_OK
                        : add(crossing, TRANSFER_START,
                              transfer_regions_weighted(crossing->regions, r, n + 1), 1 - buffer);
    uint32_t target = crossing->target[r];
    bool same_buffer = target != GRAPH_NONE && crossing->first_buffer[target] == buffer;
    if (same_buffer == computed)
        TRY(add_first(crossing, TRANSFER_START, target));
    return computed ? add_first(crossing, TRANSFER_START, crossing->second[r]) : STATUS_OK;
}

static enum status write_region(struct crossing *crossing, uint32_t r)
{
    const struct transfer_region *region = &crossing->regions->region[r];
    const uint32_t *const started[] = {crossing->target, crossing->second};
    enum { STARTED = sizeof started / sizeof *started };
    uint32_t n = 0;

    /* Transfers that the region before has started for regions that are not taken are cancelled. */
    for (size_t i = 0; r && i < STARTED; i++)
        if (started[i][crossing->from[r]] != r)
            TRY(add_first(crossing, TRANSFER_CANCEL, started[i][crossing->from[r]]));
    if (region->weighted.count && !crossing->guessed[r])
        TRY(add_first(crossing, TRANSFER_START, r));
    for (size_t i = 0; !region->weighted.count && i < STARTED; i++)
        TRY(add_first(crossing, TRANSFER_START, started[i][r]));
    for (uint32_t o = region->begin; o < region->end; o++) {
        if (!crossing->regions->weight_bytes[o]) {
            TRY(add(crossing, TRANSFER_COMPUTE, o, 0));
            continue;
        }
        uint32_t buffer = (crossing->first_buffer[r] + n) % 2;
        TRY(add(crossing, TRANSFER_WAIT, o, buffer));
        TRY(start_after(crossing, r, n, false));
        TRY(add(crossing, TRANSFER_COMPUTE, o, buffer));
        TRY(start_after(crossing, r, n++, true));
    }
    assert(n == region->weighted.count);
    transfer_program_end_region(crossing->program);
    return STATUS_OK;
}

static void clear_crossing(struct crossing *crossing)
{
    scratch_free(&crossing->scratch);
    transfer_program_free(crossing->program);
}

static enum status build_cross_region(const struct transfer_task *task,
                                      struct transfer_program **program, struct error *error)
{
    SCOPED(clear_crossing)
    struct crossing crossing = {.regions = task->regions, .costs = task->costs, .error = error};
    struct scratch *scratch = &crossing.scratch;
    uint32_t count = task->regions->count;
    TRY(transfer_program_create(task->regions, 2, &crossing.program, error));
    TRY(scratch_take_all(scratch, count, error, &crossing.from, &crossing.target, &crossing.second,
                         &crossing.guessed, &crossing.first_buffer));
    choose_buffers(&crossing);
    for (uint32_t r = 0; r < count; r++)
        TRY(write_region(&crossing, r));
    HAND_OVER(crossing.program, program);
}

const struct transfer_mode transfer_mode_cross_region = {
    .name = "cross_region",
    .title = "pingpong that also loads the first weights of the region that is likely to follow",
    .build = build_cross_region,
};
