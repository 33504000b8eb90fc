/* The reproduction wang2025: all that Wang et al. 2025 print, as measures of the topic "wang2025":
   shares of intermediate tensors, peaks before and with control-flow optimisation, and times with
   synchronous and with ping-pong transfers. */
#include <string.h>

#include "cli/reproduce/common/graph_figure.h"
#include "cli/reproduce/reproduction.h"
#include "results/store/measures.h"
#include "results/views/figures.h"

static const char *const strategies[] = {"naive", "large_first", "short_first", "sequential"};
enum { STRATEGIES = sizeof strategies / sizeof *strategies };

static const char *const modes[] = {"sync", "pingpong"};
enum { MODES = sizeof modes / sizeof *modes };

/* Records a strategy under both policies; the savings are against flat. */
static void record_strategy(struct recorder *recorder, const char *strategy)
{
    const struct recorder_choice choices[] = {{.planner = strategy},
                                              {.planner = strategy, .policy = &policy_recursive}};
    uint64_t before_bytes = 0;
    for (int i = 0; i < 2; i++) {
        struct recorder_plan plan;
        char variant[RECORDER_VARIANT_BYTES];
        recorder_variant(&choices[i], variant);
        recorder_add_plan(recorder, &choices[i], variant, &plan);
        uint64_t peak_bytes = plan.outcome.measures.peak_bytes;
        before_bytes = before_bytes ? before_bytes : peak_bytes;
        recorder_add(recorder, variant, recorder_saving(before_bytes, peak_bytes), "saving");
        recorder_clear_plan(&plan);
    }
}

/* Records the share of intermediate tensors, plans, and times; savings of time are against the
   first mode. */
static void measure(struct recorder *recorder)
{
    struct recorder_counts counts = recorder_count(recorder);
    uint64_t ns[MODES];
    recorder_add(
        recorder, "tensors",
        recorder_saving(counts.intermediate_bytes + counts.weight_bytes, counts.weight_bytes),
        "intermediate_share");
    for (unsigned i = 0; i < STRATEGIES; i++)
        record_strategy(recorder, strategies[i]);
    for (unsigned i = 0; i < MODES; i++) {
        struct transfer_run run;
        recorder_run(recorder, recorder_find_mode(recorder, modes[i]), &run);
        ns[i] = run.times.expected_ns;
        recorder_add(recorder, modes[i], ns[i], "total_ns");
        recorder_add(recorder, modes[i], recorder_saving(ns[0], ns[i]), "saving");
        transfer_run_clear(&run);
    }
}

static const char source[] = "wang2025";

/* The greatest saving in the rows of a printed table, as measured. */
static int64_t find_greatest(const struct measure_set *set, const char *table)
{
    struct figure figure;
    int64_t greatest = 0, saving;
    for (unsigned row = 0; figures_next(source, &row, &figure);)
        if (strcmp(figure.place.text, table) == 0 &&
            measures_find(set, figure.instance.text, figure.variant.text, "saving", &saving) &&
            saving > greatest)
            greatest = saving;
    return greatest;
}

static void conclude(struct recorder *recorder)
{
    static const char *const tables[] = {"Table 2", "Table 3"};
    SCOPED(measures_free) struct measure_set set = {0};
    const struct result_choice choice = {.run = recorder->context->run};
    recorder->status = measures_read(recorder->store, &choice, source, &set, recorder->error);
    for (unsigned i = 0; i < sizeof tables / sizeof *tables; i++)
        recorder_conclude(recorder, "luna", tables[i], "greatest_saving",
                          find_greatest(&set, tables[i]));
}

/* Of the paper's pictures of graphs only the captions and the text survive, so these graphs are
   drawn anew. */
static const struct graph_figure graphs[] = {
    {"wang2025-figure1a", "A graph with branches (Wang et al., Figure 1a)", "paper/figure1"},
    {"wang2025-figure4", "Branches in a branch, and a tail (Wang et al., Figure 4)",
     "paper/figure4"},
};

static enum status illustrate(struct report *report, struct error *error)
{
    for (size_t i = 0; i < sizeof graphs / sizeof *graphs; i++)
        TRY(graph_figure_add(&graphs[i], report, error));
    return STATUS_OK;
}

const struct reproduction reproduction_wang2025 = {
    .name = "wang2025",
    .title = "Memory optimisation for graphs with control flow",
    .paragraph =
        "Wang et al., J. NUDT 47(6), 2025: every printed figure in the order of the paper. The "
        "LUNA models were never published; theirs are of reconstructions, made to meet them. The "
        "sections below show Tables 1 to 3 and the figures one by one.",
    .suite = "wang2025",
    .hardware = "luna",
    .source = "wang2025",
    .tables = (const char *const[]){"wang2025", NULL},
    .measure = measure,
    .conclude = conclude,
    .illustrate = illustrate,
};
