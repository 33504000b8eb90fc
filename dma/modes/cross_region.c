#include "core/memory.h"
#include "dma/modes/builders.h"
#include "dma/program/paths.h"

/* Regions here are transfer regions. Which one runs after another is known only up to the branch
   that an If takes and the turns of a loop; each region starts the first weights of one guess, and
   before an If of a second one where the channel has time for it. */
struct crossing {
    const struct transfer_regions *regions;
    const struct transfer_costs *costs;
    struct transfer_program *program;
    uint32_t *from;    /* [regions] a region that runs directly before it */
    uint32_t *last_of; /* [graph regions] its last region */
    uint32_t *target;  /* [regions] whose first weights it starts, or GRAPH_NONE */
    uint32_t *second;  /* [regions] the same after the target, into the buffer that it leaves */
    bool *guessed;     /* [regions] its first weights are started before it */
    uint32_t *first_buffer; /* [regions] */
    struct error *error;
};

static const struct graph_operator *get_owner(const struct crossing *crossing, uint32_t region)
{
    return &crossing->regions->graph->op[crossing->regions->region[region].owner];
}

/* Its body may run a second time. */
static bool may_repeat(const struct graph_operator *owner)
{
    return owner->loop && (owner->trip_count < 0 || owner->trip_count > 1);
}

static uint32_t guess_after_owner(const struct crossing *crossing, uint32_t region)
{
    const struct graph_operator *owner = get_owner(crossing, region);
    if (owner->loop && owner->trip_count == 0)
        return GRAPH_NONE;
    const struct transfer_regions *regions = crossing->regions;
    uint32_t branch = owner->first_region;
    if (!owner->loop)
        branch = transfer_paths_likeliest_branch(regions, regions->region[region].owner);
    return regions->first_of[branch];
}

static bool has_weights(const struct crossing *crossing, uint32_t region)
{
    return region != GRAPH_NONE && crossing->regions->region[region].bearers.count;
}

/* Of the branches that are not the target's the likeliest. */
static uint32_t guess_other_branch(const struct crossing *crossing, uint32_t region)
{
    const struct transfer_regions *regions = crossing->regions;
    const struct graph_operator *owner = get_owner(crossing, region);
    uint32_t other = GRAPH_NONE;
    for (uint32_t g = owner->first_region; g != GRAPH_NONE; g = regions->graph->region[g].next)
        if (regions->first_of[g] != crossing->target[region] &&
            (other == GRAPH_NONE || regions->probability[g] > regions->probability[other]))
            other = g;
    return other == GRAPH_NONE ? GRAPH_NONE : regions->first_of[other];
}

/* Before the branch is decided the channel has carried the target's weights, and computing goes on
   after the last operator with weights has left its buffer. */
static bool has_time(const struct crossing *crossing, uint32_t r)
{
    const struct transfer_region *region = &crossing->regions->region[r];
    const struct transfer_region *target = &crossing->regions->region[crossing->target[r]];
    uint64_t transfer_ns =
        crossing->costs->transfer_ns[crossing->regions->bearer[target->bearers.first]];
    uint32_t last =
        region->bearers.count
            ? crossing->regions->bearer[region->bearers.first + region->bearers.count - 1]
            : region->begin;
    uint64_t left_ns = 0, after_ns = 0;
    for (uint32_t o = last; o < region->end; o++) {
        left_ns += crossing->costs->compute_ns[o];
        after_ns += o > last || !region->bearers.count ? crossing->costs->compute_ns[o] : 0;
    }
    return left_ns > transfer_ns && after_ns > 0;
}

static uint32_t guess_second(const struct crossing *crossing, uint32_t region)
{
    uint32_t owner = crossing->regions->region[region].owner;
    if (owner == GRAPH_NONE || crossing->regions->graph->op[owner].loop ||
        crossing->target[region] == GRAPH_NONE)
        return GRAPH_NONE;
    uint32_t other = guess_other_branch(crossing, region);
    return has_weights(crossing, other) && has_time(crossing, region) ? other : GRAPH_NONE;
}

