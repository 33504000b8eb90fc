#include "harness/layout/report.h"

#include <assert.h>
#include <stdlib.h>

#include "core/binary_search.h"
#include "core/compare.h"
#include "core/memory.h"
#include "harness/layout/layout.h"
#include "harness/layout/outcome_layout.h"
#include "planning/liveness/sharing.h"

/* Row `by` is the next to use bytes that row `row` used before. */
struct reuse {
    uint32_t row, by;
};

/* For each byte of the arena the row that used it last. The arena is cut at every border of a
   rectangle, and consecutive cuts with the same last user form a range; user[c] is valid where a
   range starts at cut c. The ranges are linked in a list, and a Fenwick tree that counts the starts
   finds the range of any cut. */
struct users {
    uint64_t *cut; /* [cuts] ascending */
    uint32_t cuts;
    /* [cuts] for cuts where a range starts, its last user (UINT32_MAX for nobody) and where the
       next range starts */
    uint32_t *user, *next;
    bool *starts;        /* [cuts] whether a range starts here */
    uint32_t *tree;      /* [cuts + 1] the Fenwick tree */
    struct reuse *reuse; /* [reuses] the pairs found so far */
    uint32_t reuses;
    size_t reuse_capacity;
};

static void add_start(struct users *users, uint32_t cut, uint32_t change)
{
    users->starts[cut] = change == 1;
    for (uint32_t i = cut + 1; i <= users->cuts; i += i & -i)
        users->tree[i] += change;
}

/* The start of the range that holds the cut. */
static uint32_t find_start(const struct users *users, uint32_t cut)
{
    uint32_t rank = 0, at = 0, step = 1;
    for (uint32_t i = cut + 1; i > 0; i -= i & -i)
        rank += users->tree[i];
    while (step <= users->cuts / 2)
        step *= 2;
    for (; step; step /= 2)
        if (at + step <= users->cuts && users->tree[at + step] < rank) {
            at += step;
            rank -= users->tree[at];
        }
    return at;
}

/* The cut at an address, from which a range starts from now on. */
static uint32_t cut_at(struct users *users, uint64_t address)
{
    uint32_t cut = BINARY_SEARCH(at, 0, users->cuts, users->cut[at] >= address);
    uint32_t start = find_start(users, cut);
    assert(cut < users->cuts && users->cut[cut] == address);
    if (start != cut) {
        users->user[cut] = users->user[start];
        users->next[cut] = users->next[start];
        users->next[start] = cut;
        add_start(users, cut, 1);
    }
    return cut;
}

static enum status take_over(struct users *users, const struct layout_rectangle *rectangle,
                             struct error *error)
{
    uint32_t begin = cut_at(users, rectangle->offset);
    uint32_t end = cut_at(users, rectangle->offset + rectangle->size);
    assert(begin < end);
    for (uint32_t start = begin, next; start != end; start = next) {
        uint32_t user = users->user[start];
        next = users->next[start];
        if (user != UINT32_MAX && user != rectangle->item) {
            TRY(memory_reserve(&users->reuse, &users->reuse_capacity, (size_t)users->reuses + 1,
                               sizeof *users->reuse, error));
            users->reuse[users->reuses++] = (struct reuse){user, rectangle->item};
        }
        if (start != begin)
            add_start(users, start, UINT32_MAX);
    }
    users->user[begin] = rectangle->item;
    users->next[begin] = end;
    return STATUS_OK;
}

COMPARE_MEMBERS(compare_reuses, struct reuse, row, by)

COMPARE_MEMBERS(compare_begins, struct layout_rectangle, lower, item, offset)

static void free_users(struct users *users)
{
    memory_free_all(users->cut, users->user, users->next, users->starts, users->tree, users->reuse);
}

/* Finds who takes over whose bytes, for all rectangles of the layout, and fills in who reuses the
   bytes of each row. Rows are sorted by their first steps, and so are the reusers of a row.
   O(n log n + reuses log reuses) for n rectangles. */
static enum status find_reusers(struct layout *layout, struct layout_report *report,
                                struct error *error)
{
    SCOPED(free_users) struct users users = {0};
    uint32_t most = layout->count * 2;
    if (!layout->count)
        return STATUS_OK;
    TRY(memory_create_all(most, error, &users.cut, &users.user, &users.next, &users.starts));
    TRY(memory_create(&users.tree, (size_t)most + 1, sizeof *users.tree, error));
    for (uint32_t i = 0; i < layout->count; i++) {
        users.cut[2 * i] = layout->rectangle[i].offset;
        users.cut[2 * i + 1] = layout->rectangle[i].offset + layout->rectangle[i].size;
    }
    qsort(users.cut, most, sizeof *users.cut, compare_number_items);
    for (uint32_t i = 0; i < most; i++)
        if (!i || users.cut[i] != users.cut[users.cuts - 1])
            users.cut[users.cuts++] = users.cut[i];
    users.user[0] = UINT32_MAX;
    users.next[0] = users.cuts;
    add_start(&users, 0, 1);
    qsort(layout->rectangle, layout->count, sizeof *layout->rectangle, compare_begins);
    for (uint32_t i = 0; i < layout->count; i++)
        TRY(take_over(&users, &layout->rectangle[i], error));
    if (users.reuses)
        qsort(users.reuse, users.reuses, sizeof *users.reuse, compare_reuses);
    for (uint32_t i = 0; i < users.reuses; i++) {
        struct layout_report_row *row = &report->row[users.reuse[i].row];
        if (i && compare_reuses(&users.reuse[i - 1], &users.reuse[i]) == 0)
            continue;
        if (row->reusers < LAYOUT_REPORT_MOST_NAMES)
            row->reused_by[row->reusers] = users.reuse[i].by;
        row->reusers++;
    }
    return STATUS_OK;
}

