#include "planning/order/order_lists.h"

#include <assert.h>

#include "core/memory.h"

const uint32_t *order_lists_begin(const struct order_lists *lists, uint32_t row)
{
    assert(row < lists->rows);
    return lists->item + lists->start[row];
}

const uint32_t *order_lists_end(const struct order_lists *lists, uint32_t row)
{
    assert(row < lists->rows);
    return lists->item + lists->start[row + 1];
}

uint32_t order_lists_count(const struct order_lists *lists, uint32_t row)
{
    assert(row < lists->rows);
    return lists->start[row + 1] - lists->start[row];
}

/* Makes room for the open row, whose items end at start[rows + 1]. */
static enum status reserve_row(struct order_lists *lists, struct error *error)
{
    size_t needed = (size_t)lists->rows + 2;
    if (needed <= lists->row_capacity)
        return STATUS_OK;
    bool first = !lists->row_capacity;
    TRY(memory_reserve(&lists->start, &lists->row_capacity, needed, sizeof *lists->start, error));
    if (first)
        lists->start[0] = lists->start[1] = 0;
    return STATUS_OK;
}

enum status order_lists_add(struct order_lists *lists, uint32_t item, struct error *error)
{
    TRY(reserve_row(lists, error));
    uint32_t *end = &lists->start[lists->rows + 1];
    TRY(memory_reserve(&lists->item, &lists->item_capacity, (size_t)*end + 1, sizeof *lists->item,
                       error));
    assert(item != UINT32_MAX && *end < lists->item_capacity);
    lists->item[(*end)++] = item;
    return STATUS_OK;
}

enum status order_lists_close_row(struct order_lists *lists, struct error *error)
{
    TRY(reserve_row(lists, error));
    uint32_t end = lists->start[lists->rows + 1];
    assert(end >= lists->start[lists->rows]);
    lists->rows++;
    enum status status = reserve_row(lists, error);
    if (status)
        lists->rows--;
    else
        lists->start[lists->rows + 1] = end;
    return status;
}

bool order_lists_has(const struct order_lists *lists, uint32_t item)
{
    for (uint32_t i = lists->row_capacity ? lists->start[lists->rows] : 0;
         lists->row_capacity && i < lists->start[lists->rows + 1]; i++)
        if (lists->item[i] == item)
            return true;
    return false;
}

enum status order_lists_add_once(struct order_lists *lists, uint32_t item, struct error *error)
{
    return order_lists_has(lists, item) ? STATUS_OK : order_lists_add(lists, item, error);
}

enum status order_lists_turn(const struct order_lists *lists, uint32_t rows,
                             struct order_lists *turned, struct error *error)
{
    uint32_t items = lists->rows ? lists->start[lists->rows] : 0;
    assert(!turned->start && !turned->item);
    TRY(memory_create(&turned->start, (size_t)rows + 2, sizeof *turned->start, error));
    turned->row_capacity = (size_t)rows + 2;
    turned->rows = rows;
    TRY(memory_create(&turned->item, items, sizeof *turned->item, error));
    turned->item_capacity = items;
    for (uint32_t i = 0; i < items; i++)
        turned->start[lists->item[i] + 2]++;
    for (uint32_t row = 2; row <= rows; row++)
        turned->start[row] += turned->start[row - 1];
    for (uint32_t row = 0; row < lists->rows; row++)
        for (uint32_t i = lists->start[row]; i < lists->start[row + 1]; i++)
            turned->item[turned->start[lists->item[i] + 1]++] = row;
    return STATUS_OK;
}

void order_lists_free(struct order_lists *lists)
{
    memory_free_all(lists->start, lists->item);
    *lists = (struct order_lists){0};
}
