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

static enum status find_end(const struct graph *graph, const struct placement *placement,
                            uint32_t tensor, uint64_t *end, struct error *error)
{
    const char *name = names_get(&graph->tensor_names, tensor);
    if (placement->offset[tensor] == PROBLEM_FREE)
        return error_set(error, STATUS_BAD_INPUT, "tensor '%s' has no offset, expected one", name);
    if (!checked_add(placement->offset[tensor], graph->tensor[tensor].bytes, end))
        return error_set(error, STATUS_BAD_INPUT,
                         "tensor '%s' of %llu bytes at %llu ends beyond 2^64 bytes", name,
                         (unsigned long long)graph->tensor[tensor].bytes,
                         (unsigned long long)placement->offset[tensor]);
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

/* Cell i is between border i and border i + 1. */
static enum status make_cells(struct execute_arena *arena, const struct graph *graph,
                              const struct placement *placement, uint64_t *border,
                              struct error *error)
{
    uint32_t borders = 0;
    for (uint32_t t = 0; t < graph->tensors; t++) {
        if (graph->tensor[t].external || is_read_elsewhere(graph, t))
            continue;
        TRY(find_end(graph, placement, t, &border[borders + 1], error));
        border[borders] = placement->offset[t];
        arena->end[t] = 1;
        borders += 2;
    }
    borders = sort_unique(border, borders);
    for (uint32_t t = 0; t < graph->tensors; t++) {
        if (!arena->end[t])
            continue;
        uint64_t offset = placement->offset[t];
        arena->first[t] = find_cell(border, borders, offset);
        arena->end[t] = find_cell(border, borders, offset + graph->tensor[t].bytes);
    }
    return memory_create(&arena->cell, borders, sizeof *arena->cell, error);
}

enum status execute_arena_create(struct execute_arena *arena, const struct graph *graph,
                                 const struct placement *placement, struct error *error)
{
    uint64_t *border;
    *arena = (struct execute_arena){0};
    if (placement->tensors != graph->tensors)
        return error_set(error, STATUS_BAD_INPUT, "the placement has %u tensors, expected %u",
                         placement->tensors, graph->tensors);
    if (graph->tensors > UINT32_MAX / 2)
        return error_set(error, STATUS_BAD_INPUT, "more than %u tensors", UINT32_MAX / 2);
    TRY(memory_create(&arena->first, graph->tensors, sizeof *arena->first, error));
    TRY(memory_create(&arena->end, graph->tensors, sizeof *arena->end, error));
    TRY(memory_create(&border, (size_t)graph->tensors * 2, sizeof *border, error));
    enum status status = make_cells(arena, graph, placement, border, error);
    memory_free(border);
    return status;
}

void execute_arena_free(struct execute_arena *arena)
{
    memory_free(arena->first);
    memory_free(arena->end);
    memory_free(arena->cell);
}

bool execute_arena_has(const struct execute_arena *arena, uint32_t tensor)
{
    return arena->first[tensor] < arena->end[tensor];
}

uint64_t execute_arena_write(struct execute_arena *arena, uint32_t tensor)
{
    const struct execute_cell written = {.version = ++arena->version, .tensor = tensor};
    for (uint32_t i = arena->first[tensor]; i < arena->end[tensor]; i++)
        arena->cell[i] = written;
    return written.version;
}

const struct execute_cell *execute_arena_damage(const struct execute_arena *arena, uint32_t tensor,
                                                uint64_t version, uint64_t pardoned)
{
    for (uint32_t i = arena->first[tensor]; i < arena->end[tensor]; i++) {
        const struct execute_cell *cell = &arena->cell[i];
        if (cell->version != version && (!pardoned || cell->version != pardoned))
            return cell;
    }
    return NULL;
}
