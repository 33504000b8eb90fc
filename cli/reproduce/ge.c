/* The reproduction ge: the examples and networks of the GE article planned by its own rules, as
   measures of the topic "ge". Steps are numbered as the article numbers most of them: inputs are
   there at step 0, the first operator runs at step 1. */
#include <string.h>

#include "cli/reproduce/graph_figures.h"
#include "cli/reproduce/reproduction.h"
#include "harness/layout/report.h"

/* Instances with at most MOST_SHOWN tensors or buffers are shown step by step, and solved exactly.
   The address of the first tensor is that of the article's report, section 8. */
enum { MOST_SHOWN = 16, FIRST_ADDRESS = 0x1000 };

/* How the examples are planned. Rules for in-place operators matter only for graphs. */
static const struct recorder_choice choices[] = {
    {.planner = "naive"},
    {.planner = "ge_pool"},
    {.planner = "ge_pool_published"},
    {.planner = "naive", .inplace = "ge"},
    {.planner = "ge_pool", .inplace = "ge"},
    {.planner = "ge_pool_published", .inplace = "ge"},
    {.planner = "exact"},
    {.planner = "exact", .inplace = "ge"},
};
enum { CHOICES = sizeof choices / sizeof *choices };

static bool is_wanted(const struct recorder_choice *choice, const struct instance *instance,
                      bool shown)
{
    bool solves = strcmp(choice->planner, "exact") == 0;
    return (shown || !solves) && (instance->graph || !choice->inplace);
}

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
        recorder_add(recorder, lifetimes, row->size_bytes, "%s bytes", row->name);
        recorder_add(recorder, lifetimes, find_start(recorder->instance, row), "%s start",
                     row->name);
        recorder_add(recorder, lifetimes, row->end + (uint64_t)1, "%s end", row->name);
        recorder_add(recorder, "ends from 0", row->end, "%s end", row->name);
        for (uint32_t k = 0; k < r; k++) {
            const struct layout_report_row *other = &report->row[k];
            recorder_add(recorder, lifetimes, other->start <= row->end && row->start <= other->end,
                         "%s conflicts with %s", other->name, row->name);
        }
    }
    recorder_add(recorder, lifetimes, count_colours(report), "colours");
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
        recorder_add(recorder, variant, FIRST_ADDRESS + row->address, "%s address", row->name);
        recorder_add(recorder, variant, find_allocated(recorder->instance, &report, step),
                     "step %u bytes", step);
    }
    if (with_lifetimes)
        record_lifetimes(recorder, &report);
}

/* Records a plan, and how it compares with that of the first choice. */
static void record_choice(struct recorder *recorder, unsigned choice, bool shown,
                          uint64_t *first_bytes)
{
    struct recorder_plan plan;
    char variant[RECORDER_VARIANT_BYTES];
    recorder_variant(&choices[choice], variant);
    recorder_add_plan(recorder, &choices[choice], variant, &plan);
    uint64_t peak_bytes = plan.outcome.measures.peak_bytes;
    uint64_t weight_bytes = recorder_count(recorder).weight_bytes;
    if (!*first_bytes)
        *first_bytes = peak_bytes;
    recorder_add(recorder, variant, weight_bytes + peak_bytes, "with_weights_bytes");
    recorder_add(recorder, variant, recorder_saving(*first_bytes, peak_bytes), "saving");
    recorder_add(recorder, variant,
                 recorder_saving(weight_bytes + *first_bytes, weight_bytes + peak_bytes),
                 "saving_with_weights");
    if (shown && recorder->instance->graph)
        record_layout(recorder, variant, &plan, choice == 0);
    recorder_clear_plan(&plan);
}

static void measure(struct recorder *recorder)
{
    const struct instance *instance = recorder->instance;
    uint32_t items = instance->graph ? instance->graph->tensors : instance->problem->buffers;
    bool shown = items <= MOST_SHOWN;
    uint64_t first_bytes = 0;
    for (unsigned i = 0; i < CHOICES; i++)
        if (is_wanted(&choices[i], instance, shown))
            record_choice(recorder, i, shown, &first_bytes);
    if (!instance->graph)
        return;
    struct recorder_counts counts = recorder_count(recorder);
    recorder_add(recorder, "weights", counts.weight_bytes, "bytes");
    recorder_add(recorder, "weights", counts.parameters, "parameters");
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
    .tables = (const char *const[]){"ge", "ge-pools", "ge-models", NULL},
    .measure = measure,
    .figures = (const char *const[]){"ge-figure3", "ge-conflicts", NULL},
    .illustrate = graph_figures_add,
};
