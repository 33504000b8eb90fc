#include "planning/execute/memories.h"

#include <assert.h>

#include "core/memory.h"
#include "planning/execute/execute.h"
#include "planning/graph/value_bytes.h"
#include "planning/memories/address.h"

/* Up to where a memory has bytes for buffers from this offset on: to the end of the memory or of
   the chunk, or to the next reserved range; the offset itself where that byte is reserved. */
static uint64_t find_end(const struct memory_problem *memories, uint32_t m, uint64_t offset)
{
    const struct memory *memory = &memories->memory[m];
    uint64_t end = memory->capacity_bytes;
    assert(offset < MEMORY_OFFSET_END);
    if (memory->chunk_bytes && memory->chunk_bytes - offset % memory->chunk_bytes < end - offset)
        end = offset + memory->chunk_bytes - offset % memory->chunk_bytes;
    for (uint32_t r = 0; r < memories->reserved_ranges; r++) {
        const struct memory_range *range = &memories->reserved[r];
        if (range->memory == m && range->upper > offset && range->lower < end)
            end = range->lower > offset ? range->lower : offset;
    }
    assert(end >= offset);
    return end;
}

static bool is_offered(const struct memory_problem *memories, uint64_t address, uint64_t bytes)
{
    uint32_t m = memory_of_address(address);
    uint64_t offset = memory_offset_of_address(address);
    if (m >= memories->memories || offset >= memories->memory[m].capacity_bytes ||
        offset % memories->memory[m].alignment)
        return false;
    return bytes <= find_end(memories, m, offset) - offset;
}

enum status execute_memories(const struct graph *graph, const struct memory_problem *memories,
                             uint64_t alignment_bytes, const struct placement *placement,
                             const struct execute_options *options, struct execution *execution,
                             struct error *error)
{
    SCOPED(memory_release) uint64_t *bytes = NULL;
    TRY(value_bytes_create(graph, &bytes, error));
    assert(placement->tensors == graph->tensors && !placement->extents);
    for (uint32_t t = 0; t < graph->tensors; t++) {
        uint64_t address = placement->offset[t];
        uint64_t alignment = alignment_bytes ? alignment_bytes : graph_alignment(graph, t);
        if (address == PROBLEM_FREE || (is_offered(memories, address, bytes[t]) &&
                                        memory_offset_of_address(address) % alignment == 0))
            continue;
        *execution = (struct execution){.options = *options,
                                        .place = EXECUTE_NOT_OFFERED,
                                        .damaged = t,
                                        .op = GRAPH_NONE,
                                        .writer = GRAPH_NONE};
        return STATUS_OK;
    }
    return execute_placement(graph, placement, options, execution, error);
}
