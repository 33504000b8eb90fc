/* AdaMem's insertion of intermediates. The value of an operator is (steps that its outputs live +
   1)^2 * their bytes. Operators are sorted by value, and of equal ones those that live longest come
   first; the first two fifths, and at least 20, are moved, each to just before its earliest reader.
   There are three rounds, of which the first begins with the stored order; the best order of all is
   kept. */

#include <string.h>

#include "core/sort.h"
#include "planning/order/order.h"
#include "planning/order/order_load.h"

enum { ROUNDS = 3, LEAST_MOVED = 20 };

struct iia {
    const struct order_view *view;
    uint32_t *before, *after; /* [operators + 1] the order as a ring through the last number */
    uint64_t *label;          /* [operators + 1] ascends along the ring */
    uint32_t *ranked;         /* [operators] scratch */
    uint64_t *value, *steps;  /* [operators] */
};

/* Gives the operators labels that ascend along the ring, with as much room between neighbours as
   possible: an operator that is moved gets the middle between two labels. */
static void number_labels(struct iia *iia)
{
    uint32_t end = iia->view->operators;
    uint64_t label = 0, gap = UINT64_MAX / ((uint64_t)end + 2);
    for (uint32_t op = iia->after[end]; op != end; op = iia->after[op])
        iia->label[op] = label += gap;
    iia->label[end] = 0;
}

/* The operators around a given one whose labels are the same as its own but for a number of the
   last bits. */
struct stretch {
    uint32_t first, last, count;
    uint64_t low, room; /* the least such label, and how many there are beyond it */
};

static void extend(const struct iia *iia, struct stretch *stretch, unsigned bits)
{
    uint32_t end = iia->view->operators;
    stretch->room = (UINT64_C(1) << bits) - 1;
    stretch->low = iia->label[stretch->first] & ~stretch->room;
    while (iia->before[stretch->first] != end &&
           iia->label[iia->before[stretch->first]] >= stretch->low) {
        stretch->first = iia->before[stretch->first];
        stretch->count++;
    }
    while (iia->after[stretch->last] != end &&
           iia->label[iia->after[stretch->last]] - stretch->low <= stretch->room) {
        stretch->last = iia->after[stretch->last];
        stretch->count++;
    }
}

/* Makes room around an operator: the operators of the least stretch that is not crowded are spread
   over it evenly. A stretch may hold the fewer of its labels the longer it is, so that all moves
   together relabel O(log operators) each (Bender et al. 2002). */
static void spread_labels(struct iia *iia, uint32_t op)
{
    struct stretch stretch = {.first = op, .last = op, .count = 1};
    double most = 1;
    for (unsigned bits = 1; bits < 64; bits++) {
        most *= 4.0 / 3;
        extend(iia, &stretch, bits);
        uint64_t gap = stretch.room / ((uint64_t)stretch.count + 1), label = stretch.low;
        if (stretch.count > most || gap < 2)
            continue;
        for (op = stretch.first; stretch.count-- > 0; op = iia->after[op])
            iia->label[op] = label += gap;
        return;
    }
    number_labels(iia);
}

static void link_after(struct iia *iia, uint32_t first, uint32_t second)
{
    iia->after[first] = second;
    iia->before[second] = first;
}

static void move_before(struct iia *iia, uint32_t op, uint32_t reader)
{
    if (iia->after[op] == reader)
        return;
    link_after(iia, iia->before[op], iia->after[op]);
    uint32_t first = iia->before[reader];
    link_after(iia, first, op);
    link_after(iia, op, reader);
    uint64_t gap = iia->label[reader] - iia->label[first];
    iia->label[op] = iia->label[first] + gap / 2;
    if (gap < 2)
        spread_labels(iia, op);
}

static uint32_t find_earliest(const struct iia *iia, uint32_t op)
{
    const struct order_view *view = iia->view;
    uint32_t earliest = ORDER_NONE;
    for (uint32_t i = view->successors.start[op]; i < view->successors.start[op + 1]; i++) {
        uint32_t reader = view->successors.item[i];
        if (earliest == ORDER_NONE || iia->label[reader] < iia->label[earliest])
            earliest = reader;
    }
    return earliest;
}

