/* The table scaling: how time and memory of each planner grow with the number of buffers, the
   slowest growth of time first. */

#include <stdlib.h>

#include "core/compare.h"
#include "core/memory.h"
#include "results/views/planners/growth.h"
#include "results/views/recipe.h"

/* The numbers of buffers for which the table says what the fit gives. A fit is not used for more
   than FARTHEST times the greatest number of buffers it was made from. */
static const double sizes[] = {1e3, 1e5, 1e7};
enum { SIZES = sizeof sizes / sizeof *sizes, FARTHEST = 10 };

struct planner_growth {
    struct growth of[GROWTH_QUANTITIES];
};

static int compare_growths(const void *left, const void *right)
{
    const struct growth *a = ((const struct planner_growth *)left)->of;
    const struct growth *b = ((const struct planner_growth *)right)->of;
    int order = b->is_fitted - a->is_fitted;
    order = order ? order : compare_reals(a->exponent, b->exponent);
    return order ? order : compare_numbers(a->planner, b->planner);
}

/* Adds what the fit gives for each of the sizes. */
static void add_values(const struct growth *growth, bool each_buffer, double unit,
                       unsigned decimals, struct table *table)
{
    for (unsigned i = 0; i < SIZES; i++) {
        bool known = growth->is_fitted && sizes[i] <= FARTHEST * (double)growth->most_buffers;
        double value = known ? growth_value(growth, sizes[i]) / unit : 0;
        table_add(table, cell_known_real(known, each_buffer ? value / sizes[i] : value, decimals));
    }
}

static void add_growth(const struct grid *grid, const struct planner_growth *growth,
                       struct table *table)
{
    const struct growth *time = &growth->of[GROWTH_TIME_NS];
    const struct growth *memory = &growth->of[GROWTH_MEMORY_BYTES];
    table_add(table, cell_text(names_get(&grid->planners, time->planner)), cell_number(time->rows),
              cell_number(time->least_buffers), cell_number(time->most_buffers),
              cell_known_real(time->is_fitted, time->exponent, 2),
              cell_known_real(time->is_fitted, time->deviation, 2),
              cell_known_real(time->is_fitted, time->explained, 2));
    add_values(time, false, 1e6, 3, table);
    table_add(table, cell_known_real(memory->is_fitted, memory->exponent, 2),
              cell_known_real(memory->is_fitted, memory->deviation, 2));
    add_values(memory, true, 1, 0, table);
}

static enum status fill(struct table_making *making)
{
    struct table *table = making->table;
    const struct grid *grid = &making->contest.grid;
    struct planner_growth *growth;
    uint32_t count = 0;
    TRY(memory_create(&growth, grid->planners.count + (size_t)1, sizeof *growth, making->error));
    for (uint32_t i = 0; i < grid->planners.count; i++) {
        for (enum growth_quantity quantity = 0; quantity < GROWTH_QUANTITIES; quantity++)
            growth_fit(grid, i, quantity, &growth[count].of[quantity]);
        count += growth[count].of[GROWTH_TIME_NS].rows > 0;
    }
    qsort(growth, count, sizeof *growth, compare_growths);
    for (uint32_t i = 0; i < count; i++)
        add_growth(grid, &growth[i], table);
    memory_free(growth);
    making->picker.used = table_rows(table) > 0;
    table_add_note(
        table,
        "time or memory = factor * buffers ^ exponent, by least squares over the logarithms; rows "
        "that a limit cut short are left out. A fit wants %d rows whose buffers span a factor of "
        "%d: bench --suite scale has them. Times and bytes are what the fit says, up to %d times "
        "the most buffers. Memory is the most that the planner held at once, where that is known.",
        GROWTH_LEAST_ROWS, GROWTH_LEAST_RANGE, FARTHEST);
    picker_add_notes(&making->picker, table);
    return STATUS_OK;
}

/* Where the page is too narrow, the columns that say how good a fit is are left out first. */
const struct table_recipe table_scaling = {
    .name = "scaling",
    .title = "how each planner's time and memory grow with the number of buffers",
    .caption = "Time and memory against the number of buffers",
    .columns =
        "planner | rows: | fewest (buffers): | most (buffers): | time exponent: | "
        "error of it: ~1 | R2: ~2 | time at 1k (ms): | time at 100k (ms): | time at 10M (ms): | "
        "memory exponent: | error of that: ~1 | memory at 1k (bytes a buffer): | "
        "memory at 100k (bytes a buffer): | memory at 10M (bytes a buffer):",
    .source = TABLE_OF_CONTEST,
    .wanted = "the results of any bench run",
    .fill = fill,
    .example = "scaling --sort time_at_1k_ms",
};
