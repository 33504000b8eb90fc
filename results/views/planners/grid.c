#include "results/views/planners/grid.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

static int compare_names(const void *a, const void *b)
{
    const char *const *left = a, *const *right = b;
    return strcmp(*left, *right);
}

/* All planners of the rows, each once, by name. */
static enum status find_planners(struct grid *grid, struct error *error)
{
    const struct result_set *set = grid->set;
    SCOPED(names_free) struct names found = {0};
    SCOPED(memory_release) const char **sorted = NULL;
    TRY(memory_create(&sorted, set->count, sizeof *sorted, error));
    for (uint32_t i = 0; i < set->count; i++)
        if (names_find(&found, set->row[i].planner) == NAMES_NONE) {
            sorted[found.count] = set->row[i].planner;
            TRY(names_add(&found, set->row[i].planner, error));
        }
    qsort(sorted, found.count, sizeof *sorted, compare_names);
    for (uint32_t i = 0; i < found.count; i++)
        TRY(names_add(&grid->planners, sorted[i], error));
    return STATUS_OK;
}

static bool starts_line(const struct result_set *set, uint32_t index)
{
    const struct result_row *row = &set->row[index];
    return !index || strcmp(row->instance, row[-1].instance) != 0 ||
           strcmp(row->policy, row[-1].policy) != 0;
}

enum status grid_create(const struct result_set *set, struct grid *grid, struct error *error)
{
    uint32_t line = 0;
    enum status status;
    *grid = (struct grid){.set = set};
    TRY_OR_DONE(status, find_planners(grid, error));
    for (uint32_t i = 0; i < grid->set->count; i++)
        if (starts_line(grid->set, i)) {
            TRY_OR_DONE(status,
                        memory_reserve(&grid->first, &grid->first_capacity, grid->lines + (size_t)1,
                                       sizeof *grid->first, error));
            grid->first[grid->lines++] = i;
        }
    size_t places = (size_t)grid->lines * grid->planners.count;
    TRY_OR_DONE(status, memory_create(&grid->row, places, sizeof *grid->row, error));
    memset(grid->row, 0xff, places * sizeof *grid->row);
    for (uint32_t i = 0; i < set->count; i++) {
        line += i && starts_line(set, i);
        const struct result_row *rows = set->row;
        uint32_t planner = names_find(&grid->planners, rows[i].planner);
        assert(planner != NAMES_NONE && line < grid->lines);
        uint32_t *place = &grid->row[(size_t)line * grid->planners.count + planner];
        if (*place == UINT32_MAX || query_prefers(&rows[i], &rows[*place]))
            *place = i;
    }
done:
    if (status)
        grid_free(grid);
    return status;
}

void grid_free(struct grid *grid)
{
    names_free(&grid->planners);
    memory_free_all(grid->first, grid->row);
    *grid = (struct grid){0};
}

const struct result_row *grid_at(const struct grid *grid, uint32_t line, uint32_t planner)
{
    assert(line < grid->lines && planner < grid->planners.count);
    uint32_t index = grid->row[(size_t)line * grid->planners.count + planner];
    return index == UINT32_MAX ? NULL : &grid->set->row[index];
}

bool grid_ratio(const struct grid *grid, uint32_t line, uint32_t planner, double *ratio)
{
    const struct result_row *row = grid_at(grid, line, planner);
    uint64_t bound_bytes = grid->set->bound_bytes[grid->first[line]];
    if (!row || !bound_bytes || query_worth(row) != RESULT_NUMBER)
        return false;
    *ratio = (double)row->peak_bytes / (double)bound_bytes;
    return true;
}

double grid_mean_ratio(const struct grid *grid, uint32_t planner, uint32_t *lines)
{
    double sum = 0, ratio;
    *lines = 0;
    for (uint32_t i = 0; i < grid->lines; i++) {
        if (!grid_ratio(grid, i, planner, &ratio) || ratio <= 0)
            continue;
        sum += log(ratio);
        ++*lines;
    }
    return *lines ? exp(sum / *lines) : 0;
}
