#include "harness/joint/quick.h"

#include <assert.h>

#include "harness/catalogue/planners.h"

enum status quick_peak(const struct job *job, const struct instance *instance, uint64_t *peak_bytes,
                       struct error *error)
{
    static const char *const names[] = {"large_first", "area_first_fit"};
    *peak_bytes = UINT64_MAX;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct job quick = *job;
        quick.instance = instance;
        quick.planner = planners_find(names[i]);
        quick.capacity_bytes = UINT64_MAX;
        quick.least_sampled_ns = 0;
        assert(quick.planner);
        SCOPED(outcome_clear) struct outcome outcome = {0};
        TRY(job_plan(&quick, &outcome, error));
        bool found = outcome_found(&outcome);
        if (found && outcome.placement->measures.peak_bytes < *peak_bytes)
            *peak_bytes = outcome.placement->measures.peak_bytes;
    }
    return STATUS_OK;
}
