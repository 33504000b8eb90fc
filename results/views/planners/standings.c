#include "results/views/planners/standings.h"

#include <math.h>
#include <stdlib.h>

#include "core/compare.h"
#include "core/memory.h"

/* Sums of logarithms. */
struct mean {
    double sum;
    uint32_t lines;
};

static void add_ratio(struct mean *mean, double ratio)
{
    mean->sum += log(ratio);
    mean->lines++;
}

static double get_mean(const struct mean *mean)
{
    return mean->lines ? exp(mean->sum / mean->lines) : 0;
}

bool standings_is_hard(const struct standings *standings, uint32_t line)
{
    return standings->common.is_common[line] &&
           2 * (uint64_t)standings->reached[line] < standings->common.ranked;
}

static uint64_t get_peak(const struct grid *grid, uint32_t line, uint32_t planner)
{
    const struct result_row *row = grid_at(grid, line, planner);
    return row && query_worth(row) == RESULT_NUMBER ? row->peak_bytes : 0;
}

/* Judges a planner; time is scratch, [lines]. */
static void judge(const struct grid *grid, const struct standings *standings, uint64_t *time,
                  uint32_t planner, struct standing *standing)
{
    const struct common_lines *common = &standings->common;
    bool is_ranked = common->is_ranked[planner];
    struct mean mean = {0}, hard = {0};
    double ratio;
    *standing = (struct standing){.planner = planner};
    for (uint32_t i = 0; i < grid->lines; i++) {
        const struct result_row *row = grid_at(grid, i, planner);
        if (!grid_ratio(grid, i, planner, &ratio) || ratio <= 0) {
            enum result_worth worth = row ? query_worth(row) : RESULT_NUMBER;
            standing->refused += worth == RESULT_INVALID && common->is_comparable[i];
            standing->without += worth == RESULT_NO_PLAN;
            continue;
        }
        standing->plans++;
        standing->met += ratio <= 1;
        standing->wins += common->is_common[i] && common->is_ranked[standing->planner] &&
                          row->peak_bytes <= standings->least_bytes[i];
        if (ratio > standing->worst_ratio) {
            standing->worst_ratio = ratio;
            standing->worst_line = i;
        }
        if (is_ranked && !common->is_common[i])
            continue;
        time[mean.lines] = row->wall_ns;
        add_ratio(&mean, ratio);
        if (is_ranked && standings_is_hard(standings, i))
            add_ratio(&hard, ratio);
    }
    qsort(time, mean.lines, sizeof *time, compare_number_items);
    standing->mean_ratio = get_mean(&mean);
    standing->hard_ratio = get_mean(&hard);
    standing->median_ns = mean.lines ? time[(mean.lines - 1) / 2] : 0;
    standing->rank = is_ranked;
}

/* Sorts standings. Planners are sorted by name already, which decides between equal ones. */
static int compare_standings(const void *left, const void *right)
{
    const struct standing *a = left, *b = right;
    if (!a->rank != !b->rank)
        return a->rank ? -1 : 1;
    if (a->mean_ratio != b->mean_ratio)
        return a->mean_ratio < b->mean_ratio ? -1 : 1;
    return a->planner < b->planner ? -1 : 1;
}

enum status standings_create(const struct grid *grid, struct standings *standings,
                             struct error *error)
{
    SCOPED(memory_release) uint64_t *time = NULL;
    TRY(common_lines_find(grid, &standings->common, error));
    TRY(memory_create(&standings->standing, grid->planners.count + (size_t)1,
                      sizeof *standings->standing, error));
    TRY(memory_create_all(grid->lines, error, &standings->least_bytes, &standings->reached, &time));
    for (uint32_t i = 0; i < grid->lines; i++) {
        uint64_t least = 0;
        for (uint32_t k = 0; k < grid->planners.count; k++) {
            uint64_t peak = get_peak(grid, i, k);
            if (peak && standings->common.is_ranked[k] && !grid_at(grid, i, k)->split_buffers &&
                (!least || peak < least))
                least = peak;
        }
        standings->least_bytes[i] = least;
        for (uint32_t k = 0; k < grid->planners.count && least; k++) {
            uint64_t peak = get_peak(grid, i, k);
            standings->reached[i] += peak && standings->common.is_ranked[k] && peak <= least;
        }
        standings->hard += standings_is_hard(standings, i);
    }
    for (uint32_t i = 0; i < grid->planners.count; i++) {
        judge(grid, standings, time, i, &standings->standing[standings->count]);
        standings->count += standings->standing[standings->count].plans > 0;
    }
    struct standing *standing = standings->standing;
    qsort(standing, standings->count, sizeof *standing, compare_standings);
    for (uint32_t i = 0; i < standings->count && standing[i].rank; i++) {
        bool is_equal = i && standing[i].mean_ratio <= standing[i - 1].mean_ratio;
        standing[i].rank = is_equal ? standing[i - 1].rank : i + 1;
    }
    return STATUS_OK;
}

/* The geometric mean of a planner's ratios on the common lines that are taken. */
static double find_part_mean(const struct grid *grid, const struct standings *standings,
                             uint32_t planner, const bool *taken)
{
    struct mean mean = {0};
    double ratio;
    for (uint32_t i = 0; i < grid->lines; i++)
        if (taken[i] && standings->common.is_common[i] && grid_ratio(grid, i, planner, &ratio) &&
            ratio > 0)
            add_ratio(&mean, ratio);
    return get_mean(&mean);
}

void standings_judge_part(const struct grid *grid, const struct standings *standings,
                          uint32_t planner, const bool *taken, struct standing_part *part)
{
    *part = (struct standing_part){.mean_ratio = find_part_mean(grid, standings, planner, taken)};
    for (uint32_t i = 0; i < grid->lines; i++) {
        uint64_t peak = get_peak(grid, i, planner);
        bool counts = taken[i] && standings->common.is_common[i];
        part->lines += counts;
        part->least += counts && peak && peak <= standings->least_bytes[i];
    }
    for (uint32_t i = 0; i < grid->planners.count && standings->common.is_ranked[planner]; i++)
        part->rank +=
            i == planner || (standings->common.is_ranked[i] &&
                             find_part_mean(grid, standings, i, taken) < part->mean_ratio);
}

void standings_free(struct standings *standings)
{
    memory_free_all(standings->standing, standings->least_bytes, standings->reached);
    common_lines_free(&standings->common);
    *standings = (struct standings){0};
}
