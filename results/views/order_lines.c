#include "results/views/order_lines.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

static bool is_line_of(const struct order_line *line, const struct result_row *row)
{
    size_t length = order_rows_measure_name(row);
    return line->name_length == length &&
           strncmp(line->best->instance, row->instance, length) == 0 &&
           strcmp(line->best->policy, row->policy) == 0 &&
           strcmp(line->order, order_rows_is_stored(row) ? RESULT_STORED : row->order_name) == 0;
}

static uint64_t peak_of(const struct result_row *row)
{
    return query_worth(row) == RESULT_NUMBER ? row->peak_bytes : UINT64_MAX;
}

static struct order_line start_line(const struct result_row *row, uint32_t found)
{
    bool stored = order_rows_is_stored(row);
    return (struct order_line){.best = row,
                               .order = stored ? RESULT_STORED : row->order_name,
                               .name_length = order_rows_measure_name(row),
                               .load_bytes =
                                   row->load_bytes ? row->load_bytes : row->order_load_bytes,
                               .peak_bytes = peak_of(row),
                               .found = found};
}

static int compare_lines(const void *left, const void *right)
{
    const struct order_line *a = left, *b = right;
    size_t length = a->name_length < b->name_length ? a->name_length : b->name_length;
    int order = strncmp(a->best->instance, b->best->instance, length);
    if (!order)
        order = (a->name_length > b->name_length) - (a->name_length < b->name_length);
    if (!order)
        order = strcmp(a->best->policy, b->best->policy);
    return order ? order : (a->found > b->found) - (a->found < b->found);
}

static bool is_of_one_graph(const struct order_line *a, const struct order_line *b)
{
    return a->name_length == b->name_length &&
           strncmp(a->best->instance, b->best->instance, a->name_length) == 0 &&
           strcmp(a->best->policy, b->best->policy) == 0;
}

uint32_t order_lines_end(const struct order_lines *lines, uint32_t first)
{
    uint32_t end = first + 1;
    while (end < lines->count && is_of_one_graph(&lines->line[first], &lines->line[end]))
        end++;
    return end;
}

struct order_lines_bound order_lines_bound(const struct order_lines *lines, uint32_t first,
                                           uint32_t end)
{
    struct order_lines_bound bound = {0, true};
    for (uint32_t i = first; i < end; i++) {
        const struct result_row *row = lines->line[i].best;
        if (row->order_bound_bytes > bound.bytes)
            bound.bytes = row->order_bound_bytes;
        if (!order_rows_is_stored(row) && row->load_bytes &&
            row->load_bytes != row->order_load_bytes)
            bound.is_exact = false;
    }
    return bound;
}

enum status order_lines_create(const struct result_set *set, struct order_lines *lines,
                               struct error *error)
{
    *lines = (struct order_lines){.line = NULL};
    TRY(memory_create(&lines->line, set->count, sizeof *lines->line, error));
    for (uint32_t i = 0; i < set->count; i++) {
        const struct result_row *row = &set->row[i];
        if (strcmp(row->policy, RESULT_PROBLEM) == 0)
            continue;
        /* The rows of one instance and policy are neighbours. */
        struct order_line *last = lines->count ? &lines->line[lines->count - 1] : NULL;
        if (!last || !is_line_of(last, row)) {
            lines->line[lines->count] = start_line(row, lines->count);
            lines->count++;
        } else if (peak_of(row) < last->peak_bytes) {
            *last = start_line(row, last->found);
        }
    }
    if (lines->count)
        qsort(lines->line, lines->count, sizeof *lines->line, compare_lines);
    return STATUS_OK;
}

void order_lines_free(struct order_lines *lines)
{
    memory_free(lines->line);
    *lines = (struct order_lines){.line = NULL};
}
