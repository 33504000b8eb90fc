#include "cli/commands/integer_program.h"

#include <inttypes.h>

#include "core/file_name.h"
#include "harness/planners/planners.h"
#include "planning/problem/bound.h"
#include "planning/verify/plan.h"
#include "solvers/mip/files/write.h"

bool integer_program_has_extension(const char *path)
{
    return file_name_has_extension(path, ".lp") || file_name_has_extension(path, ".mps");
}

static enum status check_fixed(const struct problem *problem, struct error *error)
{
    struct verdict verdict;
    TRY(verify_fixed(problem, &verdict, error));
    if (verdict.fault == VERIFY_VALID)
        return STATUS_OK;
    return error_set(error, STATUS_NO, "the fixed buffers '%s' and '%s' collide at step %u",
                     names_get(&problem->names, verdict.first),
                     names_get(&problem->names, verdict.second), verdict.step);
}

static enum status find_peak(const struct problem *problem, uint64_t *peak_bytes,
                             struct error *error)
{
    const struct planner *planner = planners_find("large_first");
    const struct planner_task task = {
        .problem = problem, .capacity_bytes = UINT64_MAX, .time_limit_ns = UINT64_MAX};
    struct plan *plan;
    TRY(plan_create(problem, &plan, error));
    enum status status = planner->plan(planner, &task, plan, error);
    *peak_bytes = plan->measures.peak_bytes;
    plan_free(plan);
    return status;
}

static enum status find_upper(const struct problem *problem, uint64_t capacity_bytes,
                              uint64_t *upper_bytes, struct error *error)
{
    uint64_t bound_bytes;
    TRY(check_fixed(problem, error));
    TRY(bound_peak(problem, &bound_bytes, error));
    if (capacity_bytes < bound_bytes)
        return error_set(error, STATUS_NO,
                         "found a capacity of %" PRIu64 " bytes, expected at least %" PRIu64
                         ", which every plan needs",
                         capacity_bytes, bound_bytes);
    TRY(find_peak(problem, upper_bytes, error));
    if (capacity_bytes < *upper_bytes)
        *upper_bytes = capacity_bytes;
    return STATUS_OK;
}

enum status integer_program_write(const struct arguments *arguments, const struct problem *problem,
                                  const char *path, struct text *text, struct error *error)
{
    uint64_t upper_bytes = 0;
    TRY(find_upper(problem, arguments->capacity_bytes, &upper_bytes, error));
    return file_name_has_extension(path, ".lp") ? mip_write_lp(problem, upper_bytes, text, error)
                                                : mip_write_mps(problem, upper_bytes, text, error);
}
