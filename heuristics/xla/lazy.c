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
    struct event *events;
    uint64_t *offset; /* [buffers] PROBLEM_FREE for buffers that have no offset yet */
};

static uint32_t find_chunk_from(const struct heap *heap, uint64_t begin)
{
    return BINARY_SEARCH(at, 0, heap->chunks, heap->chunk[at].begin >= begin);
}

static void remove_chunk(struct heap *heap, uint32_t index)
{
    heap->chunks--;
    memmove(heap->chunk + index, heap->chunk + index + 1,
            (heap->chunks - index) * sizeof *heap->chunk);
}

static enum status insert_chunk(struct heap *heap, uint32_t index, struct chunk chunk,
                                struct error *error)
{
    TRY(memory_reserve(&heap->chunk, &heap->chunk_capacity, (size_t)heap->chunks + 1,
                       sizeof *heap->chunk, error));
    memmove(heap->chunk + index + 1, heap->chunk + index,
            (heap->chunks - index) * sizeof *heap->chunk);
    assert(index == 0 || heap->chunk[index - 1].end < chunk.begin);
    heap->chunk[index] = chunk;
    heap->chunks++;
    return STATUS_OK;
}

/* Adds a free chunk and joins it with those that it touches. */
static enum status add_chunk(struct heap *heap, struct chunk chunk, struct error *error)
{
    if (chunk.begin >= chunk.end)
        return STATUS_OK;
    uint32_t at = find_chunk_from(heap, chunk.begin);
    if (at < heap->chunks && heap->chunk[at].begin == chunk.end) {
        chunk.end = heap->chunk[at].end;
        remove_chunk(heap, at);
    }
    if (at > 0 && heap->chunk[at - 1].end == chunk.begin) {
        heap->chunk[at - 1].end = chunk.end;
        return STATUS_OK;
    }
    return insert_chunk(heap, at, chunk, error);
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

/* The smallest free chunk into which the buffer fits, the lowest of equals; heap->chunks where it
   fits into none. */
static uint32_t find_best_chunk(const struct heap *heap, uint32_t buffer)
{
    uint32_t best = heap->chunks;
    uint64_t least_bytes = UINT64_MAX;
    struct chunk place;
    for (uint32_t i = 0; i < heap->chunks; i++) {
        uint64_t bytes = heap->chunk[i].end - heap->chunk[i].begin;
        if (bytes >= heap->problem->size[buffer] && bytes < least_bytes &&
            find_place(heap, buffer, heap->chunk[i].begin, &place) &&
            place.end <= heap->chunk[i].end) {
            best = i;
            least_bytes = bytes;
        }
    }
    return best;
}

static enum status allocate(struct heap *heap, uint32_t buffer, struct error *error)
{
    uint32_t best = find_best_chunk(heap, buffer), last = heap->chunks - 1;
    struct chunk place;
    if (best < heap->chunks) {
        find_place(heap, buffer, heap->chunk[best].begin, &place);
        return take_place(heap, best, buffer, place, error);
    }
    if (heap->chunks && heap->chunk[last].end == heap->end &&
        find_place(heap, buffer, heap->chunk[last].begin, &place) &&
        place.begin < heap->chunk[last].end)
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
    struct event event;
};

static int compare_keyed(const void *left, const void *right)
{
    const struct keyed *a = left, *b = right;
    int order = compare_numbers(b->size, a->size);
    return order ? order : compare_numbers(a->event.buffer, b->event.buffer);
}

static void sort_run(const struct problem *problem, struct event *run, uint32_t count,
                     struct keyed *keyed)
{
    for (uint32_t i = 0; i < count; i++)
        keyed[i] = (struct keyed){problem->size[run[i].buffer], run[i]};
    qsort(keyed, count, sizeof *keyed, compare_keyed);
    for (uint32_t i = 0; i < count; i++)
        run[i] = keyed[i].event;
}

static enum status play_run(struct heap *heap, const struct event *run, uint32_t count,
                            struct error *error)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t b = run[i].buffer;
        if (problem_fixed_offset(heap->problem, b) != PROBLEM_FREE)
            heap->offset[b] = problem_fixed_offset(heap->problem, b);
        else
            TRY(run[i].frees ? release(heap, b, error) : allocate(heap, b, error));
    }
    return STATUS_OK;
}

static enum status play_events(struct heap *heap, struct scratch *scratch, struct error *error)
{
    struct event *events = heap->events;
    struct keyed *keyed;
    uint32_t count = 2 * heap->problem->buffers;
    TRY(scratch_take(scratch, &keyed, heap->problem->buffers, sizeof *keyed, error));
    for (uint32_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && events[end].frees == events[i].frees;)
            end++;
        sort_run(heap->problem, events + i, end - i, keyed);
        TRY(play_run(heap, events + i, end - i, error));
    }
    return STATUS_OK;
}

static enum status plan_xla_lazy(const struct planner *planner, const struct planner_task *task,
                                 struct plan *plan, struct error *error)
{
    const struct problem *problem = task->problem;
    struct heap heap = {
        .problem = problem, .end = problem_fixed_end(problem), .offset = plan->offset};
    (void)planner;
    TRY(events_create(problem, &heap.events, task->scratch, error));
    enum status status = play_events(&heap, task->scratch, error);
    memory_free(heap.chunk);
    TRY(status);
    plan->status = PLAN_FEASIBLE;
    return plan_set_peak(plan, problem, error);
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
