/* The table instance: all planners on one instance, policy by policy, the lowest peak first. */

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "results/tables/tables.h"
#include "results/views/picker.h"

struct ordered {
    const struct result_row *row;
    uint64_t bound_bytes;
};

static int compare_peaks(const struct result_row *a, const struct result_row *b)
{
    enum result_worth left = query_worth(a), right = query_worth(b);
    if (left != right)
        return left < right ? -1 : 1;
    if (left == RESULT_NUMBER && a->peak_bytes != b->peak_bytes)
        return a->peak_bytes < b->peak_bytes ? -1 : 1;
    return (a->wall_ns > b->wall_ns) - (a->wall_ns < b->wall_ns);
}

static int compare_ordered(const void *left, const void *right)
{
    const struct ordered *a = left, *b = right;
    int order = strcmp(a->row->instance, b->row->instance);
    order = order ? order : strcmp(a->row->policy, b->row->policy);
    order = order ? order : compare_peaks(a->row, b->row);
    return order ? order : strcmp(a->row->planner, b->row->planner);
}

static void add_columns(struct table *table)
{
    table_add_column(table, "policy", "", TABLE_LEFT);
    table_add_column(table, "planner", "", TABLE_LEFT);
    table_add_column(table, "options", "", TABLE_LEFT);
    table_add_column(table, "peak", "bytes", TABLE_RIGHT);
    table_add_column(table, "gap", "%", TABLE_RIGHT);
    table_add_column(table, "over the least", "%", TABLE_RIGHT);
    table_add_column(table, "status", "", TABLE_LEFT);
    table_add_column(table, "time", "ms", TABLE_RIGHT);
    table_add_column(table, "nodes", "", TABLE_RIGHT);
    table_add_column(table, "pools", "bytes", TABLE_RIGHT);
    table_rank_column(table, 2, 2);
    table_rank_column(table, 9, 1);
}

static void add_percent(struct table *table, const struct result_row *row, uint64_t base_bytes)
{
    if (base_bytes && query_worth(row) == RESULT_NUMBER)
        table_add_real(table, query_gap_percent(row->peak_bytes, base_bytes), 2);
    else
        table_add_missing(table);
}

/* Adds the row of a planner; least_bytes is the least peak under the policy. */
static void add_row(struct picker *picker, struct table *table, const struct ordered *ordered,
                    uint64_t least_bytes)
{
    const struct result_row *row = ordered->row;
    table_add_text(table, row->policy);
    table_add_text(table, row->planner);
    table_add_text(table, row->options);
    picker_add_peak(picker, table, row);
    add_percent(table, row, ordered->bound_bytes);
    add_percent(table, row, least_bytes);
    table_add_text(table, row->status);
    table_add_real(table, (double)row->wall_ns / 1e6, 3);
    table_add_known(table, row->nodes > 0, row->nodes);
    table_add_known(table, row->pool_bytes > 0, row->pool_bytes);
}

static void add_policy_note(struct table *table, const struct ordered *first)
{
    const struct result_row *row = first->row;
    table_add_note(table, "%s: %llu buffers, naive %llu, load %llu, best known bound %llu bytes.",
                   row->policy, (unsigned long long)row->buffers,
                   (unsigned long long)row->naive_bytes, (unsigned long long)row->load_bytes,
                   (unsigned long long)first->bound_bytes);
}

static bool starts_policy(const struct ordered *ordered, uint32_t index)
{
    return !index || strcmp(ordered[index].row->policy, ordered[index - 1].row->policy) != 0;
}

static void add_rows(struct picker *picker, struct table *table, const struct ordered *ordered,
                     uint32_t count)
{
    uint64_t least_bytes = 0;
    add_columns(table);
    for (uint32_t i = 0; i < count; i++) {
        bool is_first = starts_policy(ordered, i);
        bool is_number = query_worth(ordered[i].row) == RESULT_NUMBER;
        if (is_first)
            least_bytes = is_number ? ordered[i].row->peak_bytes : 0;
        add_row(picker, table, &ordered[i], least_bytes);
        if (is_number && ordered[i].row->peak_bytes == least_bytes)
            table_mark(table, i, 3);
    }
    for (uint32_t i = 0; i < count; i++)
        if (starts_policy(ordered, i))
            add_policy_note(table, &ordered[i]);
}

static enum status order_rows(const struct result_set *set, struct ordered **ordered,
                              struct error *error)
{
    TRY(memory_create(ordered, set->count + (size_t)1, sizeof **ordered, error));
    for (uint32_t i = 0; i < set->count; i++)
        (*ordered)[i] = (struct ordered){&set->row[i], set->bound_bytes[i]};
    if (set->count)
        qsort(*ordered, set->count, sizeof **ordered, compare_ordered);
    return STATUS_OK;
}

/* Counts the rows of the first instance, since several files may have the same name. */
static uint32_t count_first(const struct ordered *ordered, uint32_t count)
{
    uint32_t rows = 0;
    while (rows < count && strcmp(ordered[rows].row->instance, ordered->row->instance) == 0)
        rows++;
    return rows;
}

static enum status fill(const struct result_set *set, struct table *table, struct error *error)
{
    struct picker picker = {.set = set, .used = set->count > 0};
    struct ordered *ordered;
    char title[256];
    TRY(picker_check(&picker, "the results of any bench run", error));
    TRY(order_rows(set, &ordered, error));
    uint32_t rows = count_first(ordered, set->count);
    snprintf(title, sizeof title, "All planners on %s", ordered->row->instance);
    table_set_title(table, title);
    add_rows(&picker, table, ordered, rows);
    if (rows < set->count)
        table_add_note(table,
                       "%u more rows are of other instances of that name: a longer part of "
                       "the path chooses one.",
                       set->count - rows);
    table_add_note(table, "gap: to the bound; over the least: to the least peak here, which is "
                          "marked.");
    picker_add_notes(&picker, table);
    memory_free(ordered);
    return table_check(table, error);
}

static enum status build(struct store *store, const struct result_choice *choice,
                         struct table *table, struct error *error)
{
    struct result_choice subject = choice ? *choice : (struct result_choice){0};
    struct result_set set = {0};
    if (!subject.subject)
        return error_set(error, STATUS_NO,
                         "no instance, expected one: memplan table instance NAME");
    subject.instances = subject.subject;
    TRY(query_newest(store, &(struct result_filter){.choice = &subject}, &set, error));
    enum status status = fill(&set, table, error);
    query_free(&set);
    return status;
}

const struct table_recipe table_instance = {
    .name = "instance",
    .title = "all planners on one instance, policy by policy, the lowest peak first",
    .subject = TABLE_OF_INSTANCE,
    .example = "instance luna/denoise --policy flat --top 10",
    .build = build,
};
