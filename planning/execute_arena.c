#include "planning/execute_arena.h"

#include <stdlib.h>

#include "core/checked.h"
#include "core/memory.h"

/* Results of Ifs and loops are read where the yields and the carried arguments are. */
static bool is_read_elsewhere(const struct graph *graph, uint32_t tensor)
{
    uint32_t producer = graph->tensor[tensor].producer;
    if (producer == GRAPH_NONE || graph->operator[producer].first_region == GRAPH_NONE)
        return false;
    if (!graph->operator[producer].loop)
        return true;
    struct span carried = graph->operator[producer].carried;
    for (uint32_t c = 0; c < carried.count; c++)
        if (graph->carried[carried.first + c].result == tensor)
            return true;
    return false;
}

static bool needs_place(const struct graph *graph, uint32_t tensor)
{
    return !graph->tensor[tensor].external && !is_read_elsewhere(graph, tensor);
}

/* *count is how many pieces the tensor is in. */
static enum status check_place(const struct graph *graph, const struct placement *placement,
                               uint32_t tensor, uint32_t *count, struct error *error)
{
    const char *name = names_get(&graph->tensor_names, tensor);
    struct extents_walk walk = placement_begin(placement, tensor, graph->tensor[tensor].bytes);
    struct extent piece;
    uint64_t end, bytes = 0;
    if (placement->offset[tensor] == PROBLEM_FREE)
        return error_set(error, STATUS_BAD_INPUT, "tensor '%s' has no offset, expected one", name);
    for (*count = 0; extents_next(&walk, &piece); ++*count) {
        if (!checked_add(piece.offset, piece.bytes, &end))
            return error_set(error, STATUS_BAD_INPUT,
                             "tensor '%s' of %llu bytes at %llu ends beyond 2^64 bytes", name,
                             (unsigned long long)graph->tensor[tensor].bytes,
                             (unsigned long long)piece.offset);
        bytes += piece.bytes;
    }
    if (bytes != graph->tensor[tensor].bytes || walk.position != bytes)
        return error_set(error, STATUS_BAD_INPUT,
                         "the extents of tensor '%s' do not add up to its %llu bytes", name,
                         (unsigned long long)graph->tensor[tensor].bytes);
    return STATUS_OK;
}

static enum status count_runs(struct execute_arena *arena, const struct graph *graph,
                              const struct placement *placement, struct error *error)
{
    uint64_t runs = 0;
    for (uint32_t t = 0; t < graph->tensors; t++) {
        uint32_t count = 0;
        if (needs_place(graph, t))
            TRY(check_place(graph, placement, t, &count, error));
        runs += count;
        if (runs > UINT32_MAX / 2)
            return error_set(error, STATUS_BAD_INPUT, "more than %u extents", UINT32_MAX / 2);
        arena->first[t + 1] = (uint32_t)runs;
    }
    return STATUS_OK;
}

static int compare_addresses(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left;
    uint64_t b = *(const uint64_t *)right;
    return a < b ? -1 : a > b;
}

static uint32_t sort_unique(uint64_t *address, uint32_t count)
{
    uint32_t unique = 0;
    qsort(address, count, sizeof *address, compare_addresses);
    for (uint32_t i = 0; i < count; i++)
        if (i == 0 || address[i] != address[unique - 1])
            address[unique++] = address[i];
    return unique;
}

static uint32_t find_cell(const uint64_t *border, uint32_t borders, uint64_t address)
{
    const uint64_t *found = bsearch(&address, border, borders, sizeof *border, compare_addresses);
    return (uint32_t)(found - border);
}

static uint32_t list_borders(const struct execute_arena *arena, const struct graph *graph,
                             const struct placement *placement, uint64_t *border)
{
    uint32_t borders = 0;
    for (uint32_t t = 0; t < graph->tensors; t++) {
        struct extents_walk walk = placement_begin(placement, t, graph->tensor[t].bytes);
        struct extent piece;
        while (execute_arena_has(arena, t) && extents_next(&walk, &piece)) {
            border[borders++] = piece.offset;
            border[borders++] = piece.offset + piece.bytes;
        }
    }
    return sort_unique(border, borders);
}