/* What follows the last region of a graph's region. */
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
    return may_repeat(owner) ? regions->first_of[owner->first_region]
                             : regions->region[before].next;
}

static uint32_t guess_next(const struct crossing *crossing, uint32_t region)
{
    const struct transfer_region *guesser = &crossing->regions->region[region];
    uint32_t guess = guesser->next;
    if (guesser->owner != GRAPH_NONE)
        guess = guess_after_owner(crossing, region);
    else if (guess == GRAPH_NONE)
        guess = guess_after_end(crossing, guesser->graph_region);
    return has_weights(crossing, guess) ? guess : GRAPH_NONE;
}

/* Notes what comes before the branches of a region's owner and before what follows them: of
   several branches the likeliest. */
static void relate_owner(struct crossing *crossing, uint32_t region)
{
    const struct transfer_regions *regions = crossing->regions;
    const struct graph_operator *owner = get_owner(crossing, region);
    uint32_t from = region, last = GRAPH_NONE;
    for (uint32_t g = owner->first_region; g != GRAPH_NONE; g = regions->graph->region[g].next) {
        crossing->from[regions->first_of[g]] = from;
        from = owner->loop ? crossing->last_of[g] : region;
        last = g;
    }
    uint32_t left = last;
    if (!owner->loop)
        left = transfer_paths_likeliest_branch(regions, regions->region[region].owner);
    bool skipped = owner->loop && owner->trip_count == 0;
    crossing->from[regions->region[region].next] = skipped ? region : crossing->last_of[left];
}

static void relate_regions(struct crossing *crossing)
{
    const struct transfer_regions *regions = crossing->regions;
    for (uint32_t r = 0; r < regions->count; r++)
        crossing->last_of[regions->region[r].graph_region] = r;
    for (uint32_t r = 0; r < regions->count; r++) {
        if (regions->region[r].owner != GRAPH_NONE)
            relate_owner(crossing, r);
        else if (regions->region[r].next != GRAPH_NONE)
            crossing->from[regions->region[r].next] = r;
    }
    for (uint32_t r = 0; r < regions->count; r++)
        crossing->target[r] = guess_next(crossing, r);
    for (uint32_t r = 0; r < regions->count; r++)
        crossing->second[r] = guess_second(crossing, r);
}

/* The buffer that the last weights of a region are in, 2 where it has none. */
static uint32_t get_last_buffer(const struct crossing *crossing, uint32_t region)
{
    uint32_t bearers = crossing->regions->region[region].bearers.count;
    return bearers ? (crossing->first_buffer[region] + bearers - 1) % 2 : 2;
}

/* Whoever comes before a region has a lower number, but for the end of a loop's body, which comes
   before the body too and starts what entering the loop starts. */
