/* The reproduction ge: the examples and networks of the GE article planned by its own rules, as
   measures of the topic "ge". Steps are numbered as the article numbers most of them: inputs are
   there at step 0, the first operator runs at step 1. */
#include <stdio.h>
#include <string.h>

#include "cli/reproduce/common/counted.h"
#include "cli/reproduce/common/planned.h"
#include "cli/reproduce/reproduction.h"
#include "harness/layout/report.h"

/* Instances with at most so many tensors or buffers are shown step by step, and solved exactly. */
enum { MOST_SHOWN = 16 };

/* How the examples are planned. Rules for in-place operators matter only for graphs. */
static const struct planned_choice choices[] = {
    {.planner = "naive", .inplace = "none"},
    {.planner = "ge_pool", .inplace = "none"},
    {.planner = "ge_pool_published", .inplace = "none"},
    {.planner = "naive", .inplace = "ge"},
    {.planner = "ge_pool", .inplace = "ge"},
    {.planner = "ge_pool_published", .inplace = "ge"},
    {.planner = "exact", .inplace = "none"},
    {.planner = "exact", .inplace = "ge"},
};
enum { CHOICES = sizeof choices / sizeof *choices };

static bool is_wanted(const struct planned_choice *choice, const struct instance *instance,
                      bool shown)
{
    bool solves = strcmp(choice->planner, "exact") == 0;
    bool shares = strcmp(choice->inplace, "none") != 0;
    return (shown || !solves) && (instance->graph || !shares);
}

/* The address of the first tensor in the article's report, section 8. */
enum { FIRST_ADDRESS = 0x1000 };

static bool is_graph_input(const struct graph *graph, uint32_t tensor)
{
    return graph->tensor[tensor].producer == GRAPH_NONE;
}

/* The first step of a row, in the article's numbering. */
static uint32_t find_start(const struct instance *instance, const struct layout_report_row *row)
{
    return row->start + !is_graph_input(instance->graph, row->item);
}

static bool are_live_together(const struct layout_report_row *a, const struct layout_report_row *b)
{
    return a->start <= b->end && b->start <= a->end;
}

static enum status write_conflicts(const struct planned_record *record,
                                   const struct layout_report *report, uint32_t r)
{
    char words[96];
    for (uint32_t k = 0; k < r; k++) {
        snprintf(words, sizeof words, "conflicts with %s", report->row[r].name);
        TRY(planned_write(record, "lifetimes", report->row[k].name, words,
                          are_live_together(&report->row[k], &report->row[r])));
    }
    return STATUS_OK;
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

/* Writes the lifetimes from the report of a plan in which nothing is in place. */
static enum status write_lifetimes(const struct planned_record *record,
                                   const struct layout_report *report)
{
    for (uint32_t r = 0; r < report->rows; r++) {
        const struct layout_report_row *row = &report->row[r];
        TRY(planned_write(record, "lifetimes", row->name, "bytes", row->size_bytes));
        TRY(planned_write(record, "lifetimes", row->name, "start",
                          find_start(record->instance, row)));
        TRY(planned_write(record, "lifetimes", row->name, "end", row->end + 1));
        TRY(write_conflicts(record, report, r));
    }
    return planned_write(record, "lifetimes", "colours", "", count_colours(report));
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

static enum status write_steps(const struct planned_record *record, const char *variant,
                               const struct layout_report *report)
{
    char word[32];
    for (uint32_t r = 0; r < report->rows; r++) {
        const struct layout_report_row *row = &report->row[r];
        uint32_t step = find_start(record->instance, row);
        snprintf(word, sizeof word, "%u bytes", step);
        TRY(planned_write(record, variant, row->name, "address", FIRST_ADDRESS + row->address));
        TRY(planned_write(record, variant, "step", word,
                          find_allocated(record->instance, report, step)));
    }
    return STATUS_OK;
}

static enum status write_layout(const struct planned_record *record, const char *variant,
                                const struct planned *planned, bool lifetimes)
{
    struct layout_report report;
    TRY(layout_report_create(&planned->job, &planned->outcome, &report, record->error));
    enum status status = write_steps(record, variant, &report);
    if (!status && lifetimes)
        status = write_lifetimes(record, &report);
    layout_report_free(&report);
    return status;
}

/* Writes how a choice compares with the first one. */
static enum status write_comparison(const struct planned_record *record, const char *variant,
                                    uint64_t peak_bytes, uint64_t *first_bytes)
{
    uint64_t weights_bytes =
        record->instance->graph ? counted_graph(record->instance->graph).weight_bytes : 0;
    if (!*first_bytes)
        *first_bytes = peak_bytes;
    TRY(planned_write(record, variant, "with_weights_bytes", "", weights_bytes + peak_bytes));
    TRY(planned_write(record, variant, "saving", "", planned_saving(*first_bytes, peak_bytes)));
    return planned_write(record, variant, "saving_with_weights", "",
                         planned_saving(weights_bytes + *first_bytes, weights_bytes + peak_bytes));
}

static enum status record_choice(const struct planned_record *record, unsigned choice, bool shown,
                                 uint64_t *first_bytes)
{
    struct planned planned;
    char variant[PLANNED_VARIANT_BYTES];
    planned_variant(&choices[choice], variant);
    enum status status = planned_make(record->instance, &choices[choice], &planned, record->error);
    if (!status)
        status = planned_write_outcome(record, variant, &planned.outcome);
    if (!status)
        status =
            write_comparison(record, variant, planned.outcome.measures.peak_bytes, first_bytes);
    if (!status && shown && record->instance->graph)
        status = write_layout(record, variant, &planned, choice == 0);
    planned_clear(&planned);
    return status;
}

static enum status record_weights(const struct planned_record *record)
{
    struct counted counted = counted_graph(record->instance->graph);
    TRY(planned_write(record, "weights", "bytes", "", counted.weight_bytes));
    return planned_write(record, "weights", "parameters", "", counted.parameters);
}

static enum status measure(const struct instance *instance, struct store *store,
                           const struct record_context *context, struct error *error)
{
    const struct planned_record record = {instance, store, context, "ge", error};
    uint32_t items = instance->graph ? instance->graph->tensors : instance->problem->buffers;
    bool shown = items <= MOST_SHOWN;
    uint64_t first_bytes = 0;
    for (unsigned i = 0; i < CHOICES; i++)
        if (is_wanted(&choices[i], instance, shown))
            TRY(record_choice(&record, i, shown, &first_bytes));
    return instance->graph ? record_weights(&record) : STATUS_OK;
}

const struct reproduction reproduction_ge = {
    .name = "ge",
    .title = "Memory reuse in GE",
    .paragraph =
        "The GE article in its order: lifetimes (section 3), pools (4), in place (5), a block of a "
        "CNN step by step (6, 8), networks (1, 7), streams (10). ge_pool_published does what the "
        "article prints and is refused where an operator would write to what it reads.",
    .suite = "ge",
    .source = "ge",
    .tables = (const char *const[]){"ge", "ge-steps", "ge-pools", "ge-models", NULL},
    .measure = measure,
};