/* Cell i is between border i and border i + 1. */
static void find_runs(struct execute_arena *arena, const struct graph *graph,
                      const struct placement *placement, const uint64_t *border, uint32_t borders)
{
    struct execute_cells *run = arena->run;
    for (uint32_t t = 0; t < graph->tensors; t++) {
        struct extents_walk walk = placement_begin(placement, t, graph->tensor[t].bytes);
        struct extent piece;
        while (execute_arena_has(arena, t) && extents_next(&walk, &piece)) {
            run->first = find_cell(border, borders, piece.offset);
            run->end = find_cell(border, borders, piece.offset + piece.bytes);
            run++;
        }
    }
}

static enum status make_cells(struct execute_arena *arena, const struct graph *graph,
                              const struct placement *placement, struct error *error)
{
    uint64_t *border;
    size_t runs = arena->first[graph->tensors];
    TRY(memory_create(&arena->run, runs, sizeof *arena->run, error));
    TRY(memory_create(&border, runs * 2, sizeof *border, error));
    uint32_t borders = list_borders(arena, graph, placement, border);
    find_runs(arena, graph, placement, border, borders);
    memory_free(border);
    return memory_create(&arena->cell, borders, sizeof *arena->cell, error);
}

/* A cell met twice in one tensor would hide that one byte stands for two. */
static bool is_folded(struct execute_arena *arena, uint32_t tensor)
{
    uint64_t cells = 0, written = 0;
    uint64_t version = execute_arena_write(arena, tensor);
    for (uint32_t r = arena->first[tensor]; r < arena->first[tensor + 1]; r++)
        for (uint32_t i = arena->run[r].first; i < arena->run[r].end; i++) {
            cells++;
            written += arena->cell[i].version == version;
            arena->cell[i].version = 0;
        }
    return cells != written;
}

static enum status check_runs(struct execute_arena *arena, const struct graph *graph,
                              struct error *error)
{
    for (uint32_t t = 0; t < graph->tensors; t++)
        if (arena->first[t + 1] - arena->first[t] > 1 && is_folded(arena, t))
            return error_set(error, STATUS_BAD_INPUT, "extents of tensor '%s' share bytes",
                             names_get(&graph->tensor_names, t));
    return STATUS_OK;
}

enum status execute_arena_create(struct execute_arena *arena, const struct graph *graph,
                                 const struct placement *placement, struct error *error)
{
    *arena = (struct execute_arena){0};
    if (placement->tensors != graph->tensors)
        return error_set(error, STATUS_BAD_INPUT, "the placement has %u tensors, expected %u",
                         placement->tensors, graph->tensors);
    TRY(memory_create(&arena->first, (size_t)graph->tensors + 1, sizeof *arena->first, error));
    TRY(count_runs(arena, graph, placement, error));
    TRY(make_cells(arena, graph, placement, error));
    return check_runs(arena, graph, error);
}

void execute_arena_free(struct execute_arena *arena)
{
    memory_free(arena->first);
    memory_free(arena->run);
    memory_free(arena->cell);
}

bool execute_arena_has(const struct execute_arena *arena, uint32_t tensor)
{
    return arena->first[tensor] < arena->first[tensor + 1];
}

uint64_t execute_arena_write(struct execute_arena *arena, uint32_t tensor)
{
    const struct execute_cell written = {.version = ++arena->version, .tensor = tensor};
    for (uint32_t r = arena->first[tensor]; r < arena->first[tensor + 1]; r++)
        for (uint32_t i = arena->run[r].first; i < arena->run[r].end; i++)
            arena->cell[i] = written;
    return written.version;
}

const struct execute_cell *execute_arena_damage(const struct execute_arena *arena, uint32_t tensor,
                                                uint64_t version, uint64_t pardoned)
{
    for (uint32_t r = arena->first[tensor]; r < arena->first[tensor + 1]; r++)
        for (uint32_t i = arena->run[r].first; i < arena->run[r].end; i++) {
            const struct execute_cell *cell = &arena->cell[i];
            if (cell->version != version && (!pardoned || cell->version != pardoned))
                return cell;
        }
    return NULL;
}
