/* The plot gaps: a line for each planner with a dot for each of its gaps to the best known bound.
 */

#include <stdlib.h>

#include "core/compare.h"
#include "core/memory.h"
#include "plots/script/recipe.h"
#include "plots/script/script.h"

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
    double *gaps; /* of all contestants */
    /* [contestants] ranked ones first, then by the mean, best first */
    struct contestant *contestant;
    uint32_t contestants;
    double most;
};

static int compare_contestants(const void *left, const void *right)
{
    const struct contestant *a = left, *b = right;
    int order = b->is_ranked - a->is_ranked;
    order = order ? order : compare_reals(a->mean_ratio, b->mean_ratio);
    return order ? order : compare_numbers(a->planner, b->planner);
}

/* Adds a planner, whose gaps are written to gap[lines], if it has any. */
static void add_contestant(struct gaps_plot *plot, uint32_t planner, double *gap)
{
    uint32_t lines;
    double ratio;
    struct contestant added = {.planner = planner,
                               .gap = gap,
                               .is_ranked = plot->common->is_ranked[planner],
                               .mean_ratio = grid_mean_ratio(plot->grid, planner, &lines)};
    if (!lines)
        return;
    if (added.is_ranked)
        added.mean_ratio = common_lines_mean_ratio(plot->common, plot->grid, planner, &lines);
    for (uint32_t i = 0; i < plot->grid->lines; i++) {
        if (!grid_ratio(plot->grid, i, planner, &ratio))
            continue;
        gap[added.count] = ratio > 1 ? 100 * (ratio - 1) : 0;
        added.unbeaten += gap[added.count] <= 0;
        plot->most = gap[added.count] > plot->most ? gap[added.count] : plot->most;
        added.count++;
    }
    qsort(gap, added.count, sizeof *gap, compare_real_items);
    plot->contestant[plot->contestants++] = added;
}

static enum status find_contestants(struct gaps_plot *plot, struct error *error)
{
    uint32_t planners = plot->grid->planners.count, lines = plot->grid->lines;
    TRY(memory_create(&plot->contestant, planners, sizeof *plot->contestant, error));
    TRY(memory_create(&plot->gaps, (size_t)planners * lines, sizeof *plot->gaps, error));
    for (uint32_t i = 0; i < planners; i++)
        add_contestant(plot, i, &plot->gaps[(size_t)i * lines]);
    qsort(plot->contestant, plot->contestants, sizeof *plot->contestant, compare_contestants);
    return STATUS_OK;
}

static enum status draw(struct plot_drawing *drawing)
{
    const struct common_lines *common = &drawing->contest.standings.common;
    struct gaps_plot plot = {.grid = &drawing->contest.grid, .common = common};
    enum status status = find_contestants(&plot, drawing->error);
    uint32_t shown = plot_shown(drawing, plot.contestants, UINT32_MAX);
    if (!status && !plot.contestants)
        status = plot_fail_empty(drawing);
    if (!status) {
        plot_begin(drawing, 800, ABOVE + BELOW + ROW_HEIGHT * (shown > 4 ? shown : 4),
                   "by the geometric mean over %u of %u rows where all ranked planners have a safe "
                   "plan; * is not ranked",
                   common->common, common->comparable);
        text_append(drawing->script, "count = %u\nmost = %.6g\n", shown,
                    plot.most > 1 ? plot.most : 1.0);
        script_begin_data(drawing->script, "dots");
        for (uint32_t i = 0; i < shown; i++)
            for (uint32_t k = 0; k < plot.contestant[i].count; k++)
                text_append(drawing->script, "%u %.6g\n", i, plot.contestant[i].gap[k]);
        script_end_data(drawing->script);
        script_begin_data(drawing->script, "middles");
        for (uint32_t i = 0; i < shown; i++) {
            const struct contestant *contestant = &plot.contestant[i];
            uint32_t middle = contestant->count / 2, other = (contestant->count - 1) / 2;
            double median = (contestant->gap[middle] + contestant->gap[other]) / 2;
            text_append(drawing->script, "%u %.6g ", i, median);
            script_add_field(drawing->script, names_get(&plot.grid->planners, contestant->planner));
            text_append(drawing->script, " \"%u of %u%s\"\n", contestant->unbeaten,
                        contestant->count, contestant->is_ranked ? "" : " *");
        }
        script_end_data(drawing->script);
        script_add_template(drawing->script, "gaps");
    }
    memory_free(plot.gaps);
    memory_free(plot.contestant);
    return status;
}

const struct plot_recipe plot_gaps = {
    .name = "gaps",
    .title = "Gap to the best known lower bound",
    .data = "the results of any bench run",
    .source = TABLE_OF_CONTEST,
    .draw = draw,
};
