/* The table instance: all planners on one instance, policy by policy, the lowest peak first. */
#include <stdlib.h>
#include <string.h>

#include "core/compare.h"
#include "core/memory.h"
#include "results/views/recipe.h"

struct ordered {
    const struct result_row *row;
    uint64_t bound_bytes;
};

static int compare_ordered(const void *left, const void *right)
{
    const struct ordered *of = left, *with = right;
    const struct result_row *a = of->row, *b = with->row;
    int order = strcmp(a->instance, b->instance);
    order = order ? order : strcmp(a->policy, b->policy);
    order = order ? order : compare_numbers(query_worth(a), query_worth(b));
    if (!order && query_worth(a) == RESULT_NUMBER)
        order = compare_numbers(a->peak_bytes, b->peak_bytes);
    order = order ? order : compare_numbers(a->wall_ns, b->wall_ns);
    return order ? order : strcmp(a->planner, b->planner);
}

/* Adds the row of a planner; least_bytes is the least peak under the policy. */
static void add_row(struct table_making *making, const struct ordered *ordered,
                    uint64_t least_bytes)
{
    struct table *table = making->table;
    const struct result_row *row = ordered->row;
    bool is_number = query_worth(row) == RESULT_NUMBER;
    table_add(table, cell_text(row->policy), cell_text(row->planner), cell_text(row->options),
              picker_cell(&making->picker, row),
              picker_gap(is_number, row->peak_bytes, ordered->bound_bytes),
              picker_gap(is_number, row->peak_bytes, least_bytes), cell_text(row->status),
              cell_real((double)row->wall_ns / 1e6, 3), cell_known(row->nodes > 0, row->nodes),
              cell_known(row->pool_bytes > 0, row->pool_bytes));
}

static bool starts_policy(const struct ordered *ordered, uint32_t index)
{
    return !index || strcmp(ordered[index].row->policy, ordered[index - 1].row->policy) != 0;
}

static void add_rows(struct table_making *making, const struct ordered *ordered, uint32_t count)
{
    enum { PEAK_COLUMN = 3 };
    uint64_t least_bytes = 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct result_row *row = ordered[i].row;
        bool is_number = query_worth(row) == RESULT_NUMBER;
        if (starts_policy(ordered, i))
            least_bytes = is_number ? row->peak_bytes : 0;
        add_row(making, &ordered[i], least_bytes);
        if (is_number && row->peak_bytes == least_bytes)
            table_mark(making->table, i, PEAK_COLUMN);
    }
    for (uint32_t i = 0; i < count; i++) {
        const struct result_row *row = ordered[i].row;
        if (starts_policy(ordered, i))
            table_add_note(
                making->table,
                "%s: %llu buffers, naive %llu, load %llu, best known bound %llu bytes.",
                row->policy, (unsigned long long)row->buffers, (unsigned long long)row->naive_bytes,
                (unsigned long long)row->load_bytes, (unsigned long long)ordered[i].bound_bytes);
    }
}

/* Shows the rows of the first instance, since several files may have the same name. */
static enum status fill(struct table_making *making)
{
    const struct result_set *set = &making->contest.set;
    struct table *table = making->table;
    struct ordered *ordered;
    char caption[256];
    uint32_t rows = 0;
    TRY(memory_create(&ordered, set->count + (size_t)1, sizeof *ordered, making->error));
    for (uint32_t i = 0; i < set->count; i++)
        ordered[i] = (struct ordered){&set->row[i], set->bound_bytes[i]};
    qsort(ordered, set->count, sizeof *ordered, compare_ordered);
    while (rows < set->count && strcmp(ordered[rows].row->instance, ordered->row->instance) == 0)
        rows++;
    snprintf(caption, sizeof caption, "All planners on %s", rows ? ordered->row->instance : "");
    table_set_title(table, caption);
    add_rows(making, ordered, rows);
    making->picker.used = rows > 0;
    if (rows < set->count)
        table_add_note(table,
                       "%u more rows are of other instances of that name: a longer part of "
                       "the path chooses one.",
                       set->count - rows);
    table_add_note(table, "gap: to the bound; over the least: to the least peak here, which is "
                          "marked.");
    picker_add_notes(&making->picker, table);
    memory_free(ordered);
    return STATUS_OK;
}

const struct table_recipe table_instance = {
    .name = "instance",
    .title = "all planners on one instance, policy by policy, the lowest peak first",
    .columns = "policy | planner | options ~2 | peak (bytes): | gap (%): | over the least (%): | "
               "status | time (ms): | nodes: | pools (bytes): ~1",
    .wanted = "the results of any bench run",
    .fill = fill,
    .subject = TABLE_OF_INSTANCE,
    .example = "instance luna/denoise --policy flat --top 10",
};
