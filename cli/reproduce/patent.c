/* The reproduction patent: which operators exclude each other, and each operator's memory in the
   order in which it is placed, as measures of the topic "patent". */
#include <stdio.h>

#include "cli/reproduce/common/planned.h"
#include "cli/reproduce/reproduction.h"
#include "core/memory.h"
#include "harness/files/plan_buffers.h"
#include "harness/layout/report.h"
#include "heuristics/exclusive/exclusion.h"

enum { MOST_BUFFERS = 62 }; /* sets of buffers are stored as numbers with one bit for each */

static const char *name_buffer(const struct plan_buffers *buffers, uint32_t buffer)
{
    const struct graph *graph = buffers->instance->graph;
    return names_get(&graph->tensor_names, buffers->level->tensor[buffer]);
}

/* The set of buffers that exclude a buffer. Buffer b is bit b + 1, since operators are counted from
   1. */
static uint64_t list_excluded(const struct exclusion *exclusion, uint32_t buffer,
                              uint32_t others[MOST_BUFFERS])
{
    uint64_t set = 0;
    uint32_t count = exclusion_list(exclusion, buffer, others);
    for (uint32_t i = 0; i < count; i++)
        set |= UINT64_C(1) << (others[i] + 1);
    return set;
}

static enum status write_pairs(const struct planned_record *record,
                               const struct plan_buffers *buffers, uint32_t buffer, uint64_t set)
{
    char words[96];
    for (uint32_t b = 0; b < buffers->problem->buffers; b++) {
        snprintf(words, sizeof words, "excludes %s", name_buffer(buffers, b));
        TRY(planned_write(record, "kinds", name_buffer(buffers, buffer), words,
                          set >> (b + 1) & 1));
    }
    return STATUS_OK;
}

static enum status write_exclusion(const struct planned_record *record,
                                   const struct plan_buffers *buffers, const char *variant,
                                   const struct exclusion *exclusion)
{
    uint32_t others[MOST_BUFFERS];
    for (uint32_t b = 0; b < buffers->problem->buffers; b++) {
        uint64_t set = list_excluded(exclusion, b, others);
        TRY(planned_write(record, variant, name_buffer(buffers, b), "excludes", set));
        TRY(write_pairs(record, buffers, b, set));
    }
    return STATUS_OK;
}

/* Records which operators exclude each other by the document's rules, and by lifetimes alone. */
static enum status record_exclusion(const struct planned_record *record,
                                    const struct plan_buffers *buffers)
{
    static const char *const variants[] = {"lifetimes", "kinds"};
    struct scratch scratch = {0};
    struct planner_task task = {.problem = buffers->problem, .scratch = &scratch};
    enum status status = STATUS_OK;
    for (int kinds = 0; kinds < 2 && !status; kinds++) {
        struct exclusion exclusion;
        task.level = kinds ? buffers->level : NULL;
        status = exclusion_create(&task, !kinds, &exclusion, record->error);
        if (!status)
            status = write_exclusion(record, buffers, variants[kinds], &exclusion);
        conflicts_free(exclusion.lifetimes);
    }
    scratch_free(&scratch);
    return status;
}

/* The rows of a report in the order in which the patent places them: largest first. */
struct placing {
    const struct planned_record *record;
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

static enum status write_step(struct placing *placing, uint32_t place)
{
    const struct layout_report *report = placing->report;
    uint32_t row = placing->order[place];
    const char *name = report->row[row].name;
    uint64_t end = find_end(report, row), before = placing->pool_bytes;
    char words[96];
    placing->pool_bytes = end > before ? end : before;
    TRY(planned_write(placing->record, "steps", name, "bytes", report->row[row].size_bytes));
    TRY(planned_write(placing->record, "steps", name, "place", place + 1));
    TRY(planned_write(placing->record, "steps", name, "new", placing->pool_bytes - before));
    TRY(planned_write(placing->record, "steps", name, "pool", placing->pool_bytes));
    for (uint32_t i = 0; i < place; i++) {
        uint32_t other = placing->order[i];
        snprintf(words, sizeof words, "from %s", report->row[other].name);
        TRY(planned_write(placing->record, "steps", name, words, count_shared(report, row, other)));
    }
    return STATUS_OK;
}

static enum status write_steps(const struct planned_record *record,
                               const struct layout_report *report)
{
    struct placing placing = {record, report, {0}, 0};
    sort_rows(&placing);
    for (uint32_t i = 0; i < report->rows; i++)
        TRY(write_step(&placing, i));
    return STATUS_OK;
}

static enum status record_plan(const struct planned_record *record,
                               const struct planned_choice *choice, bool steps)
{
    struct planned planned;
    struct layout_report report = {0};
    enum status status;
    TRY_OR_DONE(status, planned_make(record->instance, choice, &planned, record->error));
    TRY_OR_DONE(status, planned_write_outcome(record, choice->planner, &planned.outcome));
    if (!steps)
        goto done;
    TRY_OR_DONE(status,
                layout_report_create(&planned.job, &planned.outcome, &report, record->error));
    status = write_steps(record, &report);
done:
    layout_report_free(&report);
    planned_clear(&planned);
    return status;
}

static enum status measure(const struct instance *instance, struct store *store,
                           const struct record_context *context, struct error *error)
{
    static const struct planned_choice method = {.planner = "exclusive_published",
                                                 .inplace = "none"};
    static const struct planned_choice others[] = {{.planner = "naive", .inplace = "none"},
                                                   {.planner = "exclusive", .inplace = "none"},
                                                   {.planner = "exact", .inplace = "none"}};
    const struct planned_record record = {instance, store, context, "patent", error};
    struct plan_buffers buffers = {0};
    enum status status = plan_buffers_create(instance, NULL, &buffers, error);
    if (!status && buffers.problem->buffers > MOST_BUFFERS)
        status = error_set(error, STATUS_LIMIT, "%u buffers, at most %d are shown step by step",
                           buffers.problem->buffers, MOST_BUFFERS);
    if (!status)
        status = record_exclusion(&record, &buffers);
    plan_buffers_clear(&buffers);
    if (!status)
        status = record_plan(&record, &method, true);
    for (unsigned i = 0; i < sizeof others / sizeof *others && !status; i++)
        status = record_plan(&record, &others[i], false);
    return status;
}

const struct reproduction reproduction_patent = {
    .name = "patent",
    .title = "Operators that exclude each other",
    .paragraph =
        "The patent on mutually exclusive operators, Tables 1 and 2 and Figures 4 and 5, paragraph "
        "by paragraph: largest first, each operator from the memory of those that do not exclude "
        "it, and new memory only for what is missing.",
    .suite = "patent",
    .planners = "naive,large_first,exclusive,exact",
    .policies = "flat",
    .source = "patent",
    .tables = (const char *const[]){"patent", "patent-steps", NULL},
    .plots = (const char *const[]){"patent-figure5", NULL},
    .measure = measure,
};
