/* The reproduction tflite: the plans of the strategies of Pisarchyk and Lee for their example and
   their networks, as measures of the topic "tflite". */
#include "cli/reproduce/reproduction.h"

/* Offsets, then shared objects. */
static const char *const strategies[] = {
    "tflite_greedy_in_order",    "tflite_greedy_by_breadth", "tflite_greedy_by_size",
    "tflite_gpu_greedy_by_size", "objects_equality",         "objects_greedy_in_order",
    "objects_greedy_by_breadth", "objects_greedy_by_size",   "objects_greedy_by_size_improved",
    "objects_min_cost_flow",
};
enum { STRATEGIES = sizeof strategies / sizeof *strategies };

static void measure(struct recorder *recorder)
{
    struct measures best = {0};
    for (unsigned i = 0; i < STRATEGIES; i++) {
        const struct recorder_choice choice = {.planner = strategies[i]};
        struct recorder_plan plan;
        recorder_add_plan(recorder, &choice, strategies[i], &plan);
        uint64_t peak_bytes = plan.outcome.measures.peak_bytes;
        if (outcome_is_good(&plan.outcome) && (!best.peak_bytes || peak_bytes < best.peak_bytes))
            best = plan.outcome.measures;
        recorder_clear_plan(&plan);
    }
    if (best.peak_bytes)
        recorder_add(recorder, "best", "saving_ratio",
                     (uint64_t)(1e6 * (double)best.naive_bytes / (double)best.peak_bytes));
    if (!recorder->instance->graph)
        return;
    struct recorder_counts counts = recorder_count(recorder);
    recorder_add(recorder, "tensors", "intermediate", counts.intermediate);
    recorder_add(recorder, "tensors", "intermediate_bytes", counts.intermediate_bytes);
}

const struct reproduction reproduction_tflite = {
    .name = "tflite",
    .title = "Strategies of TensorFlow Lite",
    .paragraph =
        "Offsets and shared objects. Its tables were not found, so that few figures could be "
        "held against ours; those few agree.",
    .suite = "tflite",
    .source = "tflite",
    .page = "tflite",
    .tables = NAMES("tflite", "tflite-strategies"),
    .measure = measure,
};
