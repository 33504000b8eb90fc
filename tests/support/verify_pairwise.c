#include "support/verify_pairwise.h"

#include "planning/verify/extents.h"

static struct extents_walk begin_whole(const struct problem *problem, const struct plan *plan,
                                       uint32_t buffer)
{
    return plan_begin(plan, buffer, 0, problem->size[buffer]);
}

static enum verify_fault check_extents(const struct problem *problem, const struct plan *plan,
                                       uint32_t buffer)
{
    struct extents_walk walk = begin_whole(problem, plan, buffer);
    struct extent extent;
    uint64_t fixed_offset = problem_fixed_offset(problem, buffer);
    while (extents_next(&walk, &extent)) {
        if (extent.offset % problem_alignment(problem, buffer))
            return VERIFY_MISALIGNED;
        if (problem_fixed_offset(problem, buffer) != PROBLEM_FREE && extent.offset != fixed_offset)
            return VERIFY_NOT_FIXED;
        fixed_offset += extent.bytes;
    }
    return VERIFY_VALID;
}

/* Extents before the one that ends at walk.position, and that one. */
static bool meets_itself(const struct problem *problem, const struct plan *plan, uint32_t buffer)
{
    struct extents_walk walk = begin_whole(problem, plan, buffer);
    struct extent extent;
    while (extents_next(&walk, &extent)) {
        uint64_t position = walk.position - extent.bytes;
        const struct extents_walk last = plan_begin(plan, buffer, position, walk.position);
        if (verify_share_bytes(plan_begin(plan, buffer, 0, position), &last))
            return true;
    }
    return false;
}

static void check_buffers(const struct problem *problem, const struct plan *plan,
                          struct verdict *verdict)
{
    for (uint32_t b = 0; b < problem->buffers && !verdict->fault; b++) {
        verdict->first = b;
        verdict->fault = verify_extents(plan->extents, b, plan->offset[b], problem->size[b]);
        if (!verdict->fault)
            verdict->fault = check_extents(problem, plan, b);
    }
    for (uint32_t b = 0; b < problem->buffers && !verdict->fault; b++)
        if (meets_itself(problem, plan, b))
            *verdict = (struct verdict){.fault = VERIFY_SELF_OVERLAP, .first = b};
    if (!verdict->fault)
        verdict->first = 0;
}

static bool windows_meet(const struct problem *problem, const struct plan *plan,
                         struct verdict pair, uint32_t s, uint32_t t)
{
    const struct extents_walk other = plan_begin(
        plan, pair.second, problem_window_lower(problem, t), problem_window_upper(problem, t));
    return verify_share_bytes(plan_begin(plan, pair.first, problem_window_lower(problem, s),
                                         problem_window_upper(problem, s)),
                              &other);
}

static void check_pair(const struct problem *problem, const struct plan *plan, uint32_t first,
                       uint32_t second, struct verdict *verdict)
{
    for (uint32_t s = problem->first[first]; s < problem->first[first + 1]; s++)
        for (uint32_t t = problem->first[second]; t < problem->first[second + 1]; t++) {
            uint32_t lower =
                problem->lower[s] > problem->lower[t] ? problem->lower[s] : problem->lower[t];
            struct verdict pair = {VERIFY_OVERLAP, first, second, lower, 0};
            if (lower < problem->upper[s] && lower < problem->upper[t] &&
                windows_meet(problem, plan, pair, s, t))
                *verdict = pair;
        }
}

static void check_peak(const struct problem *problem, const struct plan *plan,
                       struct verdict *verdict)
{
    uint64_t peak_bytes = 0;
    uint32_t highest = 0;
    for (uint32_t b = 0; b < problem->buffers; b++) {
        struct extents_walk walk = begin_whole(problem, plan, b);
        struct extent extent;
        while (extents_next(&walk, &extent))
            if (extent.offset + extent.bytes > peak_bytes) {
                peak_bytes = extent.offset + extent.bytes;
                highest = b;
            }
    }
    if (plan->measures.peak_bytes != peak_bytes)
        *verdict = (struct verdict){.fault = VERIFY_WRONG_PEAK, .first = highest};
}

void verify_plan_pairwise(const struct problem *problem, const struct plan *plan,
                          struct verdict *verdict)
{
    *verdict = (struct verdict){.fault = VERIFY_VALID};
    if (plan->buffers != problem->buffers) {
        verdict->fault = VERIFY_WRONG_COUNT;
        return;
    }
    check_buffers(problem, plan, verdict);
    for (uint32_t a = 0; a < problem->buffers; a++)
        for (uint32_t b = a + 1; b < problem->buffers && !verdict->fault; b++)
            check_pair(problem, plan, a, b, verdict);
    if (!verdict->fault)
        check_peak(problem, plan, verdict);
}
