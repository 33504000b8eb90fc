#ifndef MEMPLAN_PLANNING_PROBLEM_CLOCKS_PRECEDENCE_H
#define MEMPLAN_PLANNING_PROBLEM_CLOCKS_PRECEDENCE_H

#include <assert.h>

#include "core/scratch.h"
#include "planning/problem/clocks/clocks.h"

/* Tells which buffers with clocks are over before which others begin. The buffers are divided into
   chains, along which their starts rise in every component: mostly one chain for each stream. In
   each chain, the buffers that begin after a given one is over are all from some position on. So
   two comparisons tell whether two buffers conflict, without a list of pairs. */
struct precedence {
    uint32_t buffers, chains;
    uint32_t *chain, *position; /* [buffers] the chain of each, and its position in that chain */
    uint32_t *first;            /* [chains + 1] into member */
    uint32_t *member;           /* [buffers] chain after chain, in rising order */
    uint32_t *order; /* [buffers] all buffers, each behind those that are over before it begins */
    uint32_t *after; /* [buffers * chains] the first position in each chain whose buffer begins
                        after this one is over; the chain's length where there is none */
    struct scratch scratch; /* of all these */
};

/* STATUS_BAD_INPUT where there are more than PRECEDENCE_MOST_CHAINS
   chains. O(buffers * streams * (chains + log buffers)). */
enum { PRECEDENCE_MOST_CHAINS = 4096 };
enum status precedence_create(const struct clocks *clocks, struct precedence **precedence,
                              struct error *error);
/* As precedence_create, but buffers of one stream are rather put into one chain: then the ends of a
   chain mostly rise, too. */
enum status precedence_create_by_streams(const struct clocks *clocks,
                                         struct precedence **precedence, struct error *error);
void precedence_free(struct precedence *precedence); /* NULL is fine */
SCOPED_POINTER(struct precedence, precedence_release, precedence_free);

/* Whether no component of a is above that of b. */
static inline bool precedence_is_below(const uint32_t *a, const uint32_t *b, uint32_t streams)
{
    for (uint32_t s = 0; s < streams; s++)
        if (a[s] > b[s])
            return false;
    return true;
}

static inline uint32_t precedence_length(const struct precedence *precedence, uint32_t chain)
{
    assert(chain < precedence->chains);
    return precedence->first[chain + 1] - precedence->first[chain];
}

/* The first position in the chain whose buffer begins after the given one is over. */
static inline uint32_t precedence_after(const struct precedence *precedence, uint32_t buffer,
                                        uint32_t chain)
{
    assert(buffer < precedence->buffers && chain < precedence->chains);
    return precedence->after[(uint64_t)buffer * precedence->chains + chain];
}

static inline bool precedence_is_before(const struct precedence *precedence, uint32_t a, uint32_t b)
{
    assert(a < precedence->buffers && b < precedence->buffers);
    return precedence->position[b] >= precedence_after(precedence, a, precedence->chain[b]);
}

static inline bool precedence_conflict(const struct precedence *precedence, uint32_t a, uint32_t b)
{
    return !precedence_is_before(precedence, a, b) && !precedence_is_before(precedence, b, a);
}

/* count[buffers]: how many others each conflicts with. O(buffers * chains). */
enum status precedence_count_each(const struct precedence *precedence, uint32_t *count,
                                  struct error *error);

/* How many pairs conflict. O(buffers * chains). */
uint64_t precedence_count_conflicts(const struct precedence *precedence);

/* Fills other[first[b]] and what follows with the buffers that conflict with b, in no order; first
   [buffers] leaves room for them. O(buffers * chains * log buffers + pairs) where no buffer lives
   far longer than others of its chain. */
enum status precedence_list_conflicts(const struct precedence *precedence, const uint64_t *first,
                                      uint32_t *other, struct error *error);

/* *is_line: whether one line of steps can say which buffers conflict. Then buffer b is live in
   [lower[b], upper[b]); clocks with the same conflicts and precedence give the same steps. The
   caller has both arrays, [buffers]. O(buffers * chains + buffers log buffers). Fishburn,
   "Intransitive indifference with unequal indifference intervals", J. Math. Psychology 1970. */
enum status precedence_linearise(const struct precedence *precedence, uint32_t *lower,
                                 uint32_t *upper, bool *is_line, struct error *error);

#endif
