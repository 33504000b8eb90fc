#include "planning/execute/arena.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/binary_search.h"
#include "core/checked.h"
#include "core/compare.h"
#include "core/memory.h"
#include "planning/graph/value_bytes.h"

/* What is known while the arena is made. */
struct placing {
    const struct graph *graph;
    const struct placement *placement;
    const uint64_t *bytes; /* [tensors] of a place for it */
    struct execution *execution;
    struct error *error;
};

/* Results of loops are read where the carried arguments are, and those of Ifs that have no place of
   their own where the yields are. */
static bool is_read_elsewhere(const struct placing *placing, uint32_t tensor)
{
    const struct graph *graph = placing->graph;
    uint32_t producer = graph->tensor[tensor].producer;
    if (producer == GRAPH_NONE || graph->op[producer].first_region == GRAPH_NONE)
        return false;
    if (!graph->op[producer].loop)
        return placing->placement->offset[tensor] == PROBLEM_FREE;
    struct span carried = graph->op[producer].carried;
    for (uint32_t c = 0; c < carried.count; c++)
        if (graph->carried[carried.first + c].result == tensor)
            return true;
    return false;
}

static struct extents_walk begin_place(const struct placing *placing, uint32_t tensor)
{
    return placement_begin(placing->placement, tensor, placing->bytes[tensor]);
}

/* *count is how many pieces the tensor is in. */
static enum execute_place check_place(const struct placing *placing, uint32_t tensor,
                                      uint32_t *count)
{
    struct extents_walk walk = begin_place(placing, tensor);
    struct extent extent;
    uint64_t end, bytes = 0;
    *count = 0;
    if (placing->placement->offset[tensor] == PROBLEM_FREE)
        return EXECUTE_NO_OFFSET;
    for (; extents_next(&walk, &extent); ++*count) {
        if (!checked_add(extent.offset, extent.bytes, &end))
            return EXECUTE_BEYOND_END;
        bytes += extent.bytes;
    }
    return bytes == placing->bytes[tensor] && walk.position == bytes ? EXECUTE_PLACED
                                                                     : EXECUTE_WRONG_EXTENTS;
}

/* Keeps in the execution what is wrong with the place of a tensor; false where something is. */
static bool note_place(const struct placing *placing, uint32_t tensor, enum execute_place place)
{
    if (place == EXECUTE_PLACED)
        return true;
    assert(placing->execution->intact);
    placing->execution->intact = false;
    placing->execution->damaged = tensor;
    placing->execution->place = place;
    return false;
}

static uint32_t find_cell(const uint64_t *border, uint32_t borders, uint64_t address)
{
    uint32_t cell = BINARY_SEARCH(at, 0, borders, border[at] >= address);
    assert(cell < borders && border[cell] == address);
    return cell;
}

/* Lists the borders of the cells and, in the order of the tensors, which cells are in each run. */
static enum status make_cells(struct execute_arena *arena, const struct placing *placing,
                              struct scratch *scratch)
{
    uint32_t runs = arena->first[placing->graph->tensors], borders = 0, unique = 0, made = 0;
    assert(placing->execution->intact && runs <= UINT32_MAX / 2);
    uint64_t *address; /* [2 * runs] where each begins and ends */
    TRY(scratch_take(scratch, &arena->run, runs, sizeof *arena->run, placing->error));
    TRY(scratch_take(scratch, &address, runs, 2 * sizeof *address, placing->error));
    TRY(scratch_take(scratch, &arena->border, runs, 2 * sizeof *arena->border, placing->error));
    for (uint32_t t = 0; t < placing->graph->tensors; t++) {
        struct extents_walk walk = begin_place(placing, t);
        struct extent extent;
        while (execute_arena_has(arena, t) && extents_next(&walk, &extent)) {
            address[borders++] = extent.offset;
            address[borders++] = extent.offset + extent.bytes;
        }
    }
    assert(borders == 2 * runs);
    memcpy(arena->border, address, borders * sizeof *address);
    qsort(arena->border, borders, sizeof *arena->border, compare_number_items);
    for (uint32_t i = 0; i < borders; i++)
        if (i == 0 || arena->border[i] != arena->border[unique - 1])
            arena->border[unique++] = arena->border[i];
    for (; made < runs; made++) {
        arena->run[made].first = find_cell(arena->border, unique, address[2 * made]);
        arena->run[made].end = find_cell(arena->border, unique, address[2 * made + 1]);
        assert(arena->run[made].first < arena->run[made].end);
    }
    arena->cells = unique;
    TRY(scratch_take(scratch, &arena->version, unique, sizeof *arena->version, placing->error));
    return scratch_take(scratch, &arena->writer, unique, sizeof *arena->writer, placing->error);
}

/* Whether extents of the tensor share bytes. One byte would then stand for two of the tensor, and
   no tag could show that the second write destroyed the first. */
