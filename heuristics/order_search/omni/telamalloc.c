/* OmniMalloc's open reading of TelaMalloc (Peddinghaus, 2025, src/cpp/allocators/telamalloc.cpp;
   Maas et al., ASPLOS 2023).

   Buffers that a chain of conflicts connects make a component. Components are planned one after
   another, highest load first. Each starts from first fit by size, then duration, or by duration,
   then size, whichever has the lower peak (the latter on equal peaks), and keeps that order. Then
   the capacity is searched by bisection between the load and the lowest peak; an attempt that gives
   up counts as a proof that nothing fits.

   An attempt places one buffer after another: the one that was evicted most often, of equals the
   first in the order. It goes to its lowest offset. Where it then ends above the capacity, it
   evicts others:
   - Candidates are offset 0 and the places right above and right below each placed conflicting
   buffer.
   - The candidate is chosen where the evicted buffers have the fewest bytes, then are the fewest,
   then at the lowest offset; one time in four a random candidate is taken instead.
   - After four times as many evictions as the component has buffers, all of it is placed again, the
     most evicted first. After 10000 evictions (an option) the attempt gives up.
   Each attempt draws the same random numbers.

   Departures: fixed buffers belong to no component and are never evicted, so an attempt may give up
   because of them. Candidates are moved up, or down below a buffer, to the alignment. A component
   that starts no higher than the components before it ended stays as it starts, which changes no
   peak. */

#include <assert.h>

#include "core/checked.h"
#include "core/compare.h"
#include "core/heap.h"
#include "heuristics/common/rows.h"
#include "heuristics/order_search/omni/components.h"
#include "heuristics/order_search/order_search.h"

#define NO_CAPACITY (UINT64_MAX / 2)

struct telamalloc {
    struct order_search *search;
    struct evaluator *evaluator;
    struct omni_components components;
    uint32_t *rank[2];   /* [buffers] rank of each buffer by duration, and by size */
    const uint32_t *by;  /* the one of the two by which the present attempt orders the buffers */
    uint32_t *evicted;   /* [buffers] how often each was evicted in this attempt */
    struct heap waiting; /* buffers to be placed */
    uint64_t *candidate; /* [2 * most conflicts + 1] offsets */
    struct random_state random;
};

/* Puts a buffer among those that wait; the most often evicted one comes first, of equals the first
   by rank. The heap has room for all, so that pushing cannot fail. */
static void push(struct telamalloc *tela, uint32_t buffer)
{
    struct error error;
    assert(tela->waiting.count < tela->evaluator->movables);
    uint64_t seldom = UINT32_MAX - tela->evicted[buffer];
    (void)heap_push(&tela->waiting, seldom << 32 | tela->by[buffer], buffer, &error);
}

static bool lies_in(const struct telamalloc *tela, uint32_t other, uint32_t buffer, uint64_t offset)
{
    const struct interval *place = &tela->evaluator->place[other];
    return place->begin < offset + tela->evaluator->size[buffer] && offset < place->end;
}

/* The number of candidates so far, none of which overlaps a fixed buffer, and of the one that
   evicts least the offset and what would be evicted. */
struct choice {
    uint64_t count, bytes, evicted, offset;
};

static void add_candidate(struct telamalloc *tela, uint32_t buffer, uint64_t offset, uint64_t near,
                          struct choice *choice)
{
    uint64_t bytes = 0, evicted = 0;
    for (uint64_t i = 0; i < near; i++) {
        uint32_t other = tela->evaluator->near[i].buffer;
        if (!lies_in(tela, other, buffer, offset))
            continue;
        if (!tela->components.number[other])
            return; /* it is fixed */
        bytes += tela->evaluator->size[other];
        evicted++;
    }
    int order = compare_numbers(bytes, choice->bytes);
    order = order ? order : compare_numbers(evicted, choice->evicted);
    order = order ? order : compare_numbers(offset, choice->offset);
    tela->candidate[choice->count++] = offset;
    if (choice->count == 1 || order < 0)
        *choice = (struct choice){choice->count, bytes, evicted, offset};
}

