#include "heuristics/spans.h"

#include <stdlib.h>

#include "core/memory.h"

struct start {
    uint32_t lower, buffer;
};

static int compare_starts(const void *left, const void *right)
{
    const struct start *a = left, *b = right;
    if (a->lower != b->lower)
        return a->lower < b->lower ? -1 : 1;
    return a->buffer < b->buffer ? -1 : a->buffer > b->buffer;
}

static enum status sort_buffers(struct spans *spans, struct error *error)
{
    const struct problem *problem = spans->problem;
    struct start *starts;
    TRY(memory_create(&starts, problem->buffers, sizeof *starts, error));
    for (uint32_t b = 0; b < problem->buffers; b++)
        starts[b] = (struct start){problem_lower(problem, b), b};
    qsort(starts, problem->buffers, sizeof *starts, compare_starts);
    for (uint32_t i = 0; i < problem->buffers; i++) {
        spans->sorted[i] = starts[i].buffer;
        spans->place[starts[i].buffer] = i;
    }
    memory_free(starts);
    return STATUS_OK;
}

enum status spans_create(struct spans *spans, const struct problem *problem, struct error *error)
{
    uint32_t buffers = problem->buffers;
    enum status status;
    *spans = (struct spans){.problem = problem, .leaves = 1};
    while (spans->leaves < buffers)
        spans->leaves *= 2;
    TRY_OR_DONE(status, memory_create(&spans->sorted, buffers, sizeof(uint32_t), error));
    TRY_OR_DONE(status, memory_create(&spans->place, buffers, sizeof(uint32_t), error));
    TRY_OR_DONE(status,
                memory_create(&spans->latest, (size_t)spans->leaves * 2, sizeof(uint32_t), error));
    TRY_OR_DONE(status, sort_buffers(spans, error));
done:
    if (status)
        spans_free(spans);
    return status;
}

void spans_free(struct spans *spans)
{
    memory_free(spans->sorted);
    memory_free(spans->place);
    memory_free(spans->latest);
    *spans = (struct spans){0};
}

static void set_latest(struct spans *spans, uint32_t buffer, uint32_t upper)
{
    uint32_t *latest = spans->latest;
    uint32_t i = spans->leaves + spans->place[buffer];
    latest[i] = upper;
    for (i /= 2; i; i /= 2)
        latest[i] = latest[2 * i] > latest[2 * i + 1] ? latest[2 * i] : latest[2 * i + 1];
}

void spans_add(struct spans *spans, uint32_t buffer)
{
    set_latest(spans, buffer, problem_upper(spans->problem, buffer));
}

void spans_remove(struct spans *spans, uint32_t buffer)
{
    set_latest(spans, buffer, 0);
}

/* The next leaf of a later subtree than node whose latest end is beyond lower; 0 for none. */
static uint32_t find_next(const struct spans *spans, uint32_t node, uint32_t lower)
{
    do {
        while (node & 1)
            node /= 2;
        if (!node)
            return 0;
        node++;
    } while (spans->latest[node] <= lower);
    while (node < spans->leaves)
        node = 2 * node + (spans->latest[2 * node] <= lower);
    return node;
}

static uint32_t find_first(const struct spans *spans, uint32_t lower)
{
    uint32_t node = 1;
    if (spans->latest[1] <= lower)
        return 0;
    while (node < spans->leaves)
        node = 2 * node + (spans->latest[2 * node] <= lower);
    return node;
}

uint32_t spans_find(const struct spans *spans, uint32_t lower, uint32_t upper, uint32_t *found)
{
    uint32_t count = 0;
    for (uint32_t leaf = find_first(spans, lower); leaf; leaf = find_next(spans, leaf, lower)) {
        uint32_t buffer = spans->sorted[leaf - spans->leaves];
        if (problem_lower(spans->problem, buffer) >= upper)
            break;
        found[count++] = buffer;
    }
    return count;
}
