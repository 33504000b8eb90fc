/* The plot scaling: time and memory of the planners that stand best against the number of buffers,
   with the growth that fits best. */

#include <stdio.h>

#include "plots/script/recipe.h"
#include "plots/script/script.h"
#include "results/views/planners/growth.h"

enum { WIDTH = 1200, HEIGHT = 600, MOST_LINES = 8 };

static uint32_t add_points(const struct contest *contest, uint32_t shown, struct text *points)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < shown; i++) {
        for (uint32_t line = 0; line < contest->grid.lines; line++) {
            struct growth_point point;
            if (!growth_point(&contest->grid, line, contest->standings.standing[i].planner, &point))
                continue;
            double buffers = (double)point.buffers;
            text_append(points, "%.9g %.6g ", buffers, (double)point.value[GROWTH_TIME_NS] / 1e9);
            if (point.value[GROWTH_MEMORY_BYTES])
                text_append(points, "%.6g\n", (double)point.value[GROWTH_MEMORY_BYTES] / buffers);
            else
                text_append(points, "NaN\n");
            count++;
        }
        text_append(points, "NaN NaN NaN\n\n\n");
    }
    return count;
}

/* The names of the fits' arrays; times are in seconds, memory in bytes for each buffer. */
static const struct {
    const char *exponent, *factor;
    double unit, less;
} fits[GROWTH_QUANTITIES] = {{"time_exponent", "time_factor", 1e9, 0},
                             {"memory_exponent", "memory_factor", 1, 1}};

static void add_planner(const struct contest *contest, uint32_t place, struct text *script)
{
    uint32_t planner = contest->standings.standing[place].planner;
    struct growth growth[GROWTH_QUANTITIES];
    char title[200];
    for (enum growth_quantity i = 0; i < GROWTH_QUANTITIES; i++) {
        growth_fit(&contest->grid, planner, i, &growth[i]);
        /* A factor of 0 says that there is no fit. */
        text_append(script, "%s[%u] = %.9g\n%s[%u] = %.9g\n", fits[i].exponent, place + 1,
                    growth[i].exponent - fits[i].less, fits[i].factor, place + 1,
                    growth[i].is_fitted ? growth[i].factor / fits[i].unit : 0.0);
    }
    const struct growth *time = &growth[GROWTH_TIME_NS], *memory = &growth[GROWTH_MEMORY_BYTES];
    int length = snprintf(title, sizeof title, time->is_fitted ? "%s: n^%.2f" : "%s",
                          contest_name(contest, place), time->exponent);
    if (memory->is_fitted && length > 0 && (size_t)length < sizeof title)
        snprintf(title + length, sizeof title - (size_t)length, ", n^%.2f bytes", memory->exponent);
    script_set_element(script, "planner", place, title);
    text_append(script, "least[%u] = %.9g\ngreatest[%u] = %.9g\n", place + 1,
                (double)time->least_buffers, place + 1, (double)time->most_buffers);
    text_append(script, "has_memory = has_memory || %d\n", memory->rows > 0);
}

enum status plot_draw_scaling(struct plot_drawing *drawing)
{
    const struct contest *contest = &drawing->contest;
    struct text *script = drawing->script;
    SCOPED(text_free) struct text points = {0};
    uint32_t shown = plot_shown_planners(drawing, contest->standings.count, MOST_LINES);
    if (!add_points(contest, shown, &points))
        return plot_fail_empty(drawing);
    plot_begin(drawing, WIDTH, HEIGHT,
               "a dot for each row; lines: factor * n^exponent by least squares, where rows span a "
               "factor of 4");
    script_begin_array(script, "planner", shown);
    for (int i = 0; i < GROWTH_QUANTITIES; i++) {
        script_begin_array(script, fits[i].exponent, shown);
        script_begin_array(script, fits[i].factor, shown);
    }
    script_begin_array(script, "least", shown);
    script_begin_array(script, "greatest", shown);
    text_append(script, "has_memory = 0\n");
    for (uint32_t i = 0; i < shown; i++)
        add_planner(contest, i, script);
    text_append(script, "shown = %u\n", shown);
    script_add_data(script, "points", &points);
    script_add_template(script, "scaling");
    return STATUS_OK;
}