COMPARE_MEMBERS(compare_items, struct layout_rectangle, block, item, offset, lower)

COMPARE_MEMBERS(compare_rows, struct layout_report_row, start, address, item)

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
            const struct graph *graph = job->instance->graph;
            row->size_bytes =
                graph ? graph->tensor[row->item].bytes : job->instance->problem->size[row->item];
            row->address = outcome->plan ? outcome->plan->offset[row->item]
                                         : outcome->placement->offset[row->item];
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

/* A rectangle ends where the next tensor is written over it, but the operator that writes that one
   still reads what was there. */
static enum status extend_overwritten(const struct graph *graph, const struct outcome *outcome,
                                      struct layout_report *report, struct error *error)
{
    SCOPED(liveness_release) struct liveness *liveness = NULL;
    TRY(liveness_create_shared(graph, outcome->placement, &liveness, error));
    for (uint32_t r = 0; liveness->next && r < report->rows; r++) {
        struct layout_report_row *row = &report->row[r];
        if (liveness->next[row->item] != GRAPH_NONE && row->end < liveness->upper[row->item] - 1)
            row->end = liveness->upper[row->item] - 1;
    }
    return STATUS_OK;
}

static enum status list_extents(const struct outcome *outcome, struct layout_report *report,
                                struct error *error)
{
    size_t capacity = 0;
    for (uint32_t r = 0; r < report->rows; r++) {
        struct layout_report_row *row = &report->row[r];
        struct extents_walk walk =
            outcome->plan ? plan_begin(outcome->plan, row->item, 0, row->size_bytes)
                          : placement_begin(outcome->placement, row->item, row->size_bytes);
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

enum status layout_report_create(const struct job *job, const struct outcome *outcome,
                                 struct layout_report *report, struct error *error)
{
    const struct graph *graph = job->instance->graph;
    uint32_t items = graph ? graph->tensors : job->instance->problem->buffers, kept = 0;
    SCOPED(layout_free) struct layout layout = {0};
    SCOPED(memory_release) uint32_t *row_of = NULL;
    *report = (struct layout_report){.problem = !graph};
    TRY(outcome_layout_fill(job, outcome, &layout, error));
    if (layout.count)
        qsort(layout.rectangle, layout.count, sizeof *layout.rectangle, compare_items);
    while (layout.count && layout.rectangle[layout.count - 1].block)
        layout.count--;
    TRY(memory_create(&report->row, layout.count, sizeof *report->row, error));
    report->rows = list_rows(job, outcome, &layout, report->row);
    if (outcome->placement)
        TRY(extend_overwritten(graph, outcome, report, error));
    qsort(report->row, report->rows, sizeof *report->row, compare_rows);
    TRY(list_extents(outcome, report, error));
    /* Rectangles and rows that are written over another one name rows from now on, no longer
       tensors or buffers. */
    TRY(memory_create(&row_of, items, sizeof *row_of, error));
    for (uint32_t i = 0; i < items; i++)
        row_of[i] = UINT32_MAX;
    for (uint32_t r = 0; r < report->rows; r++)
        row_of[report->row[r].item] = r;
    for (uint32_t r = 0; outcome->placement && r < report->rows; r++) {
        uint32_t input = outcome->placement->overwrites[report->row[r].item];
        if (input != GRAPH_NONE)
            report->row[r].in_place = row_of[input];
    }
    /* In a graph only the first rectangle of each tensor at a place counts. A layout leaves the
       steps of other branches out of a tensor's rectangles; behind such steps the tensor does not
       begin to use its bytes again. */
    for (uint32_t i = 0; i < layout.count; i++) {
        struct layout_rectangle rectangle = layout.rectangle[i];
        rectangle.item = row_of[rectangle.item];
        if (!rectangle.timeless && (!graph || rectangle.lower == report->row[rectangle.item].start))
            layout.rectangle[kept++] = rectangle;
    }
    layout.count = kept;
    return find_reusers(&layout, report, error);
}

void layout_report_free(struct layout_report *report)
{
    memory_free_all(report->row, report->extent);
    *report = (struct layout_report){0};
}
