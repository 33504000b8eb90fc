#include <stdio.h>

#include "core/memory.h"
#include "dma/planned/schedule.h"

/* Steps in which a buffer is live. */
struct stretch {
    uint32_t lower, upper;
};

struct stretches {
    struct stretch *stretch; /* [count] ascending, with steps between them */
    uint32_t count;
};

static void add_stretch(struct stretches *stretches, uint32_t lower, uint32_t upper)
{
    struct stretch *last = stretches->stretch + stretches->count;
    if (lower >= upper)
        return;
    if (stretches->count && last[-1].upper >= lower)
        last[-1].upper = upper > last[-1].upper ? upper : last[-1].upper;
    else
        stretches->stretch[stretches->count++] = (struct stretch){lower, upper};
}

/* The operator that the border leads into or out of. */
static uint32_t find_owner(const struct prefetch *prefetch, const struct transfer_border *border)
{
    const struct transfer_regions *regions = prefetch->regions;
    const struct transfer_region *from = &regions->region[border->from];
    return border->from < border->to && from->owner != GRAPH_NONE
               ? from->owner
               : regions->graph->region[from->graph_region].owner;
}

/* From the place before a border until that is crossed. */
static void add_before(const struct prefetch *prefetch, const struct transfer_border *border,
                       uint32_t place, struct stretches *stretches)
{
    const struct liveness *liveness = prefetch->liveness;
    const struct transfer_regions *regions = prefetch->regions;
    const struct transfer_region *from = &regions->region[border->from];
    uint32_t owner = find_owner(prefetch, border), end;
    if (border->kind == TRANSFER_NEXT)
        end = liveness->enter_step[regions->region[border->to].begin];
    else if (border->kind == TRANSFER_JOIN)
        end = liveness->region_end[from->graph_region];
    else if (border->from < border->to)
        end = liveness->enter_step[owner] + 1;
    else
        end = liveness->leave_step[owner] + 1;
    uint32_t begin = place < from->end               ? liveness->enter_step[place]
                     : border->kind == TRANSFER_NEXT ? end
                                                     : liveness->region_end[from->graph_region];
    add_stretch(stretches, begin, end);
}

/* From when a border into the region has been crossed. */
static uint32_t find_entry(const struct prefetch *prefetch, uint32_t r)
{
    const struct transfer_border *border = &prefetch->borders->border[prefetch->borders->into[r]];
    if (border->kind == TRANSFER_JOIN)
        return prefetch->liveness->leave_step[find_owner(prefetch, border)];
    return prefetch->liveness->enter_step[prefetch->regions->region[r].begin];
}

/* The region's own steps lie after those of the regions before it, but for the end of a loop's
   turn. */
static void list_early(const struct prefetch *prefetch, const uint32_t *start, uint32_t r,
                       uint32_t n, struct stretches *stretches)
{
    const struct transfer_borders *borders = prefetch->borders;
    uint32_t o = prefetch->regions->bearer[prefetch->regions->region[r].bearers.first + n];
    bool used = false;
    for (uint32_t b = borders->into[r]; b < borders->into[r + 1]; b++) {
        const struct transfer_border *border = &borders->border[b];
        if (border->from >= r && !used) {
            add_stretch(stretches, find_entry(prefetch, r), prefetch->liveness->enter_step[o] + 1);
            used = true;
        }
        add_before(prefetch, border, start[prefetch_place(prefetch, r, n, b)], stretches);
    }
    if (!used)
        add_stretch(stretches, find_entry(prefetch, r), prefetch->liveness->enter_step[o] + 1);
}

/* Of the n-th bearer of a region. */
static void list_stretches(const struct prefetch *prefetch, const uint32_t *start, uint32_t r,
                           uint32_t n, struct stretches *stretches)
{
    const uint32_t *step = prefetch->liveness->enter_step;
    uint32_t b = prefetch->regions->region[r].bearers.first + n;
    stretches->count = 0;
    if (start[b] == PREFETCH_EARLY)
        list_early(prefetch, start, r, n, stretches);
    else
        add_stretch(stretches, step[start[b]], step[prefetch->regions->bearer[b]] + 1);
}

