#include "planning/conflicts.h"

#include <stdlib.h>

#include "core/memory.h"
#include "planning/timeline.h"

/* Segments live in the sweep, in no order; place finds a segment to take it out in O(1). */
struct live_set {
    uint32_t *segment, *place;
    uint32_t count;
};

static void insert_live(struct live_set *live, uint32_t segment)
{
    live->place[segment] = live->count;
    live->segment[live->count++] = segment;
}

static void remove_live(struct live_set *live, uint32_t segment)
{
    uint32_t moved = live->segment[--live->count];
    live->segment[live->place[segment]] = moved;
    live->place[moved] = live->place[segment];
}

typedef void visit_pair(struct conflicts *conflicts, uint32_t a, uint32_t b);

static void count_pair(struct conflicts *conflicts, uint32_t a, uint32_t b)
{
    conflicts->first[a]++;
    conflicts->first[b]++;
}

static void store_pair(struct conflicts *conflicts, uint32_t a, uint32_t b)
{
    conflicts->other[conflicts->first[a]++] = b;
    conflicts->other[conflicts->first[b]++] = a;
}

/* Visits each pair of overlapping segments of different buffers once. */
static void sweep_pairs(const struct problem *problem, const struct timeline *timeline,
                        struct live_set *live, struct conflicts *conflicts, visit_pair *visit)
{
    uint32_t ended = 0;
    live->count = 0;
    for (uint32_t i = 0; i < problem->segments; i++) {
        uint32_t segment = timeline->by_lower[i], buffer = timeline->buffer[segment];
        while (problem->upper[timeline->by_upper[ended]] <= problem->lower[segment])
            remove_live(live, timeline->by_upper[ended++]);
        for (uint32_t j = 0; j < live->count; j++)
            if (timeline->buffer[live->segment[j]] != buffer)
                visit(conflicts, buffer, timeline->buffer[live->segment[j]]);
        insert_live(live, segment);
    }
}

static int compare_buffers(const void *left, const void *right)
{
    const uint32_t *a = left, *b = right;
    return *a < *b ? -1 : *a > *b;
}

/* Turns counts per buffer into the positions where each buffer's list starts. */
static uint64_t accumulate_counts(struct conflicts *conflicts, uint32_t buffers)
{
    uint64_t sum = 0;
    for (uint32_t b = 0; b <= buffers; b++) {
        uint64_t count = b < buffers ? conflicts->first[b] : 0;
        conflicts->first[b] = sum;
        sum += count;
    }
    return sum;
}

/* Sorts each list and drops repetitions: buffers of several segments may meet more than once. The
   lists were filled by advancing first[b], which now stands at the list's end. */
static void pack_lists(struct conflicts *conflicts, uint32_t buffers)
{
    uint64_t begin = 0, kept = 0;
    for (uint32_t b = 0; b < buffers; b++) {
        uint64_t end = conflicts->first[b], start = kept;
        qsort(conflicts->other + begin, end - begin, sizeof(uint32_t), compare_buffers);
        for (uint64_t i = begin; i < end; i++)
            if (i == begin || conflicts->other[i] != conflicts->other[i - 1])
                conflicts->other[kept++] = conflicts->other[i];
        conflicts->first[b] = start;
        begin = end;
    }
    conflicts->first[buffers] = kept;
}

static enum status fill_conflicts(const struct problem *problem, const struct timeline *timeline,
                                  struct live_set *live, struct conflicts *conflicts,
                                  struct error *error)
{
    TRY(memory_create(&conflicts->first, (size_t)problem->buffers + 1, sizeof(uint64_t), error));
    sweep_pairs(problem, timeline, live, conflicts, count_pair);
    uint64_t pairs = accumulate_counts(conflicts, problem->buffers);
    TRY(memory_create(&conflicts->other, pairs, sizeof(uint32_t), error));
    sweep_pairs(problem, timeline, live, conflicts, store_pair);
    pack_lists(conflicts, problem->buffers);
    return STATUS_OK;
}

enum status conflicts_create(const struct problem *problem, struct conflicts **created,
                             struct error *error)
{
    struct timeline timeline = {0};
    struct live_set live = {0};
    struct conflicts *conflicts;
    enum status status;
    TRY(memory_create(&conflicts, 1, sizeof *conflicts, error));
    TRY_OR_DONE(status, timeline_create(problem, &timeline, error));
    TRY_OR_DONE(status, memory_create(&live.segment, problem->segments, sizeof(uint32_t), error));
    TRY_OR_DONE(status, memory_create(&live.place, problem->segments, sizeof(uint32_t), error));
    TRY_OR_DONE(status, fill_conflicts(problem, &timeline, &live, conflicts, error));
    *created = conflicts;
done:
    memory_free(live.segment);
    memory_free(live.place);
    timeline_free(&timeline);
    if (status)
        conflicts_free(conflicts);
    return status;
}

void conflicts_free(struct conflicts *conflicts)
{
    if (!conflicts)
        return;
    memory_free(conflicts->first);
    memory_free(conflicts->other);
    memory_free(conflicts);
}
