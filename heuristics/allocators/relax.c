/* StaticPlanBlockMemory of TVM Relax, apache/tvm src/relax/transform/static_plan_block_memory.cc @
   cec83d1badec, where the parameters have upper bounds and where they have none. Each object is an
   allocation of its own; here they lie end to end.

   Departures: dtypes do not keep tensors apart. */

#include "heuristics/allocators/relax.h"
#include "core/checked.h"
#include "heuristics/allocators/heap.h"
#include "heuristics/common/events.h"

struct object {
    uint64_t bytes, begin;
    uint32_t same;
    bool is_free;
};

/* The object that a buffer gets; `count` stands for a new one. It is the smallest free object that
   has between once and 16 times the buffer's bytes, of equals the oldest; else the largest of the
   smaller ones that have at least a 16th. */
static uint32_t find_object(const struct object *object, uint32_t count, uint64_t size)
{
    enum { MOST_TIMES = 16 };
    uint32_t larger = count, smaller = count;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t bytes = object[i].bytes;
        if (!object[i].is_free)
            continue;
        if (bytes >= size && bytes / MOST_TIMES + (bytes % MOST_TIMES != 0) <= size &&
            (larger == count || bytes < object[larger].bytes))
            larger = i;
        if (bytes < size && bytes >= size / MOST_TIMES + (size % MOST_TIMES != 0) &&
            (smaller == count || bytes > object[smaller].bytes))
            smaller = i;
    }
    return larger < count ? larger : smaller;
}

static uint32_t find_same(const struct object *object, uint32_t count, uint32_t same)
{
    uint32_t i = 0;
    while (i < count && !(object[i].is_free && object[i].same == same))
        i++;
    return i;
}

enum status relax_place_sizes(const struct problem *problem, const uint32_t *same,
                              const uint64_t *size, uint64_t *offset, uint64_t *pool_bytes,
                              struct error *error)
{
    SCOPED(scratch_free) struct scratch scratch = {0};
    struct heap_calls calls;
    struct event *event;
    struct object *object;
    uint32_t *taken, count = 0;
    TRY(heap_calls_create(problem, 1, &calls, &scratch, error));
    TRY(events_in_order(problem, &event, &scratch, error));
    TRY(scratch_take_all(&scratch, problem->buffers, error, &object, &taken));
    for (uint32_t i = 0; i < 2 * problem->buffers; i++) {
        uint32_t b = event[i].buffer;
        if (!event[i].frees) {
            taken[b] =
                same ? find_same(object, count, same[b]) : find_object(object, count, size[b]);
            if (taken[b] == count)
                object[count++] = (struct object){.same = same ? same[b] : 0};
            if (object[taken[b]].bytes < size[b])
                object[taken[b]].bytes = size[b];
        }
        object[taken[b]].is_free = event[i].frees;
    }
    *pool_bytes = 0;
    for (uint32_t i = 0; i < count; i++) {
        object[i].begin = *pool_bytes;
        uint64_t bytes;
        if (!calls.fits || !checked_align(object[i].bytes, calls.granule, &bytes) ||
            !checked_add(*pool_bytes, bytes, pool_bytes) || *pool_bytes > INT64_MAX)
            return error_set(error, STATUS_BAD_INPUT, "the objects need more than 2^63 - 1 bytes");
    }
    for (uint32_t b = 0; b < problem->buffers; b++)
        offset[b] = object[taken[b]].begin;
    return STATUS_OK;
}
