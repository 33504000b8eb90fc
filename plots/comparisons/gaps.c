/* The plot gaps: a line for each planner with a dot for each of its gaps to the best known bound.
 */

#include <stdio.h>
#include <stdlib.h>

#include "core/memory.h"
#include "plots/script/recipe.h"
#include "plots/script/script.h"
#include "results/views/common_lines.h"

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
    struct common_lines common;
    /* [contestants] ranked ones first, then by the mean, best first */
    struct contestant *contestant;
    uint32_t contestants, shown;
    double most;
};

static int compare_gaps(const void *a, const void *b)
{
    const double *left = a, *right = b;
    return (*left > *right) - (*left < *right);
}

static int compare_contestants(const void *a, const void *b)
{
    const struct contestant *left = a, *right = b;
    if (left->is_ranked != right->is_ranked)
        return left->is_ranked ? -1 : 1;
    int order = (left->mean_ratio > right->mean_ratio) - (left->mean_ratio < right->mean_ratio);
    return order ? order : (left->planner > right->planner) - (left->planner < right->planner);
}

static enum status add_contestant(struct gaps_plot *plot, uint32_t planner, struct error *error)
{
    struct contestant *added = &plot->contestant[plot->contestants];
    double ratio;
    TRY(memory_create(&added->gap, plot->grid->lines, sizeof *added->gap, error));
    plot->contestants++;
    added->planner = planner;
    for (uint32_t i = 0; i < plot->grid->lines; i++) {
        if (!grid_ratio(plot->grid, i, planner, &ratio))
            continue;
        double gap = ratio > 1 ? 100 * (ratio - 1) : 0;
        added->gap[added->count++] = gap;
        added->unbeaten += gap <= 0;
        plot->most = gap > plot->most ? gap : plot->most;
    }
    qsort(added->gap, added->count, sizeof *added->gap, compare_gaps);
    return STATUS_OK;
}

static enum status find_contestants(struct gaps_plot *plot, struct error *error)
{
    uint32_t planners = plot->grid->planners.count, lines;
    TRY(memory_create(&plot->contestant, planners, sizeof *plot->contestant, error));
    for (uint32_t i = 0; i < planners; i++) {
        double mean_ratio = grid_mean_ratio(plot->grid, i, &lines);
        if (!lines)
            continue;
        TRY(add_contestant(plot, i, error));
        struct contestant *added = &plot->contestant[plot->contestants - 1];
        added->is_ranked = plot->common.is_ranked[i];
        added->mean_ratio = added->is_ranked
                                ? common_lines_mean_ratio(&plot->common, plot->grid, i, &lines)
                                : mean_ratio;
    }
    qsort(plot->contestant, plot->contestants, sizeof *plot->contestant, compare_contestants);
    return STATUS_OK;
}

static void free_contestants(struct gaps_plot *plot)
{
    for (uint32_t i = 0; i < plot->contestants; i++)
        memory_free(plot->contestant[i].gap);
    memory_free(plot->contestant);
}

static double find_median(const struct contestant *contestant)
{
    uint32_t middle = contestant->count / 2;
    if (contestant->count % 2)
        return contestant->gap[middle];
    return (contestant->gap[middle - 1] + contestant->gap[middle]) / 2;
}

static void add_data(struct text *script, const struct gaps_plot *plot)
{
    script_begin_data(script, "dots");
    for (uint32_t i = 0; i < plot->shown; i++)
        for (uint32_t k = 0; k < plot->contestant[i].count; k++)
            text_append(script, "%u %.6g\n", i, plot->contestant[i].gap[k]);
    script_end_data(script);
    script_begin_data(script, "middles");
    for (uint32_t i = 0; i < plot->shown; i++) {
        const struct contestant *contestant = &plot->contestant[i];
        text_append(script, "%u %.6g ", i, find_median(contestant));
        script_add_field(script, names_get(&plot->grid->planners, contestant->planner));
        text_append(script, " \"%u of %u%s\"\n", contestant->unbeaten, contestant->count,
                    contestant->is_ranked ? "" : " *");
    }
    script_end_data(script);
}

static void describe_order(const struct common_lines *common, char *subtitle, size_t size)
{
    snprintf(subtitle, size,
             "by the geometric mean over %u of %u rows where all ranked planners have a safe plan"
             "; * is not ranked",
             common->common, common->comparable);
}

static void add_script(const struct plot_recipe *recipe, const struct gaps_plot *plot,
                       struct text *script)
{
    char subtitle[160];
    describe_order(&plot->common, subtitle, sizeof subtitle);
    struct script_head head = {
        .name = recipe->name,
        .width = 800,
        .height = ABOVE + BELOW + ROW_HEIGHT * (plot->shown > 4 ? plot->shown : 4),
        .title = recipe->title,
        .subtitle = subtitle,
    };
    script_begin(script, &head);
    text_append(script, "count = %u\nmost = %.6g\n", plot->shown,
                plot->most > 1 ? plot->most : 1.0);
    add_data(script, plot);
    script_add_template(script, "gaps");
}

static enum status build(const struct plot_recipe *recipe, const struct plot_request *request,
                         struct text *script, struct error *error)
{
    struct result_filter filter = {.choice = request->choice};
    struct result_set set = {0};
    struct grid grid = {0};
    struct gaps_plot plot = {.grid = &grid};
    enum status status;
    TRY_OR_DONE(status, query_newest(request->store, &filter, &set, error));
    TRY_OR_DONE(status, grid_create(&set, &grid, error));
    TRY_OR_DONE(status, common_lines_find(&grid, &plot.common, error));
    TRY_OR_DONE(status, find_contestants(&plot, error));
    plot.shown = plot_recipe_shown(request, plot.contestants, UINT32_MAX);
    if (plot.contestants)
        add_script(recipe, &plot, script);
    else
        status = error_set(error, STATUS_NO, "no results for this plot, expected %s", recipe->data);
done:
    free_contestants(&plot);
    common_lines_free(&plot.common);
    grid_free(&grid);
    query_free(&set);
    return status;
}

const struct plot_recipe plot_gaps = {
    .name = "gaps",
    .title = "Gap to the best known lower bound",
    .data = "the results of any bench run",
    .build = build,
};
