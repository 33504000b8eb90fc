#include "dma/prefetch.h"

#include <stdio.h>

#include "core/checked.h"
#include "core/memory.h"

static enum status add_weights(const struct prefetch *prefetch, uint32_t bearer, uint32_t start,
                               struct problem *problem, struct error *error)
{
    const struct graph *graph = prefetch->regions->graph;
    const uint32_t *step = prefetch->liveness->enter_step;
    uint32_t o = prefetch->regions->bearer[bearer];
    char name[256];
    const struct problem_buffer buffer = {.name = name,
                                          .size = prefetch->regions->weight_bytes[o],
                                          .alignment = prefetch->alignment_bytes,
                                          .fixed_offset = PROBLEM_FREE,
                                          .hint = -1};
    snprintf(name, sizeof name, "weights of %s", graph_label(graph, graph->operator[o].name));
    TRY(problem_add_buffer(problem, &buffer, error));
    return problem_add_segment(problem, step[start], step[o] + 1, 0, buffer.size, error);
}

static enum status fill_problem(const struct prefetch *prefetch, const uint32_t *start,
                                struct problem *problem, struct error *error)
{
    for (uint32_t b = 0; b < prefetch->level->problem->buffers; b++)
        TRY(problem_add_copy(problem, prefetch->level->problem, b, error));
    for (uint32_t b = 0; b < prefetch->regions->bearers; b++)
        TRY(add_weights(prefetch, b, start[b], problem, error));
    return problem_finish(problem, error);
}

enum status prefetch_problem(const struct prefetch *prefetch, const uint32_t *start,
                             struct problem **created, struct error *error)
{
    struct problem *problem;
    TRY(problem_create(&problem, graph_name(prefetch->regions->graph), error));
    enum status status = fill_problem(prefetch, start, problem, error);
    if (status) {
        problem_free(problem);
        return status;
    }
    *created = problem;
    return STATUS_OK;
}

/* So that no sum of loads overflows. */
static enum status check_size(const struct prefetch *prefetch, struct error *error)
{
    uint64_t bytes;
    if (checked_add(problem_naive_bytes(prefetch->level->problem), prefetch->regions->total_bytes,
                    &bytes))
        return STATUS_OK;
    return error_set(error, STATUS_BAD_INPUT, "tensors and weights add up to more than 2^64 bytes");
}

static enum status fill_load(struct prefetch *prefetch, struct error *error)
{
    const struct problem *problem = prefetch->level->problem;
    const struct graph *graph = prefetch->regions->graph;
    uint64_t *change; /* [steps + 1] modulo 2^64 */
    TRY(memory_create(&change, (size_t)prefetch->liveness->steps + 1, sizeof *change, error));
    for (uint32_t s = 0; s < problem->segments; s++) {
        uint64_t bytes = problem->window_upper[s] - problem->window_lower[s];
        change[problem->lower[s]] += bytes;
        change[problem->upper[s]] -= bytes;
    }
    for (uint32_t step = 0; step < prefetch->liveness->steps; step++)
        change[step + 1] += change[step];
    for (uint32_t o = 0; o < graph->operators; o++)
        prefetch->load_bytes[o] = change[prefetch->liveness->enter_step[o]];
    memory_free(change);
    return STATUS_OK;
}

static enum status fill_prefetch(struct prefetch *prefetch, struct error *error)
{
    const struct graph *graph = prefetch->regions->graph;
    TRY(liveness_create(graph, &prefetch->liveness, error));
    TRY(level_create_flat(graph, prefetch->liveness, prefetch->alignment_bytes, &prefetch->level,
                          error));
    TRY(memory_create(&prefetch->load_bytes, graph->operators, sizeof *prefetch->load_bytes,
                      error));
    TRY(check_size(prefetch, error));
    return fill_load(prefetch, error);
}

enum status prefetch_create(const struct transfer_regions *regions,
                            const struct transfer_costs *costs, uint64_t alignment_bytes,
                            struct prefetch **created, struct error *error)
{
    struct prefetch *prefetch;
    TRY(memory_create(&prefetch, 1, sizeof *prefetch, error));
    prefetch->regions = regions;
    prefetch->costs = costs;
    prefetch->alignment_bytes = alignment_bytes;
    enum status status = fill_prefetch(prefetch, error);
    if (status) {
        prefetch_free(prefetch);
        return status;
    }
    *created = prefetch;
    return STATUS_OK;
}

void prefetch_free(struct prefetch *prefetch)
{
    if (!prefetch)
        return;
    level_free(prefetch->level);
    liveness_free(prefetch->liveness);
    memory_free(prefetch->load_bytes);
    memory_free(prefetch);
}

static enum status write_region(const struct prefetch *prefetch, const uint32_t *start,
                                const struct transfer_region *region,
                                struct transfer_program *program, struct error *error)
{
    const struct transfer_regions *regions = prefetch->regions;
    uint32_t next = region->bearers.first, own = next, end = next + region->bearers.count;
    for (uint32_t o = region->begin; o < region->end; o++) {
        bool bears = regions->weight_bytes[o] > 0;
        for (; next < end && start[next] == o; next++)
            TRY(transfer_program_add(program, TRANSFER_START, regions->bearer[next], next, error));
        if (bears)
            TRY(transfer_program_add(program, TRANSFER_WAIT, o, own, error));
        TRY(transfer_program_add(program, TRANSFER_COMPUTE, o, bears ? own++ : 0, error));
    }
    transfer_program_end_region(program);
    return STATUS_OK;
}

enum status prefetch_program(const struct prefetch *prefetch, const uint32_t *start,
                             struct transfer_program **created, struct error *error)
{
    const struct transfer_regions *regions = prefetch->regions;
    struct transfer_program *program;
    /* An operator without weights names buffer 0 all the same. */
    uint32_t buffers = regions->bearers ? regions->bearers : 1;
    TRY(transfer_program_create(regions, buffers, &program, error));
    for (uint32_t r = 0; r < regions->count; r++) {
        enum status status = write_region(prefetch, start, &regions->region[r], program, error);
        if (status) {
            transfer_program_free(program);
            return status;
        }
    }
    *created = program;
    return STATUS_OK;
}
