#include "proofs/checker/checker.h"

#include <inttypes.h>

#include "proofs/checker/log.h"
#include "proofs/checker/plan.h"
#include "proofs/checker/problem_read.h"

/* Whether the peak is at most the least multiple of the unit above the capacity. */
static bool check_peak(int64_t peak, const struct refutation *refutation, struct fault *fault)
{
    int64_t below = refutation->capacity - refutation->capacity % refutation->unit;
    return peak - below <= refutation->unit ||
           REFUSED(fault, "the peak is %" PRId64 ", and %" PRId64 " may be possible", peak,
                   below + refutation->unit);
}

bool check_files(const char *problem_path, const char *log_path, const char *plan_path,
                 struct check_answer *answer, struct fault *fault)
{
    struct problem problem = {0};
    struct refutation refutation = {.unit = 1};
    *fault = (struct fault){.file = problem_path};
    answer->peak = -1;
    bool fine = check_problem_read(problem_path, false, &problem, fault) &&
                check_log(log_path, &problem, &refutation, fault);
    if (fine && plan_path)
        fine = check_plan(plan_path, &problem, &answer->peak, fault) &&
               check_peak(answer->peak, &refutation, fault);
    check_problem_free(&problem);
    answer->capacity = refutation.capacity;
    answer->lines = refutation.lines;
    answer->clauses = refutation.clauses;
    return fine;
}
