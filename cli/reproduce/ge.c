/* The reproduction ge: the examples and networks of the GE article planned by its own rules, as
   measures of the topic "ge". Steps are numbered as the article numbers most of them: inputs are
   there at step 0, the first operator runs at step 1. */
#include <stdio.h>
#include <string.h>

#include "cli/reproduce/graph_figures.h"
#include "cli/reproduce/reproduction.h"
#include "harness/layout/report.h"

/* Instances with at most MOST_SHOWN tensors or buffers are shown step by step, and solved exactly.
   The address of the first tensor is that of the article's report, section 8. */
enum { MOST_SHOWN = 16, FIRST_ADDRESS = 0x1000 };

/* The others are compared with the first, whose plan also shows the lifetimes. The last one solves
   exactly. */
static const char *const planners[] = {"naive", "ge_pool", "ge_pool_published", "exact"};
enum { PLANNERS = sizeof planners / sizeof *planners };

/* The first step of a row, in the article's numbering: inputs of the graph are there at step 0. */
static uint32_t find_start(const struct instance *instance, const struct layout_report_row *row)
{
    return row->start + (instance->graph->tensor[row->item].producer != GRAPH_NONE);
}

/* Counts the colours of the conflict graph. Lifetimes are intervals, so that is the greatest number
   of rows that are live at the start of one of them. */
static uint64_t count_colours(const struct layout_report *report)
{
    uint64_t most = 0;
    for (uint32_t r = 0; r < report->rows; r++) {
        uint64_t live = 0;
        for (uint32_t k = 0; k < report->rows; k++)
            live += report->row[k].start <= report->row[r].start &&
                    report->row[r].start <= report->row[k].end;
        if (live > most)
            most = live;
    }
    return most;
}

/* Records the lifetimes from the report of a plan in which nothing is in place. */
static void record_lifetimes(struct recorder *recorder, const struct layout_report *report)
{
    static const char lifetimes[] = "lifetimes";
    for (uint32_t r = 0; r < report->rows; r++) {
        const struct layout_report_row *row = &report->row[r];
        recorder_add_part(recorder, lifetimes, row->name, MEASURE_BYTES, NULL, row->size_bytes);
        recorder_add_part(recorder, lifetimes, row->name, MEASURE_START, NULL,
                          find_start(recorder->instance, row));
        recorder_add_part(recorder, lifetimes, row->name, MEASURE_END, NULL,
                          row->end + (uint64_t)1);
        recorder_add_part(recorder, "ends from 0", row->name, MEASURE_END, NULL, row->end);
        for (uint32_t k = 0; k < r; k++) {
            const struct layout_report_row *other = &report->row[k];
            recorder_add_part(recorder, lifetimes, other->name, MEASURE_CONFLICTS, row->name,
                              other->start <= row->end && row->start <= other->end);
        }
    }
    recorder_add(recorder, lifetimes, "colours", count_colours(report));
}

/* The bytes that are allocated once a step's tensors have their places; pools and places are never
   given back. */
static uint64_t find_allocated(const struct instance *instance, const struct layout_report *report,
                               uint32_t step)
{
    uint64_t highest = 0;
    for (uint32_t r = 0; r < report->rows; r++) {
        const struct layout_report_row *row = &report->row[r];
        uint64_t end = row->address + row->size_bytes;
        if (find_start(instance, row) <= step && end > highest)
            highest = end;
    }
    return highest;
}

static void record_layout(struct recorder *recorder, const char *variant,
                          const struct recorder_plan *plan, bool with_lifetimes)
{
    SCOPED(layout_report_free) struct layout_report report = {0};
    if (!recorder->status)
        recorder->status =
            layout_report_create(&plan->job, &plan->outcome, &report, recorder->error);
    if (recorder->status)
        return;
    for (uint32_t r = 0; r < report.rows; r++) {
        const struct layout_report_row *row = &report.row[r];
        uint32_t step = find_start(recorder->instance, row);
        char part[16];
        snprintf(part, sizeof part, "step %u", step);
        recorder_add_part(recorder, variant, row->name, MEASURE_ADDRESS, NULL,
                          FIRST_ADDRESS + row->address);
        recorder_add_part(recorder, variant, part, MEASURE_BYTES, NULL,
                          find_allocated(recorder->instance, &report, step));
    }
    if (with_lifetimes)
        record_lifetimes(recorder, &report);
}

/* Records a plan, and what it saves against that of the first planner. */
static void record_choice(struct recorder *recorder, const struct recorder_choice *choice,
                          bool shown, uint64_t *first_bytes)
{
    struct recorder_plan plan;
    char variant[RECORDER_VARIANT_BYTES];
    recorder_variant(choice, variant);
    recorder_add_plan(recorder, choice, variant, &plan);
    uint64_t peak_bytes = plan.outcome.measures.peak_bytes;
    bool is_first = !*first_bytes;
    if (is_first)
        *first_bytes = peak_bytes;
    recorder_add(recorder, variant, "with_weights_bytes",
                 recorder_count(recorder).weight_bytes + peak_bytes);
    recorder_add(recorder, variant, "saving", recorder_saving(*first_bytes, peak_bytes));
    if (shown && recorder->instance->graph)
        record_layout(recorder, variant, &plan, is_first);
    recorder_clear_plan(&plan);
}

/* Rules for in-place operators matter only for graphs. */
static void measure(struct recorder *recorder)
{
    static const char *const rules[] = {NULL, "ge"};
    const struct instance *instance = recorder->instance;
    uint32_t items = instance->graph ? instance->graph->tensors : instance->problem->buffers;
    bool shown = items <= MOST_SHOWN;
    unsigned used = shown ? PLANNERS : PLANNERS - 1;
    uint64_t first_bytes = 0;
    for (unsigned r = 0; r < 1u + (instance->graph != NULL); r++)
        for (unsigned p = 0; p < used; p++)
            record_choice(recorder,
                          &(struct recorder_choice){.planner = planners[p], .inplace = rules[r]},
                          shown, &first_bytes);
    if (!instance->graph)
        return;
    struct recorder_counts counts = recorder_count(recorder);
    recorder_add(recorder, "weights", "bytes", counts.weight_bytes);
    recorder_add(recorder, "weights", "parameters", counts.parameters);
}

const struct reproduction reproduction_ge = {
    .name = "ge",
    .title = "Memory reuse in GE",
    .paragraph =
        "Pools and operators in place. Its sums and savings follow from its rounded sizes, one "
        "rule of numbering explains its lifetimes, and its best plan is not safe. What its "
        "networks were measured with it does not say.",
    .suite = "ge",
    .source = "ge",
    .page = "ge",
    .tables = NAMES("ge", "ge-pools", "ge-models"),
    .measure = measure,
    .figures = NAMES("ge-figure3", "ge-conflicts"),
    .illustrate = graph_figures_add,
};
