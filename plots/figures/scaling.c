/* The plot scaling: the time of the planners that stand best against the number of buffers, with
   the growth that fits. */

#include <stdio.h>

#include "plots/figures/plots.h"
#include "plots/figures/script.h"
#include "results/views/contest.h"
#include "results/views/growth.h"

enum { WIDTH = 900, HEIGHT = 600, MOST_LINES = 8 };

static uint32_t add_points(const struct contest *contest, uint32_t shown, struct text *points)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < shown; i++) {
        for (uint32_t line = 0; line < contest->grid.lines; line++) {
            uint64_t buffers, time_ns;
            if (!growth_point(&contest->grid, line, contest->standings.standing[i].planner,
                              &buffers, &time_ns))
                continue;
            text_append(points, "%.9g %.6g\n", (double)buffers, (double)time_ns / 1e9);
            count++;
        }
        text_append(points, "NaN NaN\n\n\n");
    }
    return count;
}

static void add_fit(const struct contest *contest, uint32_t place, struct text *script)
{
    struct growth growth;
    char title[160];
    growth_fit(&contest->grid, contest->standings.standing[place].planner, &growth);
    snprintf(title, sizeof title, growth.is_fitted ? "%s: n^%.2f" : "%s",
             contest_name(contest, place), growth.exponent);
    script_set_element(script, "planner", place, title);
    text_append(
        script, "exponent[%u] = %.9g\nfactor[%u] = %.9g\nleast[%u] = %.9g\ngreatest[%u] = %.9g\n",
        place + 1, growth.exponent, place + 1, growth.is_fitted ? growth.factor_ns / 1e9 : 0.0,
        place + 1, (double)growth.least_buffers, place + 1, (double)growth.most_buffers);
}

static void add_script(const struct plot_recipe *recipe, const struct contest *contest,
                       uint32_t shown, const struct text *points, struct text *script)
{
    char subtitle[200];
    snprintf(subtitle, sizeof subtitle,
             "a dot for each row; lines: time = factor * n^exponent by least squares; %u of %u "
             "planners, the best by rank",
             shown, contest->standings.count);
    const struct script_head head = {recipe->name, WIDTH, HEIGHT, recipe->title, subtitle};
    script_begin(script, &head);
    script_begin_array(script, "planner", shown);
    script_begin_array(script, "exponent", shown);
    script_begin_array(script, "factor", shown);
    script_begin_array(script, "least", shown);
    script_begin_array(script, "greatest", shown);
    for (uint32_t i = 0; i < shown; i++)
        add_fit(contest, i, script);
    text_append(script, "shown = %u\n", shown);
    script_add_data(script, "points", points);
    script_add_template(script, "scaling");
}

static enum status build(const struct plot_recipe *recipe, const struct plot_request *request,
                         struct text *script, struct error *error)
{
    struct contest contest;
    struct text points = {0};
    TRY(contest_open(request->store, request->choice, &contest, error));
    uint32_t shown = plots_shown(request, contest.standings.count, MOST_LINES);
    enum status status = STATUS_OK;
    if (add_points(&contest, shown, &points))
        add_script(recipe, &contest, shown, &points, script);
    else
        status = plots_fail_empty(recipe, error);
    text_free(&points);
    contest_free(&contest);
    return status;
}

const struct plot_recipe plot_scaling = {
    .name = "scaling",
    .title = "Time against the number of buffers",
    .data = "results of instances of several sizes: bench --suite scale",
    .build = build,
};
