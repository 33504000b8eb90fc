#include "planning/problem/conflicts.h"

#include <assert.h>
#include <string.h>

#include "core/memory.h"
#include "planning/problem/clocks/precedence.h"
#include "planning/problem/timeline.h"

typedef void visit_pair(struct conflicts *conflicts, uint32_t a, uint32_t b);

static void count_pair(struct conflicts *conflicts, uint32_t a, uint32_t b)
{
    assert(a != b);
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
            live_set_remove(live, timeline->by_upper[ended++]);
        assert(live->count == i - ended);
        for (uint32_t j = 0; j < live->count; j++)
            if (timeline->buffer[live->item[j]] != buffer)
                visit(conflicts, buffer, timeline->buffer[live->item[j]]);
        live_set_insert(live, segment);
    }
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

/* Moves the lists together, as those that lost repetitions left gaps. */
static void close_gaps(struct conflicts *conflicts, uint32_t buffers, const uint64_t *end)
{
    uint64_t kept = 0;
    for (uint32_t b = 0; b < buffers; b++) {
        uint64_t begin = conflicts->first[b], count = end[b] - begin;
        assert(kept <= begin && begin <= end[b]);
        memmove(conflicts->other + kept, conflicts->other + begin, count * sizeof(uint32_t));
        conflicts->first[b] = kept;
        kept += count;
    }
    conflicts->first[buffers] = kept;
}

/* Moves the buffers in the list of b that are greater than b to the end of that list, from
   greater[b] on. The places before them are free then. */
static void split_lists(struct conflicts *conflicts, uint32_t buffers, uint64_t *greater)
{
    uint32_t *other = conflicts->other;
    for (uint32_t b = 0; b < buffers; b++) {
        uint64_t begin = conflicts->first[b + 1];
        for (uint64_t i = begin; i-- > conflicts->first[b];)
            if (other[i] > b)
                other[--begin] = other[i];
        greater[b] = begin;
    }
}

/* Adds every buffer, in rising order, to the lists of those greater ones that it conflicts with;
   these lists then have all smaller ones, sorted. */
static void list_smaller(struct conflicts *conflicts, uint32_t buffers, const uint64_t *greater,
                         uint64_t *end)
{
    uint32_t *other = conflicts->other;
    for (uint32_t b = 0; b < buffers; b++)
        for (uint64_t i = greater[b]; i < conflicts->first[b + 1]; i++) {
            uint32_t to = other[i];
            assert(to > b && to < buffers);
            if (end[to] == conflicts->first[to] || other[end[to] - 1] != b)
                other[end[to]++] = b;
            assert(end[to] <= greater[to]);
        }
}

/* Adds every buffer, in rising order, to the lists of the smaller ones that it conflicts with,
   behind what these lists have already. */
static void list_greater(struct conflicts *conflicts, uint32_t buffers, uint64_t *end)
{
    uint32_t *other = conflicts->other;
    for (uint32_t b = 0; b < buffers; b++) {
        uint64_t smaller_end = end[b];
        for (uint64_t i = conflicts->first[b]; i < smaller_end; i++)
            other[end[other[i]]++] = b;
    }
}

/* The relation is symmetric, so handing out every buffer, in rising order, to those in its list
   makes lists in rising order: no sorting, and, in two halves, no second copy of the lists, which
   are most of what a search holds. Buffers of several segments may meet more than once; a
   repetition would stand last in the list that it is added to. */
static enum status sort_lists(struct conflicts *conflicts, uint32_t buffers, struct error *error)
{
    uint64_t *greater, *end = NULL;
    TRY(memory_create(&greater, buffers, sizeof *greater, error));
    enum status status = memory_create(&end, buffers, sizeof *end, error);
    if (!status && buffers) {
        memcpy(end, conflicts->first, buffers * sizeof *end);
        split_lists(conflicts, buffers, greater);
        list_smaller(conflicts, buffers, greater, end);
        list_greater(conflicts, buffers, end);
        close_gaps(conflicts, buffers, end);
    }
    memory_free(greater);
    memory_free(end);
    return status;
}

