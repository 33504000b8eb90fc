/* The plot ranks: a critical-difference diagram. Planners by their mean ranks over instances; a bar
   joins planners whose ranks do not differ at the level of 5% (Friedman, Nemenyi). Demsar, JMLR 7,
   2006. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/compare.h"
#include "plots/script/recipe.h"
#include "plots/script/script.h"
#include "results/compare/ranks.h"

enum { WIDTH = 900, ABOVE = 130, LINE = 26, BAR = 12, BELOW = 30, USUAL = 10 };

struct ranked {
    uint32_t place; /* its place in the standings */
    double mean;
};

struct ranks {
    const struct contest *contest;
    struct ranked ranked[RANKS_MOST]; /* [shown] by mean rank */
    uint32_t shown, instances;
    struct ranks_test test;
    struct text bars;
    uint32_t bar_count;
};

/* Adds each planner's ratios over the lines from *line on that belong to one instance and on which
   all shown planners have a number. *line moves to the next instance. */
static uint32_t sum_instance(const struct ranks *ranks, uint32_t *line, double *sum)
{
    const struct grid *grid = &ranks->contest->grid;
    const struct common_lines *common = &ranks->contest->standings.common;
    uint32_t rows = 0, first = *line;
    memset(sum, 0, RANKS_MOST * sizeof *sum);
    const char *instance = grid->set->row[grid->first[first]].instance;
    for (;
         *line < grid->lines && strcmp(grid->set->row[grid->first[*line]].instance, instance) == 0;
         ++*line) {
        double ratio[RANKS_MOST];
        uint32_t found = 0;
        while (found < ranks->shown && common->is_comparable[*line] &&
               grid_ratio(grid, *line, ranks->contest->standings.standing[found].planner,
                          &ratio[found]))
            found++;
        if (found < ranks->shown)
            continue;
        rows++;
        for (uint32_t i = 0; i < found; i++)
            sum[i] += ratio[i];
    }
    return rows;
}

COMPARE_BY(compare_ranked, struct ranked, compare_reals(a->mean, b->mean),
           compare_numbers(a->place, b->place))

static void add_script(struct plot_drawing *drawing, const struct ranks *ranks)
{
    struct text *script = drawing->script;
    uint32_t lines = (ranks->shown + 1) / 2;
    bool is_tiny = ranks->test.p_value < 1e-4;
    plot_begin(
        drawing, WIDTH, ABOVE + BELOW + BAR * (ranks->bar_count + 1) + LINE * lines,
        "mean ranks over %u instances; bars join planners that do not differ at 5%% (Nemenyi); "
        "Friedman: p %s %.2g",
        ranks->instances, is_tiny ? "<" : "=", is_tiny ? 1e-4 : ranks->test.p_value);
    text_append(script,
                "shown = %u\ncritical = %.6g\nbars = %u\nlines = %u\nabove = %d.0\nbelow = %d.0\n"
                "bar = %d.0\nline = %d.0\n",
                ranks->shown, ranks->test.critical, ranks->bar_count, lines, ABOVE, BELOW, BAR,
                LINE);
    script_begin_data(script, "planners");
    for (uint32_t i = 0; i < ranks->shown; i++) {
        char name[128];
        bool is_left = i < (ranks->shown + 1) / 2;
        snprintf(name, sizeof name, "%.80s  %.2f",
                 contest_name(ranks->contest, ranks->ranked[i].place), ranks->ranked[i].mean);
        text_append(script, "%.6g %u %d %d ", ranks->ranked[i].mean,
                    is_left ? i : ranks->shown - 1 - i, is_left,
                    ranks->ranked[i].place + 1 == drawing->mine);
        script_add_field(script, name);
        text_append(script, "\n");
    }
    script_end_data(script);
    script_begin_data(script, "bars");
    /* gnuplot takes no empty datablock. */
    text_append(script, "NaN NaN 0\n");
    script_add_lines(script, &ranks->bars);
    script_end_data(script);
    script_add_template(script, "ranks");
}

enum status plot_draw_ranks(struct plot_drawing *drawing)
{
    const struct contest *contest = &drawing->contest;
    drawing->most = RANKS_MOST;
    struct ranks ranks = {.contest = contest,
                          .shown = plot_shown_planners(drawing, contest->standings.count, USUAL)};
    double mean[RANKS_MOST];
    double sum[RANKS_MOST], total[RANKS_MOST] = {0};
    for (uint32_t line = 0; line < ranks.contest->grid.lines;)
        if (sum_instance(&ranks, &line, sum)) {
            ranks_add(sum, ranks.shown, total);
            ranks.instances++;
        }
    for (uint32_t i = 0; i < ranks.shown && ranks.instances; i++)
        ranks.ranked[i] = (struct ranked){i, total[i] / ranks.instances};
    qsort(ranks.ranked, ranks.shown, sizeof *ranks.ranked, compare_ranked);
    if (ranks.shown < RANKS_LEAST || ranks.instances < 2)
        return plot_fail_empty(drawing);
    for (uint32_t i = 0; i < ranks.shown; i++)
        mean[i] = ranks.ranked[i].mean;
    ranks.test = ranks_judge(mean, ranks.shown, ranks.instances);
    /* Finds the bars: one for each largest group of planners whose mean ranks are within the
       critical difference. */
    uint32_t reached = 0;
    for (uint32_t first = 0; first < ranks.shown; first++) {
        uint32_t last = first;
        while (last + 1 < ranks.shown &&
               ranks.ranked[last + 1].mean - ranks.ranked[first].mean < ranks.test.critical)
            last++;
        if (last == first || (first && last <= reached))
            continue;
        reached = last;
        text_append(&ranks.bars, "%.6g %.6g %u\n", ranks.ranked[first].mean,
                    ranks.ranked[last].mean, ranks.bar_count++);
    }
    add_script(drawing, &ranks);
    text_free(&ranks.bars);
    return STATUS_OK;
}