static bool is_folded(struct execute_arena *arena, uint32_t tensor)
{
    uint64_t cells = 0, written = 0;
    assert(execute_arena_has(arena, tensor));
    uint64_t version = execute_arena_write(arena, tensor, UINT64_MAX);
    for (uint32_t r = arena->first[tensor]; r < arena->first[tensor + 1]; r++)
        for (uint32_t i = arena->run[r].first; i < arena->run[r].end; i++) {
            cells++;
            written += arena->version[i] == version;
            arena->version[i] = 0;
        }
    assert(cells > 0 && written <= cells);
    return cells != written;
}

enum status execute_arena_create(struct execute_arena *arena, const struct graph *graph,
                                 const struct placement *placement, struct execution *execution,
                                 struct scratch *scratch, struct error *error)
{
    SCOPED(memory_release) uint64_t *bytes = NULL;
    uint64_t runs = 0;
    *arena = (struct execute_arena){0};
    if (placement->tensors != graph->tensors)
        return error_set(error, STATUS_BAD_INPUT, "the placement has %u tensors, expected %u",
                         placement->tensors, graph->tensors);
    TRY(value_bytes_create(graph, &bytes, error));
    TRY(scratch_take(scratch, &arena->first, (size_t)graph->tensors + 1, sizeof *arena->first,
                     error));
    struct placing placing = {graph, placement, bytes, execution, error};
    for (uint32_t t = 0; t < graph->tensors; t++) {
        uint32_t count = 0;
        if (!graph->tensor[t].external && !is_read_elsewhere(&placing, t) &&
            !note_place(&placing, t, check_place(&placing, t, &count)))
            return STATUS_OK;
        runs += count;
        if (runs > UINT32_MAX / 2)
            return error_set(error, STATUS_BAD_INPUT, "more than %u extents", UINT32_MAX / 2);
        arena->first[t + 1] = (uint32_t)runs;
        assert(arena->first[t] <= arena->first[t + 1]);
    }
    TRY(make_cells(arena, &placing, scratch));
    for (uint32_t t = 0; t < graph->tensors; t++)
        if (arena->first[t + 1] - arena->first[t] > 1 && is_folded(arena, t) &&
            !note_place(&placing, t, EXECUTE_SELF_OVERLAP))
            break;
    return STATUS_OK;
}

bool execute_arena_has(const struct execute_arena *arena, uint32_t tensor)
{
    return arena->first[tensor] < arena->first[tensor + 1];
}

struct execute_cell_walk execute_arena_begin(const struct execute_arena *arena, uint32_t tensor,
                                             uint64_t bytes)
{
    assert(arena->first[tensor] <= arena->first[tensor + 1]);
    return (struct execute_cell_walk){arena, arena->first[tensor], arena->first[tensor + 1], bytes};
}

bool execute_arena_next(struct execute_cell_walk *walk, struct execute_cells *cells)
{
    const uint64_t *border = walk->arena->border;
    if (walk->run == walk->end_run || !walk->bytes)
        return false;
    *cells = walk->arena->run[walk->run++];
    assert(cells->first < cells->end);
    uint64_t bytes = border[cells->end] - border[cells->first];
    if (bytes > walk->bytes)
        bytes = walk->bytes;
    assert(bytes > 0);
    while (cells->end > cells->first && border[cells->end - 1] - border[cells->first] >= bytes)
        cells->end--;
    assert(bytes <= walk->bytes && cells->end > cells->first);
    walk->bytes -= bytes;
    return true;
}

uint64_t execute_arena_write(struct execute_arena *arena, uint32_t tensor, uint64_t bytes)
{
    uint64_t version = ++arena->writes;
    assert(version != 0 && bytes > 0);
    struct execute_cell_walk walk = execute_arena_begin(arena, tensor, bytes);
    for (struct execute_cells cells; execute_arena_next(&walk, &cells);)
        for (uint32_t i = cells.first; i < cells.end; i++) {
            arena->version[i] = version;
            arena->writer[i] = tensor;
        }
    return version;
}

/* Whether all of the cells hold the version. Mostly they do; a loop without an early exit finds
   that out several cells at a time. */
static bool all_hold(const uint64_t *held, uint32_t count, uint64_t version)
{
    uint64_t differ = 0;
    for (uint32_t i = 0; i < count; i++)
        differ |= held[i] ^ version;
    return !differ;
}

bool execute_arena_holds(const struct execute_arena *arena, struct execute_value value,
                         uint64_t pardoned, uint32_t *cell)
{
    assert(value.tensor != GRAPH_NONE);
    const uint64_t *held = arena->version;
    struct execute_cell_walk walk = execute_arena_begin(arena, value.tensor, value.bytes);
    for (struct execute_cells cells; execute_arena_next(&walk, &cells);) {
        if (all_hold(held + cells.first, cells.end - cells.first, value.version))
            continue;
        for (*cell = cells.first; *cell < cells.end; ++*cell)
            if (held[*cell] != value.version && (!pardoned || held[*cell] != pardoned))
                return false;
    }
    return true;
}
