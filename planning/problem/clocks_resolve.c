#include "planning/problem/clocks_resolve.h"

#include <assert.h>

#include "core/checked.h"
#include "core/memory.h"
#include "planning/problem/antichain.h"
#include "planning/problem/bounds.h"
#include "planning/problem/clocks.h"
#include "planning/problem/copy.h"
#include "planning/problem/explicit_conflicts.h"
#include "planning/problem/precedence.h"

/* With more pairs than this, listing them and covering them by cliques takes too long. */
enum { MOST_PAIRS = 1 << 20 };

/* Whether the stream's component is the same in all clocks, so that it says nothing. */
static bool is_constant(const struct problem *problem, uint32_t stream)
{
    uint32_t value = problem->clock[stream];
    for (size_t row = 0; row < (size_t)problem->buffers * 2; row++)
        if (problem->clock[row * problem->streams + stream] != value)
            return false;
    return true;
}

static bool are_equal(const struct problem *problem, uint32_t a, uint32_t b)
{
    for (size_t row = 0; row < (size_t)problem->buffers * 2; row++)
        if (problem->clock[row * problem->streams + a] !=
            problem->clock[row * problem->streams + b])
            return false;
    return true;
}

static bool is_needed(const struct problem *problem, uint32_t stream)
{
    if (is_constant(problem, stream))
        return false;
    for (uint32_t other = 0; other < stream; other++)
        if (are_equal(problem, other, stream))
            return false;
    return true;
}

static enum status reduce_streams(struct problem *problem, struct error *error)
{
    uint32_t streams = problem->streams, kept = 0, *keep;
    TRY(memory_create(&keep, streams, sizeof *keep, error));
    for (uint32_t s = 0; s < streams; s++)
        if (is_needed(problem, s))
            keep[kept++] = s;
    assert(kept > 0);
    for (size_t row = 0; row < (size_t)problem->buffers * 2; row++)
        for (uint32_t s = 0; s < kept; s++)
            problem->clock[row * kept + s] = problem->clock[row * streams + keep[s]];
    problem->streams = kept;
    memory_free(keep);
    return STATUS_OK;
}

static void drop_clocks(struct problem *problem)
{
    memory_free(problem->clock);
    problem->clock = NULL;
    problem->buffer_capacity[5] = 0;
    problem->streams = 0;
}

/* The same buffers, each live in one segment. */
static enum status copy_buffers(const struct problem *source, const uint32_t *lower,
                                const uint32_t *upper, struct problem *problem, struct error *error)
{
    for (uint32_t b = 0; b < source->buffers; b++) {
        TRY(problem_add_copy(problem, source, b, error));
        TRY(problem_add_segment(
            problem, (struct problem_segment){lower[b], upper[b], 0, source->size[b]}, error));
    }
    return STATUS_OK;
}

static enum status replace_segments(struct problem **problem, const uint32_t *lower,
                                    const uint32_t *upper, struct error *error)
{
    struct problem *source = *problem, *created;
    TRY(problem_create(&created, names_get(&source->name, 0), error));
    enum status status = copy_buffers(source, lower, upper, created, error);
    if (status) {
        problem_free(created);
        return status;
    }
    created->note = source->note;
    source->note = NULL;
    problem_free(source);
    *problem = created;
    return STATUS_OK;
}

static enum status replace_by_line(struct problem **problem, const uint32_t *lower,
                                   const uint32_t *upper, struct error *error)
{
    drop_clocks(*problem);
    return replace_segments(problem, lower, upper, error);
}

/* The clock of one stream is a line of steps as it is: what planners make of it does not depend on
   the form in which it came. */
static enum status replace_by_steps(struct problem **problem, struct error *error)
{
    uint32_t *lower = NULL, *upper = NULL, buffers = (*problem)->buffers;
    enum status status;
    TRY_OR_DONE(status, memory_create(&lower, buffers, sizeof *lower, error));
    TRY_OR_DONE(status, memory_create(&upper, buffers, sizeof *upper, error));
    for (uint32_t b = 0; b < buffers; b++) {
        lower[b] = *problem_clock(*problem, b).start;
        upper[b] = *problem_clock(*problem, b).end;
    }
    status = replace_by_line(problem, lower, upper, error);
done:
    memory_free(lower);
    memory_free(upper);
    return status;
}

static enum status add_pairs(struct problem **problem, const struct precedence *precedence,
                             uint64_t pairs, struct error *error)
{
    struct problem_pair *pair;
    TRY(memory_create(&pair, pairs, sizeof *pair, error));
    size_t at = 0;
    for (uint32_t a = 0; a < precedence->buffers; a++)
        for (uint32_t b = a + 1; b < precedence->buffers; b++)
            if (precedence_conflict(precedence, a, b))
                pair[at++] = (struct problem_pair){a, b};
    assert(at == pairs);
    enum status status = problem_conflicts_add(problem, pair, pairs, error);
    memory_free(pair);
    return status;
}

