#ifndef MEMPLAN_PLANNING_ORDER_ORDER_LISTS_H
#define MEMPLAN_PLANNING_ORDER_ORDER_LISTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/error.h"

/* A list of numbers for each of some rows, all in one array: row r has the items start[r] up to
   start[r + 1]. Zero-initialise it. */
struct order_lists {
    uint32_t *start; /* [rows + 1] */
    uint32_t *item;  /* [start[rows]] */
    uint32_t rows;
    size_t row_capacity, item_capacity;
};

/* The begin and end of a row, for loops: for (const uint32_t *i = order_lists_begin(l, r); i <
   order_lists_end(l, r); i++). */
const uint32_t *order_lists_begin(const struct order_lists *lists, uint32_t row);
const uint32_t *order_lists_end(const struct order_lists *lists, uint32_t row);
uint32_t order_lists_count(const struct order_lists *lists, uint32_t row);

/* To fill the lists: order_lists_add puts an item into the open row, order_lists_close_row closes
   that row and opens the next one. O(1) amortised. */
enum status order_lists_add(struct order_lists *lists, uint32_t item, struct error *error);
enum status order_lists_close_row(struct order_lists *lists, struct error *error);
/* order_lists_has tells whether the item is in the open row; order_lists_add_once adds it where it
   is not. O(items of the row). */
bool order_lists_has(const struct order_lists *lists, uint32_t item);
enum status order_lists_add_once(struct order_lists *lists, uint32_t item, struct error *error);

/* Inverts the lists: *turned has a row for each number below `rows`, which lists in rising order
   the rows of `lists` that have this number as an item. O(items + rows). */
enum status order_lists_turn(const struct order_lists *lists, uint32_t rows,
                             struct order_lists *turned, struct error *error);

void order_lists_free(struct order_lists *lists);

#endif
