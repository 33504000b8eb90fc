#include "proofs/checker/checker.h"

#include <inttypes.h>

#include "proofs/checker/log.h"
#include "proofs/checker/plan.h"
#include "proofs/checker/problem_read.h"

/* Whether the peak is at most the least multiple of the unit above the capacity. */
static bool check_peak(const struct check_answer *answer, struct fault *fault)
{
    int64_t below = answer->capacity - answer->capacity % answer->unit;
    return answer->peak - below <= answer->unit ||
           REFUSED(fault, "the peak is %" PRId64 ", and %" PRId64 " may be possible", answer->peak,
                   below + answer->unit);
}

bool check_files(const char *problem_path, const char *log_path, const char *plan_path,
                 struct check_answer *answer, struct fault *fault)
{
    struct problem problem = {0};
    *fault = (struct fault){.file = problem_path};
    *answer = (struct check_answer){.peak = -1};
    bool fine = check_problem_read(problem_path, false, &problem, fault) &&
                check_log(log_path, &problem, answer, fault);
    if (fine && plan_path)
        fine = check_plan(plan_path, &problem, &answer->peak, fault) && check_peak(answer, fault);
    check_problem_free(&problem);
    return fine;
}
