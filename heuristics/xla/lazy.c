/* LazyBestFitHeap of tensorflow/compiler/xla/service/heap_simulator.cc, inside the
   DecreasingSizeRunsHeap that it is used with there.

   Events come as an allocator sees them (events.h); of a run of allocations without a free between
   them, and of a run of frees, the largest goes first. An allocation takes the smallest free chunk
   in which it fits once aligned; else the chunk at the end of the heap, which grows; else the
   buffer gets no offset until it is freed, and then a new one at the end of the heap.

   Departure: with fixed buffers the heap begins above them.

   O(n log n) and the number of free chunks for each event. */

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/binary_search.h"
#include "core/checked.h"
#include "core/compare.h"
#include "core/memory.h"
#include "heuristics/common/events.h"
#include "heuristics/common/rows.h"

struct chunk {
    uint64_t begin, end;
};

struct heap {
    const struct problem *problem;
    struct chunk *chunk; /* [chunks] the free chunks by begin; no two touch each other */
    uint32_t chunks;
    size_t chunk_capacity;
    uint64_t end;
    uint64_t *offset; /* [buffers] PROBLEM_FREE for buffers that have no offset yet */
};

static void remove_chunk(struct heap *heap, uint32_t index)
{
    heap->chunks--;
    memmove(heap->chunk + index, heap->chunk + index + 1,
            (heap->chunks - index) * sizeof *heap->chunk);
}

/* Adds a free chunk and joins it with those that it touches. */
static enum status add_chunk(struct heap *heap, struct chunk chunk, struct error *error)
{
    if (chunk.begin >= chunk.end)
        return STATUS_OK;
    uint32_t at = BINARY_SEARCH(i, 0, heap->chunks, heap->chunk[i].begin >= chunk.begin);
    if (at < heap->chunks && heap->chunk[at].begin == chunk.end) {
        chunk.end = heap->chunk[at].end;
        remove_chunk(heap, at);
    }
    if (at > 0 && heap->chunk[at - 1].end == chunk.begin) {
        heap->chunk[at - 1].end = chunk.end;
        return STATUS_OK;
    }
    TRY(memory_reserve(&heap->chunk, &heap->chunk_capacity, (size_t)heap->chunks + 1,
                       sizeof *heap->chunk, error));
    memmove(heap->chunk + at + 1, heap->chunk + at, (heap->chunks - at) * sizeof *heap->chunk);
    assert(at == 0 || heap->chunk[at - 1].end < chunk.begin);
    heap->chunk[at] = chunk;
    heap->chunks++;
    return STATUS_OK;
}

static bool find_place(const struct heap *heap, uint32_t buffer, uint64_t from, struct chunk *place)
{
    return checked_align(from, problem_alignment(heap->problem, buffer), &place->begin) &&
           checked_add(place->begin, heap->problem->size[buffer], &place->end) &&
           place->end != PROBLEM_FREE;
}

/* Takes a place out of the free chunk with that index. The place may reach beyond the end of a
   chunk that ends where the heap does; then the heap grows. */
static enum status take_place(struct heap *heap, uint32_t index, uint32_t buffer,
                              struct chunk place, struct error *error)
{
    struct chunk chunk = heap->chunk[index];
    assert(chunk.begin <= place.begin && heap->offset[buffer] == PROBLEM_FREE);
    remove_chunk(heap, index);
    heap->offset[buffer] = place.begin;
    heap->end = place.end > heap->end ? place.end : heap->end;
    TRY(add_chunk(heap, (struct chunk){chunk.begin, place.begin}, error));
    return add_chunk(heap, (struct chunk){place.end, chunk.end}, error);
}

static enum status allocate(struct heap *heap, uint32_t buffer, struct error *error)
{
    const struct chunk *chunk = heap->chunk;
    uint32_t best = heap->chunks, last = heap->chunks - 1;
    uint64_t least_bytes = UINT64_MAX;
    struct chunk place;
    for (uint32_t i = 0; i < heap->chunks; i++) {
        uint64_t bytes = chunk[i].end - chunk[i].begin;
        if (bytes >= heap->problem->size[buffer] && bytes < least_bytes &&
            find_place(heap, buffer, chunk[i].begin, &place) && place.end <= chunk[i].end) {
            best = i;
            least_bytes = bytes;
        }
    }
    if (best < heap->chunks) {
        find_place(heap, buffer, chunk[best].begin, &place);
        return take_place(heap, best, buffer, place, error);
    }
    if (heap->chunks && chunk[last].end == heap->end &&
        find_place(heap, buffer, chunk[last].begin, &place) && place.begin < chunk[last].end)
        return take_place(heap, last, buffer, place, error);
    return STATUS_OK;
}

static enum status release(struct heap *heap, uint32_t buffer, struct error *error)
{
    uint64_t begin = heap->offset[buffer], end = heap->end;
    struct chunk place;
    if (begin != PROBLEM_FREE)
        return add_chunk(heap, (struct chunk){begin, begin + heap->problem->size[buffer]}, error);
    if (!find_place(heap, buffer, heap->end, &place))
        return error_set(error, STATUS_BAD_INPUT, "no place below 2^64 bytes for buffer '%s'",
                         names_get(&heap->problem->names, buffer));
    heap->offset[buffer] = place.begin;
    heap->end = place.end;
    return add_chunk(heap, (struct chunk){end, place.end}, error);
}

struct keyed {
    uint64_t size;
    uint32_t buffer;
};

COMPARE_BY(compare_keyed, struct keyed, compare_numbers(b->size, a->size),
           compare_numbers(a->buffer, b->buffer))

static void free_heap(struct heap *heap)
{
    memory_free(heap->chunk);
}

static enum status plan_xla_lazy(const struct planner *planner, const struct planner_task *task,
                                 struct plan *plan, struct error *error)
{
    const struct problem *problem = task->problem;
    SCOPED(free_heap)
    struct heap heap = {
        .problem = problem, .end = problem_fixed_end(problem), .offset = plan->offset};
    struct event *events;
    struct keyed *keyed;
    uint32_t count = 2 * problem->buffers;
    (void)planner;
    TRY(events_create(problem, &events, task->scratch, error));
    TRY(scratch_take(task->scratch, &keyed, problem->buffers, sizeof *keyed, error));
    for (uint32_t i = 0, end; i < count; i = end) {
        for (end = i; end < count && events[end].frees == events[i].frees; end++)
            keyed[end - i] = (struct keyed){problem->size[events[end].buffer], events[end].buffer};
        qsort(keyed, end - i, sizeof *keyed, compare_keyed);
        for (uint32_t k = 0; k < end - i; k++) {
            uint32_t b = keyed[k].buffer;
            if (problem_fixed_offset(problem, b) != PROBLEM_FREE)
                heap.offset[b] = problem_fixed_offset(problem, b);
            else
                TRY(events[i].frees ? release(&heap, b, error) : allocate(&heap, b, error));
        }
    }
    return plan_set_feasible(plan, problem, error);
}

static const struct planner rows[] = {
    {.name = "xla_lazy_best_fit",
     .family = "xla",
     .title = "as an allocator, smallest free chunk; what fits in none gets its offset when freed",
     .source = "TensorFlow compiler/xla heap_simulator.cc, LazyBestFitHeap",
     .flags = PLANNER_NO_WINDOWS | PLANNER_NO_HOLES,
     .plan = plan_xla_lazy},
};

HEURISTICS_ROWS(xla_lazy, rows);
