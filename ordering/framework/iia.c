/* AdaMem's insertion of intermediates. The value of an operator is (steps that its outputs live +
   1)^2 * their bytes. Operators are sorted by value, and of equal ones those that live longest come
   first; the first two fifths, and at least 20, are moved, each to just before its earliest reader.
   There are three rounds; the first begins with the stored order. The best order of all rounds is
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

/* Makes room around an operator: the operators of the least stretch that is not crowded are spread
   over it evenly. A stretch is those around the operator whose labels are the same as its own but
   for a number of the last bits. It may hold the fewer of its labels the longer it is, so that all
   moves together relabel O(log operators) each (Bender et al. 2002). */
static void spread_labels(struct iia *iia, uint32_t op)
{
    uint32_t end = iia->view->operators, first = op, last = op, count = 1;
    double most = 1;
    for (unsigned bits = 1; bits < 64; bits++) {
        uint64_t room = (UINT64_C(1) << bits) - 1, low = iia->label[first] & ~room;
        most *= 4.0 / 3;
        for (; iia->before[first] != end && iia->label[iia->before[first]] >= low; count++)
            first = iia->before[first];
        for (; iia->after[last] != end && iia->label[iia->after[last]] - low <= room; count++)
            last = iia->after[last];
        uint64_t gap = room / ((uint64_t)count + 1);
        if (count > most || gap < 2)
            continue;
        for (op = first; count-- > 0; op = iia->after[op])
            iia->label[op] = low += gap;
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

static enum status move_operators(struct iia *iia, uint32_t *given, struct error *error)
{
    const struct sort_key keys[SORT_MOST_KEYS] = {{SORT_ARRAY(iia->value), .descending = true},
                                                  {SORT_ARRAY(iia->steps), .descending = true},
                                                  {SORT_ARRAY(iia->label)}};
    const struct order_lists *after = &iia->view->successors;
    uint32_t count = iia->view->operators, moved = count * 2 / 5, last = count;
    uint32_t *place = iia->ranked; /* until all are ranked, positions in the given order */
    for (uint32_t i = 0; i < count; i++) {
        place[given[i]] = i;
        link_after(iia, last, given[i]);
        last = given[i];
    }
    link_after(iia, last, count);
    number_labels(iia);
    for (uint32_t v = 0; v < count; v++) {
        uint32_t end = place[v];
        for (uint32_t i = after->start[v]; i < after->start[v + 1]; i++)
            if (place[after->item[i]] > end)
                end = place[after->item[i]];
        iia->steps[v] = end - place[v];
        double bytes = (double)order_view_sum(iia->view, &iia->view->outputs, v);
        double lived = (double)iia->steps[v] + 1, value = lived * lived * bytes;
        iia->value[v] = value < 0x1p64 ? (uint64_t)value : UINT64_MAX;
    }
    TRY(sort_by_keys(keys, NULL, count, iia->ranked, error));
    moved = moved < LEAST_MOVED ? LEAST_MOVED : moved;
    for (uint32_t i = 0; i < moved && i < count; i++) {
        uint32_t op = iia->ranked[i], earliest = ORDER_NONE;
        for (uint32_t k = after->start[op]; k < after->start[op + 1]; k++)
            if (earliest == ORDER_NONE || iia->label[after->item[k]] < iia->label[earliest])
                earliest = after->item[k];
        if (earliest != ORDER_NONE)
            move_before(iia, op, earliest);
    }
    for (uint32_t op = iia->after[count], i = 0; op != count; op = iia->after[op])
        given[i++] = op;
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
    memcpy(tried, permutation, count * sizeof *tried);
    for (int round = 0; round < ROUNDS; round++) {
        uint64_t load;
        TRY(move_operators(&iia, tried, error));
        TRY(order_load(task->view, tried, &load, error));
        if (load >= report->load_bytes)
            continue;
        report->load_bytes = load;
        memcpy(permutation, tried, count * sizeof *tried);
    }
    return STATUS_OK;
}

const struct order_row order_iia = {
    .name = "iia",
    .title = "the stored order, with what lives long moved to its first reader",
    .source = "AdaMem 2025, code/scheduler.cpp",
    .order = order_by_insertion,
};