/* Whether the sum of the sizes is below 2^64. If not, problem_finish refuses the problem later. */
static bool can_be_added(const struct problem *problem)
{
    uint64_t sum = 0;
    for (uint32_t b = 0; b < problem->buffers; b++)
        if (!checked_add(sum, problem->size[b], &sum))
            return false;
    return true;
}

/* Adds one more step, for the heaviest antichain, where no step has as many bytes live, so that the
   load of the problem is the antichain's. */
static enum status add_antichain(struct problem **problem, const struct precedence *precedence,
                                 struct error *error)
{
    struct antichain antichain;
    uint64_t load;
    enum status status;
    if (!can_be_added(*problem))
        return STATUS_OK;
    TRY(antichain_find(precedence, (*problem)->size, &antichain, error));
    TRY_OR_DONE(status, problem_load(*problem, &load, NULL, error));
    assert(load <= antichain.bytes);
    if (load < antichain.bytes)
        status = problem_clique_add(problem, antichain.member, antichain.count, error);
done:
    antichain_clear(&antichain);
    return status;
}

/* The only step that says more than step 0 is that of the heaviest antichain. */
static enum status mark_antichain(struct problem *problem, const struct precedence *precedence,
                                  struct error *error)
{
    struct antichain antichain = {0};
    assert(problem->clocks_alone && problem->segments == problem->buffers);
    if (can_be_added(problem))
        TRY(antichain_find(precedence, problem->size, &antichain, error));
    for (uint32_t b = 0; b < problem->buffers; b++)
        problem->upper[problem->first[b]] = PROBLEM_ANTICHAIN_STEP;
    for (uint32_t i = 0; i < antichain.count; i++)
        problem->upper[problem->first[antichain.member[i]]] = PROBLEM_ANTICHAIN_STEP + 1;
    antichain_clear(&antichain);
    return STATUS_OK;
}

/* Keeps the clocks and makes steps that only bound every plan, as clocks_alone in problem.h
   says. */
static enum status keep_clocks_alone(struct problem **problem, const struct precedence *precedence,
                                     struct error *error)
{
    uint32_t *lower = NULL, *upper = NULL;
    enum status status;
    TRY_OR_DONE(status, memory_create(&lower, precedence->buffers, sizeof *lower, error));
    TRY_OR_DONE(status, memory_create(&upper, precedence->buffers, sizeof *upper, error));
    for (uint32_t b = 0; b < precedence->buffers; b++)
        upper[b] = PROBLEM_ANTICHAIN_STEP;
    (*problem)->clocks_alone = true;
    TRY_OR_DONE(status, replace_segments(problem, lower, upper, error));
    (*problem)->line_end = 0;
    status = mark_antichain(*problem, precedence, error);
done:
    memory_free(lower);
    memory_free(upper);
    return status;
}

static enum status add_conflicts(struct problem **problem, const struct precedence *precedence,
                                 struct error *error)
{
    uint64_t pairs = precedence_count_conflicts(precedence);
    if (pairs > MOST_PAIRS)
        return keep_clocks_alone(problem, precedence, error);
    TRY(add_pairs(problem, precedence, pairs, error));
    return add_antichain(problem, precedence, error);
}

static enum status resolve_order(struct problem **problem, const struct precedence *precedence,
                                 struct error *error)
{
    uint32_t *lower = NULL, *upper = NULL;
    bool is_line;
    enum status status;
    TRY_OR_DONE(status, memory_create(&lower, precedence->buffers, sizeof *lower, error));
    TRY_OR_DONE(status, memory_create(&upper, precedence->buffers, sizeof *upper, error));
    TRY_OR_DONE(status, precedence_linearise(precedence, lower, upper, &is_line, error));
    status = is_line ? replace_by_line(problem, lower, upper, error)
                     : add_conflicts(problem, precedence, error);
done:
    memory_free(lower);
    memory_free(upper);
    return status;
}

enum status problem_clocks_resolve(struct problem **problem, struct error *error)
{
    struct precedence *precedence;
    if (!(*problem)->streams)
        return STATUS_OK;
    assert((*problem)->segments == 0);
    TRY(reduce_streams(*problem, error));
    if ((*problem)->streams == 1)
        return replace_by_steps(problem, error);
    TRY(precedence_create(*problem, &precedence, error));
    enum status status = resolve_order(problem, precedence, error);
    precedence_free(precedence);
    return status;
}

enum status problem_clocks_raise_load(struct problem **problem, struct error *error)
{
    struct precedence *precedence;
    if (!(*problem)->streams)
        return STATUS_OK;
    TRY(precedence_create(*problem, &precedence, error));
    enum status status = (*problem)->clocks_alone ? mark_antichain(*problem, precedence, error)
                                                  : add_antichain(problem, precedence, error);
    precedence_free(precedence);
    return status;
}
