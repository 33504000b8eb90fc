#include "planning/problem/clique_cover.h"

#include <assert.h>

#include "core/binary_search.h"
#include "core/groups.h"
#include "core/memory.h"
#include "core/sort.h"
#include "planning/problem/timeline.h"

/* The tests of whether two buffers conflict that are allowed for a clique: TESTS_PER_LIST for each
   list of candidates that is looked through, and TESTS_PER_PAIR for each pair that no clique held
   before. */
enum { TESTS_PER_LIST = 64, TESTS_PER_PAIR = 4 };

struct growth {
    const struct problem *problem;
    const struct problem_pair *pair; /* [pairs] */
    size_t pairs;
    size_t *start; /* [buffers + 1] where the pairs begin in which each buffer is first */
    bool *covered; /* [pairs] */
    struct groups neighbours; /* [buffers] the buffers in a pair with each, rising */
    uint32_t *order;          /* [pairs] the order in which they start cliques */
    uint64_t *step; /* [pairs] in that order: a step at which one of the two is live, or NO_STEP */
    struct timeline timeline;
    struct live_set live;
    uint32_t started, ended; /* segments on the timeline */
    struct clique_cover *cover;
    uint64_t tests_left;
    struct scratch scratch;
    struct error *error;
};

#define NO_STEP ((uint64_t)UINT32_MAX + 1)

/* Index of the pair, or pairs where there is none. */
static size_t find_pair(const struct growth *growth, uint32_t a, uint32_t b)
{
    uint32_t first = a < b ? a : b, second = a < b ? b : a;
    assert(first < second && second < growth->problem->buffers);
    size_t end = growth->start[first + 1];
    size_t pair = BINARY_SEARCH(at, growth->start[first], end, growth->pair[at].second >= second);
    return pair < end && growth->pair[pair].second == second ? pair : growth->pairs;
}

/* Adds a buffer to the clique that grows. */
static enum status add_member(struct growth *growth, uint32_t buffer)
{
    struct clique_cover *cover = growth->cover;
    uint64_t *end = &cover->first[cover->count + 1];
    assert(cover->first[cover->count] <= *end && buffer < growth->problem->buffers);
    TRY(memory_reserve(&cover->member, &cover->member_capacity, *end + 1, sizeof(uint32_t),
                       growth->error));
    for (uint64_t i = cover->first[cover->count]; i < *end; i++) {
        size_t pair = find_pair(growth, cover->member[i], buffer);
        if (pair == growth->pairs || growth->covered[pair])
            continue;
        growth->covered[pair] = true;
        growth->tests_left += TESTS_PER_PAIR;
    }
    cover->member[(*end)++] = buffer;
    return STATUS_OK;
}

static bool conflicts_with_all(struct growth *growth, uint32_t buffer)
{
    const struct clique_cover *cover = growth->cover;
    assert(cover->first[cover->count + 1] >= cover->first[cover->count] + 2);
    for (uint64_t i = cover->first[cover->count]; i < cover->first[cover->count + 1]; i++) {
        uint32_t member = cover->member[i];
        if (member == buffer || !growth->tests_left)
            return false;
        growth->tests_left--;
        if (find_pair(growth, member, buffer) == growth->pairs &&
            !problem_conflicts_in_time(growth->problem, member, buffer, PROBLEM_NO_LINE_END))
            return false;
    }
    return true;
}

/* Tries the neighbours of a buffer as members, beginning behind `other` and going round, since
   those before it have mostly been tried. */
static enum status add_neighbours(struct growth *growth, uint32_t buffer, uint32_t other)
{
    const uint32_t *neighbour = growth->neighbours.item;
    uint64_t begin = growth->neighbours.first[buffer], end = growth->neighbours.first[buffer + 1];
    uint64_t middle = BINARY_SEARCH(at, begin, end, neighbour[at] > other);
    assert(begin < middle && neighbour[middle - 1] == other);
    growth->tests_left += TESTS_PER_LIST;
    for (uint64_t i = 0; i < end - begin && growth->tests_left; i++) {
        uint64_t at = middle + i < end ? middle + i : middle + i - (end - begin);
        assert(begin <= at && at < end);
        if (conflicts_with_all(growth, neighbour[at]))
            TRY(add_member(growth, neighbour[at]));
    }
    return STATUS_OK;
}

/* Tries the buffers that are live at the step, which is no lower than the one before. */
static enum status add_contemporaries(struct growth *growth, uint64_t step)
{
    const struct problem *problem = growth->problem;
    const uint32_t *starting = growth->timeline.by_lower, *ending = growth->timeline.by_upper;
    assert(!growth->started || problem->lower[starting[growth->started - 1]] <= step);
    while (growth->started < problem->segments && problem->lower[starting[growth->started]] <= step)
        live_set_insert(&growth->live, starting[growth->started++]);
    while (growth->ended < problem->segments && problem->upper[ending[growth->ended]] <= step)
        live_set_remove(&growth->live, ending[growth->ended++]);
    assert(growth->ended <= growth->started);
    assert(growth->live.count == growth->started - growth->ended);
    growth->tests_left += TESTS_PER_LIST;
    for (uint32_t i = 0; i < growth->live.count && growth->tests_left; i++) {
        uint32_t buffer = growth->timeline.buffer[growth->live.item[i]];
        if (conflicts_with_all(growth, buffer))
            TRY(add_member(growth, buffer));
    }
    return STATUS_OK;
}

