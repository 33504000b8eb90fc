/* The plot wins: for each pair of the planners that stand best, how often one has a lower peak than
   the other. */

#include "plots/script/recipe.h"
#include "plots/script/script.h"

enum { CELL = 56, LEFT = 220, RIGHT = 110, ABOVE = 96, BELOW = 150, MOST_SHOWN = 10 };

/* The share of the common rows of two planners on which the first one is lower; -1 where they have
   none. */
static double find_share(const struct contest *contest, uint32_t first, uint32_t second)
{
    uint32_t rows = 0, lower = 0;
    double ratio, other;
    for (uint32_t i = 0; i < contest->grid.lines; i++) {
        if (!contest->standings.common.is_comparable[i] ||
            !grid_ratio(&contest->grid, i, first, &ratio) ||
            !grid_ratio(&contest->grid, i, second, &other))
            continue;
        rows++;
        lower += ratio < other;
    }
    return rows ? (double)lower / rows : -1;
}

enum status plot_draw_wins(struct plot_drawing *drawing)
{
    const struct contest *contest = &drawing->contest;
    const struct standing *standing = contest->standings.standing;
    struct text *script = drawing->script;
    uint32_t shown = plot_shown_planners(drawing, contest->standings.count, MOST_SHOWN);
    if (shown < 2)
        return plot_fail_empty(drawing);
    plot_begin(drawing, LEFT + RIGHT + CELL * shown, ABOVE + BELOW + CELL * shown,
               "share of rows (%%) on which the planner on the left is lower than the one below");
    text_append(script, "shown = %u\nleft = %d.0\nright = %d.0\nabove = %d.0\nbelow = %d.0\n",
                shown, LEFT, RIGHT, ABOVE, BELOW);
    script_begin_data(script, "names");
    for (uint32_t i = 0; i < shown; i++)
        script_add_name(script, i, contest_name(contest, i));
    script_end_data(script);
    script_begin_data(script, "cells");
    for (uint32_t row = 0; row < shown; row++)
        for (uint32_t column = 0; column < shown; column++) {
            double share = find_share(contest, standing[row].planner, standing[column].planner);
            if (row != column && share >= 0)
                text_append(script, "%u %u %.4g\n", column, row, 100 * share);
        }
    script_end_data(script);
    script_add_template(script, "wins");
    return STATUS_OK;
}
