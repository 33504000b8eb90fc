/* The table heuristics: one row for each planner that proves nothing, over all instances. */

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "results/tables/tables.h"
#include "results/views/grid.h"
#include "results/views/picker.h"
#include "results/views/roles.h"

struct standing {
    uint32_t planner, lines, met, worst_line;
    double mean, worst;
};

static void judge(const struct grid *grid, uint32_t planner, struct standing *standing)
{
    *standing = (struct standing){.planner = planner};
    standing->mean = grid_mean_ratio(grid, planner, false, &standing->lines);
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

/* Planners are in order of their names, which decides between equal ones. */
static int compare_standings(const void *left, const void *right)
{
    const struct standing *a = left, *b = right;
    if (a->mean != b->mean)
        return a->mean < b->mean ? -1 : 1;
    return a->planner < b->planner ? -1 : 1;
}

static void add_columns(struct table *table)
{
    table_set_title(table, "Heuristics against the best known lower bounds, over all instances");
    table_add_column(table, "planner", "", TABLE_LEFT);
    table_add_column(table, "plans", "", TABLE_RIGHT);
    table_add_column(table, "at the bound", "", TABLE_RIGHT);
    table_add_column(table, "geometric mean of peak / bound", "", TABLE_RIGHT);
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
    table_add_real(table, standing->mean, 4);
    table_add_real(table, 100 * (standing->worst - 1), 2);
    table_add_text(table, worst->instance);
    table_add_text(table, worst->policy);
}

static void add_all(const struct grid *grid, struct standing *standing, struct picker *picker,
                    struct table *table)
{
    uint32_t count = 0;
    add_columns(table);
    for (uint32_t i = 0; i < grid->planners.count; i++) {
        if (roles_is_prover(names_get(&grid->planners, i)))
            continue;
        judge(grid, i, &standing[count]);
        count += standing[count].lines > 0;
    }
    qsort(standing, count, sizeof *standing, compare_standings);
    for (uint32_t i = 0; i < count; i++) {
        add_standing(grid, &standing[i], table);
        picker->used = true;
    }
    table_add_note(table, "The best mean comes first. Each is over the instances on which the "
                          "planner has a plan; the table gaps has every one of them.");
    picker_add_notes(picker, table);
}

static enum status build(struct store *store, const char *run, struct table *table,
                         struct error *error)
{
    struct result_set set = {0};
    struct grid grid = {0};
    struct picker picker = {.set = &set};
    struct standing *standing = NULL;
    enum status status;
    TRY_OR_DONE(status, query_newest(store, &(struct result_filter){.run = run}, &set, error));
    TRY_OR_DONE(status, grid_create(&set, &grid, error));
    TRY_OR_DONE(status,
                memory_create(&standing, grid.planners.count + (size_t)1, sizeof *standing, error));
    add_all(&grid, standing, &picker, table);
    TRY_OR_DONE(status, picker_check(&picker, "the results of any bench run", error));
    status = table_check(table, error);
done:
    memory_free(standing);
    grid_free(&grid);
    query_free(&set);
    return status;
}

const struct table_recipe table_heuristics = {
    "heuristics", "every heuristic against the best known bounds: mean, worst, how often met",
    build};
