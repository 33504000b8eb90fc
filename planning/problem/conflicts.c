#include "planning/problem/conflicts.h"

#include <assert.h>
#include <string.h>

#include "core/memory.h"
#include "planning/problem/clocks/precedence.h"
#include "planning/problem/timeline.h"

/* Visits each pair of overlapping segments of different buffers once: first to count the entries of
   both buffers in conflicts->first, later to add the entries, when conflicts->first has the present
   ends of the lists. */
static void sweep_pairs(const struct problem *problem, const struct timeline *timeline,
                        struct live_set *live, struct conflicts *conflicts)
{
    uint32_t ended = 0;
    live->count = 0;
    for (uint32_t i = 0; i < problem->segments; i++) {
        uint32_t segment = timeline->by_lower[i], a = timeline->buffer[segment];
        while (problem->upper[timeline->by_upper[ended]] <= problem->lower[segment])
            live_set_remove(live, timeline->by_upper[ended++]);
        assert(live->count == i - ended);
        for (uint32_t j = 0; j < live->count; j++) {
            uint32_t b = timeline->buffer[live->item[j]];
            if (a == b)
                continue;
            uint64_t to_a = conflicts->first[a]++, to_b = conflicts->first[b]++;
            assert(problem->lower[live->item[j]] <= problem->lower[segment]);
            if (conflicts->other) {
                conflicts->other[to_a] = b;
                conflicts->other[to_b] = a;
            }
        }
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
        assert(sum >= count);
    }
    return sum;
}

/* The relation is symmetric, so handing out every buffer, in rising order, to those in its list
   makes lists in rising order: no sorting, and, in two halves, no second copy of the lists, which
   are most of what a search holds. Buffers of several segments may meet more than once; a
   repetition would stand last in the list that it is added to. */
static enum status sort_lists(struct conflicts *conflicts, uint32_t buffers, struct error *error)
{
    SCOPED(scratch_free) struct scratch scratch = {0};
    uint64_t *first = conflicts->first, kept = 0;
    uint64_t *greater, *end; /* [buffers] of each list where greater buffers begin, where it ends */
    uint32_t *other = conflicts->other;
    TRY(scratch_take_all(&scratch, buffers, error, &greater, &end));

    /* In the list of b, what is greater than b goes to the end. The places before are free then. */
    for (uint32_t b = 0; b < buffers; b++) {
        end[b] = first[b];
        greater[b] = first[b + 1];
        for (uint64_t i = first[b + 1]; i-- > first[b];)
            if (other[i] > b)
                other[--greater[b]] = other[i];
    }

    /* Every buffer goes into the lists of the greater ones that it conflicts with: these lists then
       have all smaller ones, sorted. */
    for (uint32_t b = 0; b < buffers; b++)
        for (uint64_t i = greater[b]; i < first[b + 1]; i++) {
            uint32_t to = other[i];
            assert(to > b && to < buffers);
            if (end[to] == first[to] || other[end[to] - 1] != b)
                other[end[to]++] = b;
            assert(end[to] <= greater[to]);
        }

    /* Every buffer goes into the lists of the smaller ones, behind what these have already. */
    for (uint32_t b = 0; b < buffers; b++) {
        uint64_t smaller_end = end[b];
        for (uint64_t i = first[b]; i < smaller_end; i++)
            other[end[other[i]]++] = b;
    }

    /* The lists move together, as those that lost repetitions left gaps. */
    for (uint32_t b = 0; b < buffers; b++) {
        uint64_t begin = first[b], count = end[b] - begin;
        assert(kept <= begin && begin <= end[b] && end[b] <= first[b + 1]);
        memmove(other + kept, other + begin, count * sizeof *other);
        first[b] = kept;
        kept += count;
    }
    first[buffers] = kept;
    return STATUS_OK;
}

/* Lists all pairs, in no order and with repetitions. */
static enum status list_by_steps(const struct problem *problem, struct conflicts *conflicts,
                                 struct error *error)
{
    SCOPED(scratch_free) struct scratch scratch = {0};
    SCOPED(timeline_free) struct timeline timeline = {0};
    uint32_t buffers = problem->buffers;
    struct live_set live;
    TRY(live_set_create(&live, problem->segments, &scratch, error));
    TRY(timeline_create(problem, &timeline, error));
    sweep_pairs(problem, &timeline, &live, conflicts);
    uint64_t pairs = accumulate_counts(conflicts, buffers);
    assert(pairs % 2 == 0);
    TRY(memory_create(&conflicts->other, pairs, sizeof(uint32_t), error));
    sweep_pairs(problem, &timeline, &live, conflicts);
    assert(buffers == 0 || conflicts->first[buffers - 1] == pairs);
    /* Each first is now the end of its list, which is where the next one starts. */
    memmove(conflicts->first + 1, conflicts->first, buffers * sizeof *conflicts->first);
    conflicts->first[0] = 0;
    return STATUS_OK;
}

static enum status list_by_clocks(const struct problem *problem, struct conflicts *conflicts,
                                  struct error *error)
{
    SCOPED(scratch_free) struct scratch scratch = {0};
    SCOPED(precedence_release) struct precedence *precedence = NULL;
    uint32_t buffers = problem->buffers, *count;
    TRY(scratch_take(&scratch, &count, buffers, sizeof *count, error));
    TRY(precedence_create(problem->clocks, &precedence, error));
    TRY(precedence_count_each(precedence, count, error));
    for (uint32_t b = 0; b < buffers; b++)
        conflicts->first[b] = count[b];
    TRY(memory_create(&conflicts->other, accumulate_counts(conflicts, buffers), sizeof(uint32_t),
                      error));
    return precedence_list_conflicts(precedence, conflicts->first, conflicts->other, error);
}

enum status conflicts_create(const struct problem *problem, struct conflicts **created,
                             struct error *error)
{
    SCOPED(conflicts_release) struct conflicts *conflicts = NULL;
    TRY(memory_create(&conflicts, 1, sizeof *conflicts, error));
    TRY(memory_create(&conflicts->first, (size_t)problem->buffers + 1, sizeof(uint64_t), error));
    TRY(problem_is_by_clocks(problem) ? list_by_clocks(problem, conflicts, error)
                                      : list_by_steps(problem, conflicts, error));
    assert(conflicts->first[0] == 0);
    TRY(sort_lists(conflicts, problem->buffers, error));
    HAND_OVER(conflicts, created);
}

enum status conflicts_count_pairs(const struct problem *problem, uint64_t *pairs,
                                  struct error *error)
{
    SCOPED(precedence_release) struct precedence *precedence = NULL;
    if (!problem_is_by_clocks(problem))
        return timeline_count_pairs(problem, pairs, error);
    TRY(precedence_create(problem->clocks, &precedence, error));
    *pairs = precedence_count_conflicts(precedence);
    return STATUS_OK;
}

enum status conflicts_has_time(const struct problem *problem, uint64_t limit_ns, bool *has_time,
                               struct error *error)
{
    enum { FEW_PAIRS = 1 << 18, PAIR_NS = 40 };
    uint64_t pairs;
    TRY(conflicts_count_pairs(problem, &pairs, error));
    *has_time = pairs <= FEW_PAIRS || pairs <= limit_ns / PAIR_NS;
    return STATUS_OK;
}

void conflicts_free(struct conflicts *conflicts)
{
    if (!conflicts)
        return;
    memory_free_all(conflicts->first, conflicts->other, conflicts);
}
