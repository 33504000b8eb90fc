#include "results/store/order_rows.h"

#include <stdlib.h>
#include <string.h>

#include "core/compare.h"
#include "core/memory.h"

bool order_rows_is_stored(const struct result_row *row)
{
    return !*row->order_name || strcmp(row->order_name, RESULT_STORED) == 0;
}

size_t order_rows_measure_name(const struct result_row *row)
{
    size_t length = strlen(row->instance), order = strlen(row->order_name);
    bool suffixed = !order_rows_is_stored(row) && length > order + 1 &&
                    row->instance[length - order - 1] == '@' &&
                    strcmp(row->instance + length - order, row->order_name) == 0;
    return suffixed ? length - order - 1 : length;
}

enum status order_rows_join(struct result_set *set, struct error *error)
{
    SCOPED(memory_release) uint32_t *graph = NULL;
    TRY(memory_create(&graph, set->count, sizeof *graph, error));
    for (uint32_t i = 0; i < set->count; i++) {
        SCOPED(text_free) struct text name = {0};
        const struct result_row *row = &set->row[i];
        text_append(&name, "%.*s", (int)order_rows_measure_name(row), row->instance);
        TRY(text_check(&name, error));
        graph[i] = names_find(&set->graphs, name.bytes);
        if (graph[i] != NAMES_NONE)
            continue;
        graph[i] = set->graphs.count;
        TRY(names_add(&set->graphs, name.bytes, error));
    }
    for (uint32_t i = 0; i < set->count; i++) {
        struct result_row *row = &set->row[i];
        row->instance = row->digest = names_get(&set->graphs, graph[i]);
        row->wall_ns += row->order_ns;
        if (order_rows_is_stored(row))
            row->order_name = RESULT_STORED;
    }
    return STATUS_OK;
}

/* A row that has not been moved yet. */
struct entry {
    const struct result_row *row;
    uint32_t index;
};

static int compare_lines(const struct entry *a, const struct entry *b)
{
    int order = strcmp(a->row->instance, b->row->instance);
    return order ? order : strcmp(a->row->policy, b->row->policy);
}

COMPARE_BY(compare_by_planner, struct entry, compare_lines(a, b),
           strcmp(a->row->planner, b->row->planner), strcmp(a->row->order_name, b->row->order_name),
           compare_numbers(a->index, b->index))

/* Sorts the rows of each order so that its least peak comes first. */
static int compare_by_order(const void *left, const void *right)
{
    const struct entry *a = left, *b = right;
    bool counts[2] = {query_worth(a->row) == RESULT_NUMBER, query_worth(b->row) == RESULT_NUMBER};
    int order = compare_lines(a, b);
    order = order ? order : strcmp(a->row->order_name, b->row->order_name);
    order = order ? order : counts[1] - counts[0];
    order = order || !counts[0] ? order : compare_numbers(a->row->peak_bytes, b->row->peak_bytes);
    return order ? order : compare_numbers(a->index, b->index);
}

/* The number of different orders among sorted entries. */
static uint32_t count_orders(const struct entry *entry, uint32_t count)
{
    uint32_t orders = 0;
    for (uint32_t i = 0; i < count; i++)
        orders += !i || strcmp(entry[i].row->order_name, entry[i - 1].row->order_name) != 0;
    return orders;
}

/* Keeps of one graph under one policy the rows of planners that planned all its orders; returns
   their number, which is 0 where there is one order only. scratch: [count]. */
static uint32_t keep_fair(struct entry *entry, uint32_t count, struct entry *scratch)
{
    uint32_t kept = 0;
    memcpy(scratch, entry, count * sizeof *entry);
    qsort(scratch, count, sizeof *scratch, compare_by_order);
    uint32_t orders = count_orders(scratch, count);
    for (uint32_t first = 0, end; first < count && orders > 1; first = end) {
        for (end = first + 1; end < count; end++)
            if (strcmp(entry[first].row->planner, entry[end].row->planner) != 0)
                break;
        bool is_fair = count_orders(&entry[first], end - first) == orders;
        for (uint32_t i = first; i < end && is_fair; i++)
            scratch[kept++] = entry[i];
    }
    memcpy(entry, scratch, kept * sizeof *entry);
    return kept;
}

/* Appends the first row of each order to the rows that are kept. */
static void add_orders(const struct result_set *set, const struct entry *entry, uint32_t count,
                       struct result_set *kept)
{
    uint64_t least_bytes = 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct result_row *row = entry[i].row;
        if (query_worth(row) == RESULT_NUMBER && (!least_bytes || row->peak_bytes < least_bytes))
            least_bytes = row->peak_bytes;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (i && strcmp(entry[i].row->order_name, entry[i - 1].row->order_name) == 0)
            continue;
        kept->row[kept->count] = *entry[i].row;
        kept->row[kept->count].planner = entry[i].row->order_name;
        kept->id[kept->count] = set->id[entry[i].index];
        kept->bound_bytes[kept->count] = least_bytes;
        kept->spread[kept->count++] = set->spread[entry[i].index];
    }
}

static void release_entries(struct entry *(*entries)[2])
{
    memory_free_all((*entries)[0], (*entries)[1]);
}

enum status order_rows_compete(struct result_set *set, struct error *error)
{
    SCOPED(release_entries) struct entry *entries[2] = {NULL, NULL};
    SCOPED(query_free) struct result_set kept = {0};
    uint32_t count = 0;
    TRY(order_rows_join(set, error));
    for (int i = 0; i < 2; i++)
        TRY(memory_create(&entries[i], set->count, sizeof *entries[i], error));
    TRY(memory_create_all(set->count, error, &kept.row, &kept.id, &kept.bound_bytes, &kept.spread));
    for (uint32_t i = 0; i < set->count; i++)
        if (strcmp(set->row[i].policy, RESULT_PROBLEM) != 0)
            entries[0][count++] = (struct entry){&set->row[i], i};
    if (count)
        qsort(entries[0], count, sizeof *entries[0], compare_by_planner);
    for (uint32_t first = 0, end; first < count; first = end) {
        struct entry *line = &entries[0][first];
        for (end = first + 1; end < count && compare_lines(line, &entries[0][end]) == 0; end++)
            continue;
        uint32_t fair = keep_fair(line, end - first, entries[1]);
        if (fair)
            qsort(line, fair, sizeof *line, compare_by_order);
        add_orders(set, line, fair, &kept);
    }
    struct result_set all = *set;
    set->row = kept.row;
    set->id = kept.id;
    set->bound_bytes = kept.bound_bytes;
    set->spread = kept.spread;
    set->count = kept.count;
    kept = (struct result_set){
        .row = all.row, .id = all.id, .bound_bytes = all.bound_bytes, .spread = all.spread};
    return STATUS_OK;
}
