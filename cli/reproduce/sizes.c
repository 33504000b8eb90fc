/* The reproduction sizes: one plan for all sizes of instances whose sizes depend on parameters, and
   what others do about them, as measures of the topic "sizes" (results/views/sizes.h). */
#include "cli/output/sizes.h"
#include "cli/reproduce/reproduction.h"
#include "harness/catalogue/planners.h"
#include "harness/family/family_graph.h"

static enum status compare(struct recorder *recorder)
{
    SCOPED(family_graph_clear) struct family_graph graph = {.graph = NULL};
    SCOPED(family_plan_clear) struct family_plan plan = {.orientation = NULL};
    SCOPED(size_comparison_clear) struct size_comparison comparison = {.cell = NULL};
    const struct instance *family = recorder->instance;
    if (family->graph) {
        TRY(family_graph_create(&(struct job){.instance = family}, &graph, recorder->error));
        family = graph.lowered;
    }
    struct job job = job_make(family, NULL, planners_find("best"));
    job.time_limit_ns = UINT64_C(4000000000);
    const struct family_request request = {.job = &job};
    TRY(family_plan_find(&request, &plan, recorder->error));
    if (plan.status == PLAN_TIMEOUT)
        return error_set(recorder->error, STATUS_LIMIT, "no plan for the greatest sizes of '%s'",
                         family->name);
    TRY(size_comparison_make(&request, &plan, &comparison, recorder->error));
    return sizes_record(recorder->store, recorder->context, family, &comparison, &plan,
                        recorder->error);
}

static void measure(struct recorder *recorder)
{
    recorder->status = compare(recorder);
}

const struct reproduction reproduction_sizes = {
    .name = "sizes",
    .is_apart = true,
    .title = "One plan for all sizes",
    .paragraph =
        "Sequences, batches and images whose size is known only when a network runs: one plan that "
        "is safe for all sizes, beside plans for the greatest ones, plans for each, and allocators "
        "that run with the network.",
    .suite = "sizes",
    .tables = NAMES("sizes", "sizes-rules"),
    .plots = NAMES("sizes"),
    .measure = measure,
};
