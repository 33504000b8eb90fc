#include "dma/planned/schedule_problem.h"

#include <assert.h>
#include <stdio.h>

#include "core/memory.h"
#include "planning/problem/copy.h"

/* Consecutive steps [lower, upper) in which a buffer is live. */
struct stretch {
    uint32_t lower, upper;
};

struct stretches {
    struct stretch *stretch; /* [count] in ascending order, with free steps between any two */
    uint32_t count;
};

/* Adds the steps [lower, upper). They are joined to the last stretch where no free step lies
   between. */
static void add_stretch(struct stretches *stretches, uint32_t lower, uint32_t upper)
{
    struct stretch *last = stretches->stretch + stretches->count;
    if (lower >= upper)
        return;
    assert(!stretches->count || last[-1].lower <= lower);
    if (stretches->count && last[-1].upper >= lower)
        last[-1].upper = upper > last[-1].upper ? upper : last[-1].upper;
    else
        stretches->stretch[stretches->count++] = (struct stretch){lower, upper};
}

/* The control-flow operator that a border leads into or out of. It has no meaning for a border of
   kind TRANSFER_NEXT. */
static uint32_t find_owner(const struct schedule_space *space, const struct transfer_border *border)
{
    const struct transfer_regions *regions = space->regions;
    const struct transfer_region *from = &regions->region[border->from];
    return border->from < border->to && from->owner != GRAPH_NONE
               ? from->owner
               : regions->graph->region[from->graph_region].owner;
}

/* Adds the steps in which weights are live before a border is crossed, when their transfer starts
   at a place in the region before the border. */
static void add_before(const struct schedule_space *space, const struct transfer_border *border,
                       uint32_t place, struct stretches *stretches)
{
    const struct liveness *liveness = space->liveness;
    const struct transfer_regions *regions = space->regions;
    const struct transfer_region *from = &regions->region[border->from];
    uint32_t owner = find_owner(space, border), end;
    if (border->kind == TRANSFER_NEXT)
        end = liveness->enter_step[regions->region[border->to].begin];
    else if (border->kind == TRANSFER_JOIN || border->kind == TRANSFER_LEAVE)
        end = liveness->region_end[from->graph_region];
    else if (border->from < border->to)
        end = liveness->enter_step[owner] + 1;
    else
        end = liveness->leave_step[owner] + 1;
    bool is_last = regions->last_of[from->graph_region] == border->from;
    uint32_t begin = place < from->end ? liveness->enter_step[place]
                     : is_last         ? liveness->region_end[from->graph_region]
                                       : end;
    add_stretch(stretches, begin, end);
}

/* The first step of a region in which weights are live that were started before the region. */
static uint32_t find_entry(const struct schedule_space *space, uint32_t r)
{
    const struct transfer_border *border = &space->borders->border[space->borders->into[r]];
    if (border->kind == TRANSFER_JOIN || border->kind == TRANSFER_LEAVE)
        return space->liveness->leave_step[find_owner(space, border)];
    return space->liveness->enter_step[space->regions->region[r].begin];
}

/* Adds all stretches of early weights in the order of their steps: those before each border into
   the region, and the region's own steps up to the operator. The own steps come after those of the
   regions in front of it, but before those of the end of a loop's body, after which the region runs
   again. */
static void list_early(const struct schedule_space *space, const uint32_t *start, uint32_t r,
                       uint32_t n, struct stretches *stretches)
{
    const struct transfer_borders *borders = space->borders;
    uint32_t o = transfer_regions_weighted(space->regions, r, n);
    uint32_t used = space->liveness->enter_step[o] + 1, b = borders->into[r];
    for (; b < borders->into[r + 1] && borders->border[b].from < r; b++)
        add_before(space, &borders->border[b], start[schedule_place(space, r, n, b)], stretches);
    add_stretch(stretches, find_entry(space, r), used);
    for (; b < borders->into[r + 1]; b++) {
        assert(borders->border[b].from >= r);
        add_before(space, &borders->border[b], start[schedule_place(space, r, n, b)], stretches);
    }
}

