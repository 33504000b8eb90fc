#include "planning/verify/problem/orientation.h"

#include <assert.h>
#include <stdio.h>

#include "core/scratch.h"
#include "core/sort.h"
#include "planning/verify/rank_set.h"

struct check {
    const struct problem *problem;
    const struct below_lists *lists;
    uint32_t *rank;    /* [buffers] place in an order in which what lies below comes first */
    uint32_t *ranked;  /* [buffers] the buffer of each rank */
    uint32_t *waiting; /* [buffers] to be looked at while a way down is searched */
    uint32_t *seen;    /* [buffers] number of the last search that reached it */
    uint32_t searches;
    struct scratch *scratch;
};

/* Ranks a buffer when all below it are ranked. False where some never are: *left is one of them,
   which lies below itself or above something that does. */
static enum status rank_buffers(struct check *check, bool *ranked_all, uint32_t *left,
                                struct error *error)
{
    const struct below_lists *lists = check->lists;
    uint32_t buffers = check->problem->buffers, ranked = 0;
    uint32_t *missing, *above_first, *above;
    TRY(scratch_take(check->scratch, &missing, buffers, sizeof *missing, error));
    TRY(scratch_take(check->scratch, &above_first, (size_t)buffers + 2, sizeof *above_first,
                     error));
    TRY(scratch_take(check->scratch, &above, lists->first[buffers], sizeof *above, error));
    for (uint32_t e = 0; e < lists->first[buffers]; e++)
        above_first[lists->below[e] + 2]++;
    for (uint32_t b = 0; b < buffers; b++)
        above_first[b + 2] += above_first[b + 1];
    for (uint32_t b = 0; b < buffers; b++)
        for (uint32_t e = lists->first[b]; e < lists->first[b + 1]; e++)
            above[above_first[lists->below[e] + 1]++] = b;
    for (uint32_t b = 0; b < buffers; b++) {
        missing[b] = lists->first[b + 1] - lists->first[b];
        if (!missing[b])
            check->ranked[ranked++] = b;
    }
    for (uint32_t i = 0; i < ranked; i++) {
        uint32_t b = check->ranked[i];
        assert(!missing[b] && ranked <= buffers);
        check->rank[b] = i;
        for (uint32_t e = above_first[b]; e < above_first[b + 1]; e++)
            if (!--missing[above[e]])
                check->ranked[ranked++] = above[e];
    }
    *ranked_all = ranked == buffers;
    for (uint32_t b = 0; b < buffers && !*ranked_all; b++)
        if (missing[b])
            *left = b;
    return STATUS_OK;
}

/* Whether `low` lies below `high`. Nothing with a lower rank than `low` leads there. */
static bool lies_below(struct check *check, uint32_t low, uint32_t high)
{
    uint32_t waiting = 0;
    assert(check->rank[low] < check->rank[high]);
    check->searches++;
    check->waiting[waiting++] = high;
    while (waiting) {
        uint32_t b = check->waiting[--waiting];
        for (uint32_t e = check->lists->first[b]; e < check->lists->first[b + 1]; e++) {
            uint32_t below = check->lists->below[e];
            if (below == low)
                return true;
            if (check->rank[below] > check->rank[low] && check->seen[below] != check->searches) {
                assert(waiting < check->problem->buffers);
                check->seen[below] = check->searches;
                check->waiting[waiting++] = below;
            }
        }
    }
    return false;
}

/* A buffer begins to be live among others, of which each two are in order. */
static void check_beginning(struct check *check, const struct rank_set *live, uint32_t buffer,
                            uint32_t step, struct verdict *verdict)
{
    uint32_t rank;
    assert(check->ranked[check->rank[buffer]] == buffer);
    if (rank_set_below(live, check->rank[buffer], &rank) &&
        !lies_below(check, check->ranked[rank], buffer))
        *verdict = (struct verdict){VERIFY_NOT_ORIENTED, check->ranked[rank], buffer, step, 0};
    else if (rank_set_above(live, check->rank[buffer], &rank) &&
             !lies_below(check, buffer, check->ranked[rank]))
        *verdict = (struct verdict){VERIFY_NOT_ORIENTED, buffer, check->ranked[rank], step, 0};
}

static enum status sweep(struct check *check, struct verdict *verdict, struct error *error)
{
    const struct problem *problem = check->problem;
    const struct sort_key by_lower[SORT_MOST_KEYS] = {{SORT_ARRAY(problem->lower)}};
    const struct sort_key by_upper[SORT_MOST_KEYS] = {{SORT_ARRAY(problem->upper)}};
    uint32_t *begin, *end, *owner, ended = 0;
    struct rank_set live;
    TRY(scratch_take_all(check->scratch, problem->segments, error, &begin, &end, &owner));
    TRY(rank_set_create(problem->buffers, &live, check->scratch, error));
    TRY(sort_by_keys(by_lower, NULL, problem->segments, begin, error));
    TRY(sort_by_keys(by_upper, NULL, problem->segments, end, error));
    for (uint32_t b = 0; b < problem->buffers; b++)
        for (uint32_t s = problem->first[b]; s < problem->first[b + 1]; s++) {
            assert(problem->lower[s] < problem->upper[s]);
            owner[s] = b;
        }
    for (uint32_t i = 0; i < problem->segments && !verdict->fault; i++) {
        uint32_t step = problem->lower[begin[i]], buffer = owner[begin[i]];
        for (; problem->upper[end[ended]] <= step; ended++)
            rank_set_remove(&live, check->rank[owner[end[ended]]]);
        assert(ended <= i); /* a segment ends after it begins */
        check_beginning(check, &live, buffer, step, verdict);
        rank_set_insert(&live, check->rank[buffer]);
    }
    return STATUS_OK;
}

enum status verify_orientation(const struct problem *problem, const struct below_lists *lists,
                               struct verdict *verdict, struct error *error)
{
    SCOPED(scratch_free) struct scratch scratch = {0};
    struct check check = {.problem = problem, .lists = lists, .scratch = &scratch};
    bool ranked_all;
    uint32_t left = 0;
    assert(!problem->clocks);
    *verdict = (struct verdict){.fault = VERIFY_VALID};
    TRY(scratch_take_all(&scratch, problem->buffers, error, &check.rank, &check.ranked,
                         &check.seen));
    TRY(scratch_take(&scratch, &check.waiting, (size_t)problem->buffers + 1, sizeof(uint32_t),
                     error));
    TRY(rank_buffers(&check, &ranked_all, &left, error));
    if (!ranked_all) {
        *verdict = (struct verdict){VERIFY_BELOW_ITSELF, left, left, 0, 0};
        return STATUS_OK;
    }
    return sweep(&check, verdict, error);
}

void verify_orientation_describe(const struct problem *problem, const struct verdict *verdict,
                                 char *text, size_t text_bytes)
{
    const char *first = names_get(&problem->names, verdict->first);
    if (verdict->fault == VERIFY_VALID)
        snprintf(text, text_bytes, "valid for all sizes");
    else if (verdict->fault == VERIFY_BELOW_ITSELF)
        snprintf(text, text_bytes, "buffer '%s' lies below itself, or above a buffer that does",
                 first);
    else
        snprintf(text, text_bytes,
                 "buffers '%s' and '%s' conflict, and the plan does not say which lies below",
                 first, names_get(&problem->names, verdict->second));
}