static void choose_buffers(struct crossing *crossing)
{
    for (uint32_t r = 1; r < crossing->regions->count; r++) {
        uint32_t from = crossing->from[r];
        bool first = crossing->target[from] == r, second = crossing->second[from] == r;
        bool uses_first = get_last_buffer(crossing, from) == 0;
        crossing->guessed[r] = first || second;
        crossing->first_buffer[r] = (first && uses_first) || (second && !uses_first);
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
    return add(crossing, action, regions->bearer[regions->region[region].bearers.first],
               crossing->first_buffer[region]);
}

/* The weights that come after the n-th of a region; the next region's follow its last. */
static enum status start_after(struct crossing *crossing, uint32_t r, uint32_t n, bool computed)
{
    const struct transfer_region *region = &crossing->regions->region[r];
    uint32_t buffer = (crossing->first_buffer[r] + n) % 2;
    if (n + 1 < region->bearers.count)
        return computed ? STATUS_OK
                        : add(crossing, TRANSFER_START,
                              crossing->regions->bearer[region->bearers.first + n + 1], 1 - buffer);
    uint32_t target = crossing->target[r];
    bool same_buffer = target != GRAPH_NONE && crossing->first_buffer[target] == buffer;
    if (same_buffer == computed)
        TRY(add_first(crossing, TRANSFER_START, target));
    return computed ? add_first(crossing, TRANSFER_START, crossing->second[r]) : STATUS_OK;
}

static enum status compute_with_weights(struct crossing *crossing, uint32_t r, uint32_t n)
{
    const struct transfer_region *region = &crossing->regions->region[r];
    uint32_t o = crossing->regions->bearer[region->bearers.first + n];
    uint32_t buffer = (crossing->first_buffer[r] + n) % 2;
    TRY(add(crossing, TRANSFER_WAIT, o, buffer));
    TRY(start_after(crossing, r, n, false));
    TRY(add(crossing, TRANSFER_COMPUTE, o, buffer));
    return start_after(crossing, r, n, true);
}

/* What the region before it started for others. */
static enum status cancel_others(struct crossing *crossing, uint32_t r)
{
    const uint32_t *started[] = {crossing->target, crossing->second};
    for (size_t i = 0; r && i < sizeof started / sizeof *started; i++)
        if (started[i][crossing->from[r]] != r)
            TRY(add_first(crossing, TRANSFER_CANCEL, started[i][crossing->from[r]]));
    return STATUS_OK;
}

static enum status start_first(struct crossing *crossing, uint32_t r)
{
    if (crossing->regions->region[r].bearers.count)
        return crossing->guessed[r] ? STATUS_OK : add_first(crossing, TRANSFER_START, r);
    TRY(add_first(crossing, TRANSFER_START, crossing->target[r]));
    return add_first(crossing, TRANSFER_START, crossing->second[r]);
}

static enum status write_region(struct crossing *crossing, uint32_t r)
{
    const struct transfer_region *region = &crossing->regions->region[r];
    uint32_t bearers = 0;
    TRY(cancel_others(crossing, r));
    TRY(start_first(crossing, r));
    for (uint32_t o = region->begin; o < region->end; o++) {
        if (crossing->regions->weight_bytes[o])
            TRY(compute_with_weights(crossing, r, bearers++));
        else
            TRY(add(crossing, TRANSFER_COMPUTE, o, 0));
    }
    transfer_program_end_region(crossing->program);
    return STATUS_OK;
}

static enum status write_program(struct crossing *crossing)
{
    const struct transfer_regions *regions = crossing->regions;
    uint32_t nested = regions->graph->regions, count = regions->count;
    struct error *error = crossing->error;
    TRY(memory_create(&crossing->last_of, nested, sizeof *crossing->last_of, error));
    TRY(memory_create(&crossing->from, count, sizeof *crossing->from, error));
    TRY(memory_create(&crossing->target, count, sizeof *crossing->target, error));
    TRY(memory_create(&crossing->second, count, sizeof *crossing->second, error));
    TRY(memory_create(&crossing->guessed, count, sizeof *crossing->guessed, error));
    TRY(memory_create(&crossing->first_buffer, count, sizeof *crossing->first_buffer, error));
    relate_regions(crossing);
    choose_buffers(crossing);
    for (uint32_t r = 0; r < count; r++)
        TRY(write_region(crossing, r));
    return STATUS_OK;
}

enum status mode_build_cross_region(const struct transfer_task *task,
                                    struct transfer_program **program, struct error *error)
{
    struct crossing crossing = {.regions = task->regions, .costs = task->costs, .error = error};
    TRY(transfer_program_create(task->regions, 2, &crossing.program, error));
    enum status status = write_program(&crossing);
    memory_free(crossing.last_of);
    memory_free(crossing.from);
    memory_free(crossing.target);
    memory_free(crossing.second);
    memory_free(crossing.guessed);
    memory_free(crossing.first_buffer);
    if (status)
        transfer_program_free(crossing.program);
    else
        *program = crossing.program;
    return status;
}
