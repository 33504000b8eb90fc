#include "solvers/common/join_parts.h"

#include <stdlib.h>

#include "core/memory.h"
#include "core/sort.h"
#include "planning/problem/conflicts.h"
#include "planning/problem/timeline.h"
#include "planning/problem/unit.h"

/* True where any multiple of the unit can be an offset of any buffer. */
static bool can_move(const struct problem *problem)
{
    uint64_t unit = problem_unit_bytes(problem);
    if (problem_is_by_clocks(problem) || problem_has_windows(problem))
        return false;
    for (uint32_t b = 0; b < problem->buffers; b++)
        if (problem_fixed_offset(problem, b) != PROBLEM_FREE ||
            unit % problem_alignment(problem, b))
            return false;
    return true;
}

static void make_one_part(const struct problem *problem, struct join_parts *parts)
{
    for (uint32_t b = 0; b < problem->buffers; b++)
        parts->buffer[b] = b;
    parts->first[1] = problem->buffers;
    parts->count = 1;
}

/* A search through the complement of the conflicts. It takes little time: each buffer leaves the
   list of those not visited once, and stays in it at most once for each of its conflicts. */
struct search {
    const struct conflicts *conflicts;
    uint32_t *unvisited, left; /* [left] not in a part yet */
    uint32_t *marked;          /* [buffers] one more than the last visited buffer that conflicts
                                  with it */
    struct join_parts *parts;
};

/* Appends to the part, which ends at `end`, what is not visited and does not conflict with the
   buffer, and returns the new end. */
static uint32_t visit(struct search *search, uint32_t buffer, uint32_t end)
{
    const struct conflicts *conflicts = search->conflicts;
    uint32_t kept = 0;
    for (uint64_t i = conflicts->first[buffer]; i < conflicts->first[buffer + 1]; i++)
        search->marked[conflicts->other[i]] = buffer + 1;
    for (uint32_t i = 0; i < search->left; i++) {
        uint32_t other = search->unvisited[i];
        if (search->marked[other] == buffer + 1)
            search->unvisited[kept++] = other;
        else
            search->parts->buffer[end++] = other;
    }
    search->left = kept;
    return end;
}

static int compare_buffers(const void *left, const void *right)
{
    const uint32_t *a = left, *b = right;
    return *a < *b ? -1 : *a > *b;
}

static void end_part(struct join_parts *parts, uint32_t end)
{
    uint32_t begin = parts->first[parts->count];
    qsort(parts->buffer + begin, end - begin, sizeof *parts->buffer, compare_buffers);
    parts->first[++parts->count] = end;
}

static void find_parts(struct search *search)
{
    struct join_parts *parts = search->parts;
    uint32_t next = 0;
    parts->count = 0;
    while (search->left > 0) {
        uint32_t end = next + 1;
        parts->buffer[next] = search->unvisited[--search->left];
        for (; next < end; next++)
            end = visit(search, parts->buffer[next], end);
        end_part(parts, end);
    }
}

static enum status search_parts(const struct problem *problem, struct search *search,
                                struct error *error)
{
    struct conflicts *conflicts;
    TRY(memory_create(&search->unvisited, problem->buffers, sizeof(uint32_t), error));
    TRY(memory_create(&search->marked, problem->buffers, sizeof(uint32_t), error));
    TRY(conflicts_create(problem, &conflicts, error));
    search->conflicts = conflicts;
    search->left = problem->buffers;
    for (uint32_t b = 0; b < problem->buffers; b++)
        search->unvisited[b] = b;
    find_parts(search);
    conflicts_free(conflicts);
    return STATUS_OK;
}

/* A search for parts as if each buffer lived from its first step to its last: buffers that do not
   conflict then never do. Where no buffer has holes, these are the parts; else each part is made of
   one or several of them. Buffers that begin after one of the part has ended are taken from the end
   of by_lower, those that end before one of the part begins from the beginning of by_upper. */
struct hulls {
    const struct problem *problem;
    uint32_t *by_lower, *by_upper; /* [buffers] */
    uint32_t late_end;             /* of by_lower, those from here on are in a part */
    uint32_t early_begin;          /* of by_upper, those before are in a part */
    uint8_t *visited;              /* [buffers] */
    struct join_parts *parts;
    uint32_t end;                          /* of the part, in parts->buffer */
    uint32_t earliest_upper, latest_lower; /* of the part */
};

static uint64_t get_lower(const void *problem, uint32_t buffer)
{
    return problem_lower(problem, buffer);
}

static uint64_t get_upper(const void *problem, uint32_t buffer)
{
    return problem_upper(problem, buffer);
}

static void add_hull(struct hulls *hulls, uint32_t buffer)
{
    uint32_t lower = problem_lower(hulls->problem, buffer),
             upper = problem_upper(hulls->problem, buffer);
    if (hulls->visited[buffer])
        return;
    hulls->visited[buffer] = 1;
    hulls->parts->buffer[hulls->end++] = buffer;
    hulls->earliest_upper = upper < hulls->earliest_upper ? upper : hulls->earliest_upper;
    hulls->latest_lower = lower > hulls->latest_lower ? lower : hulls->latest_lower;
}

