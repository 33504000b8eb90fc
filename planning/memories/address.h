#ifndef MEMPLAN_PLANNING_MEMORIES_ADDRESS_H
#define MEMPLAN_PLANNING_MEMORIES_ADDRESS_H

#include <assert.h>
#include <stdint.h>

/* A memory and an offset in it as one number: all memories lie on one line, far apart. So code that
   knows places on one line only, such as the checks of a placement, works with several memories,
   too. */

enum { MEMORY_ADDRESS_BITS = 52, MEMORY_MOST = 1024 };
#define MEMORY_OFFSET_END ((uint64_t)1 << MEMORY_ADDRESS_BITS) /* every offset is below */

static inline uint64_t memory_address(uint32_t memory, uint64_t offset)
{
    assert(memory < MEMORY_MOST && offset < MEMORY_OFFSET_END);
    return (uint64_t)memory << MEMORY_ADDRESS_BITS | offset;
}

static inline uint32_t memory_of_address(uint64_t address)
{
    return (uint32_t)(address >> MEMORY_ADDRESS_BITS);
}

static inline uint64_t memory_offset_of_address(uint64_t address)
{
    return address & (MEMORY_OFFSET_END - 1);
}

#endif
