/* The table hardest: a row for each instance under a policy, that with the widest gap between the
   least peak and the bound first, then those that the fewest planners solve as well as any. */

#include <stdlib.h>

#include "core/memory.h"
#include "results/tables/tables.h"
#include "results/views/contest.h"
#include "results/views/picker.h"

struct hardness {
    uint32_t line, plans;
    double least_ratio, median_ratio; /* peak / bound */
    uint32_t best;                    /* the first planner with the least peak */
    double share;                     /* share of the ranked planners that reach the least peak */
};

struct field {
    const struct grid *grid;
    const struct standings *standings;
    double *ratio; /* [planners] scratch */
};

static int compare_ratios(const void *left, const void *right)
{
    const double *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

static bool judge(const struct field *field, uint32_t line, struct hardness *hardness)
{
    const struct common_lines *common = &field->standings->common;
    uint64_t least = field->standings->least_bytes[line];
    *hardness = (struct hardness){.line = line, .best = UINT32_MAX};
    for (uint32_t i = 0; i < field->grid->planners.count; i++) {
        double ratio;
        if (!common->is_ranked[i] || !grid_ratio(field->grid, line, i, &ratio))
            continue;
        field->ratio[hardness->plans++] = ratio;
        if (hardness->best == UINT32_MAX && grid_at(field->grid, line, i)->peak_bytes <= least)
            hardness->best = i;
    }
    if (!hardness->plans || hardness->best == UINT32_MAX || !common->is_comparable[line])
        return false;
    qsort(field->ratio, hardness->plans, sizeof *field->ratio, compare_ratios);
    grid_ratio(field->grid, line, hardness->best, &hardness->least_ratio);
    hardness->median_ratio =
        (field->ratio[(hardness->plans - 1) / 2] + field->ratio[hardness->plans / 2]) / 2;
    hardness->share = (double)field->standings->reached[line] / hardness->plans;
    return true;
}

static int compare_hardness(const void *left, const void *right)
{
    const struct hardness *a = left, *b = right;
    if (a->least_ratio != b->least_ratio)
        return a->least_ratio > b->least_ratio ? -1 : 1;
    if (a->share != b->share)
        return a->share < b->share ? -1 : 1;
    if (a->median_ratio != b->median_ratio)
        return a->median_ratio > b->median_ratio ? -1 : 1;
    return (a->line > b->line) - (a->line < b->line);
}

static void add_columns(struct table *table)
{
    table_set_title(table, "The hardest instances first");
    table_add_column(table, "instance", "", TABLE_LEFT);
    table_add_column(table, "policy", "", TABLE_LEFT);
    table_add_column(table, "buffers", "", TABLE_RIGHT);
    table_add_column(table, "bound", "bytes", TABLE_RIGHT);
    table_add_column(table, "least peak", "bytes", TABLE_RIGHT);
    table_add_column(table, "least gap", "%", TABLE_RIGHT);
    table_add_column(table, "median gap", "%", TABLE_RIGHT);
    table_add_column(table, "reached by", "", TABLE_RIGHT);
    table_add_column(table, "of", "planners", TABLE_RIGHT);
    table_add_column(table, "first of them", "", TABLE_LEFT);
    table_rank_column(table, 2, 1);
    table_rank_column(table, 3, 2);
}

static void add_row(const struct field *field, const struct hardness *hardness, struct table *table)
{
    const struct grid *grid = field->grid;
    const struct result_row *row = &grid->set->row[grid->first[hardness->line]];
    table_add_instance(table, row->instance);
    table_add_text(table, row->policy);
    table_add_known(table, row->buffers > 0, row->buffers);
    table_add_number(table, grid->set->bound_bytes[grid->first[hardness->line]]);
    table_add_number(table, field->standings->least_bytes[hardness->line]);
    table_add_real(table, 100 * (hardness->least_ratio - 1), 2);
    table_add_real(table, 100 * (hardness->median_ratio - 1), 2);
    table_add_number(table, field->standings->reached[hardness->line]);
    table_add_number(table, hardness->plans);
    table_add_text(table, names_get(&grid->planners, hardness->best));
}

static enum status add_rows(struct field *field, struct table *table, struct error *error)
{
    struct hardness *hardness = NULL;
    uint32_t count = 0;
    enum status status;
    TRY_OR_DONE(status,
                memory_create(&hardness, field->grid->lines + (size_t)1, sizeof *hardness, error));
    TRY_OR_DONE(status, memory_create(&field->ratio, field->grid->planners.count + (size_t)1,
                                      sizeof *field->ratio, error));
    for (uint32_t i = 0; i < field->grid->lines; i++)
        count += judge(field, i, &hardness[count]);
    if (count)
        qsort(hardness, count, sizeof *hardness, compare_hardness);
    for (uint32_t i = 0; i < count; i++)
        add_row(field, &hardness[i], table);
done:
    memory_free(hardness);
    memory_free(field->ratio);
    return status;
}

static void add_notes(const struct picker *picker, struct table *table)
{
    table_add_note(table, "By the gap between the least peak and the bound, then by the share of "
                          "planners that reach that peak, then by the median gap. Planners with an "
                          "unsafe plan and policies that are unsafe are left out.");
    picker_add_notes(picker, table);
}

static enum status build(struct store *store, const struct result_choice *choice,
                         struct table *table, struct error *error)
{
    struct contest contest;
    enum status status;
    TRY(contest_open(store, choice, &contest, error));
    struct field field = {.grid = &contest.grid, .standings = &contest.standings};
    struct picker picker = {.set = &contest.set};
    add_columns(table);
    TRY_OR_DONE(status, add_rows(&field, table, error));
    TRY_OR_DONE(status, table_check(table, error));
    picker.used = table_rows(table) > 0;
    TRY_OR_DONE(status, picker_check(&picker, "the results of any bench run", error));
    add_notes(&picker, table);
    status = table_check(table, error);
done:
    contest_free(&contest);
    return status;
}

const struct table_recipe table_hardest = {
    .name = "hardest",
    .title = "instances by what is left of the gap, and by how few planners reach the least peak",
    .example = "hardest --top 20",
    .build = build,
};
