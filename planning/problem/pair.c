#include "planning/problem/pair.h"

#include <assert.h>

bool problem_segment_is_whole(const struct problem *problem, uint32_t buffer, uint32_t segment)
{
    assert(problem->first[buffer] <= segment && segment < problem->first[buffer + 1]);
    return !problem_window_lower(problem, segment) &&
           problem_window_upper(problem, segment) == problem->size[buffer];
}

bool problem_conflicts_in_time(const struct problem *problem, uint32_t a, uint32_t b, uint32_t end)
{
    assert(a < problem->buffers && b < problem->buffers);
    uint32_t s = problem->first[a], t = problem->first[b];
    while (s < problem->first[a + 1] && t < problem->first[b + 1]) {
        uint32_t lower =
            problem->lower[s] > problem->lower[t] ? problem->lower[s] : problem->lower[t];
        bool meet = lower < problem->upper[s] && lower < problem->upper[t] && lower < end;
        if (meet && problem_segment_is_whole(problem, a, s) &&
            problem_segment_is_whole(problem, b, t))
            return true;
        if (problem->upper[s] < problem->upper[t])
            s++;
        else
            t++;
    }
    return false;
}
