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

/* Whether two streams have the same component in all clocks. */
static bool are_equal(const struct clocks *clocks, uint32_t a, uint32_t b)
{
    for (size_t row = 0; row < (size_t)clocks->buffers * 2; row++)
        if (clocks->row[row * clocks->streams + a] != clocks->row[row * clocks->streams + b])
            return false;
    return true;
}

/* A stream whose component is the same in all clocks says nothing, one that another stream before
   it equals nothing new. */
static bool is_needed(const struct clocks *clocks, uint32_t stream)
{
    bool changes = false;
    for (size_t row = 1; row < (size_t)clocks->buffers * 2 && !changes; row++)
        changes = clocks->row[row * clocks->streams + stream] != clocks->row[stream];
    for (uint32_t other = 0; other < stream && changes; other++)
        if (are_equal(clocks, other, stream))
            return false;
    return changes;
}

static enum status reduce_streams(struct clocks *clocks, struct error *error)
{
    uint32_t streams = clocks->streams, kept = 0, *keep;
    TRY(memory_create(&keep, streams, sizeof *keep, error));
    for (uint32_t s = 0; s < streams; s++)
        if (is_needed(clocks, s))
            keep[kept++] = s;
    assert(kept > 0);
    for (size_t row = 0; row < (size_t)clocks->buffers * 2; row++)
        for (uint32_t s = 0; s < kept; s++)
            clocks->row[row * kept + s] = clocks->row[row * streams + keep[s]];
    clocks->streams = kept;
    memory_free(keep);
    return STATUS_OK;
}

/* Steps at which buffers are to be live: each in [lower[b], upper[b]). */
struct steps {
    uint32_t *lower, *upper; /* [buffers] */
};

/* The same buffers, each live in one segment. */
static enum status copy_buffers(const struct problem *source, struct steps steps,
                                struct problem *problem, struct error *error)
{
    for (uint32_t b = 0; b < source->buffers; b++) {
        TRY(problem_add_copy(problem, source, b, error));
        TRY(problem_add_segment(
            problem, (struct problem_segment){steps.lower[b], steps.upper[b], 0, source->size[b]},
            error));
    }
    return STATUS_OK;
}

static enum status replace_segments(struct problem **problem, struct steps steps,
                                    struct error *error)
{
    struct problem *source = *problem, *created;
    TRY(problem_create(&created, names_get(&source->name, 0), error));
    enum status status = copy_buffers(source, steps, created, error);
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

static enum status replace_by_line(struct problem **problem, struct steps steps,
                                   struct error *error)
{
    clocks_free((*problem)->clocks);
    (*problem)->clocks = NULL;
    return replace_segments(problem, steps, error);
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
    assert(problem_is_by_clocks(problem) && problem->segments == problem->buffers);
    if (can_be_added(problem))
        TRY(antichain_find(precedence, problem->size, &antichain, error));
    for (uint32_t b = 0; b < problem->buffers; b++)
        problem->upper[problem->first[b]] = PROBLEM_ANTICHAIN_STEP;
    for (uint32_t i = 0; i < antichain.count; i++)
        problem->upper[problem->first[antichain.member[i]]] = PROBLEM_ANTICHAIN_STEP + 1;
    antichain_clear(&antichain);
    return STATUS_OK;
}

/* Keeps the clocks and makes steps that only bound every plan, see problem_is_by_clocks. */
static enum status keep_clocks_alone(struct problem **problem, const struct precedence *precedence,
                                     struct steps steps, struct error *error)
{
    for (uint32_t b = 0; b < precedence->buffers; b++) {
        steps.lower[b] = 0;
        steps.upper[b] = PROBLEM_ANTICHAIN_STEP;
    }
    (*problem)->clocks->alone = true;
    TRY(replace_segments(problem, steps, error));
    (*problem)->line_end = 0;
    return mark_antichain(*problem, precedence, error);
}

static enum status resolve_order(struct problem **problem, const struct precedence *precedence,
                                 struct steps steps, struct error *error)
{
    bool is_line;
    TRY(precedence_linearise(precedence, steps.lower, steps.upper, &is_line, error));
    if (is_line)
        return replace_by_line(problem, steps, error);
    uint64_t pairs = precedence_count_conflicts(precedence);
    if (pairs > MOST_PAIRS)
        return keep_clocks_alone(problem, precedence, steps, error);
    TRY(add_pairs(problem, precedence, pairs, error));
    return add_antichain(problem, precedence, error);
}

/* The clock of one stream is a line of steps as it is: what planners make of it does not depend on
   the form in which it came. */
static enum status resolve_clocks(struct problem **problem, struct steps steps, struct error *error)
{
    const struct problem *source = *problem;
    struct precedence *precedence;
    for (uint32_t b = 0; b < source->buffers && source->clocks->streams == 1; b++) {
        steps.lower[b] = *problem_clock(source, b).start;
        steps.upper[b] = *problem_clock(source, b).end;
    }
    if (source->clocks->streams == 1)
        return replace_by_line(problem, steps, error);
    TRY(precedence_create(source->clocks, &precedence, error));
    enum status status = resolve_order(problem, precedence, steps, error);
    precedence_free(precedence);
    return status;
}

enum status problem_clocks_resolve(struct problem **problem, struct error *error)
{
    uint32_t buffers = (*problem)->buffers;
    struct scratch scratch = {0};
    struct steps steps;
    enum status status;
    if (!(*problem)->clocks)
        return STATUS_OK;
    assert((*problem)->segments == 0);
    TRY_OR_DONE(status, reduce_streams((*problem)->clocks, error));
    TRY_OR_DONE(status, scratch_take(&scratch, &steps.lower, buffers, sizeof(uint32_t), error));
    TRY_OR_DONE(status, scratch_take(&scratch, &steps.upper, buffers, sizeof(uint32_t), error));
    status = resolve_clocks(problem, steps, error);
done:
    scratch_free(&scratch);
    return status;
}

enum status problem_clocks_raise_load(struct problem **problem, struct error *error)
{
    struct precedence *precedence;
    if (!(*problem)->clocks)
        return STATUS_OK;
    TRY(precedence_create((*problem)->clocks, &precedence, error));
    enum status status = problem_is_by_clocks(*problem)
                             ? mark_antichain(*problem, precedence, error)
                             : add_antichain(problem, precedence, error);
    precedence_free(precedence);
    return status;
}
