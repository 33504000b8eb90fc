/* The table scaling: how time and memory of each planner grow with the number of buffers, the
   slowest growth of time first. */

#include <math.h>
#include <stdlib.h>

#include "core/memory.h"
#include "results/tables/tables.h"
#include "results/views/growth.h"
#include "results/views/picker.h"

/* The numbers of buffers for which the table says what the fit gives. */
static const struct {
    double buffers;
    const char *time, *memory;
} sizes[] = {{1e3, "time at 1k", "memory at 1k"},
             {1e5, "time at 100k", "memory at 100k"},
             {1e7, "time at 10M", "memory at 10M"}};

/* A fit is not used for more than FARTHEST times the greatest number of buffers it was made
   from. */
enum { SIZES = sizeof sizes / sizeof *sizes, FARTHEST = 10 };

/* Where the page is too narrow, the columns that say how good a fit is are left out first. */
enum { RANK_OF_ERROR = 1, RANK_OF_EXPLAINED };

struct planner_growth {
    struct growth of[GROWTH_QUANTITIES];
};

static int compare_growths(const void *left, const void *right)
{
    const struct growth *a = ((const struct planner_growth *)left)->of;
    const struct growth *b = ((const struct planner_growth *)right)->of;
    if (a->is_fitted != b->is_fitted)
        return a->is_fitted ? -1 : 1;
    if (a->exponent != b->exponent)
        return a->exponent < b->exponent ? -1 : 1;
    return a->planner < b->planner ? -1 : 1;
}

static void add_ranked_column(struct table *table, const char *heading, uint32_t rank)
{
    table_add_column(table, heading, "", TABLE_RIGHT);
    table_rank_column(table, table_columns(table) - 1, rank);
}

static void add_columns(struct table *table)
{
    table_set_title(table, "Time and memory against the number of buffers");
    table_add_column(table, "planner", "", TABLE_LEFT);
    table_add_column(table, "rows", "", TABLE_RIGHT);
    table_add_column(table, "fewest", "buffers", TABLE_RIGHT);
    table_add_column(table, "most", "buffers", TABLE_RIGHT);
    table_add_column(table, "time exponent", "", TABLE_RIGHT);
    add_ranked_column(table, "error of it", RANK_OF_ERROR);
    add_ranked_column(table, "R2", RANK_OF_EXPLAINED);
    for (unsigned i = 0; i < SIZES; i++)
        table_add_column(table, sizes[i].time, "ms", TABLE_RIGHT);
    table_add_column(table, "memory exponent", "", TABLE_RIGHT);
    add_ranked_column(table, "error of that", RANK_OF_ERROR);
    for (unsigned i = 0; i < SIZES; i++)
        table_add_column(table, sizes[i].memory, "bytes a buffer", TABLE_RIGHT);
}

static bool can_be_asked(const struct growth *growth, double buffers)
{
    return growth->is_fitted && buffers <= FARTHEST * (double)growth->most_buffers;
}

static void add_time(const struct growth *growth, struct table *table)
{
    if (growth->is_fitted) {
        table_add_real(table, growth->exponent, 2);
        table_add_real(table, growth->deviation, 2);
        table_add_real(table, growth->explained, 2);
    }
    for (unsigned i = growth->is_fitted ? 3 : 0; i < 3; i++)
        table_add_missing(table);
    for (unsigned i = 0; i < SIZES; i++)
        if (can_be_asked(growth, sizes[i].buffers))
            table_add_real(table, growth_value(growth, sizes[i].buffers) / 1e6, 3);
        else
            table_add_missing(table);
}

static void add_memory(const struct growth *growth, struct table *table)
{
    if (growth->is_fitted) {
        table_add_real(table, growth->exponent, 2);
        table_add_real(table, growth->deviation, 2);
    }
    for (unsigned i = growth->is_fitted ? 2 : 0; i < 2; i++)
        table_add_missing(table);
    for (unsigned i = 0; i < SIZES; i++)
        if (can_be_asked(growth, sizes[i].buffers))
            table_add_real(table, growth_value(growth, sizes[i].buffers) / sizes[i].buffers, 0);
        else
            table_add_missing(table);
}

static void add_growth(const struct grid *grid, const struct planner_growth *growth,
                       struct table *table)
{
    const struct growth *time = &growth->of[GROWTH_TIME_NS];
    table_add_text(table, names_get(&grid->planners, time->planner));
    table_add_number(table, time->rows);
    table_add_number(table, time->least_buffers);
    table_add_number(table, time->most_buffers);
    add_time(time, table);
    add_memory(&growth->of[GROWTH_MEMORY_BYTES], table);
}

static enum status add_rows(const struct grid *grid, struct table *table, struct error *error)
{
    struct planner_growth *growth;
    uint32_t count = 0;
    TRY(memory_create(&growth, grid->planners.count + (size_t)1, sizeof *growth, error));
    for (uint32_t i = 0; i < grid->planners.count; i++) {
        for (enum growth_quantity quantity = 0; quantity < GROWTH_QUANTITIES; quantity++)
            growth_fit(grid, i, quantity, &growth[count].of[quantity]);
        count += growth[count].of[GROWTH_TIME_NS].rows > 0;
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
    table_add_note(
        table,
        "time or memory = factor * buffers ^ exponent, by least squares over the "
        "logarithms; rows that a limit cut short are left out. A fit wants %d rows whose "
        "buffers span a factor of %d: bench --suite scale has them. Times and bytes are "
        "what the fit says, up to %d times the most buffers. Memory is the most that the "
        "planner held at once, where that is known.",
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
    .title = "how each planner's time and memory grow with the number of buffers",
    .build = build,
    .example = "scaling --sort time_at_1k_ms",
};
