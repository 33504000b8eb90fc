/* The reproduction sizes: one plan for all sizes of instances whose sizes depend on parameters, and
   what others do about them, as measures of the topic "sizes" (results/views/sizes.h). */
#include <assert.h>
#include <stdio.h>

#include "cli/reproduce/reproduction.h"
#include "harness/catalogue/planners.h"
#include "harness/family/family_graph.h"
#include "harness/family/size_comparison.h"
#include "results/views/sizes.h"

static int64_t in_millionths(double ratio)
{
    return (int64_t)(ratio * 1e6 + 0.5);
}

static void record_points(struct recorder *recorder, const struct size_vectors *vectors)
{
    const struct symbolic_sizes *sizes = vectors->family->sizes;
    recorder_add(recorder, SIZES_POINTS, vectors->family->parameters, "parameters");
    for (uint32_t v = 0; v < vectors->count; v++) {
        uint64_t range = sizes->greatest[0] - sizes->least[0];
        uint64_t above = vectors->point[(size_t)v * vectors->family->parameters] - sizes->least[0];
        double place = range ? (double)above / (double)range : 1;
        recorder_add(recorder, SIZES_POINTS, vectors->load[v], "%03u load_bytes", v);
        recorder_add(recorder, SIZES_POINTS, (uint64_t)in_millionths(place), "%03u place_ppm", v);
    }
}

static void record_rule(struct recorder *recorder, const struct size_comparison *comparison,
                        uint32_t rule)
{
    const char *name = size_comparison_rule_at(rule)->name;
    uint32_t points = comparison->vectors.count;
    const struct size_comparison_cell *cell = comparison->cell + (size_t)rule * points;
    const struct size_comparison_ratios ratios = size_comparison_summarise(comparison, rule);
    if (!ratios.found)
        return;
    recorder_add_all(recorder, name,
                     (const struct record_number[]){
                         {"greatest_bytes", (int64_t)cell[0].peak_bytes},
                         {"worst_ppm", in_millionths(family_ratio_value(ratios.worst))},
                         {"mean_ppm", in_millionths(ratios.mean)},
                         {"place_ns", (int64_t)ratios.least_ns},
                         {"points", ratios.found},
                         {"overlapping", ratios.overlapping},
                     },
                     6);
    for (uint32_t v = 0; v < points; v++)
        if (cell[v].is_found)
            recorder_add(recorder, name, cell[v].peak_bytes, "%03u peak_bytes", v);
}

static enum status compare(struct recorder *recorder, const struct instance *family)
{
    struct job job = job_make(family, NULL, planners_find("best"));
    SCOPED(family_plan_clear) struct family_plan plan = {.orientation = NULL};
    SCOPED(size_comparison_clear) struct size_comparison comparison = {.cell = NULL};
    job.time_limit_ns = UINT64_C(4000000000);
    const struct family_request request = {.job = &job};
    TRY(family_plan_find(&request, &plan, recorder->error));
    if (plan.status == PLAN_TIMEOUT)
        return error_set(recorder->error, STATUS_LIMIT, "no plan for the greatest sizes of '%s'",
                         family->name);
    TRY(size_comparison_make(&request, &plan, &comparison, recorder->error));
    assert(comparison.vectors.count <= SIZES_MOST_POINTS);
    record_points(recorder, &comparison.vectors);
    for (uint32_t r = 0; r < size_comparison_rules(); r++)
        record_rule(recorder, &comparison, r);
    recorder_add_all(recorder, SIZES_OURS,
                     (const struct record_number[]){
                         {"proved_ppm", in_millionths(family_ratio_value(plan.worst.proved))},
                         {"optimal", plan.status == PLAN_OPTIMAL},
                         {"plan_ns", (int64_t)plan.wall_ns},
                     },
                     3);
    return recorder->status;
}

static void measure(struct recorder *recorder)
{
    SCOPED(instance_release) struct instance *lowered = NULL;
    const struct instance *family = recorder->instance;
    if (family->graph) {
        recorder->status = family_graph_lower(family, &lowered, recorder->error);
        family = lowered;
    }
    if (!recorder->status)
        recorder->status = compare(recorder, family);
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
    .tables = (const char *const[]){"sizes", "sizes-rules", NULL},
    .plots = (const char *const[]){"sizes", NULL},
    .measure = measure,
};
