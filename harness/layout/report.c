#include "harness/layout/report.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "harness/layout/outcome_layout.h"
#include "harness/layout/reuse.h"

static int compare_items(const void *left, const void *right)
{
    const struct layout_rectangle *a = left, *b = right;
    if (a->block != b->block)
        return a->block ? 1 : -1;
    if (a->item != b->item)
        return a->item < b->item ? -1 : 1;
    if (a->offset != b->offset)
        return a->offset < b->offset ? -1 : 1;
    return a->lower < b->lower ? -1 : a->lower > b->lower;
}

static int compare_rows(const void *left, const void *right)
{
    const struct layout_report_row *a = left, *b = right;
    if (a->start != b->start)
        return a->start < b->start ? -1 : 1;
    if (a->address != b->address)
        return a->address < b->address ? -1 : 1;
    return a->item < b->item ? -1 : a->item > b->item;
}

static void describe_item(const struct job *job, const struct outcome *outcome,
                          struct layout_report_row *row)
{
    const struct graph *graph = job->instance->graph;
    row->size_bytes =
        graph ? graph->tensor[row->item].bytes : job->instance->problem->size[row->item];
    row->address =
        outcome->plan ? outcome->plan->offset[row->item] : outcome->placement->offset[row->item];
}

static uint32_t list_rows(const struct job *job, const struct outcome *outcome,
                          const struct layout *layout, struct layout_report_row *rows)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < layout->count; i++) {
        const struct layout_rectangle *rectangle = &layout->rectangle[i];
        struct layout_report_row *row = count ? &rows[count - 1] : NULL;
        if (!row || row->item != rectangle->item) {
            row = &rows[count++];
            *row = (struct layout_report_row){.name = rectangle->label,
                                              .item = rectangle->item,
                                              .start = UINT32_MAX,
                                              .in_place = UINT32_MAX};
            describe_item(job, outcome, row);
        }
        if (rectangle->timeless)
            continue;
        if (rectangle->lower < row->start)
            row->start = rectangle->lower;
        if (rectangle->upper - 1 > row->end)
            row->end = rectangle->upper - 1;
    }
    return count;
}

static struct extents_walk begin_row(const struct outcome *outcome,
                                     const struct layout_report_row *row)
{
    if (outcome->plan)
        return plan_begin(outcome->plan, row->item, 0, row->size_bytes);
    return placement_begin(outcome->placement, row->item, row->size_bytes);
}

static enum status list_extents(const struct outcome *outcome, struct layout_report *report,
                                struct error *error)
{
    size_t capacity = 0;
    for (uint32_t r = 0; r < report->rows; r++) {
        struct layout_report_row *row = &report->row[r];
        struct extents_walk walk = begin_row(outcome, row);
        struct extent piece;
        row->first_extent = report->extents;
        while (extents_next(&walk, &piece)) {
            TRY(memory_reserve(&report->extent, &capacity, (size_t)report->extents + 1,
                               sizeof piece, error));
            report->extent[report->extents++] = piece;
        }
        row->extents = report->extents - row->first_extent;
    }
    return STATUS_OK;
}

static void find_overwritten(const struct placement *placement, const uint32_t *row_of,
                             struct layout_report *report)
{
    for (uint32_t r = 0; r < report->rows; r++) {
        uint32_t input = placement->overwrites[report->row[r].item];
        if (input != GRAPH_NONE)
            report->row[r].in_place = row_of[input];
    }
}

/* Replaces the numbers of tensors or buffers by the numbers of their rows, both in the rectangles
   and in rows that are written over another one. */
static enum status number_rectangles(const struct job *job, const struct outcome *outcome,
                                     struct layout_report *report, struct layout *layout,
                                     struct error *error)
{
    const struct graph *graph = job->instance->graph;
    uint32_t items = graph ? graph->tensors : job->instance->problem->buffers;
    SCOPED(memory_release) uint32_t *row_of = NULL;
    TRY(memory_create(&row_of, items, sizeof *row_of, error));
    for (uint32_t i = 0; i < items; i++)
        row_of[i] = UINT32_MAX;
    for (uint32_t r = 0; r < report->rows; r++)
        row_of[report->row[r].item] = r;
    for (uint32_t i = 0; i < layout->count; i++)
        layout->rectangle[i].item = row_of[layout->rectangle[i].item];
    if (outcome->placement)
        find_overwritten(outcome->placement, row_of, report);
    return STATUS_OK;
}

/* Keeps only the first rectangle of each tensor at a place. A layout leaves the steps of other
   branches out of a tensor's rectangles; behind such steps the tensor does not begin to use its
   bytes anew. */
static void drop_continuations(const struct layout_report *report, struct layout *layout)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < layout->count; i++)
        if (layout->rectangle[i].lower == report->row[layout->rectangle[i].item].start)
            layout->rectangle[kept++] = layout->rectangle[i];
    layout->count = kept;
}

/* Fills in who reuses the bytes of each row. Rows are sorted by their first steps, and so are the
   reusers of a row. */
static enum status fill_reusers(struct layout *layout, struct layout_report *report,
                                struct error *error)
{
    SCOPED(memory_release) struct reuse *reuse = NULL;
    uint32_t reuses;
    TRY(reuse_find(layout, &reuse, &reuses, error));
    for (uint32_t i = 0; i < reuses; i++) {
        struct layout_report_row *row = &report->row[reuse[i].row];
        if (row->reusers < LAYOUT_REPORT_MOST_NAMES)
            row->reused_by[row->reusers] = reuse[i].by;
        row->reusers++;
    }
    return STATUS_OK;
}

enum status layout_report_create(const struct job *job, const struct outcome *outcome,
                                 struct layout_report *report, struct error *error)
{
    SCOPED(layout_free) struct layout layout = {0};
    *report = (struct layout_report){.problem = job->instance->problem != NULL};
    TRY(outcome_layout_fill(job, outcome, &layout, error));
    if (layout.count)
        qsort(layout.rectangle, layout.count, sizeof *layout.rectangle, compare_items);
    while (layout.count && layout.rectangle[layout.count - 1].block)
        layout.count--;
    TRY(memory_create(&report->row, layout.count, sizeof *report->row, error));
    report->rows = list_rows(job, outcome, &layout, report->row);
    qsort(report->row, report->rows, sizeof *report->row, compare_rows);
    TRY(list_extents(outcome, report, error));
    TRY(number_rectangles(job, outcome, report, &layout, error));
    uint32_t kept = 0;
    for (uint32_t i = 0; i < layout.count; i++)
        if (!layout.rectangle[i].timeless)
            layout.rectangle[kept++] = layout.rectangle[i];
    layout.count = kept;
    if (job->instance->graph)
        drop_continuations(report, &layout);
    return fill_reusers(&layout, report, error);
}

void layout_report_free(struct layout_report *report)
{
    memory_free(report->row);
    memory_free(report->extent);
    *report = (struct layout_report){0};
}
