#ifndef MEMPLAN_PLANNING_PROBLEM_PRECEDENCE_H
#define MEMPLAN_PLANNING_PROBLEM_PRECEDENCE_H

#include "planning/problem/problem.h"

/* Which buffers of a problem with clocks are over before which begin. The starts of the buffers
   fall into chains, along which they rise in every component: mostly one for each stream. So what
   begins after a buffer is over is the rest of each chain from some position on, and two
   comparisons tell whether two buffers conflict, without a list of pairs. */
struct precedence {
    uint32_t buffers, chains;
    uint32_t *chain, *position; /* [buffers] the chain of each, and where it stands in it */
    uint32_t *first;            /* [chains + 1] into member */
    uint32_t *member;           /* [buffers] chain after chain, in rising order */
    uint32_t *order; /* [buffers] all, each behind those that are over before it begins */
    uint32_t *after; /* [buffers * chains] the first position in each chain that begins after the
                        buffer is over; the chain's length where none does */
};

/* Of a problem with clocks. STATUS_BAD_INPUT where there are more than PRECEDENCE_MOST_CHAINS
   chains. O(buffers * streams * (chains + log buffers)). */
enum { PRECEDENCE_MOST_CHAINS = 4096 };
enum status precedence_create(const struct problem *problem, struct precedence **precedence,
                              struct error *error);
/* The same, where the chains rather keep to streams: then ends of a chain mostly rise, too. */
enum status precedence_create_by_streams(const struct problem *problem,
                                         struct precedence **precedence, struct error *error);
void precedence_free(struct precedence *precedence); /* NULL is fine */

static inline bool precedence_is_before(const struct precedence *precedence, uint32_t a, uint32_t b)
{
    uint64_t row = (uint64_t)a * precedence->chains;
    return precedence->position[b] >= precedence->after[row + precedence->chain[b]];
}

static inline bool precedence_conflict(const struct precedence *precedence, uint32_t a, uint32_t b)
{
    return !precedence_is_before(precedence, a, b) && !precedence_is_before(precedence, b, a);
}

/* How many buffers begin only after this one is over. O(chains). */
static inline uint32_t precedence_count_after(const struct precedence *precedence, uint32_t buffer)
{
    const uint32_t *after = precedence->after + (uint64_t)buffer * precedence->chains;
    uint32_t count = 0;
    for (uint32_t c = 0; c < precedence->chains; c++)
        count += precedence->first[c + 1] - precedence->first[c] - after[c];
    return count;
}

/* before[buffers]: how many are over before each begins. O(buffers * chains). */
enum status precedence_count_before(const struct precedence *precedence, uint32_t *before,
                                    struct error *error);

/* How many pairs conflict. O(buffers * chains). */
uint64_t precedence_count_conflicts(const struct precedence *precedence);

/* Fills other[first[b]] and what follows with the buffers that conflict with b, in no order; first
   [buffers] leaves room for them. O(buffers * chains * log buffers + pairs) where no buffer lives
   far longer than others of its chain. */
enum status precedence_list_conflicts(const struct precedence *precedence, const uint64_t *first,
                                      uint32_t *other, struct error *error);

/* *is_line: whether some line of steps says which buffers conflict. Then each is live in
   [lower[b], upper[b]), the same steps for any clocks that say the same; both arrays are
   [buffers], of the caller. O(buffers * chains + buffers log buffers). Fishburn, "Intransitive
   indifference with unequal indifference intervals", J. Math. Psychology 1970. */
enum status precedence_linearise(const struct precedence *precedence, uint32_t *lower,
                                 uint32_t *upper, bool *is_line, struct error *error);

#endif