/* Enough for any bearer: one for each border into its region, and its own. */
static enum status create_stretches(const struct prefetch *prefetch, struct stretches *stretches,
                                    struct error *error)
{
    const uint32_t *into = prefetch->borders->into;
    uint32_t most = 0;
    for (uint32_t r = 0; r < prefetch->regions->count; r++)
        most = into[r + 1] - into[r] > most ? into[r + 1] - into[r] : most;
    stretches->count = 0;
    return memory_create(&stretches->stretch, (size_t)most + 1, sizeof *stretches->stretch, error);
}

static enum status add_weights(const struct prefetch *prefetch, uint32_t o,
                               const struct stretches *stretches, struct problem *problem,
                               struct error *error)
{
    const struct graph *graph = prefetch->regions->graph;
    char name[256];
    const struct problem_buffer buffer = {.name = name,
                                          .size = prefetch->regions->weight_bytes[o],
                                          .alignment = prefetch->alignment_bytes,
                                          .fixed_offset = PROBLEM_FREE,
                                          .hint = -1};
    snprintf(name, sizeof name, "weights of %s", graph_label(graph, graph->op[o].name));
    TRY(problem_add_buffer(problem, &buffer, error));
    for (uint32_t i = 0; i < stretches->count; i++)
        TRY(problem_add_segment(problem, stretches->stretch[i].lower, stretches->stretch[i].upper,
                                0, buffer.size, error));
    return STATUS_OK;
}

static enum status fill_problem(const struct prefetch *prefetch, const uint32_t *start,
                                struct stretches *stretches, struct problem *problem,
                                struct error *error)
{
    const struct transfer_regions *regions = prefetch->regions;
    for (uint32_t b = 0; b < prefetch->level->problem->buffers; b++)
        TRY(problem_add_copy(problem, prefetch->level->problem, b, error));
    for (uint32_t r = 0; r < regions->count; r++)
        for (uint32_t n = 0; n < regions->region[r].bearers.count; n++) {
            list_stretches(prefetch, start, r, n, stretches);
            TRY(add_weights(prefetch, regions->bearer[regions->region[r].bearers.first + n],
                            stretches, problem, error));
        }
    return problem_finish(problem, error);
}

enum status prefetch_problem(const struct prefetch *prefetch, const uint32_t *start,
                             struct problem **created, struct error *error)
{
    struct problem *problem = NULL;
    struct stretches stretches;
    TRY(create_stretches(prefetch, &stretches, error));
    enum status status = problem_create(&problem, graph_name(prefetch->regions->graph), error);
    if (!status)
        status = fill_problem(prefetch, start, &stretches, problem, error);
    memory_free(stretches.stretch);
    if (status)
        problem_free(problem);
    else
        *created = problem;
    return status;
}

/* Modulo 2^64, so that a fall below what was there before is right too. */
static void add_changes(const struct prefetch *prefetch, const uint32_t *start,
                        struct stretches *stretches, uint64_t *change)
{
    const struct transfer_regions *regions = prefetch->regions;
    for (uint32_t r = 0; r < regions->count; r++)
        for (uint32_t n = 0; n < regions->region[r].bearers.count; n++) {
            uint64_t bytes =
                regions->weight_bytes[regions->bearer[regions->region[r].bearers.first + n]];
            list_stretches(prefetch, start, r, n, stretches);
            for (uint32_t i = 0; i < stretches->count; i++) {
                change[stretches->stretch[i].lower] += bytes;
                change[stretches->stretch[i].upper] -= bytes;
            }
        }
}

enum status prefetch_load(const struct prefetch *prefetch, const uint32_t *start,
                          uint64_t *load_bytes, struct error *error)
{
    uint32_t steps = prefetch->liveness->steps;
    struct stretches stretches = {0};
    uint64_t *change = NULL, weights = 0;
    enum status status;
    TRY_OR_DONE(status, create_stretches(prefetch, &stretches, error));
    TRY_OR_DONE(status, memory_create(&change, (size_t)steps + 1, sizeof *change, error));
    add_changes(prefetch, start, &stretches, change);
    *load_bytes = 0;
    for (uint32_t step = 0; step < steps; step++) {
        weights += change[step];
        if (prefetch->step_bytes[step] + weights > *load_bytes)
            *load_bytes = prefetch->step_bytes[step] + weights;
    }
done:
    memory_free(stretches.stretch);
    memory_free(change);
    return status;
}
