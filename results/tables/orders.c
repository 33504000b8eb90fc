/* The table orders: a line for each graph, policy and order, with the order's load, how far that is
   above what no order can beat, and the least peak that any planner reached. */

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "results/store/query.h"
#include "results/tables/tables.h"

/* The best row of one graph in one order under one policy. */
struct line {
    const struct result_row *best; /* the least peak, or any where there is none */
    const char *order;
    size_t name_length;              /* of the graph in best->instance */
    uint64_t load_bytes, peak_bytes; /* as planned; load as the order says where nothing was */
    uint32_t found; /* where it was found, so that lines stay in the order of the store */
};

struct lines {
    struct line *line; /* [count] */
    uint32_t count;
};

static bool is_stored(const struct result_row *row)
{
    return !*row->order_name || strcmp(row->order_name, RESULT_STORED) == 0;
}

/* A graph in another order is the instance "name@order"; one whose order failed is "name". */
static size_t measure_name(const struct result_row *row)
{
    size_t length = strlen(row->instance), order = strlen(row->order_name);
    bool suffixed = !is_stored(row) && length > order + 1 &&
                    row->instance[length - order - 1] == '@' &&
                    strcmp(row->instance + length - order, row->order_name) == 0;
    return suffixed ? length - order - 1 : length;
}

static bool is_line_of(const struct line *line, const struct result_row *row)
{
    size_t length = measure_name(row);
    return line->name_length == length &&
           strncmp(line->best->instance, row->instance, length) == 0 &&
           strcmp(line->best->policy, row->policy) == 0 &&
           strcmp(line->order, is_stored(row) ? RESULT_STORED : row->order_name) == 0;
}

static uint64_t peak_of(const struct result_row *row)
{
    return query_worth(row) == RESULT_NUMBER ? row->peak_bytes : UINT64_MAX;
}

static struct line start_line(const struct result_row *row, uint32_t found)
{
    bool stored = is_stored(row);
    return (struct line){.best = row,
                         .order = stored ? RESULT_STORED : row->order_name,
                         .name_length = measure_name(row),
                         .load_bytes = row->load_bytes ? row->load_bytes : row->order_load_bytes,
                         .peak_bytes = peak_of(row),
                         .found = found};
}

/* Rows of one instance and policy stand together. */
static void take_row(struct lines *lines, const struct result_row *row)
{
    struct line *last = lines->count ? &lines->line[lines->count - 1] : NULL;
    if (!last || !is_line_of(last, row)) {
        lines->line[lines->count] = start_line(row, lines->count);
        lines->count++;
        return;
    }
    if (peak_of(row) < last->peak_bytes)
        *last = start_line(row, last->found);
}

static int compare_lines(const void *left, const void *right)
{
    const struct line *a = left, *b = right;
    size_t length = a->name_length < b->name_length ? a->name_length : b->name_length;
    int order = strncmp(a->best->instance, b->best->instance, length);
    if (!order)
        order = (a->name_length > b->name_length) - (a->name_length < b->name_length);
    if (!order)
        order = strcmp(a->best->policy, b->best->policy);
    return order ? order : (a->found > b->found) - (a->found < b->found);
}

static bool is_of_one_graph(const struct line *a, const struct line *b)
{
    return a->name_length == b->name_length &&
           strncmp(a->best->instance, b->best->instance, a->name_length) == 0 &&
           strcmp(a->best->policy, b->best->policy) == 0;
}

/* The first of the lines that are not of the same graph and policy. */
static uint32_t find_end(const struct lines *lines, uint32_t first)
{
    uint32_t end = first + 1;
    while (end < lines->count && is_of_one_graph(&lines->line[first], &lines->line[end]))
        end++;
    return end;
}

/* What orders say of themselves is of a model, which regions make differ from the lifetimes. */
struct bound {
    uint64_t bytes; /* the highest that any order of the graph proves; 0 for none */
    bool is_exact;  /* every order has the load that it says */
};

static struct bound find_bound(const struct lines *lines, uint32_t first, uint32_t end)
{
    struct bound bound = {0, true};
    for (uint32_t i = first; i < end; i++) {
        const struct result_row *row = lines->line[i].best;
        if (row->order_bound_bytes > bound.bytes)
            bound.bytes = row->order_bound_bytes;
        if (!is_stored(row) && row->load_bytes && row->load_bytes != row->order_load_bytes)
            bound.is_exact = false;
    }
    return bound;
}

static void add_gap(const struct line *line, struct bound bound, struct table *table)
{
    const struct result_row *row = line->best;
    uint64_t load_bytes = is_stored(row) ? line->load_bytes : row->order_load_bytes;
    bool known = load_bytes && bound.bytes && (bound.is_exact || !is_stored(row));
    if (known)
        table_add_real(table, query_gap_percent(load_bytes, bound.bytes), 2);
    else
        table_add_missing(table);
}

static void add_line(const struct line *line, struct bound bound, struct table *table)
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
    table_add_any_text(table, is_stored(row) ? "" : row->order_status);
    if (is_stored(row))
        table_add_missing(table);
    else
        table_add_real(table, (double)row->order_ns / 1e6, 3);
}

static void add_graph(const struct lines *lines, uint32_t first, uint32_t end, struct table *table)
{
    enum { PEAK_COLUMN = 5 };
    struct bound bound = find_bound(lines, first, end);
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
    struct lines lines = {0};
    TRY(memory_create(&lines.line, set->count, sizeof *lines.line, error));
    for (uint32_t i = 0; i < set->count; i++)
        if (strcmp(set->row[i].policy, RESULT_PROBLEM) != 0)
            take_row(&lines, &set->row[i]);
    if (lines.count)
        qsort(lines.line, lines.count, sizeof *lines.line, compare_lines);
    add_columns(table);
    for (uint32_t first = 0, end; first < lines.count; first = end) {
        end = find_end(&lines, first);
        add_graph(&lines, first, end, table);
    }
    table_add_note(
        table, "load: the most bytes that are live at once; gap: above the highest bound on the "
               "loads of all orders that any of them proves; peak: the least of all "
               "planners, the least of each graph marked; time: to find the order.");
    memory_free(lines.line);
    return lines.count ? table_check(table, error)
                       : error_set(error, STATUS_NO,
                                   "no results of graphs, expected some of memplan bench "
                                   "--orders");
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
