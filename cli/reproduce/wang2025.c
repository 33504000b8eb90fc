/* The reproductions of Wang et al. 2025 that measure something. luna-dma: every mode of weight
   transfer on the LUNA models under the profile luna, as measures of the topic "dma", the computing
   time of each type of operators, as measures of the topic "rates"; and Figures 3 and 4. wang2025:
   all figures that the paper prints, as measures of the topic "wang2025": shares of intermediate
   tensors, peaks before and with control-flow optimisation, and times with synchronous and with
   ping-pong transfers. */
#include <math.h>
#include <string.h>

#include "cli/dma/figures.h"
#include "cli/dma/timeline.h"
#include "cli/reproduce/graph_figures.h"
#include "cli/reproduce/reproduction.h"
#include "harness/files/hardware_file.h"

/* Those whose times the paper prints. */
static const char *const modes[] = {"sync", "pingpong"};

static void record_mode(struct recorder *recorder, const struct transfer_mode *mode)
{
    SCOPED(transfer_run_clear) struct transfer_run run = {0};
    SCOPED(text_free) struct text variant = {0};
    recorder_run(recorder, mode->name, &run);
    if (!recorder->status) {
        dma_timeline_append_variant(&run, &variant);
        recorder->status = text_check(&variant, recorder->error);
    }
    recorder_add_all(recorder, variant.bytes,
                     (const struct record_number[]){
                         {"total_ns", (int64_t)run.times.expected_ns},
                         {"worst_ns", (int64_t)run.times.worst_ns},
                         {"bound_ns", (int64_t)run.bound.expected_ns},
                         {"buffer_bytes", (int64_t)run.buffer_bytes},
                     },
                     4);
    if (!recorder->status)
        recorder->status = dma_timeline_store(recorder->instance, &run, recorder->store,
                                              recorder->context, recorder->error);
}

static bool is_timed(const struct graph_operator *op, uint32_t type)
{
    return op->type == type && op->flops > 0 && op->compute_ns >= 0;
}

/* The sums over all operators of one type, and how far the time of a single one is from what the
   type's common rate gives. */
struct type_time {
    uint32_t operators;
    int64_t operations, compute_ns;
    double residual_ns;
};

static struct type_time time_type(const struct graph *graph, uint32_t type)
{
    struct type_time time = {0};
    for (uint32_t o = 0; o < graph->operators; o++)
        if (is_timed(&graph->op[o], type)) {
            time.operators++;
            time.operations += graph->op[o].flops;
            time.compute_ns += graph->op[o].compute_ns;
        }
    for (uint32_t o = 0; o < graph->operators; o++)
        if (is_timed(&graph->op[o], type)) {
            double share = (double)graph->op[o].flops / (double)time.operations;
            double off_ns = (double)graph->op[o].compute_ns - share * (double)time.compute_ns;
            time.residual_ns = fmax(time.residual_ns, fabs(off_ns));
        }
    return time;
}

/* Records a rate for each type, which are numbered by the labels of the graph, and all modes. */
static void measure_transfers(struct recorder *recorder)
{
    const struct graph *graph = recorder->instance->graph;
    recorder->topic = "rates";
    for (uint32_t type = 0; type < graph->labels.count; type++) {
        const struct type_time time = time_type(graph, type);
        const struct record_number numbers[] = {{"operators", time.operators},
                                                {"operations", time.operations},
                                                {"compute_ns", time.compute_ns},
                                                {"residual_ns", (int64_t)ceil(time.residual_ns)}};
        if (time.operators)
            recorder_add_all(recorder, graph_label(graph, type), numbers,
                             sizeof numbers / sizeof *numbers);
    }
    recorder->topic = "dma";
    for (uint32_t m = 0; m < transfer_modes_count(); m++)
        record_mode(recorder, transfer_modes_at(m));
}

/* Figure 3 shows a graph without branches, Figure 4 one with them. */
static const struct figure {
    const char *name, *title, *instance;
    bool regions;
} figures[] = {
    {"luna-dma-figure3", "Transfers inserted without branches (Wang et al., Figure 3)",
     "luna/face_align", false},
    {"luna-dma-figure4", "Transfers inserted in each region (Wang et al., Figure 4)",
     "paper/figure4", false},
    {"luna-dma-regions", "Regions and the buffers of each (Wang et al., Figure 4)", "paper/figure4",
     true},
};

static void clear_runs(struct transfer_run (*run)[2])
{
    transfer_run_clear(&(*run)[0]);
    transfer_run_clear(&(*run)[1]);
}

static enum status illustrate(const char *name, struct report *report, struct error *error)
{
    SCOPED(hardware_clear) struct hardware hardware = {0};
    SCOPED(instance_release) struct instance *instance = NULL;
    SCOPED(text_free) struct text script = {0};
    SCOPED(clear_runs) struct transfer_run run[2] = {{0}};
    const struct figure *figure = figures;
    while (strcmp(figure->name, name) != 0)
        figure++;
    TRY(hardware_file_load("luna", &hardware, error));
    TRY(instance_load(figure->instance, NULL, &instance, error));
    for (int i = 0; i < 2; i++) {
        struct transfer_setting setting = {.hardware = &hardware};
        TRY(transfer_modes_find(modes[i], &setting.mode, error));
        TRY(transfer_run_fill(instance->graph, &setting, &run[i], error));
    }
    const struct dma_figure drawn = {instance, figure->name};
    TRY(figure->regions ? dma_figures_regions(&drawn, run, &script, error)
                        : dma_figures_gantt(&drawn, run, 2, &script, error));
    return report_add_figure(report, figure->name, figure->title, script.bytes, error);
}

const struct reproduction reproduction_luna_dma = {
    .name = "luna-dma",
    .title = "Run times of the LUNA models with weight transfers",
    .paragraph =
        "Wang et al., Table 3 and Figures 3 and 4: weights are loaded before each operator, or "
        "while the one before it computes. On reconstructions.",
    .suite = "luna-dma",
    .hardware = "luna",
    .tables = NAMES("luna-dma", "luna-rates"),
    .measure = measure_transfers,
    .figures = NAMES("luna-dma-figure3", "luna-dma-figure4", "luna-dma-regions"),
    .illustrate = illustrate,
};

static const char *const strategies[] = {"naive", "large_first", "short_first", "sequential"};
enum { STRATEGIES = sizeof strategies / sizeof *strategies };

/* Records the share of intermediate tensors, plans under both policies, and times. */
static void measure_paper(struct recorder *recorder)
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
    for (unsigned i = 0; i < 2; i++) {
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
    .measure = measure_paper,
    .figures = NAMES("wang2025-figure1a", "wang2025-figure4"),
    .illustrate = graph_figures_add,
};
