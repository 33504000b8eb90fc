/* The reproduction wang2025: all that Wang et al. 2025 print, as measures of the topic "wang2025":
   shares of intermediate tensors, peaks before and with control-flow optimisation, and times with
   synchronous and with ping-pong transfers. */
#include <string.h>

#include "cli/reproduce/common/counted.h"
#include "cli/reproduce/common/graph_figure.h"
#include "cli/reproduce/common/planned.h"
#include "cli/reproduce/reproduction.h"
#include "dma/run.h"
#include "harness/files/hardware_file.h"
#include "results/store/measures.h"
#include "results/views/figures.h"

static const char *const strategies[] = {"naive", "large_first", "short_first", "sequential"};
enum { STRATEGIES = sizeof strategies / sizeof *strategies };

static const char *const modes[] = {"sync", "pingpong"};
enum { MODES = sizeof modes / sizeof *modes };

static enum status record_share(const struct planned_record *record)
{
    struct counted counted = counted_graph(record->instance->graph);
    uint64_t all_bytes = counted.intermediate_bytes + counted.weight_bytes;
    return planned_write(record, "tensors", "intermediate_share", "",
                         planned_saving(all_bytes, counted.weight_bytes));
}

/* Records a plan. *before_bytes is the peak with which the saving is compared; where it is 0 it
   becomes the peak of this plan. */
static enum status record_plan(const struct planned_record *record,
                               const struct planned_choice *choice, uint64_t *before_bytes)
{
    struct planned planned;
    char variant[PLANNED_VARIANT_BYTES];
    planned_variant(choice, variant);
    enum status status = planned_make(record->instance, choice, &planned, record->error);
    if (!status)
        status = planned_write_outcome(record, variant, &planned.outcome);
    uint64_t peak_bytes = planned.outcome.measures.peak_bytes;
    if (!*before_bytes)
        *before_bytes = peak_bytes;
    if (!status)
        status =
            planned_write(record, variant, "saving", "", planned_saving(*before_bytes, peak_bytes));
    planned_clear(&planned);
    return status;
}

static enum status record_strategy(const struct planned_record *record, const char *strategy)
{
    const struct planned_choice flat = {.planner = strategy, .inplace = "none"};
    const struct planned_choice recursive = {
        .planner = strategy, .inplace = "none", .policy = &policy_recursive};
    uint64_t before_bytes = 0;
    TRY(record_plan(record, &flat, &before_bytes));
    return record_plan(record, &recursive, &before_bytes);
}

static enum status find_time(const struct planned_record *record, const struct hardware *hardware,
                             const char *mode, uint64_t *ns)
{
    struct transfer_setting setting = {.hardware = hardware};
    struct transfer_run run;
    TRY(transfer_modes_find(mode, &setting.mode, record->error));
    enum status status = transfer_run_fill(record->instance->graph, &setting, &run, record->error);
    if (!status)
        *ns = run.times.expected_ns;
    transfer_run_clear(&run);
    return status;
}

/* Records times; savings are compared with the first mode. */
static enum status record_times(const struct planned_record *record,
                                const struct hardware *hardware)
{
    uint64_t ns[MODES];
    for (unsigned i = 0; i < MODES; i++) {
        TRY(find_time(record, hardware, modes[i], &ns[i]));
        TRY(planned_write(record, modes[i], "total_ns", "", ns[i]));
        TRY(planned_write(record, modes[i], "saving", "", planned_saving(ns[0], ns[i])));
    }
    return STATUS_OK;
}

static enum status measure(const struct instance *instance, struct store *store,
                           const struct record_context *context, struct error *error)
{
    const struct planned_record record = {instance, store, context, "wang2025", error};
    struct hardware hardware = {0};
    TRY(record_share(&record));
    for (unsigned i = 0; i < STRATEGIES; i++)
        TRY(record_strategy(&record, strategies[i]));
    enum status status = hardware_file_load("luna", &hardware, error);
    if (!status)
        status = record_times(&record, &hardware);
    hardware_clear(&hardware);
    return status;
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

static enum status write_greatest(struct store *store, const struct record_context *context,
                                  const struct measure_set *set, struct error *error)
{
    static const char *const tables[] = {"Table 2", "Table 3"};
    enum { TABLES = sizeof tables / sizeof *tables };
    struct measure greatest[TABLES];
    for (unsigned i = 0; i < TABLES; i++)
        greatest[i] = (struct measure){.run = context->run,
                                       .instance = "luna",
                                       .digest = "",
                                       .topic = source,
                                       .variant = tables[i],
                                       .name = "greatest_saving",
                                       .value = find_greatest(set, tables[i]),
                                       .host = context->host,
                                       .build = context->build,
                                       .started = context->started};
    return measures_write(store, greatest, TABLES, error);
}

static enum status conclude(struct store *store, const struct record_context *context,
                            struct error *error)
{
    struct measure_set set = {0};
    const struct result_choice choice = {.run = context->run};
    enum status status = measures_read(store, &choice, source, &set, error);
    if (!status)
        status = write_greatest(store, context, &set, error);
    measures_free(&set);
    return status;
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
    .source = "wang2025",
    .tables = (const char *const[]){"wang2025", NULL},
    .measure = measure,
    .conclude = conclude,
    .illustrate = illustrate,
};