/* Chooses the offset of a buffer for which nothing below the capacity is free. `near` is the number
   of placed buffers that conflict with it. False where every candidate overlaps a fixed buffer. */
static bool choose_offset(struct telamalloc *tela, uint32_t buffer, uint64_t capacity,
                          uint64_t near, uint64_t *offset)
{
    uint64_t size = tela->evaluator->size[buffer];
    uint64_t alignment = problem_alignment(tela->search->task->problem, buffer);
    struct choice choice = {0};
    add_candidate(tela, buffer, 0, near, &choice);
    for (uint64_t i = 0; i < near; i++) {
        struct interval place = tela->evaluator->place[tela->evaluator->near[i].buffer];
        uint64_t above = align_up(place.end, alignment);
        uint64_t below = place.begin > size ? (place.begin - size) / alignment * alignment : 0;
        if (above + size <= capacity)
            add_candidate(tela, buffer, above, near, &choice);
        if (below && below + size <= capacity)
            add_candidate(tela, buffer, below, near, &choice);
    }
    if (!choice.count)
        return false;
    bool random = random_below(&tela->random, 4) == 0;
    *offset = random ? tela->candidate[random_below(&tela->random, choice.count)] : choice.offset;
    return true;
}

static uint64_t evict(struct telamalloc *tela, uint32_t buffer, uint64_t offset, uint64_t near)
{
    uint64_t count = 0;
    for (uint64_t i = 0; i < near; i++) {
        uint32_t other = tela->evaluator->near[i].buffer;
        if (!lies_in(tela, other, buffer, offset))
            continue;
        assert(tela->components.number[other]); /* fixed buffers are never evicted */
        evaluator_take(tela->evaluator, other);
        tela->evicted[other]++;
        push(tela, other);
        count++;
    }
    return count;
}

struct attempt {
    uint64_t capacity;
    /* How many evictions end the attempt, and how many make it place the whole component again. */
    uint64_t most, share;
    /* Evictions so far in all, and since the component was last placed as a whole. */
    uint64_t evictions, since;
};

/* Places the next waiting buffer and evicts the buffers that are in its way. False when the attempt
   has to give up. */
static bool place_next(struct telamalloc *tela, struct attempt *attempt)
{
    uint32_t buffer = heap_pop(&tela->waiting).value;
    uint64_t near = evaluator_near(tela->evaluator, buffer);
    uint64_t offset = evaluator_lowest(tela->evaluator, buffer, near);
    if (offset + tela->evaluator->size[buffer] > attempt->capacity) {
        if (!choose_offset(tela, buffer, attempt->capacity, near, &offset))
            return false;
        uint64_t evictions = evict(tela, buffer, offset, near);
        attempt->since += evictions;
        attempt->evictions += evictions;
    }
    evaluator_put(tela->evaluator, buffer, offset);
    return attempt->evictions <= attempt->most;
}

static void wipe(struct telamalloc *tela, const struct omni_component *component)
{
    tela->waiting.count = 0;
    for (uint32_t i = 0; i < component->count; i++) {
        evaluator_take(tela->evaluator, tela->components.member[component->first + i]);
        push(tela, tela->components.member[component->first + i]);
    }
}

/* Tries to place a component below the capacity of the attempt; true where all its buffers are
   placed. */
static bool pack(struct telamalloc *tela, const struct omni_component *component,
                 struct attempt *attempt)
{
    attempt->share = 4 * (uint64_t)component->count;
    tela->random = random_seed(tela->search->task->seed);
    tela->search->plan->measures.nodes++;
    for (uint32_t i = 0; i < component->count; i++)
        tela->evicted[tela->components.member[component->first + i]] = 0;
    wipe(tela, component);
    while (tela->waiting.count) {
        if (attempt->capacity != NO_CAPACITY && order_search_time_is_up(tela->search))
            return false;
        if (!place_next(tela, attempt))
            return false;
        if (attempt->since > attempt->share) {
            attempt->since = 0;
            wipe(tela, component);
        }
    }
    return true;
}

