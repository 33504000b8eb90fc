/* The reproduction tflite: what the strategies of Pisarchyk and Lee make of their example and their
   networks, as measures of the topic "tflite". */
#include "cli/reproduce/common/counted.h"
#include "cli/reproduce/common/planned.h"
#include "cli/reproduce/reproduction.h"

/* Offsets, then shared objects. */
static const char *const strategies[] = {
    "tflite_greedy_in_order",    "tflite_greedy_by_breadth", "tflite_greedy_by_size",
    "tflite_gpu_greedy_by_size", "objects_equality",         "objects_greedy_in_order",
    "objects_greedy_by_breadth", "objects_greedy_by_size",   "objects_greedy_by_size_improved",
    "objects_min_cost_flow",
};
enum { STRATEGIES = sizeof strategies / sizeof *strategies };

static enum status record_strategy(const struct planned_record *record, const char *strategy,
                                   struct measures *best)
{
    const struct planned_choice choice = {.planner = strategy, .inplace = "none"};
    struct planned planned;
    enum status status = planned_make(record->instance, &choice, &planned, record->error);
    if (!status)
        status = planned_write_outcome(record, strategy, &planned.outcome);
    uint64_t peak_bytes = planned.outcome.measures.peak_bytes;
    if (outcome_is_good(&planned.outcome) && (!best->peak_bytes || peak_bytes < best->peak_bytes))
        *best = planned.outcome.measures;
    planned_clear(&planned);
    return status;
}

static enum status record_intermediate(const struct planned_record *record)
{
    struct counted counted = counted_graph(record->instance->graph);
    TRY(planned_write(record, "tensors", "intermediate", "", counted.intermediate));
    return planned_write(record, "tensors", "intermediate_bytes", "", counted.intermediate_bytes);
}

static enum status measure(const struct instance *instance, struct store *store,
                           const struct record_context *context, struct error *error)
{
    const struct planned_record record = {instance, store, context, "tflite", error};
    struct measures best = {0};
    for (unsigned i = 0; i < STRATEGIES; i++)
        TRY(record_strategy(&record, strategies[i], &best));
    if (best.peak_bytes)
        TRY(planned_write(&record, "best", "saving_ratio", "",
                          (uint64_t)(1e6 * (double)best.naive_bytes / (double)best.peak_bytes)));
    return instance->graph ? record_intermediate(&record) : STATUS_OK;
}

const struct reproduction reproduction_tflite = {
    .name = "tflite",
    .title = "Strategies of TensorFlow Lite",
    .paragraph =
        "Pisarchyk and Lee 2020: offsets and shared objects on their example and their six "
        "networks. The tables of the paper were not found, so few figures stand beside them.",
    .suite = "tflite",
    .source = "tflite",
    .tables = (const char *const[]){"tflite", "tflite-strategies", NULL},
    .measure = measure,
};
