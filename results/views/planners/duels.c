#include "results/views/planners/duels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/compare.h"
#include "core/memory.h"

static uint32_t get_planner(const struct contest *contest, const struct duel *duel)
{
    return contest->standings.standing[duel->standing].planner;
}

/* Finds the logarithm of mine / the other's peak on a line where both have one that counts. */
static bool find_ratio(const struct contest *contest, uint32_t line, uint32_t mine, uint32_t other,
                       double *ratio)
{
    double mine_ratio, other_ratio;
    const struct grid *grid = &contest->grid;
    if (!contest->standings.common.is_comparable[line] ||
        !grid_ratio(grid, line, mine, &mine_ratio) ||
        !grid_ratio(grid, line, other, &other_ratio) || mine_ratio <= 0 || other_ratio <= 0)
        return false;
    *ratio = log((double)grid_at(grid, line, mine)->peak_bytes) -
             log((double)grid_at(grid, line, other)->peak_bytes);
    return true;
}

static bool starts_instance(const struct grid *grid, uint32_t line)
{
    const struct result_row *row = grid->set->row;
    return !line ||
           strcmp(row[grid->first[line]].instance, row[grid->first[line - 1]].instance) != 0;
}

/* Counts the rows of a duel; instance_log: [lines] gets the mean of each instance. */
static void count_rows(const struct contest *contest, uint32_t mine, struct duel *duel,
                       double *instance_log)
{
    double ratio, worst_log = -INFINITY;
    uint32_t rows = 0; /* of the instance */
    for (uint32_t i = 0; i < contest->grid.lines; i++) {
        rows = starts_instance(&contest->grid, i) ? 0 : rows;
        if (!find_ratio(contest, i, mine, get_planner(contest, duel), &ratio))
            continue;
        duel->rows++;
        duel->wins += ratio < 0;
        duel->ties += !(ratio < 0) && !(ratio > 0);
        duel->losses += ratio > 0;
        if (ratio > worst_log) {
            worst_log = ratio;
            duel->worst_line = i;
        }
        double *mean = &instance_log[duel->instances - (rows > 0)];
        *mean = rows ? (*mean * rows + ratio) / (rows + 1.0) : ratio;
        duel->instances += !rows++;
    }
    duel->worst_ratio = exp(worst_log);
}

static bool is_unsafe(const struct contest *contest, const struct duel *duel)
{
    return contest->standings.standing[duel->standing].refused > 0;
}

static enum status fill(const struct contest *contest, const struct names *others,
                        struct duels *duels, struct error *error)
{
    SCOPED(memory_release) double *instance_log = NULL, *p_value = NULL;
    const struct standings *standings = &contest->standings;
    TRY(memory_create(&instance_log, contest->grid.lines, sizeof *instance_log, error));
    TRY(memory_create_all(standings->count, error, &p_value, &duels->duel));
    for (int unsafe = 0; unsafe < 2; unsafe++)
        for (uint32_t i = 0; i < standings->count; i++) {
            struct duel duel = {.standing = i};
            if (get_planner(contest, &duel) == duels->mine || is_unsafe(contest, &duel) != unsafe ||
                (others && names_find(others, contest_name(contest, i)) == NAMES_NONE))
                continue;
            count_rows(contest, duels->mine, &duel, instance_log);
            if (!duel.rows)
                continue;
            TRY(statistics_signed_rank_test(instance_log, duel.instances, &duel.p_value, error));
            p_value[duels->count] = duel.p_value;
            duels->duel[duels->count++] = duel;
        }
    TRY(statistics_holm(p_value, duels->count, error));
    for (uint32_t i = 0; i < duels->count; i++) {
        struct duel *duel = &duels->duel[i], again = {.standing = duel->standing};
        count_rows(contest, duels->mine, &again, instance_log);
        struct statistics_interval mean =
            statistics_mean(instance_log, again.instances, duels->count);
        duel->ratio =
            (struct statistics_interval){exp(mean.value), exp(mean.lower), exp(mean.upper)};
        duel->p_corrected = p_value[i];
    }
    return STATUS_OK;
}

enum status duels_create(const struct contest *contest, uint32_t mine, const struct names *others,
                         struct duels *duels, struct error *error)
{
    *duels = (struct duels){.mine = mine};
    enum status status = fill(contest, others, duels, error);
    if (status)
        duels_free(duels);
    return status;
}

void duels_free(struct duels *duels)
{
    memory_free(duels->duel);
    *duels = (struct duels){0};
}

const char *duel_describe(const struct contest *contest, const struct duel *duel)
{
    static const double level = 0.05;
    if (is_unsafe(contest, duel))
        return "unsafe";
    if (duel->p_corrected > level)
        return "unclear";
    return duel->ratio.upper < 1 ? "better" : duel->ratio.lower > 1 ? "worse" : "unclear";
}

COMPARE_BY(compare_rectangles, struct result_rectangle, strcmp(a->label, b->label),
           compare_numbers(a->group, b->group), compare_numbers(a->lower, b->lower),
           compare_numbers(a->upper, b->upper), compare_numbers(a->size, b->size),
           compare_numbers(a->offset, b->offset))

static bool are_same(const struct rectangle_set set[2])
{
    if (set[0].count != set[1].count)
        return false;
    for (int side = 0; side < 2; side++)
        qsort(set[side].rectangle, set[side].count, sizeof *set[side].rectangle,
              compare_rectangles);
    for (uint32_t i = 0; i < set[0].count; i++)
        if (compare_rectangles(&set[0].rectangle[i], &set[1].rectangle[i]) != 0)
            return false;
    return true;
}

static void free_layouts(struct rectangle_set (*set)[2])
{
    rectangles_free(&(*set)[0]);
    rectangles_free(&(*set)[1]);
}

enum status duel_compare_layouts(struct store *store, const struct contest *contest, uint32_t mine,
                                 const struct duel *duel, struct duel_layouts *layouts,
                                 struct error *error)
{
    const struct grid *grid = &contest->grid;
    const uint32_t planner[2] = {mine, get_planner(contest, duel)};
    double ratio;
    *layouts = (struct duel_layouts){0, 0};
    for (uint32_t i = 0; i < grid->lines; i++) {
        SCOPED(free_layouts) struct rectangle_set set[2] = {{0}, {0}};
        if (!find_ratio(contest, i, planner[0], planner[1], &ratio))
            continue;
        for (int side = 0; side < 2; side++) {
            const struct result_row *row = grid_at(grid, i, planner[side]);
            TRY(rectangles_read(store, contest->set.id[row - contest->set.row], &set[side], error));
        }
        if (!set[0].count || !set[1].count)
            continue;
        layouts->known++;
        layouts->same += are_same(set);
    }
    return STATUS_OK;
}
