/* The plot gaps: a line for each planner with a dot for each of its gaps to the best known bound.
   The plot root-gaps: the same of the bounds of its integer programs' roots. */

#include <math.h>
#include <stdlib.h>

#include "core/compare.h"
#include "core/memory.h"
#include "plots/script/recipe.h"
#include "plots/script/script.h"
#include "results/views/planners/programs.h"

enum { ROW_HEIGHT = 20, ABOVE = 90, BELOW = 66 };

/* A planner that has at least one gap. */
struct contestant {
    uint32_t planner;  /* of the grid */
    uint32_t count;    /* number of its gaps */
    uint32_t unbeaten; /* number of gaps that are 0 */
    double *gap;       /* [count] percent, ascending */
    bool is_ranked;
    double mean_ratio; /* over the common lines if it is ranked, else over its own */
};

struct gaps_plot {
    const struct grid *grid;
    const struct common_lines *common;
    bool of_roots;

    /* [contestants] ranked ones first, then by the mean, best first */
    struct contestant *contestant;
    uint32_t contestants;
    double most;
};

COMPARE_BY(compare_contestants, struct contestant, b->is_ranked - a->is_ranked,
           compare_reals(a->mean_ratio, b->mean_ratio), compare_numbers(a->planner, b->planner))

/* Adds a planner, whose gaps are written to gap[lines], if it has any. */
static void add_contestant(struct gaps_plot *plot, uint32_t planner, double *gap)
{
    const struct grid *grid = plot->grid;
    uint32_t lines;
    double sum = 0;
    struct contestant added = {.planner = planner,
                               .gap = gap,
                               .is_ranked = plot->of_roots || plot->common->is_ranked[planner]};
    for (uint32_t i = 0; i < grid->lines; i++) {
        double ratio;
        if (!(plot->of_roots ? program_root_ratio(grid, i, planner, &ratio)
                             : grid_ratio(grid, i, planner, &ratio)))
            continue;
        sum += log(ratio);
        gap[added.count] = ratio > 1 ? 100 * (ratio - 1) : 0;
        added.unbeaten += gap[added.count] <= 0;
        plot->most = gap[added.count] > plot->most ? gap[added.count] : plot->most;
        added.count++;
    }
    if (!added.count)
        return;
    added.mean_ratio = added.is_ranked && !plot->of_roots
                           ? common_lines_mean_ratio(plot->common, grid, planner, &lines)
                           : exp(sum / added.count);
    qsort(gap, added.count, sizeof *gap, compare_real_items);
    plot->contestant[plot->contestants++] = added;
}

static const char *get_contestant_name(const void *planners, const void *item)
{
    const struct contestant *contestant = item;
    return names_get(planners, contestant->planner);
}

static enum status draw(struct plot_drawing *drawing, bool of_roots)
{
    const struct grid *grid = &drawing->contest.grid;
    const struct common_lines *common = &drawing->contest.standings.common;
    struct text *script = drawing->script;
    uint32_t planners = grid->planners.count;
    SCOPED(memory_release) struct contestant *all = NULL;
    SCOPED(memory_release) double *gaps = NULL;
    TRY(memory_create(&all, planners, sizeof *all, drawing->error));
    TRY(memory_create(&gaps, (size_t)planners * grid->lines, sizeof *gaps, drawing->error));
    struct gaps_plot plot = {
        .grid = grid, .common = common, .of_roots = of_roots, .contestant = all};
    for (uint32_t i = 0; i < planners; i++)
        add_contestant(&plot, i, &gaps[(size_t)i * grid->lines]);
    qsort(all, plot.contestants, sizeof *all, compare_contestants);
    if (!plot.contestants)
        return plot_fail_empty(drawing);
    uint32_t shown = plot_shown_lines(
        drawing, &(struct plot_lines){all, sizeof *all, get_contestant_name, &grid->planners},
        plot.contestants, UINT32_MAX);
    unsigned height = ABOVE + BELOW + ROW_HEIGHT * (shown > 4 ? shown : 4);
    if (of_roots)
        plot_begin(drawing, 800, height,
                   "of rows whose program was solved by GLPK, by the geometric mean");
    else
        plot_begin(drawing, 800, height,
                   "by the geometric mean over %u of %u rows where all ranked planners have a safe "
                   "plan; * is not ranked",
                   common->common, common->comparable);
    script_set_text(script, "axis",
                    of_roots
                        ? "least known peak above the bound of the root (%), logarithmic in 1 + gap"
                        : "gap to the best known lower bound (%), logarithmic in 1 + gap");
    text_append(script, "count = %u\nmost = %.6g\n", shown, plot.most > 1 ? plot.most : 1.0);
    script_begin_data(script, "dots");
    for (uint32_t i = 0; i < shown; i++)
        for (uint32_t k = 0; k < all[i].count; k++)
            text_append(script, "%u %.6g\n", i, all[i].gap[k]);
    script_end_data(script);
    script_begin_data(script, "middles");
    for (uint32_t i = 0; i < shown; i++) {
        double median = (all[i].gap[all[i].count / 2] + all[i].gap[(all[i].count - 1) / 2]) / 2;
        text_append(script, "%u %.6g ", i, median);
        script_add_field(script, names_get(&grid->planners, all[i].planner));
        text_append(script, " \"%u of %u%s\"\n", all[i].unbeaten, all[i].count,
                    all[i].is_ranked ? "" : " *");
    }
    script_end_data(script);
    script_add_template(script, "gaps");
    return STATUS_OK;
}

enum status plot_draw_gaps(struct plot_drawing *drawing)
{
    return draw(drawing, false);
}

enum status plot_draw_root_gaps(struct plot_drawing *drawing)
{
    return draw(drawing, true);
}