static enum status grow_clique(struct growth *growth, struct problem_pair start, uint64_t step)
{
    struct clique_cover *cover = growth->cover;
    TRY(memory_reserve(&cover->first, &cover->first_capacity, (size_t)cover->count + 2,
                       sizeof(uint64_t), growth->error));
    cover->first[cover->count + 1] = cover->first[cover->count];
    growth->tests_left = 0;
    assert(start.first < start.second);
    TRY(add_member(growth, start.first));
    TRY(add_member(growth, start.second));
    TRY(add_neighbours(growth, start.first, start.second));
    TRY(add_neighbours(growth, start.second, start.first));
    if (step != NO_STEP)
        TRY(add_contemporaries(growth, step));
    assert(cover->first[cover->count + 1] >= cover->first[cover->count] + 2);
    cover->count++;
    return STATUS_OK;
}

static enum status list_neighbours(struct growth *growth)
{
    uint32_t buffers = growth->problem->buffers;
    const struct problem_pair *pair = growth->pair;
    TRY(scratch_take(&growth->scratch, &growth->start, (size_t)buffers + 1, sizeof(size_t),
                     growth->error));
    TRY(groups_begin(&growth->neighbours, buffers, growth->error));
    for (size_t p = 0; p < growth->pairs; p++) {
        growth->start[pair[p].first + 1]++;
        groups_count(&growth->neighbours, pair[p].first);
        groups_count(&growth->neighbours, pair[p].second);
    }
    for (uint32_t b = 0; b < buffers; b++)
        growth->start[b + 1] += growth->start[b];
    assert(growth->start[buffers] == growth->pairs);
    TRY(groups_end_counting(&growth->neighbours, growth->error));
    /* All lower neighbours of a buffer come before its upper ones, as pairs rise. */
    for (size_t p = 0; p < growth->pairs; p++)
        groups_add(&growth->neighbours, pair[p].second, pair[p].first);
    for (size_t p = 0; p < growth->pairs; p++)
        groups_add(&growth->neighbours, pair[p].first, pair[p].second);
    assert(growth->neighbours.first[buffers] == 2 * growth->pairs);
    return STATUS_OK;
}

static enum status start_growth(struct growth *growth)
{
    const struct problem *problem = growth->problem;
    struct scratch *scratch = &growth->scratch;
    struct error *error = growth->error;
    size_t pairs = growth->pairs;
    if (pairs > UINT32_MAX)
        return error_set(error, STATUS_BAD_INPUT, "more than %u conflicts", UINT32_MAX);
    TRY(memory_reserve(&growth->cover->first, &growth->cover->first_capacity, 1, sizeof(uint64_t),
                       error));
    growth->cover->first[0] = 0;
    TRY(scratch_take_all(scratch, pairs, error, &growth->covered, &growth->order, &growth->step));
    TRY(list_neighbours(growth));
    for (size_t p = 0; p < pairs; p++) {
        uint32_t a = growth->pair[p].first, b = growth->pair[p].second;
        assert(a < b && b < problem->buffers);
        growth->order[p] = (uint32_t)p;
        growth->step[p] = NO_STEP;
        if (problem->first[a] == problem->first[a + 1] ||
            problem->first[b] == problem->first[b + 1])
            continue;
        /* The first step of the buffer that is live for fewer steps. */
        bool fewer = problem_duration(problem, a) < problem_duration(problem, b);
        growth->step[p] = problem_lower(problem, fewer ? a : b);
        assert(growth->step[p] < NO_STEP);
    }
    TRY(sort_items(growth->step, growth->order, pairs, error));
    TRY(timeline_create(problem, &growth->timeline, error));
    return live_set_create(&growth->live, problem->segments, scratch, error);
}

static void free_growth(struct growth *growth)
{
    groups_free(&growth->neighbours);
    timeline_free(&growth->timeline);
    scratch_free(&growth->scratch);
}

enum status clique_cover_create(const struct problem *problem, const struct problem_pair *pair,
                                size_t pairs, struct clique_cover *cover, struct error *error)
{
    SCOPED(free_growth)
    struct growth growth = {
        .problem = problem, .pair = pair, .pairs = pairs, .cover = cover, .error = error};
    *cover = (struct clique_cover){0};
    TRY(start_growth(&growth));
    for (size_t i = 0; i < pairs; i++)
        if (!growth.covered[growth.order[i]])
            TRY(grow_clique(&growth, pair[growth.order[i]], growth.step[i]));
    assert(cover->count <= pairs);
    return STATUS_OK;
}

void clique_cover_free(struct clique_cover *cover)
{
    memory_free_all(cover->first, cover->member);
    *cover = (struct clique_cover){0};
}
