/* The table heuristics: one row for each planner that proves nothing, over all instances. */

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "results/tables/tables.h"
#include "results/views/common_lines.h"
#include "results/views/picker.h"
#include "results/views/roles.h"

struct standing {
    uint32_t planner, lines, met, worst_line;
    bool is_ranked;
    double common_mean, mean, worst;
};

/* The results and which of them can be compared. */
struct field {
    const struct grid *grid;
    struct common_lines common;
};

static void judge(const struct field *field, uint32_t planner, struct standing *standing)
{
    const struct grid *grid = field->grid;
    uint32_t lines;
    *standing =
        (struct standing){.planner = planner, .is_ranked = field->common.is_ranked[planner]};
    standing->common_mean = common_lines_mean_ratio(&field->common, grid, planner, &lines);
    standing->mean = grid_mean_ratio(grid, planner, &standing->lines);
    for (uint32_t i = 0; i < grid->lines; i++) {
        double ratio;
        if (!grid_ratio(grid, i, planner, &ratio))
            continue;
        standing->met += ratio <= 1;
        if (ratio <= standing->worst)
            continue;
        standing->worst = ratio;
        standing->worst_line = i;
    }
}

/* Those that can be ranked come first. Planners are in order of their names, which decides between
   equal ones. */
static int compare_standings(const void *left, const void *right)
{
    const struct standing *a = left, *b = right;
    double left_mean = a->is_ranked ? a->common_mean : a->mean;
    double right_mean = b->is_ranked ? b->common_mean : b->mean;
    if (a->is_ranked != b->is_ranked)
        return a->is_ranked ? -1 : 1;
    if (left_mean != right_mean)
        return left_mean < right_mean ? -1 : 1;
    return a->planner < b->planner ? -1 : 1;
}

static void add_columns(struct table *table)
{
    table_set_title(table, "Heuristics against the best known lower bounds, over all instances");
    table_add_column(table, "planner", "", TABLE_LEFT);
    table_add_column(table, "plans", "", TABLE_RIGHT);
    table_add_column(table, "at the bound", "", TABLE_RIGHT);
    table_add_column(table, "mean over common rows", "", TABLE_RIGHT);
    table_add_column(table, "mean over its own", "", TABLE_RIGHT);
    table_add_column(table, "worst gap", "%", TABLE_RIGHT);
    table_add_column(table, "on", "", TABLE_LEFT);
    table_add_column(table, "policy", "", TABLE_LEFT);
}

static void add_standing(const struct grid *grid, const struct standing *standing,
                         struct table *table)
{
    const struct result_row *worst = &grid->set->row[grid->first[standing->worst_line]];
    table_add_text(table, names_get(&grid->planners, standing->planner));
    table_add_number(table, standing->lines);
    table_add_number(table, standing->met);
    if (standing->is_ranked)
        table_add_real(table, standing->common_mean, 4);
    else
        table_add_missing(table);
    table_add_real(table, standing->mean, 4);
    table_add_real(table, 100 * (standing->worst - 1), 2);
    table_add_instance(table, worst->instance);
    table_add_text(table, worst->policy);
}

static void add_notes(const struct field *field, struct table *table)
{
    const struct common_lines *common = &field->common;
    table_add_note(table, "Means are geometric, of peak / bound. The best comes first; the table "
                          "gaps has every plan.");
    table_add_note(table,
                   "Common rows are the %u of %u where each of %u planners, provers among them, "
                   "has a number. Planners without a mean over them have an unsafe plan or too few "
                   "numbers; they come last and cannot be compared.",
                   common->common, field->grid->lines, common->ranked);
}

static void add_all(const struct field *field, struct standing *standing, struct picker *picker,
                    struct table *table)
{
    const struct grid *grid = field->grid;
    uint32_t count = 0;
    add_columns(table);
    for (uint32_t i = 0; i < grid->planners.count; i++) {
        if (roles_is_prover(names_get(&grid->planners, i)))
            continue;
        judge(field, i, &standing[count]);
        count += standing[count].lines > 0;
    }
    qsort(standing, count, sizeof *standing, compare_standings);
    for (uint32_t i = 0; i < count; i++) {
        add_standing(grid, &standing[i], table);
        picker->used = true;
    }
    add_notes(field, table);
    picker_add_notes(picker, table);
}

static enum status build(struct store *store, const struct result_choice *choice,
                         struct table *table, struct error *error)
{
    struct result_set set = {0};
    struct grid grid = {0};
    struct field field = {.grid = &grid};
    struct picker picker = {.set = &set};
    struct standing *standing = NULL;
    enum status status;
    TRY_OR_DONE(status,
                query_newest(store, &(struct result_filter){.choice = choice}, &set, error));
    TRY_OR_DONE(status, grid_create(&set, &grid, error));
    TRY_OR_DONE(status,
                memory_create(&standing, grid.planners.count + (size_t)1, sizeof *standing, error));
    TRY_OR_DONE(status, common_lines_find(&grid, &field.common, error));
    add_all(&field, standing, &picker, table);
    TRY_OR_DONE(status, picker_check(&picker, "the results of any bench run", error));
    status = table_check(table, error);
done:
    memory_free(standing);
    common_lines_free(&field.common);
    grid_free(&grid);
    query_free(&set);
    return status;
}

const struct table_recipe table_heuristics = {
    "heuristics", "every heuristic against the best known bounds: mean, worst, how often met",
    build};
