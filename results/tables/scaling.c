/* The table scaling: how the time of each planner grows with the number of buffers, the slowest
   growth first. */

#include <math.h>
#include <stdlib.h>

#include "core/memory.h"
#include "results/tables/tables.h"
#include "results/views/growth.h"
#include "results/views/picker.h"

/* Numbers of buffers for which the fit says a time. */
static const double sizes[] = {1e3, 1e5};

/* So many times the most buffers a fit may be asked for. */
enum { SIZES = sizeof sizes / sizeof *sizes, FARTHEST = 10 };

static int compare_growths(const void *left, const void *right)
{
    const struct growth *a = left, *b = right;
    if (a->is_fitted != b->is_fitted)
        return a->is_fitted ? -1 : 1;
    if (a->exponent != b->exponent)
        return a->exponent < b->exponent ? -1 : 1;
    return a->planner < b->planner ? -1 : 1;
}

static void add_columns(struct table *table)
{
    table_set_title(table, "Time against the number of buffers");
    table_add_column(table, "planner", "", TABLE_LEFT);
    table_add_column(table, "rows", "", TABLE_RIGHT);
    table_add_column(table, "fewest", "buffers", TABLE_RIGHT);
    table_add_column(table, "most", "buffers", TABLE_RIGHT);
    table_add_column(table, "exponent", "", TABLE_RIGHT);
    table_add_column(table, "error of it", "", TABLE_RIGHT);
    table_add_column(table, "R2", "", TABLE_RIGHT);
    table_add_column(table, "time at 1k", "ms", TABLE_RIGHT);
    table_add_column(table, "time at 100k", "ms", TABLE_RIGHT);
}

static void add_fit(const struct growth *growth, struct table *table)
{
    table_add_real(table, growth->exponent, 2);
    table_add_real(table, growth->deviation, 2);
    table_add_real(table, growth->explained, 2);
    for (unsigned i = 0; i < SIZES; i++)
        if (sizes[i] <= FARTHEST * (double)growth->most_buffers)
            table_add_real(table, growth->factor_ns * pow(sizes[i], growth->exponent) / 1e6, 3);
        else
            table_add_missing(table);
}

static void add_growth(const struct grid *grid, const struct growth *growth, struct table *table)
{
    table_add_text(table, names_get(&grid->planners, growth->planner));
    table_add_number(table, growth->rows);
    table_add_number(table, growth->least_buffers);
    table_add_number(table, growth->most_buffers);
    if (growth->is_fitted) {
        add_fit(growth, table);
        return;
    }
    for (unsigned i = 0; i < 3 + SIZES; i++)
        table_add_missing(table);
}

static enum status add_rows(const struct grid *grid, struct table *table, struct error *error)
{
    struct growth *growth;
    uint32_t count = 0;
    TRY(memory_create(&growth, grid->planners.count + (size_t)1, sizeof *growth, error));
    for (uint32_t i = 0; i < grid->planners.count; i++) {
        growth_fit(grid, i, &growth[count]);
        count += growth[count].rows > 0;
    }
    if (count)
        qsort(growth, count, sizeof *growth, compare_growths);
    for (uint32_t i = 0; i < count; i++)
        add_growth(grid, &growth[i], table);
    memory_free(growth);
    return STATUS_OK;
}

static enum status build(struct store *store, const struct result_choice *choice,
                         struct table *table, struct error *error)
{
    struct result_set set = {0};
    struct grid grid = {0};
    struct picker picker = {.set = &set};
    enum status status;
    TRY_OR_DONE(status,
                query_newest(store, &(struct result_filter){.choice = choice}, &set, error));
    TRY_OR_DONE(status, grid_create(&set, &grid, error));
    add_columns(table);
    TRY_OR_DONE(status, add_rows(&grid, table, error));
    TRY_OR_DONE(status, table_check(table, error));
    picker.used = table_rows(table) > 0;
    table_add_note(table,
                   "time = factor * buffers ^ exponent, by least squares over the logarithms; rows "
                   "that a limit cut short are left out. A fit wants %d rows whose buffers span a "
                   "factor of %d: bench --suite scale has them. Times are what the fit says, up to "
                   "%d times the most buffers.",
                   GROWTH_LEAST_ROWS, GROWTH_LEAST_RANGE, FARTHEST);
    picker_add_notes(&picker, table);
    TRY_OR_DONE(status, picker_check(&picker, "the results of any bench run", error));
    status = table_check(table, error);
done:
    grid_free(&grid);
    query_free(&set);
    return status;
}

const struct table_recipe table_scaling = {
    .name = "scaling",
    .title = "how each planner's time grows with the number of buffers",
    .build = build,
    .example = "scaling --sort time_at_1k_ms",
};