/* Lists the steps in which the weights of weighted operator number w are live. */
static void list_stretches(const struct schedule_space *space, const uint32_t *start, uint32_t w,
                           struct stretches *stretches)
{
    const uint32_t *step = space->liveness->enter_step;
    uint32_t o = space->regions->weighted_op[w], r = space->home[o];
    stretches->count = 0;
    if (start[w] == SCHEDULE_EARLY)
        list_early(space, start, r, w - space->regions->region[r].weighted.first, stretches);
    else if (schedule_is_kept(space, start, w))
        add_stretch(stretches, step[start[w]],
                    space->liveness->leave_step[schedule_keeper(space, start, w)] + 1);
    else
        add_stretch(stretches, step[start[w]], step[o] + 1);
}

static void clear_stretches(struct stretches *stretches)
{
    memory_free(stretches->stretch);
}

/* Makes room for the stretches of any weighted operator: one for each border into its region, and
   one for its own steps. */
static enum status create_stretches(const struct schedule_space *space, struct stretches *stretches,
                                    struct error *error)
{
    const uint32_t *into = space->borders->into;
    uint32_t most = 0;
    for (uint32_t r = 0; r < space->regions->count; r++)
        most = into[r + 1] - into[r] > most ? into[r + 1] - into[r] : most;
    return memory_create(&stretches->stretch, (size_t)most + 1, sizeof *stretches->stretch, error);
}

enum status schedule_problem(const struct schedule_space *space, const uint32_t *start,
                             struct problem **created, struct error *error)
{
    const struct transfer_regions *regions = space->regions;
    const struct graph *graph = regions->graph;
    SCOPED(problem_release) struct problem *problem = NULL;
    SCOPED(clear_stretches) struct stretches stretches = {0};
    TRY(create_stretches(space, &stretches, error));
    TRY(problem_create(&problem, graph_name(graph), error));
    for (uint32_t b = 0; b < space->level->problem->buffers; b++)
        TRY(problem_add_copy(problem, space->level->problem, b, error));
    for (uint32_t w = 0; w < regions->weighted_count; w++) {
        uint32_t o = regions->weighted_op[w];
        char name[256];
        const struct problem_buffer buffer = {.name = name,
                                              .size = regions->weight_bytes[o],
                                              .alignment = space->alignment_bytes,
                                              .fixed_offset = PROBLEM_FREE,
                                              .hint = -1};
        snprintf(name, sizeof name, "weights of %s", graph_label(graph, graph->op[o].name));
        TRY(problem_add_buffer(problem, &buffer, error));
        list_stretches(space, start, w, &stretches);
        for (uint32_t i = 0; i < stretches.count; i++) {
            const struct stretch *live = &stretches.stretch[i];
            TRY(problem_add_segment(
                problem, (struct problem_segment){live->lower, live->upper, 0, buffer.size},
                error));
        }
    }
    TRY(problem_finish(problem, error));
    HAND_OVER(problem, created);
}

enum status schedule_load(const struct schedule_space *space, const uint32_t *start,
                          uint64_t *load_bytes, struct error *error)
{
    const struct transfer_regions *regions = space->regions;
    uint32_t steps = space->liveness->steps;
    SCOPED(clear_stretches) struct stretches stretches = {0};
    SCOPED(memory_release) uint64_t *change = NULL;
    uint64_t weights = 0;
    TRY(create_stretches(space, &stretches, error));

    /* By how much the weights change the load at each step. A fall is added modulo 2^64, so that
       the running sum comes out right. */
    TRY(memory_create(&change, (size_t)steps + 1, sizeof *change, error));
    for (uint32_t w = 0; w < regions->weighted_count; w++) {
        uint64_t bytes = regions->weight_bytes[regions->weighted_op[w]];
        list_stretches(space, start, w, &stretches);
        for (uint32_t i = 0; i < stretches.count; i++) {
            change[stretches.stretch[i].lower] += bytes;
            change[stretches.stretch[i].upper] -= bytes;
        }
    }
    *load_bytes = 0;
    for (uint32_t step = 0; step < steps; step++) {
        weights += change[step];
        if (space->step_bytes[step] + weights > *load_bytes)
            *load_bytes = space->step_bytes[step] + weights;
    }
    assert(weights + change[steps] == 0);
    return STATUS_OK;
}
