/* The reproduction minimalloc: how long the exact search takes to find a first plan at the
   published capacity and to prove the optimum, and the peaks of other planners, as measures of the
   topic "minimalloc". */
#include <string.h>

#include "cli/reproduce/reproduction.h"

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
        recorder_add(recorder, at_capacity, "wall_ns", outcome_median_ns(&plan.outcome));
    recorder_clear_plan(&plan);
    for (unsigned i = 0; i < PACKERS; i++) {
        recorder_add_plan(
            recorder,
            &(struct recorder_choice){.planner = packers[i], .time_limit_ns = UINT64_C(100000000)},
            packers[i], &plan);
        double peak = (double)plan.outcome.measures.peak_bytes;
        double load = (double)plan.outcome.measures.load_bytes;
        recorder_add(recorder, packers[i], "efficiency",
                     peak > 0 ? (uint64_t)(1e6 * load / peak + 0.5) : 0);
        recorder_clear_plan(&plan);
    }
}

/* Writes the mean of load / peak over all instances. */
static void conclude(struct recorder *recorder)
{
    SCOPED(measures_free) struct measure_set set = {0};
    recorder_read(recorder, recorder->context->run, recorder->topic, &set);
    for (unsigned p = 0; p < PACKERS; p++) {
        int64_t sum = 0, count = 0;
        for (uint32_t i = 0; i < set.count; i++)
            if (strcmp(set.measure[i].variant, packers[p]) == 0 &&
                strcmp(set.measure[i].name, "efficiency") == 0) {
                sum += set.measure[i].value;
                count++;
            }
        recorder_conclude(recorder, "minimalloc", packers[p], "efficiency",
                          count ? sum / count : 0);
    }
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
    .time_limit_ns = UINT64_C(500000000),
    .source = "minimalloc",
    .page = "minimalloc",
    .tables = NAMES("minimalloc-figures", "minimalloc"),
    .measure = measure,
    .conclude = conclude,
    .shows_times = true,
};