/* store_pair advances first[b] to the end of the list, which is where the next one starts. */
static void rewind_lists(struct conflicts *conflicts, uint32_t buffers)
{
    memmove(conflicts->first + 1, conflicts->first, buffers * sizeof *conflicts->first);
    conflicts->first[0] = 0;
    assert(buffers == 0 || conflicts->first[buffers - 1] <= conflicts->first[buffers]);
}

/* Lists all pairs, in no order and with repetitions. */
static enum status list_by_steps(const struct problem *problem, struct conflicts *conflicts,
                                 struct scratch *scratch, struct error *error)
{
    struct timeline timeline;
    struct live_set live;
    enum status status;
    TRY(live_set_create(&live, problem->segments, scratch, error));
    TRY(timeline_create(problem, &timeline, error));
    sweep_pairs(problem, &timeline, &live, conflicts, count_pair);
    uint64_t pairs = accumulate_counts(conflicts, problem->buffers);
    assert(pairs % 2 == 0);
    TRY_OR_DONE(status, memory_create(&conflicts->other, pairs, sizeof(uint32_t), error));
    sweep_pairs(problem, &timeline, &live, conflicts, store_pair);
    assert(problem->buffers == 0 || conflicts->first[problem->buffers - 1] == pairs);
    rewind_lists(conflicts, problem->buffers);
done:
    timeline_free(&timeline);
    return status;
}

static enum status list_by_clocks(const struct problem *problem, struct conflicts *conflicts,
                                  struct scratch *scratch, struct error *error)
{
    uint32_t buffers = problem->buffers, *count;
    struct precedence *precedence;
    enum status status;
    TRY(scratch_take(scratch, &count, buffers, sizeof *count, error));
    TRY(precedence_create(problem->clocks, &precedence, error));
    TRY_OR_DONE(status, precedence_count_each(precedence, count, error));
    for (uint32_t b = 0; b < buffers; b++)
        conflicts->first[b] = count[b];
    TRY_OR_DONE(status, memory_create(&conflicts->other, accumulate_counts(conflicts, buffers),
                                      sizeof(uint32_t), error));
    status = precedence_list_conflicts(precedence, conflicts->first, conflicts->other, error);
done:
    precedence_free(precedence);
    return status;
}

enum status conflicts_create(const struct problem *problem, struct conflicts **created,
                             struct error *error)
{
    struct conflicts *conflicts;
    struct scratch scratch = {0};
    enum status status;
    TRY(memory_create(&conflicts, 1, sizeof *conflicts, error));
    TRY_OR_DONE(status, memory_create(&conflicts->first, (size_t)problem->buffers + 1,
                                      sizeof(uint64_t), error));
    TRY_OR_DONE(status, problem_is_by_clocks(problem)
                            ? list_by_clocks(problem, conflicts, &scratch, error)
                            : list_by_steps(problem, conflicts, &scratch, error));
    scratch_free(&scratch);
    TRY_OR_DONE(status, sort_lists(conflicts, problem->buffers, error));
    *created = conflicts;
done:
    scratch_free(&scratch);
    if (status)
        conflicts_free(conflicts);
    return status;
}

enum status conflicts_count_pairs(const struct problem *problem, uint64_t *pairs,
                                  struct error *error)
{
    struct precedence *precedence;
    if (!problem_is_by_clocks(problem))
        return timeline_count_pairs(problem, pairs, error);
    TRY(precedence_create(problem->clocks, &precedence, error));
    *pairs = precedence_count_conflicts(precedence);
    precedence_free(precedence);
    return STATUS_OK;
}

void conflicts_free(struct conflicts *conflicts)
{
    if (!conflicts)
        return;
    memory_free(conflicts->first);
    memory_free(conflicts->other);
    memory_free(conflicts);
}
