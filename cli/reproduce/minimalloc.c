/* The reproduction minimalloc: how long the exact search takes to find a first plan at the
   published capacity and to prove the optimum, and the peaks of other planners, as measures of the
   topic "minimalloc". */
#include <string.h>

#include "cli/reproduce/reproduction.h"
#include "results/store/measures.h"

/* The capacity of all instances in the published table. */
enum { CAPACITY = 1048576 };
/* Short runs are repeated until they have taken this long together. */
enum { LEAST_SAMPLED_NS = 50000000 };

/* The planners that other publications compare on these instances; randomised ones run with the
   first seed. */
static const char *const packers[] = {
    "size_first_fit",  "omni_best_fit", "omni_random",    "omni_greedy", "omni_hill_climb",
    "omni_telamalloc", "omni_genetic",  "omni_annealing", "omni_tabu",
};
enum { PACKERS = sizeof packers / sizeof *packers };

/* The load divided by the peak, in millionths. */
static uint64_t find_efficiency(const struct measures *measures)
{
    return measures->peak_bytes
               ? (uint64_t)(1e6 * (double)measures->load_bytes / (double)measures->peak_bytes + 0.5)
               : 0;
}

static void measure(struct recorder *recorder)
{
    static const char at_capacity[] = "exact at capacity";
    struct recorder_plan plan;
    recorder_add_plan(recorder,
                      &(struct recorder_choice){.planner = "exact",
                                                .capacity_bytes = CAPACITY,
                                                .least_sampled_ns = LEAST_SAMPLED_NS},
                      at_capacity, &plan);
    if (!recorder->status)
        recorder_add(recorder, at_capacity, outcome_median_ns(&plan.outcome), "wall_ns");
    recorder_clear_plan(&plan);
    for (unsigned i = 0; i < PACKERS; i++) {
        recorder_add_plan(
            recorder,
            &(struct recorder_choice){.planner = packers[i], .time_limit_ns = UINT64_C(200000000)},
            packers[i], &plan);
        recorder_add(recorder, packers[i], find_efficiency(&plan.outcome.measures), "efficiency");
        recorder_clear_plan(&plan);
    }
}

static int64_t find_mean(const struct measure_set *set, const char *packer)
{
    int64_t sum = 0;
    uint32_t count = 0;
    for (uint32_t i = 0; i < set->count; i++)
        if (strcmp(set->measure[i].variant, packer) == 0 &&
            strcmp(set->measure[i].name, "efficiency") == 0) {
            sum += set->measure[i].value;
            count++;
        }
    return count ? sum / count : 0;
}

/* Writes the mean of load / peak over all instances. */
static void conclude(struct recorder *recorder)
{
    SCOPED(measures_free) struct measure_set set = {0};
    const struct result_choice choice = {.run = recorder->context->run};
    recorder->status =
        measures_read(recorder->store, &choice, recorder->topic, &set, recorder->error);
    for (unsigned i = 0; i < PACKERS; i++)
        recorder_conclude(recorder, "minimalloc", packers[i], "efficiency",
                          find_mean(&set, packers[i]));
}

const struct reproduction reproduction_minimalloc = {
    .name = "minimalloc",
    .title = "MiniMalloc's challenging set",
    .paragraph =
        "Times to a first packing, measured here on another machine, and how close searches come "
        "to the load. What is not random agrees; most instances of the plots are not public.",
    .suite = "minimalloc",
    .planners = "exact,glpk,large_first",
    .capacity_bytes = CAPACITY,
    .time_limit_ns = UINT64_C(2000000000),
    .source = "minimalloc",
    .page = "minimalloc",
    .tables = (const char *const[]){"minimalloc-figures", "minimalloc", NULL},
    .measure = measure,
    .conclude = conclude,
    .shows_times = true,
};
