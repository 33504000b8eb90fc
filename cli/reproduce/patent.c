/* The reproduction patent: which operators exclude each other, and each operator's memory in the
   order in which it is placed, as measures of the topic "patent". */
#include "cli/reproduce/graph_figures.h"
#include "cli/reproduce/reproduction.h"
#include "core/sort.h"
#include "harness/files/plan_buffers.h"
#include "harness/layout/report.h"
#include "heuristics/exclusive/exclusion.h"

enum { MOST_BUFFERS = 62 }; /* sets of buffers are stored as numbers with one bit for each */

static const char *name_buffer(const struct plan_buffers *buffers, uint32_t buffer)
{
    const struct graph *graph = buffers->instance->graph;
    return names_get(&graph->tensor_names, buffers->level->tensor[buffer]);
}

/* Records which operators exclude each other by the document's rules: for each the set of those
   that exclude it, in which buffer b is bit b + 1, since operators are counted from 1. */
static void record_exclusion(struct recorder *recorder, const struct plan_buffers *buffers)
{
    static const char kinds[] = "kinds";
    SCOPED(scratch_free) struct scratch scratch = {0};
    const struct planner_task task = {
        .problem = buffers->problem, .level = buffers->level, .scratch = &scratch};
    struct exclusion exclusion = {0};
    uint32_t others[MOST_BUFFERS];
    if (!recorder->status)
        recorder->status = exclusion_create(&task, false, &exclusion, recorder->error);
    for (uint32_t b = 0; b < buffers->problem->buffers && !recorder->status; b++) {
        const char *name = name_buffer(buffers, b);
        uint32_t count = exclusion_list(&exclusion, b, others);
        uint64_t set = 0;
        for (uint32_t i = 0; i < count; i++)
            set |= UINT64_C(1) << (others[i] + 1);
        recorder_add_part(recorder, kinds, name, MEASURE_EXCLUDES, NULL, set);
        for (uint32_t k = 0; k < buffers->problem->buffers; k++)
            recorder_add_part(recorder, kinds, name, MEASURE_EXCLUDES, name_buffer(buffers, k),
                              set >> (k + 1) & 1);
    }
    conflicts_free(exclusion.lifetimes);
}

/* The rows of a report in the order in which the patent places them: largest first. */
struct placing {
    struct recorder *recorder;
    const struct layout_report *report;
    uint32_t order[MOST_BUFFERS];
    uint64_t pool_bytes; /* bytes of everything placed so far */
};

static uint64_t count_shared(const struct layout_report *report, uint32_t row, uint32_t other)
{
    const struct layout_report_row *a = &report->row[row], *b = &report->row[other];
    uint64_t shared = 0;
    for (uint32_t i = 0; i < a->extents; i++)
        for (uint32_t k = 0; k < b->extents; k++) {
            struct extent x = report->extent[a->first_extent + i];
            struct extent y = report->extent[b->first_extent + k];
            uint64_t lower = x.offset > y.offset ? x.offset : y.offset;
            uint64_t x_end = x.offset + x.bytes, y_end = y.offset + y.bytes;
            uint64_t upper = x_end < y_end ? x_end : y_end;
            shared += upper > lower ? upper - lower : 0;
        }
    return shared;
}

static void record_step(struct placing *placing, uint32_t place)
{
    static const char steps[] = "steps";
    struct recorder *recorder = placing->recorder;
    const struct layout_report *report = placing->report;
    uint32_t row = placing->order[place];
    const struct layout_report_row *of = &report->row[row];
    struct extent last = report->extent[of->first_extent + of->extents - 1];
    uint64_t end = last.offset + last.bytes, before = placing->pool_bytes;
    placing->pool_bytes = end > before ? end : before;
    recorder_add_part(recorder, steps, of->name, MEASURE_BYTES, NULL, of->size_bytes);
    recorder_add_part(recorder, steps, of->name, MEASURE_PLACE, NULL, place + (uint64_t)1);
    recorder_add_part(recorder, steps, of->name, MEASURE_NEW, NULL, placing->pool_bytes - before);
    recorder_add_part(recorder, steps, of->name, MEASURE_POOL, NULL, placing->pool_bytes);
    for (uint32_t i = 0; i < place; i++)
        recorder_add_part(recorder, steps, of->name, MEASURE_FROM,
                          report->row[placing->order[i]].name,
                          count_shared(report, row, placing->order[i]));
}

static void record_steps(struct recorder *recorder, const struct recorder_plan *plan)
{
    SCOPED(layout_report_free) struct layout_report report = {0};
    struct placing placing = {recorder, &report, {0}, 0};
    if (!recorder->status)
        recorder->status =
            layout_report_create(&plan->job, &plan->outcome, &report, recorder->error);
    const struct sort_key keys[SORT_MOST_KEYS] = {
        {SORT_MEMBER(report.row, struct layout_report_row, size_bytes), .descending = true}};
    if (!recorder->status)
        recorder->status = sort_by_keys(keys, NULL, report.rows, placing.order, recorder->error);
    for (uint32_t i = 0; i < report.rows && !recorder->status; i++)
        record_step(&placing, i);
}

static void measure(struct recorder *recorder)
{
    static const char *const planners[] = {"exclusive_published", "naive"};
    struct plan_buffers buffers = {0};
    recorder->status = plan_buffers_create(recorder->instance, NULL, 1, &buffers, recorder->error);
    if (!recorder->status && buffers.problem->buffers > MOST_BUFFERS)
        recorder->status = error_set(recorder->error, STATUS_LIMIT,
                                     "%u buffers, at most %d are shown step by step",
                                     buffers.problem->buffers, MOST_BUFFERS);
    record_exclusion(recorder, &buffers);
    plan_buffers_clear(&buffers);
    for (size_t i = 0; i < sizeof planners / sizeof *planners; i++) {
        struct recorder_plan plan;
        recorder_add_plan(recorder, &(struct recorder_choice){.planner = planners[i]}, planners[i],
                          &plan);
        if (i == 0)
            record_steps(recorder, &plan);
        recorder_clear_plan(&plan);
    }
}

const struct reproduction reproduction_patent = {
    .name = "patent",
    .title = "Operators that exclude each other",
    .paragraph =
        "Largest first, each operator from the memory of those that do not exclude it. From its "
        "graph and its sizes the whole example comes out step by step; one pair in its text is "
        "a slip.",
    .suite = "patent",
    .planners = "naive,large_first,exclusive,exclusive_published,exact",
    .policies = "flat",
    .source = "patent",
    .page = "patent",
    .builds_on = NAMES("worked"),
    .tables = NAMES("patent", "patent-steps"),
    .plots = NAMES("patent-figure5"),
    .measure = measure,
    .figures = NAMES("patent-figure4"),
    .illustrate = graph_figures_add,
};
