#ifndef MEMPLAN_HEURISTICS_IDEALLOC_LIVE_JOBS_H
#define MEMPLAN_HEURISTICS_IDEALLOC_LIVE_JOBS_H

#include "heuristics/idealloc/boxing.h"

/* Those jobs of a list, sorted by birth, that are not in a box yet. They are named by their
   positions in the list. A tree of their latest deaths finds the jobs that are live at a time
   without a look at the others. */
struct live_jobs {
    const struct boxing *boxing;
    const uint32_t *list; /* [count] */
    uint32_t count;
    uint32_t leaves; /* a power of two */
    /* [2 * leaves] the latest death in each subtree, 0 where no job is left; node 1 is the root */
    uint64_t *latest;
    uint32_t *left; /* [2 * leaves] the number of jobs left in each subtree */
};

/* O(count). */
enum status live_jobs_create(const struct boxing *boxing, struct boxing_list list,
                             struct live_jobs *jobs, struct scratch *scratch, struct error *error);

/* The first position whose job is born at the time or later. O(log count). */
uint32_t live_jobs_find_birth(const struct live_jobs *jobs, uint64_t time);
/* The number of jobs left at positions [begin, end), and the position of the index-th job left from
   `begin` on. O(log count). */
uint32_t live_jobs_count(const struct live_jobs *jobs, uint32_t begin, uint32_t end);
uint32_t live_jobs_find(const struct live_jobs *jobs, uint32_t begin, uint32_t index);

/* Whether any job left at a position from `begin` on is live at the time. O(log count). */
bool live_jobs_any_at(const struct live_jobs *jobs, uint32_t begin, uint64_t time);
/* Removes the jobs that live_jobs_any_at asks for and appends them to `taken`, by position. O(log
   count) for each. */
void live_jobs_take_at(struct live_jobs *jobs, uint32_t begin, uint64_t time,
                       struct boxing_list *taken);

#endif
