#include "planning/problem/clocks_resolve.h"

#include <assert.h>

#include "core/checked.h"
#include "core/memory.h"
#include "core/scratch.h"
#include "planning/problem/bounds.h"
#include "planning/problem/clocks/antichain.h"
#include "planning/problem/clocks/precedence.h"
#include "planning/problem/copy.h"
#include "planning/problem/explicit_conflicts.h"

/* With more pairs than this, listing them and covering them by cliques takes too long. */
enum { MOST_PAIRS = 1 << 20 };

/* A stream whose component is the same in all clocks says nothing, one that another stream before
   it equals nothing new. */
static bool is_needed(const struct clocks *clocks, uint32_t stream)
{
    uint32_t streams = clocks->streams;
    size_t rows = (size_t)clocks->buffers * 2, row = 1;
    assert(stream < streams && rows > 0);
    while (row < rows && clocks->row[row * streams + stream] == clocks->row[stream])
        row++;
    bool changes = row < rows;
    for (uint32_t other = 0; other < stream && changes; other++) {
        row = 0;
        while (row < rows &&
               clocks->row[row * streams + other] == clocks->row[row * streams + stream])
            row++;
        changes = row < rows;
    }
    return changes;
}

static enum status reduce_streams(struct clocks *clocks, struct error *error)
{
    SCOPED(scratch_free) struct scratch scratch = {0};
    uint32_t streams = clocks->streams, kept = 0, *keep;
    TRY(scratch_take(&scratch, &keep, streams, sizeof *keep, error));
    for (uint32_t s = 0; s < streams; s++)
        if (is_needed(clocks, s))
            keep[kept++] = s;
    assert(kept > 0 && kept <= streams);
    for (size_t row = 0; row < (size_t)clocks->buffers * 2; row++)
        for (uint32_t s = 0; s < kept; s++)
            clocks->row[row * kept + s] = clocks->row[row * streams + keep[s]];
    clocks->streams = kept;
    return STATUS_OK;
}

/* Replaces the problem by one of the same buffers, each of which is live in [lower[b],
   upper[b]). */
static enum status replace_segments(struct problem **problem, const uint32_t *lower,
                                    const uint32_t *upper, struct error *error)
{
    const struct problem *source = *problem;
    SCOPED(problem_release) struct problem *created = NULL;
    TRY(problem_create(&created, names_get(&source->name, 0), error));
    for (uint32_t b = 0; b < source->buffers; b++) {
        const struct problem_segment segment = {lower[b], upper[b], 0, source->size[b]};
        TRY(problem_add_copy(created, source, b, error));
        TRY(problem_add_segment(created, segment, error));
    }
    problem_replace(problem, &created);
    return STATUS_OK;
}

static enum status add_pairs(struct problem **problem, const struct precedence *precedence,
                             uint64_t pairs, struct error *error)
{
    SCOPED(memory_release) struct problem_pair *pair = NULL;
    TRY(memory_create(&pair, pairs, sizeof *pair, error));
    size_t at = 0;
    for (uint32_t a = 0; a < precedence->buffers; a++)
        for (uint32_t b = a + 1; b < precedence->buffers; b++)
            if (precedence_conflict(precedence, a, b))
                pair[at++] = (struct problem_pair){a, b};
    assert(at == pairs);
    return problem_conflicts_add(problem, pair, pairs, error);
}

/* Nothing is found where the sum of the sizes is 2^64 or more: problem_finish refuses the problem
   later. */
static enum status find_antichain(const struct problem *problem,
                                  const struct precedence *precedence, struct antichain *antichain,
                                  struct error *error)
{
    uint64_t sum = 0;
    for (uint32_t b = 0; b < problem->buffers; b++)
        if (!checked_add(sum, problem->size[b], &sum))
            return STATUS_OK;
    return antichain_find(precedence, problem->size, antichain, error);
}

/* Adds one more step, for the heaviest antichain, where no step has as many bytes live, so that the
   load of the problem is the antichain's. */
static enum status add_antichain(struct problem **problem, const struct precedence *precedence,
                                 struct error *error)
{
    SCOPED(antichain_clear) struct antichain antichain = {0};
    uint64_t load;
    TRY(find_antichain(*problem, precedence, &antichain, error));
    if (!antichain.count)
        return STATUS_OK;
    TRY(problem_load(*problem, &load, NULL, error));
    assert(antichain.count <= (*problem)->buffers);
    assert(load <= antichain.bytes);
    return load < antichain.bytes
               ? problem_clique_add(problem, antichain.member, antichain.count, error)
               : STATUS_OK;
}

/* The only step that says more than step 0 is that of the heaviest antichain. */
static enum status mark_antichain(struct problem *problem, const struct precedence *precedence,
                                  struct error *error)
{
    SCOPED(antichain_clear) struct antichain antichain = {0};
    assert(problem_is_by_clocks(problem) && problem->segments == problem->buffers);
    TRY(find_antichain(problem, precedence, &antichain, error));
    for (uint32_t b = 0; b < problem->buffers; b++)
        problem->upper[problem->first[b]] = PROBLEM_ANTICHAIN_STEP;
    for (uint32_t i = 0; i < antichain.count; i++)
        problem->upper[problem->first[antichain.member[i]]] = PROBLEM_ANTICHAIN_STEP + 1;
    return STATUS_OK;
}

enum status problem_clocks_resolve(struct problem **problem, struct error *error)
{
    SCOPED(scratch_free) struct scratch scratch = {0};
    SCOPED(precedence_release) struct precedence *precedence = NULL;
    struct clocks *clocks = (*problem)->clocks;
    uint32_t buffers = (*problem)->buffers, *lower, *upper;
    bool is_line = true;
    if (!clocks)
        return STATUS_OK;
    assert((*problem)->segments == 0 && clocks->buffers == buffers);
    TRY(reduce_streams(clocks, error));
    TRY(scratch_take_all(&scratch, buffers, error, &lower, &upper));

    /* The clock of one stream is a line of steps as it is: what planners make of it does not depend
       on the form in which it came. */
    for (uint32_t b = 0; b < buffers && clocks->streams == 1; b++) {
        lower[b] = *clocks_get(clocks, b).start;
        upper[b] = *clocks_get(clocks, b).end;
    }
    if (clocks->streams > 1) {
        TRY(precedence_create(clocks, &precedence, error));
        TRY(precedence_linearise(precedence, lower, upper, &is_line, error));
    }
    if (is_line) {
        clocks_free(clocks);
        (*problem)->clocks = NULL;
        return replace_segments(problem, lower, upper, error);
    }
    uint64_t pairs = precedence_count_conflicts(precedence);
    if (pairs <= MOST_PAIRS) {
        TRY(add_pairs(problem, precedence, pairs, error));
        return add_antichain(problem, precedence, error);
    }

    /* The clocks stay alone, with steps that only bound every plan: see problem_is_by_clocks. */
    for (uint32_t b = 0; b < buffers; b++) {
        lower[b] = 0;
        upper[b] = PROBLEM_ANTICHAIN_STEP;
    }
    clocks->alone = true;
    TRY(replace_segments(problem, lower, upper, error));
    (*problem)->line_end = 0;
    return mark_antichain(*problem, precedence, error);
}

enum status problem_clocks_raise_load(struct problem **problem, struct error *error)
{
    SCOPED(precedence_release) struct precedence *precedence = NULL;
    if (!(*problem)->clocks)
        return STATUS_OK;
    TRY(precedence_create((*problem)->clocks, &precedence, error));
    return problem_is_by_clocks(*problem) ? mark_antichain(*problem, precedence, error)
                                          : add_antichain(problem, precedence, error);
}