static bool add_late(struct hulls *hulls)
{
    if (!hulls->late_end)
        return false;
    uint32_t buffer = hulls->by_lower[hulls->late_end - 1];
    if (!hulls->visited[buffer] && problem_lower(hulls->problem, buffer) < hulls->earliest_upper)
        return false;
    hulls->late_end--;
    add_hull(hulls, buffer);
    return true;
}

static bool add_early(struct hulls *hulls)
{
    if (hulls->early_begin == hulls->problem->buffers)
        return false;
    uint32_t buffer = hulls->by_upper[hulls->early_begin];
    if (!hulls->visited[buffer] && problem_upper(hulls->problem, buffer) > hulls->latest_lower)
        return false;
    hulls->early_begin++;
    add_hull(hulls, buffer);
    return true;
}

static void find_hull_parts(struct hulls *hulls)
{
    struct join_parts *parts = hulls->parts;
    parts->count = 0;
    for (uint32_t seed = hulls->problem->buffers; seed-- > 0;) {
        if (hulls->visited[seed])
            continue;
        hulls->earliest_upper = UINT32_MAX;
        hulls->latest_lower = 0;
        add_hull(hulls, seed);
        while (add_late(hulls) || add_early(hulls))
            continue;
        end_part(parts, hulls->end);
    }
}

static enum status search_hulls(const struct problem *problem, struct join_parts *parts,
                                struct error *error)
{
    const struct sort_key lower[SORT_MOST_KEYS] = {{get_lower, false}},
                          upper[SORT_MOST_KEYS] = {{get_upper, false}};
    struct hulls hulls = {.problem = problem, .late_end = problem->buffers, .parts = parts};
    enum status status;
    TRY_OR_DONE(status, memory_create(&hulls.by_lower, problem->buffers, sizeof(uint32_t), error));
    TRY_OR_DONE(status, memory_create(&hulls.by_upper, problem->buffers, sizeof(uint32_t), error));
    TRY_OR_DONE(status, memory_create(&hulls.visited, problem->buffers, 1, error));
    TRY_OR_DONE(status, sort_by_keys(lower, problem, problem->buffers, hulls.by_lower, error));
    TRY_OR_DONE(status, sort_by_keys(upper, problem, problem->buffers, hulls.by_upper, error));
    find_hull_parts(&hulls);
done:
    memory_free(hulls.by_lower);
    memory_free(hulls.by_upper);
    memory_free(hulls.visited);
    return status;
}

static enum status search_conflicts(const struct problem *problem, struct join_parts *parts,
                                    struct error *error)
{
    struct search search = {.parts = parts};
    enum status status = search_parts(problem, &search, error);
    memory_free(search.unvisited);
    memory_free(search.marked);
    return status;
}

/* True where it takes no search to see that there is one part. A buffer that begins after some
   other one has ended does not conflict with it, so they are in one part; the same holds where it
   ends before some other one begins. Only a buffer that is live all the time from the first end to
   the last beginning may do neither. Where there is none, as in most problems of many buffers,
   there is one part. */
static bool is_one_part(const struct problem *problem)
{
    uint32_t earliest_upper = UINT32_MAX, latest_lower = 0;
    for (uint32_t b = 0; b < problem->buffers; b++) {
        uint32_t lower = problem_lower(problem, b), upper = problem_upper(problem, b);
        earliest_upper = upper < earliest_upper ? upper : earliest_upper;
        latest_lower = lower > latest_lower ? lower : latest_lower;
    }
    for (uint32_t b = 0; b < problem->buffers; b++)
        if (problem_lower(problem, b) < earliest_upper && problem_upper(problem, b) > latest_lower)
            return false;
    return true;
}

enum status join_parts_find(const struct problem *problem, uint64_t most_pairs,
                            struct join_parts *parts, struct error *error)
{
    uint64_t pairs = 0;
    enum status status;
    *parts = (struct join_parts){0};
    TRY_OR_DONE(status, memory_create(&parts->first, (size_t)problem->buffers + 2, sizeof(uint32_t),
                                      error));
    TRY_OR_DONE(status, memory_create(&parts->buffer, problem->buffers, sizeof(uint32_t), error));
    make_one_part(problem, parts);
    if (!can_move(problem) || is_one_part(problem))
        return STATUS_OK;
    TRY_OR_DONE(status, search_hulls(problem, parts, error));
    if (parts->count == 1)
        return STATUS_OK;
    TRY_OR_DONE(status, timeline_count_pairs(problem, &pairs, error));
    if (pairs > most_pairs)
        make_one_part(problem, parts);
    else if (problem->segments > problem->buffers)
        status = search_conflicts(problem, parts, error);
done:
    if (status)
        join_parts_clear(parts);
    return status;
}

void join_parts_clear(struct join_parts *parts)
{
    memory_free(parts->first);
    memory_free(parts->buffer);
    *parts = (struct join_parts){0};
}
