/* The reproduction patent: which operators exclude each other, and each operator's memory in the
   order in which it is placed, as measures of the topic "patent". */
#include "cli/reproduce/graph_figures.h"
#include "cli/reproduce/reproduction.h"
#include "harness/files/plan_buffers.h"
#include "harness/layout/report.h"
#include "heuristics/exclusive/exclusion.h"

enum { MOST_BUFFERS = 62 }; /* sets of buffers are stored as numbers with one bit for each */

static const char *name_buffer(const struct plan_buffers *buffers, uint32_t buffer)
{
    const struct graph *graph = buffers->instance->graph;
    return names_get(&graph->tensor_names, buffers->level->tensor[buffer]);
}

/* Records which operators exclude each other, by lifetimes alone or by the document's rules: for
   each the set of those that exclude it, in which buffer b is bit b + 1, since operators are
   counted from 1. */
static void record_exclusion(struct recorder *recorder, const struct plan_buffers *buffers,
                             bool by_kinds)
{
    SCOPED(scratch_free) struct scratch scratch = {0};
    const struct planner_task task = {.problem = buffers->problem,
                                      .level = by_kinds ? buffers->level : NULL,
                                      .scratch = &scratch};
    struct exclusion exclusion = {0};
    uint32_t others[MOST_BUFFERS];
    if (!recorder->status)
        recorder->status = exclusion_create(&task, !by_kinds, &exclusion, recorder->error);
    for (uint32_t b = 0; b < buffers->problem->buffers && !recorder->status; b++) {
        const char *name = name_buffer(buffers, b);
        uint32_t count = exclusion_list(&exclusion, b, others);
        uint64_t set = 0;
        for (uint32_t i = 0; i < count; i++)
            set |= UINT64_C(1) << (others[i] + 1);
        recorder_add(recorder, by_kinds ? "kinds" : "lifetimes", set, "%s excludes", name);
        for (uint32_t k = 0; k < buffers->problem->buffers; k++)
            recorder_add(recorder, "kinds", set >> (k + 1) & 1, "%s excludes %s", name,
                         name_buffer(buffers, k));
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

static void sort_rows(struct placing *placing)
{
    const struct layout_report *report = placing->report;
    for (uint32_t r = 0; r < report->rows; r++) {
        uint32_t at = r;
        for (; at && report->row[placing->order[at - 1]].size_bytes < report->row[r].size_bytes;
             at--)
            placing->order[at] = placing->order[at - 1];
        placing->order[at] = r;
    }
}

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

static uint64_t find_end(const struct layout_report *report, uint32_t row)
{
    const struct layout_report_row *of = &report->row[row];
    struct extent last = report->extent[of->first_extent + of->extents - 1];
    return last.offset + last.bytes;
}

static void record_step(struct placing *placing, uint32_t place)
{
    static const char steps[] = "steps";
    struct recorder *recorder = placing->recorder;
    const struct layout_report *report = placing->report;
    uint32_t row = placing->order[place];
    const char *name = report->row[row].name;
    uint64_t end = find_end(report, row), before = placing->pool_bytes;
    placing->pool_bytes = end > before ? end : before;
    recorder_add(recorder, steps, report->row[row].size_bytes, "%s bytes", name);
    recorder_add(recorder, steps, place + (uint64_t)1, "%s place", name);
    recorder_add(recorder, steps, placing->pool_bytes - before, "%s new", name);
    recorder_add(recorder, steps, placing->pool_bytes, "%s pool", name);
    for (uint32_t i = 0; i < place; i++)
        recorder_add(recorder, steps, count_shared(report, row, placing->order[i]), "%s from %s",
                     name, report->row[placing->order[i]].name);
}

static void record_plan(struct recorder *recorder, const char *planner, bool with_steps)
{
    struct recorder_plan plan;
    struct layout_report report = {0};
    recorder_add_plan(recorder, &(struct recorder_choice){.planner = planner}, planner, &plan);
    if (with_steps && !recorder->status)
        recorder->status = layout_report_create(&plan.job, &plan.outcome, &report, recorder->error);
    if (with_steps && !recorder->status) {
        struct placing placing = {recorder, &report, {0}, 0};
        sort_rows(&placing);
        for (uint32_t i = 0; i < report.rows; i++)
            record_step(&placing, i);
    }
    layout_report_free(&report);
    recorder_clear_plan(&plan);
}

static void measure(struct recorder *recorder)
{
    struct plan_buffers buffers = {0};
    recorder->status = plan_buffers_create(recorder->instance, NULL, 1, &buffers, recorder->error);
    if (!recorder->status && buffers.problem->buffers > MOST_BUFFERS)
        recorder->status = error_set(recorder->error, STATUS_LIMIT,
                                     "%u buffers, at most %d are shown step by step",
                                     buffers.problem->buffers, MOST_BUFFERS);
    record_exclusion(recorder, &buffers, false);
    record_exclusion(recorder, &buffers, true);
    plan_buffers_clear(&buffers);
    record_plan(recorder, "exclusive_published", true);
    record_plan(recorder, "naive", false);
    record_plan(recorder, "exclusive", false);
    record_plan(recorder, "exact", false);
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
    .builds_on = (const char *const[]){"worked", NULL},
    .tables = (const char *const[]){"patent", "patent-steps", NULL},
    .plots = (const char *const[]){"patent-figure5", NULL},
    .measure = measure,
    .figures = (const char *const[]){"patent-figure4", NULL},
    .illustrate = graph_figures_add,
};
