/* Allocators that know no address before the last call: where no free chunk is large enough, one of
   them grows, and everything to its right moves right.

   mnn_deferred: DeferBufferAllocator of alibaba/MNN, source/core/BufferAllocator.cpp at
   fd514c16c5b7: the smallest free chunk that fits (of equals the one freed first), else the largest
   one (of equals the one freed last), which grows.

   graph_compiler: StaticMemoryPlanning.cpp of intel/graph-compiler at d5e6a56ee9db, which is
   llvm-project pull request 95882. With hot_first the free chunk of the greatest score, of equals
   the one freed last: -|chunk - request| / max(chunk, request), and 1 more if it fits, and
   1 - min(t / 10, 1) more for the t ticks since it was freed, with two ticks to a step. Without
   hot_first as mnn_deferred.

   A chunk that is larger than the request is split, and the rest stays where it was among the free
   ones. A freed chunk joins its free neighbours and counts as freed now. What was in a chunk keeps
   its distance from where the chunk began, so that no two buffers come closer than they were.

   Departures: no in-place pairs, which are merged before any planner sees them. O(n) for each
   allocation, for the free chunks. */

#include "heuristics/allocators/heap.h"
#include "heuristics/common/events.h"
#include "heuristics/common/rows.h"

enum { HOT_FIRST = HEAP_ALIGNMENT + 1 };

static const struct planner_option mnn_options[] = {
    [HEAP_ALIGNMENT] = {"alignment", "bytes that sizes are rounded up to", 64, 1, 1 << 20},
    {0},
};

static const struct planner_option compiler_options[] = {
    [HEAP_ALIGNMENT] = {"alignment", "bytes that sizes are rounded up to", 64, 1, 1 << 20},
    [HOT_FIRST] = {"hot_first", "1: what was freed a short time ago is preferred", 1, 0, 1},
    {0},
};

/* Chunks are in two lists: the row of all, from left to right, and the free ones in the order in
   which they were freed. Chunk 0 stands for both ends of each. */
enum { NO_CHUNK };
enum list { ROW, FREED, LISTS };

struct link {
    uint32_t before, after;
};

/* A chunk is in the row or, once it joined another one, lies at a distance from where that one
   begins. */
struct chunk {
    uint64_t bytes;
    uint64_t offset; /* of a chunk that joined another one, the distance from its beginning */
    struct link link[LISTS];
    uint32_t into; /* the chunk that it joined, NO_CHUNK while it is in the row */
    bool is_free;
    uint64_t tick; /* when it was freed */
};

struct arena {
    struct chunk *chunk; /* [1 + 2 * buffers] */
    uint32_t chunks;
    uint32_t *joined; /* [joins] the chunks that joined others, in that order */
    uint32_t joins;
    uint64_t tick;
    bool hot_first;
};

static void insert(struct arena *arena, enum list list, uint32_t index, uint32_t before)
{
    uint32_t after = arena->chunk[before].link[list].after;
    arena->chunk[index].link[list] = (struct link){before, after};
    arena->chunk[before].link[list].after = arena->chunk[after].link[list].before = index;
    arena->chunk[index].is_free |= list == FREED;
}

static void take_out(struct arena *arena, enum list list, uint32_t index)
{
    struct link link = arena->chunk[index].link[list];
    arena->chunk[link.before].link[list].after = link.after;
    arena->chunk[link.after].link[list].before = link.before;
    arena->chunk[index].is_free = false;
}

static uint32_t find_latest(const struct arena *arena)
{
    return arena->chunk[NO_CHUNK].link[FREED].before;
}

/* Puts a new chunk into the row, to the right of another one. */
static uint32_t add_chunk(struct arena *arena, uint32_t left, uint64_t bytes)
{
    uint32_t index = ++arena->chunks;
    arena->chunk[index] = (struct chunk){.bytes = bytes};
    insert(arena, ROW, index, left);
    return index;
}

static double find_score(const struct arena *arena, const struct chunk *chunk, uint64_t bytes)
{
    uint64_t most = chunk->bytes > bytes ? chunk->bytes : bytes;
    uint64_t least = chunk->bytes > bytes ? bytes : chunk->bytes;
    uint64_t ticks = arena->tick - chunk->tick < 10 ? arena->tick - chunk->tick : 10;
    return (chunk->bytes >= bytes) + 1 - (double)ticks / 10 - (double)(most - least) / (double)most;
}

static uint32_t choose_hot(const struct arena *arena, uint64_t bytes)
{
    const struct chunk *chunk = arena->chunk;
    uint32_t best = find_latest(arena);
    for (uint32_t i = best; i != NO_CHUNK; i = chunk[i].link[FREED].before)
        if (find_score(arena, &chunk[i], bytes) > find_score(arena, &chunk[best], bytes))
            best = i;
    return best;
}

/* Looks from the chunk that was freed last to the one freed first. */
static uint32_t choose_by_size(const struct arena *arena, uint64_t bytes)
{
    const struct chunk *chunk = arena->chunk;
    uint32_t smallest = NO_CHUNK, largest = NO_CHUNK;
    for (uint32_t i = find_latest(arena); i != NO_CHUNK; i = chunk[i].link[FREED].before) {
        uint64_t has = chunk[i].bytes;
        if (has >= bytes && (smallest == NO_CHUNK || has <= chunk[smallest].bytes))
            smallest = i;
        if (largest == NO_CHUNK || has > chunk[largest].bytes)
            largest = i;
    }
    return smallest != NO_CHUNK ? smallest : largest;
}