/* Finds the value of an operator, at most 2^64 - 1. */
static void find_value(struct iia *iia, uint32_t op, const uint32_t *place)
{
    const struct order_view *view = iia->view;
    uint32_t last = place[op];
    double bytes = (double)order_view_sum(view, &view->outputs, op);
    for (uint32_t i = view->successors.start[op]; i < view->successors.start[op + 1]; i++) {
        uint32_t at = place[view->successors.item[i]];
        last = at > last ? at : last;
    }
    iia->steps[op] = last - place[op];
    double lived = (double)iia->steps[op] + 1, value = lived * lived * bytes;
    iia->value[op] = value < 0x1p64 ? (uint64_t)value : UINT64_MAX;
}

static uint64_t get_value(const void *context, uint32_t op)
{
    return ((const struct iia *)context)->value[op];
}

static uint64_t get_steps(const void *context, uint32_t op)
{
    return ((const struct iia *)context)->steps[op];
}

static uint64_t get_label(const void *context, uint32_t op)
{
    return ((const struct iia *)context)->label[op];
}

/* Makes the ring, the labels and the values of an order. ranked[] is scratch here: the place of
   each operator. */
static void read_order(struct iia *iia, const uint32_t *given)
{
    uint32_t count = iia->view->operators, last = count;
    for (uint32_t i = 0; i < count; i++) {
        iia->ranked[given[i]] = i;
        link_after(iia, last, given[i]);
        last = given[i];
    }
    link_after(iia, last, count);
    number_labels(iia);
    for (uint32_t v = 0; v < count; v++)
        find_value(iia, v, iia->ranked);
}

static enum status move_operators(struct iia *iia, uint32_t *given, struct error *error)
{
    static const struct sort_key keys[SORT_MOST_KEYS] = {
        {get_value, true}, {get_steps, true}, {get_label, false}};
    uint32_t count = iia->view->operators, moved = count * 2 / 5, i = 0;
    moved = moved < LEAST_MOVED ? LEAST_MOVED : moved;
    read_order(iia, given);
    TRY(sort_by_keys(keys, iia, count, iia->ranked, error));
    for (; i < moved && i < count; i++) {
        uint32_t reader = find_earliest(iia, iia->ranked[i]);
        if (reader != ORDER_NONE)
            move_before(iia, iia->ranked[i], reader);
    }
    i = 0;
    for (uint32_t op = iia->after[count]; op != count; op = iia->after[op])
        given[i++] = op;
    return STATUS_OK;
}

static enum status improve(struct iia *iia, uint32_t *tried, uint32_t *permutation,
                           struct order_report *report, struct error *error)
{
    const struct order_view *view = iia->view;
    memcpy(tried, permutation, view->operators * sizeof *tried);
    for (int round = 0; round < ROUNDS; round++) {
        uint64_t load;
        TRY(move_operators(iia, tried, error));
        TRY(order_load(view, tried, &load, error));
        if (load >= report->load_bytes)
            continue;
        report->load_bytes = load;
        memcpy(permutation, tried, view->operators * sizeof *tried);
    }
    return STATUS_OK;
}

static enum status order_by_insertion(const struct order_row *row, const struct order_task *task,
                                      uint32_t *permutation, struct order_report *report,
                                      struct error *error)
{
    struct iia iia = {.view = task->view};
    uint32_t count = task->view->operators, *tried;
    uint32_t **numbers[] = {&iia.before, &iia.after, &iia.ranked, &tried};
    uint64_t **large[] = {&iia.label, &iia.value, &iia.steps};
    (void)row;
    for (uint32_t v = 0; v < count; v++)
        permutation[v] = v;
    TRY(order_report_feasible(task->view, permutation, report, error));
    for (int i = 0; i < 4; i++)
        TRY(scratch_take(task->scratch, numbers[i], (size_t)count + 1, sizeof(uint32_t), error));
    for (int i = 0; i < 3; i++)
        TRY(scratch_take(task->scratch, large[i], (size_t)count + 1, sizeof(uint64_t), error));
    return improve(&iia, tried, permutation, report, error);
}

const struct order_row order_iia = {
    .name = "iia",
    .title = "the stored order, with what lives long moved to its first reader",
    .source = "AdaMem 2025, code/scheduler.cpp",
    .order = order_by_insertion,
};
