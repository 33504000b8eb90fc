#include "harness/layout/report.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "harness/layout/layout.h"
#include "harness/layout/outcome_layout.h"

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

static int compare_cuts(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return a < b ? -1 : a > b;
}

static void list_cuts(struct users *users, const struct layout *layout)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < layout->count; i++) {
        users->cut[count++] = layout->rectangle[i].offset;
        users->cut[count++] = layout->rectangle[i].offset + layout->rectangle[i].size;
    }
    qsort(users->cut, count, sizeof *users->cut, compare_cuts);
    for (uint32_t i = 0; i < count; i++)
        if (!i || users->cut[i] != users->cut[users->cuts - 1])
            users->cut[users->cuts++] = users->cut[i];
}

static uint32_t find_cut(const struct users *users, uint64_t address)
{
    const uint64_t *found =
        bsearch(&address, users->cut, users->cuts, sizeof *users->cut, compare_cuts);
    assert(found);
    return (uint32_t)(found - users->cut);
}

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

static void split_range(struct users *users, uint32_t cut)
{
    uint32_t start = find_start(users, cut);
    if (start == cut)
        return;
    users->user[cut] = users->user[start];
    users->next[cut] = users->next[start];
    users->next[start] = cut;
    add_start(users, cut, 1);
}

static enum status note_reuse(struct users *users, uint32_t row, uint32_t by, struct error *error)
{
    if (row == UINT32_MAX || row == by)
        return STATUS_OK;
    TRY(memory_reserve(&users->reuse, &users->reuse_capacity, (size_t)users->reuses + 1,
                       sizeof *users->reuse, error));
    users->reuse[users->reuses++] = (struct reuse){row, by};
    return STATUS_OK;
}

static enum status take_over(struct users *users, const struct layout_rectangle *rectangle,
                             struct error *error)
{
    uint32_t begin = find_cut(users, rectangle->offset);
    uint32_t end = find_cut(users, rectangle->offset + rectangle->size);
    assert(begin < end);
    split_range(users, begin);
    split_range(users, end);
    uint32_t start = begin;
    while (start != end) {
        uint32_t next = users->next[start];
        TRY(note_reuse(users, users->user[start], rectangle->item, error));
        if (start != begin)
            add_start(users, start, UINT32_MAX);
        start = next;
    }
    users->user[begin] = rectangle->item;
    users->next[begin] = end;
    return STATUS_OK;
}

static int compare_reuses(const void *left, const void *right)
{
    const struct reuse *a = left, *b = right;
    if (a->row != b->row)
        return a->row < b->row ? -1 : 1;
    return a->by < b->by ? -1 : a->by > b->by;
}

/* Sorts the pairs and drops duplicates. */
static void sort_reuses(struct users *users)
{
    uint32_t kept = 0;
    if (users->reuses)
        qsort(users->reuse, users->reuses, sizeof *users->reuse, compare_reuses);
    for (uint32_t i = 0; i < users->reuses; i++)
        if (!i || compare_reuses(&users->reuse[kept - 1], &users->reuse[i]) != 0)
            users->reuse[kept++] = users->reuse[i];
    users->reuses = kept;
}

static int compare_begins(const void *left, const void *right)
{
    const struct layout_rectangle *a = left, *b = right;
    if (a->lower != b->lower)
        return a->lower < b->lower ? -1 : 1;
    if (a->item != b->item)
        return a->item < b->item ? -1 : 1;
    return a->offset < b->offset ? -1 : a->offset > b->offset;
}

static enum status create_users(struct users *users, const struct layout *layout,
                                struct error *error)
{
    size_t most = (size_t)layout->count * 2;
    TRY(memory_create(&users->cut, most, sizeof *users->cut, error));
    TRY(memory_create(&users->user, most, sizeof *users->user, error));
    TRY(memory_create(&users->next, most, sizeof *users->next, error));
    TRY(memory_create(&users->starts, most, sizeof *users->starts, error));
    return memory_create(&users->tree, most + 1, sizeof *users->tree, error);
}

static void free_users(struct users *users)
{
    memory_free(users->cut);
    memory_free(users->user);
    memory_free(users->next);
    memory_free(users->starts);
    memory_free(users->tree);
    memory_free(users->reuse);
}

/* Finds who takes over whose bytes, for all rectangles of the layout, which are sorted by their
   first step. (*reuse)[*reuses] lists each pair once, by `row`, then by `by`; the caller frees it
   with memory_free. O(n log n + reuses log reuses) for n rectangles. */
static enum status reuse_find(struct layout *layout, struct reuse **reuse, uint32_t *reuses,
                              struct error *error)
{
    SCOPED(free_users) struct users users = {0};
    *reuse = NULL;
    *reuses = 0;
    if (!layout->count)
        return STATUS_OK;
    TRY(create_users(&users, layout, error));
    list_cuts(&users, layout);
    users.user[0] = UINT32_MAX;
    users.next[0] = users.cuts;
    add_start(&users, 0, 1);
    qsort(layout->rectangle, layout->count, sizeof *layout->rectangle, compare_begins);
    for (uint32_t i = 0; i < layout->count; i++)
        TRY(take_over(&users, &layout->rectangle[i], error));
    sort_reuses(&users);
    *reuse = users.reuse;
    *reuses = users.reuses;
    users.reuse = NULL;
    return STATUS_OK;
}

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
   bytes again. */
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