static uint32_t allocate(struct arena *arena, uint64_t bytes)
{
    uint32_t index = arena->hot_first ? choose_hot(arena, bytes) : choose_by_size(arena, bytes);
    if (index == NO_CHUNK)
        return add_chunk(arena, arena->chunk[NO_CHUNK].link[ROW].before, bytes);
    struct chunk *chunk = &arena->chunk[index];
    uint64_t had = chunk->bytes;
    take_out(arena, FREED, index);
    chunk->bytes = bytes;
    if (had > bytes) {
        uint32_t rest = add_chunk(arena, index, had - bytes);
        arena->chunk[rest].tick = chunk->tick;
        insert(arena, FREED, rest, chunk->link[FREED].before);
    }
    return index;
}

/* The chunk becomes a part of its left neighbour. */
static void join(struct arena *arena, uint32_t index)
{
    struct chunk *chunk = &arena->chunk[index];
    chunk->into = chunk->link[ROW].before;
    chunk->offset = arena->chunk[chunk->into].bytes;
    arena->chunk[chunk->into].bytes += chunk->bytes;
    take_out(arena, ROW, index);
    arena->joined[arena->joins++] = index;
}

static void release(struct arena *arena, uint32_t index)
{
    struct link row = arena->chunk[index].link[ROW];
    if (arena->chunk[row.after].is_free) {
        take_out(arena, FREED, row.after);
        join(arena, row.after);
    }
    if (arena->chunk[row.before].is_free) {
        take_out(arena, FREED, row.before);
        join(arena, index);
        index = row.before;
    }
    arena->chunk[index].tick = arena->tick;
    insert(arena, FREED, index, find_latest(arena));
}

/* Fills the offsets of all chunks, and returns where the last one ends. */
static uint64_t place_chunks(struct arena *arena, uint64_t base)
{
    struct chunk *chunk = arena->chunk;
    uint64_t end = base;
    for (uint32_t i = chunk[NO_CHUNK].link[ROW].after; i != NO_CHUNK;
         i = chunk[i].link[ROW].after) {
        chunk[i].offset = end;
        end += chunk[i].bytes;
    }
    for (uint32_t j = arena->joins; j-- > 0;)
        chunk[arena->joined[j]].offset += chunk[chunk[arena->joined[j]].into].offset;
    return end;
}

static enum status plan_deferred(const struct planner *planner, const struct planner_task *task,
                                 struct plan *plan, struct error *error)
{
    const struct problem *problem = task->problem;
    struct scratch *scratch = task->scratch;
    struct heap_calls calls;
    struct event *events;
    uint32_t *taken;
    struct arena arena = {.hot_first = planner->options == compiler_options &&
                                       planner_option_value(planner, HOT_FIRST) == 1};
    plan->status = PLAN_UNSUPPORTED;
    TRY(heap_calls_create(problem, planner_option_value(planner, HEAP_ALIGNMENT), &calls, scratch,
                          error));
    if (!calls.fits)
        return STATUS_OK;
    TRY(scratch_take(scratch, &arena.chunk, 1 + 2 * (size_t)problem->buffers, sizeof *arena.chunk,
                     error));
    TRY(scratch_take(scratch, &arena.joined, 2 * (size_t)problem->buffers, sizeof *arena.joined,
                     error));
    TRY(scratch_take(scratch, &taken, problem->buffers, sizeof *taken, error));
    TRY(events_in_order(problem, &events, scratch, error));
    for (uint32_t i = 0; i < 2 * problem->buffers; i++) {
        uint32_t b = events[i].buffer;
        if (problem_fixed_offset(problem, b) != PROBLEM_FREE)
            continue;
        arena.tick = events[i].frees ? 2 * (uint64_t)problem_upper(problem, b) - 1
                                     : 2 * (uint64_t)problem_lower(problem, b);
        if (events[i].frees)
            release(&arena, taken[b]);
        else
            taken[b] = allocate(&arena, calls.bytes[b]);
    }
    plan->measures.pool_bytes = place_chunks(&arena, calls.base) - calls.base;
    plan->measures.pools = arena.chunks > 0;
    for (uint32_t b = 0; b < problem->buffers; b++)
        plan->offset[b] = problem_fixed_offset(problem, b) != PROBLEM_FREE
                              ? problem_fixed_offset(problem, b)
                              : arena.chunk[taken[b]].offset;
    return plan_set_feasible(plan, problem, error);
}

static const struct planner rows[] = {
    {ALLOCATOR("mnn_deferred", "smallest free chunk, else the largest grows; addresses come last",
               "alibaba/MNN source/core/BufferAllocator.cpp at fd514c16c5b7, deferred"),
     .options = mnn_options, .plan = plan_deferred},
    {ALLOCATOR("graph_compiler", "free chunk of like size freed last, which may grow",
               "intel/graph-compiler lib/gc/Transforms/StaticMemoryPlanning.cpp at d5e6a56ee9db"),
     .options = compiler_options, .plan = plan_deferred},
};

HEURISTICS_ROWS(deferred, rows);
