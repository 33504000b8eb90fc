/* The table orders: a line for each graph, policy and order, with the order's load, how far that is
   above the bound for all orders, and the least peak that any planner reached. */

#include <stdio.h>

#include "results/views/order_lines.h"
#include "results/views/recipe.h"

static void add_graph(const struct order_lines *lines, uint32_t first, uint32_t end,
                      struct table *table)
{
    enum { PEAK_COLUMN = 5 };
    struct order_lines_bound bound = order_lines_bound(lines, first, end);
    uint64_t least_bytes = UINT64_MAX;
    for (uint32_t i = first; i < end; i++)
        if (lines->line[i].peak_bytes < least_bytes)
            least_bytes = lines->line[i].peak_bytes;
    for (uint32_t i = first; i < end; i++) {
        const struct result_row *row = lines->line[i].best;
        bool placed = lines->line[i].peak_bytes != UINT64_MAX;
        char name[512];
        snprintf(name, sizeof name, "%.*s", (int)lines->line[i].name_length, row->instance);
        table_add(table, cell_instance(name), cell_text(row->policy),
                  cell_text(lines->line[i].order),
                  cell_known(lines->line[i].load_bytes, lines->line[i].load_bytes));
        uint64_t load_bytes =
            order_rows_is_stored(row) ? lines->line[i].load_bytes : row->order_load_bytes;
        bool known = load_bytes && (bound.is_exact || !order_rows_is_stored(row));
        table_add(table, picker_gap(known, load_bytes, bound.bytes),
                  cell_known(placed, lines->line[i].peak_bytes),
                  cell_any_text(placed ? row->planner : ""),
                  cell_any_text(order_rows_is_stored(row) ? "" : row->order_status),
                  cell_known_real(!order_rows_is_stored(row), (double)row->order_ns / 1e6, 3));
        if (lines->line[i].peak_bytes == least_bytes && least_bytes != UINT64_MAX)
            table_mark(table, i, PEAK_COLUMN);
    }
}

static enum status fill(struct table_making *making)
{
    struct order_lines lines;
    TRY(order_lines_create(&making->contest.set, &lines, making->error));
    for (uint32_t first = 0, end; first < lines.count; first = end) {
        end = order_lines_end(&lines, first);
        add_graph(&lines, first, end, making->table);
    }
    table_add_note(
        making->table,
        "load: the most bytes that are live at once; gap: above the highest bound on the "
        "loads of all orders that any of them proves; peak: the least of all "
        "planners, the least of each graph marked; time: to find the order.");
    making->picker.used = lines.count > 0;
    order_lines_free(&lines);
    return STATUS_OK;
}

const struct table_recipe table_orders = {
    .name = "orders",
    .title = "loads and least peaks of graphs in several orders of their operators",
    .caption = "Orders of operators: loads, and the least peak of each",
    .columns = "instance | policy | order | load (bytes): | gap (%): | peak (bytes): | planner | "
               "status | time (ms):",
    .wanted = "some of graphs: memplan bench --orders",
    .fill = fill,
};