/* Stores the offsets of a component that is placed and returns its peak. */
static uint64_t keep_component(struct telamalloc *tela, const struct omni_component *component)
{
    uint64_t peak = 0;
    for (uint32_t i = 0; i < component->count; i++) {
        uint32_t b = tela->components.member[component->first + i];
        tela->search->offset[b] = tela->evaluator->place[b].begin;
        if (tela->evaluator->place[b].end > peak)
            peak = tela->evaluator->place[b].end;
    }
    return peak;
}

static uint64_t pack_freely(struct telamalloc *tela, const struct omni_component *component,
                            const uint32_t *rank)
{
    struct attempt attempt = {.capacity = NO_CAPACITY};
    tela->by = rank;
    pack(tela, component, &attempt);
    return keep_component(tela, component);
}

static uint64_t solve_component(struct telamalloc *tela, const struct omni_component *component,
                                uint64_t reached)
{
    /* It starts from the plan by size where that has the lower peak, else from that by duration. */
    uint64_t by_duration = pack_freely(tela, component, tela->rank[0]);
    uint64_t low = component->load_bytes, high = pack_freely(tela, component, tela->rank[1]);
    if (high >= by_duration)
        high = pack_freely(tela, component, tela->rank[0]);
    while (reached < high && low < high && !order_search_time_is_up(tela->search)) {
        uint64_t middle = low + (high - low) / 2;
        struct attempt attempt = {.capacity = middle,
                                  .most = planner_option_value(tela->search->planner, 0)};
        if (pack(tela, component, &attempt))
            high = keep_component(tela, component);
        else
            low = middle + 1;
    }
    return high;
}

static void free_telamalloc(struct telamalloc *tela)
{
    heap_free(&tela->waiting);
}

static enum status run_telamalloc(struct order_search *search, struct error *error)
{
    static const char *const order[] = {"duration_size", "size_duration"};
    SCOPED(free_telamalloc)
    struct telamalloc tela = {.search = search, .evaluator = search->evaluator};
    struct scratch *scratch = search->task->scratch;
    uint32_t buffers = search->plan->buffers;
    uint64_t most = fit_most_taken(search->task->problem, tela.evaluator->conflicts);
    TRY(omni_components_create(search, &tela.components, error));
    TRY(scratch_take(scratch, &tela.evicted, buffers, sizeof(uint32_t), error));
    TRY(heap_reserve(&tela.waiting, buffers, error));
    TRY(scratch_take(scratch, &tela.candidate, 2 * most + 1, sizeof *tela.candidate, error));
    for (int i = 0; i < 2; i++) {
        TRY(scratch_take(scratch, &tela.rank[i], buffers, sizeof(uint32_t), error));
        TRY(order_search_sort(search, order[i], search->order, error));
        for (uint32_t k = 0; k < tela.evaluator->movables; k++)
            tela.rank[i][search->order[k]] = k;
    }
    uint64_t reached = tela.evaluator->fixed_end;
    for (uint32_t i = 0; i < tela.components.count; i++) {
        uint64_t peak = solve_component(&tela, &tela.components.component[i], reached);
        reached = peak > reached ? peak : reached;
    }
    order_search_keep(search, reached, search->offset);
    return STATUS_OK;
}

static const struct planner_option options[] = {
    {"evictions", "before an attempt gives up", 10000, 0, 1000000000}, {0}};

static const struct planner rows[] = {
    ORDER_SEARCH("omni_telamalloc", run_telamalloc, options, PLANNER_RANDOMISED,
                 "evicts what is in the way below a bisected capacity",
                 "OmniMalloc (Peddinghaus, 2025) telamalloc.cpp, after Maas et al., ASPLOS 2023"),
};

HEURISTICS_ROWS(omni_telamalloc, rows);
