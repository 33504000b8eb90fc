#include "planning/problem/joined_segments.h"

enum status problem_segments_end(struct problem_segments *segments, struct problem *problem,
                                 struct error *error)
{
    if (!segments->pending)
        return STATUS_OK;
    segments->pending = false;
    return problem_add_segment(problem, segments->lower, segments->upper, segments->window_lower,
                               segments->window_upper, error);
}

enum status problem_segments_add(struct problem_segments *segments, struct problem *problem,
                                 uint32_t lower, uint32_t upper, uint64_t window_lower,
                                 uint64_t window_upper, struct error *error)
{
    bool joins = segments->pending && segments->upper == lower && lower < upper &&
                 segments->window_lower == window_lower && segments->window_upper == window_upper;
    if (joins) {
        segments->upper = upper;
        return STATUS_OK;
    }
    TRY(problem_segments_end(segments, problem, error));
    *segments = (struct problem_segments){true, lower, upper, window_lower, window_upper};
    return STATUS_OK;
}
