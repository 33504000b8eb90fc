/* The table orders: a line for each graph, policy and order, with the order's load, how far that is
   above what no order can beat, and the least peak that any planner reached. */

#include <stdio.h>

#include "results/store/query.h"
#include "results/tables/tables.h"
#include "results/views/order_lines.h"

static void add_gap(const struct order_line *line, struct order_lines_bound bound,
                    struct table *table)
{
    const struct result_row *row = line->best;
    uint64_t load_bytes = order_lines_is_stored(row) ? line->load_bytes : row->order_load_bytes;
    bool known = load_bytes && bound.bytes && (bound.is_exact || !order_lines_is_stored(row));
    if (known)
        table_add_real(table, query_gap_percent(load_bytes, bound.bytes), 2);
    else
        table_add_missing(table);
}

static void add_line(const struct order_line *line, struct order_lines_bound bound,
                     struct table *table)
{
    const struct result_row *row = line->best;
    bool placed = line->peak_bytes != UINT64_MAX;
    char name[512];
    snprintf(name, sizeof name, "%.*s", (int)line->name_length, row->instance);
    table_add_instance(table, name);
    table_add_text(table, row->policy);
    table_add_text(table, line->order);
    table_add_known(table, line->load_bytes, line->load_bytes);
    add_gap(line, bound, table);
    table_add_known(table, placed, line->peak_bytes);
    table_add_any_text(table, placed ? row->planner : "");
    table_add_any_text(table, order_lines_is_stored(row) ? "" : row->order_status);
    if (order_lines_is_stored(row))
        table_add_missing(table);
    else
        table_add_real(table, (double)row->order_ns / 1e6, 3);
}

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
        add_line(&lines->line[i], bound, table);
        if (lines->line[i].peak_bytes == least_bytes && least_bytes != UINT64_MAX)
            table_mark(table, i, PEAK_COLUMN);
    }
}

static void add_columns(struct table *table)
{
    table_set_title(table, "Orders of operators: loads, and the least peak of each");
    table_add_column(table, "instance", "", TABLE_LEFT);
    table_add_column(table, "policy", "", TABLE_LEFT);
    table_add_column(table, "order", "", TABLE_LEFT);
    table_add_column(table, "load", "bytes", TABLE_RIGHT);
    table_add_column(table, "gap", "%", TABLE_RIGHT);
    table_add_column(table, "peak", "bytes", TABLE_RIGHT);
    table_add_column(table, "planner", "", TABLE_LEFT);
    table_add_column(table, "status", "", TABLE_LEFT);
    table_add_column(table, "time", "ms", TABLE_RIGHT);
}

static enum status add_all(const struct result_set *set, struct table *table, struct error *error)
{
    struct order_lines lines;
    TRY(order_lines_create(set, &lines, error));
    add_columns(table);
    for (uint32_t first = 0, end; first < lines.count; first = end) {
        end = order_lines_end(&lines, first);
        add_graph(&lines, first, end, table);
    }
    table_add_note(
        table, "load: the most bytes that are live at once; gap: above the highest bound on the "
               "loads of all orders that any of them proves; peak: the least of all "
               "planners, the least of each graph marked; time: to find the order.");
    bool empty = !lines.count;
    order_lines_free(&lines);
    return empty ? error_set(error, STATUS_NO,
                             "no results of graphs, expected some of memplan bench --orders")
                 : table_check(table, error);
}

static enum status build(struct store *store, const struct result_choice *choice,
                         struct table *table, struct error *error)
{
    struct result_set set = {0};
    TRY(query_newest(store, &(struct result_filter){.choice = choice}, &set, error));
    enum status status = add_all(&set, table, error);
    query_free(&set);
    return status;
}

const struct table_recipe table_orders = {
    .name = "orders",
    .title = "loads and least peaks of graphs in several orders of their operators",
    .build = build,
};
