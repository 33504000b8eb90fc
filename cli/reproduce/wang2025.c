/* The reproduction wang2025: all figures that Wang et al. 2025 print, as measures of the topic
   "wang2025": shares of intermediate tensors, peaks before and with control-flow optimisation, and
   times with synchronous and with ping-pong transfers. */

#include "cli/reproduce/graph_figures.h"
#include "cli/reproduce/reproduction.h"

static const char *const strategies[] = {"naive", "large_first", "short_first", "sequential"};
enum { STRATEGIES = sizeof strategies / sizeof *strategies };

static const char *const modes[] = {"sync", "pingpong"};
enum { MODES = sizeof modes / sizeof *modes };

/* Records the share of intermediate tensors, plans under both policies, and times. */
static void measure(struct recorder *recorder)
{
    static const struct policy *const policies[] = {NULL, &policy_recursive};
    struct recorder_counts counts = recorder_count(recorder);
    recorder_add(
        recorder, "tensors", "intermediate_share",
        recorder_saving(counts.intermediate_bytes + counts.weight_bytes, counts.weight_bytes));
    for (unsigned i = 0; i < 2 * STRATEGIES; i++) {
        const struct recorder_choice choice = {.planner = strategies[i / 2],
                                               .policy = policies[i % 2]};
        struct recorder_plan plan;
        char variant[RECORDER_VARIANT_BYTES];
        recorder_variant(&choice, variant);
        recorder_add_plan(recorder, &choice, variant, &plan);
        recorder_clear_plan(&plan);
    }
    for (unsigned i = 0; i < MODES; i++) {
        SCOPED(transfer_run_clear) struct transfer_run run = {0};
        recorder_run(recorder, modes[i], &run);
        recorder_add(recorder, modes[i], "total_ns", run.times.expected_ns);
    }
}

const struct reproduction reproduction_wang2025 = {
    .name = "wang2025",
    .title = "Memory optimisation for graphs with control flow",
    .paragraph =
        "The main paper: memory shared by branches, weights loaded while the chip computes. Its "
        "models were never published, so its bytes and times are met by fitted models; what it "
        "says is saved follows from the bytes and times that it prints.",
    .suite = "wang2025",
    .hardware = "luna",
    .source = "wang2025",
    .page = "wang2025",
    .builds_on = NAMES("luna-memory", "luna-control-flow", "luna-dma", "worked"),
    .tables = NAMES("wang2025"),
    .measure = measure,
    .figures = NAMES("wang2025-figure1a", "wang2025-figure4"),
    .illustrate = graph_figures_add,
};
