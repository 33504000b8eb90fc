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
    bool used = false;
    for (uint32_t b = borders->into[r]; b < borders->into[r + 1]; b++) {
        const struct transfer_border *border = &borders->border[b];
        if (border->from >= r && !used) {
            add_stretch(stretches, find_entry(space, r), space->liveness->enter_step[o] + 1);
            used = true;
        }
        add_before(space, border, start[schedule_place(space, r, n, b)], stretches);
    }
    if (!used)
        add_stretch(stretches, find_entry(space, r), space->liveness->enter_step[o] + 1);
}

/* Lists the steps in which the weights of the n-th weighted operator of a region are live. */
static void list_stretches(const struct schedule_space *space, const uint32_t *start, uint32_t r,
                           uint32_t n, struct stretches *stretches)
{
    const uint32_t *step = space->liveness->enter_step;
    uint32_t w = space->regions->region[r].weighted.first + n;
    uint32_t o = transfer_regions_weighted(space->regions, r, n);
    stretches->count = 0;
    if (start[w] == SCHEDULE_EARLY)
        list_early(space, start, r, n, stretches);
    else if (schedule_is_kept(space, start, w))
        add_stretch(stretches, step[start[w]],
                    space->liveness->leave_step[schedule_keeper(space, start, w)] + 1);
    else
        add_stretch(stretches, step[start[w]], step[o] + 1);
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
    stretches->count = 0;
    return memory_create(&stretches->stretch, (size_t)most + 1, sizeof *stretches->stretch, error);
}

static enum status add_weights(const struct schedule_space *space, uint32_t o,
                               const struct stretches *stretches, struct problem *problem,
                               struct error *error)
{
    const struct graph *graph = space->regions->graph;
    char name[256];
    const struct problem_buffer buffer = {.name = name,
                                          .size = space->regions->weight_bytes[o],
                                          .alignment = space->alignment_bytes,
                                          .fixed_offset = PROBLEM_FREE,
                                          .hint = -1};
    snprintf(name, sizeof name, "weights of %s", graph_label(graph, graph->op[o].name));
    TRY(problem_add_buffer(problem, &buffer, error));
    for (uint32_t i = 0; i < stretches->count; i++)
        TRY(problem_add_segment(problem,
                                (struct problem_segment){stretches->stretch[i].lower,
                                                         stretches->stretch[i].upper, 0,
                                                         buffer.size},
                                error));
    return STATUS_OK;
}

static enum status fill_problem(const struct schedule_space *space, const uint32_t *start,
                                struct stretches *stretches, struct problem *problem,
                                struct error *error)
{
    const struct transfer_regions *regions = space->regions;
    for (uint32_t b = 0; b < space->level->problem->buffers; b++)
        TRY(problem_add_copy(problem, space->level->problem, b, error));
    for (uint32_t r = 0; r < regions->count; r++)
        for (uint32_t n = 0; n < regions->region[r].weighted.count; n++) {
            list_stretches(space, start, r, n, stretches);
            TRY(add_weights(space, transfer_regions_weighted(regions, r, n), stretches, problem,
                            error));
        }
    return problem_finish(problem, error);
}

enum status schedule_problem(const struct schedule_space *space, const uint32_t *start,
                             struct problem **created, struct error *error)
{
    struct problem *problem = NULL;
    struct stretches stretches;
    TRY(create_stretches(space, &stretches, error));
    enum status status = problem_create(&problem, graph_name(space->regions->graph), error);
    if (!status)
        status = fill_problem(space, start, &stretches, problem, error);
    memory_free(stretches.stretch);
    if (status)
        problem_free(problem);
    else
        *created = problem;
    return status;
}

/* Adds to change[] by how much the weights change the load at each step. A fall is added modulo
   2^64, so that the running sum comes out right. */
static void add_changes(const struct schedule_space *space, const uint32_t *start,
                        struct stretches *stretches, uint64_t *change)
{
    const struct transfer_regions *regions = space->regions;
    for (uint32_t r = 0; r < regions->count; r++)
        for (uint32_t n = 0; n < regions->region[r].weighted.count; n++) {
            uint64_t bytes = regions->weight_bytes[transfer_regions_weighted(regions, r, n)];
            list_stretches(space, start, r, n, stretches);
            for (uint32_t i = 0; i < stretches->count; i++) {
                change[stretches->stretch[i].lower] += bytes;
                change[stretches->stretch[i].upper] -= bytes;
            }
        }
}

enum status schedule_load(const struct schedule_space *space, const uint32_t *start,
                          uint64_t *load_bytes, struct error *error)
{
    uint32_t steps = space->liveness->steps;
    struct stretches stretches = {0};
    uint64_t *change = NULL, weights = 0;
    enum status status;
    TRY_OR_DONE(status, create_stretches(space, &stretches, error));
    TRY_OR_DONE(status, memory_create(&change, (size_t)steps + 1, sizeof *change, error));
    add_changes(space, start, &stretches, change);
    *load_bytes = 0;
    for (uint32_t step = 0; step < steps; step++) {
        weights += change[step];
        if (space->step_bytes[step] + weights > *load_bytes)
            *load_bytes = space->step_bytes[step] + weights;
    }
done:
    memory_free(stretches.stretch);
    memory_free(change);
    return status;
}
