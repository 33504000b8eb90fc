/* The plot anytime: how the best plan and the proved bound of an instance came together over time,
   a panel for each instance and policy, the longest searches first. Planners that record no curve
   have a point where they ended. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/compare.h"
#include "core/memory.h"
#include "plots/comparisons/curve.h"
#include "plots/script/recipe.h"
#include "plots/script/script.h"

enum {
    MOST_PANELS = 12,
    MOST_PLANNERS = 8,
    COLUMNS = 2,
    PANEL_HEIGHT = 250,
    ABOVE = 110,
    BELOW = 20
};
enum { MOST_NAME = 48 }; /* number of bytes that fit above a panel */

struct anytime_plot {
    struct plot_drawing *drawing;
    const struct contest *contest;
    uint32_t *planner; /* [planners] the planners of the grid; the index is the colour */
    uint32_t planners;
    struct text curves; /* the data: a block for each curve */
    struct text facts;  /* the script: what is in the panels and blocks */
    uint32_t drawn, left_out, blocks;
    uint64_t begin_ns, end_ns;
};

static bool has_curve(const struct result_row *row)
{
    const char *text = row ? row->curve : "";
    struct curve_point point;
    return curve_next(&text, &point);
}

/* Adds a point: the bound, which may be unknown, and the peak, which is UINT64_MAX where there is
   no plan yet. The time axis is logarithmic, so time 0 is moved to a small value. */
static void add_point(struct anytime_plot *plot, const struct curve_point *point, bool has_bound,
                      uint64_t factor)
{
    uint64_t time_ns = point->time_ns ? point->time_ns : 1;
    bool has_plan = point->peak_bytes != UINT64_MAX;
    text_append(&plot->curves, "%.9g ", (double)time_ns / 1e9);
    script_add_real(&plot->curves, has_bound, (double)point->bound_bytes / (double)factor, ' ');
    script_add_real(&plot->curves, has_plan, (double)point->peak_bytes / (double)factor, '\n');
    plot->begin_ns = time_ns < plot->begin_ns ? time_ns : plot->begin_ns;
    plot->end_ns = time_ns > plot->end_ns ? time_ns : plot->end_ns;
}

/* Adds a curve, whose last value holds until the planner ended; or a point where it ended, if it
   tells no more. */
static void add_curve(struct anytime_plot *plot, const struct result_row *row, uint64_t factor,
                      uint32_t colour)
{
    const char *text = row->curve;
    struct curve_point point = {.peak_bytes = row->peak_bytes};
    bool is_curve = has_curve(row);
    while (curve_next(&text, &point))
        add_point(plot, &point, true, factor);
    if (!is_curve || row->wall_ns > point.time_ns)
        point.time_ns = row->wall_ns;
    add_point(plot, &point, is_curve, factor);
    text_append(&plot->curves, "\n\n");
    text_append(&plot->facts, "hue[%u] = %u\n", ++plot->blocks, colour);
}

/* A line of the grid on which some planner has a curve. */
struct panel {
    uint32_t line;
    uint64_t most_bytes, end_ns;
};

COMPARE_BY(compare_panels, struct panel, compare_numbers(b->end_ns, a->end_ns),
           compare_numbers(a->line, b->line))

static enum status add_panels(struct anytime_plot *plot, struct error *error)
{
    const struct grid *grid = &plot->contest->grid;
    SCOPED(memory_release) struct panel *panel = NULL;
    uint32_t count = 0;
    TRY(memory_create(&panel, grid->lines + (size_t)1, sizeof *panel, error));
    for (uint32_t line = 0; line < grid->lines; line++) {
        panel[count] = (struct panel){.line = line};
        for (uint32_t i = 0; i < plot->planners; i++) {
            const struct result_row *row = grid_at(grid, line, plot->planner[i]);
            uint64_t most = 0;
            struct curve_point point;
            for (const char *text = row ? row->curve : ""; curve_next(&text, &point);) {
                uint64_t peak = point.peak_bytes;
                uint64_t bytes = peak == UINT64_MAX ? point.bound_bytes : peak;
                most = bytes > most ? bytes : most;
            }
            if (most > panel[count].most_bytes)
                panel[count].most_bytes = most;
            if (most && row->wall_ns > panel[count].end_ns)
                panel[count].end_ns = row->wall_ns;
        }
        count += panel[count].most_bytes > 0;
    }
    qsort(panel, count, sizeof *panel, compare_panels);
    for (uint32_t i = 0; i < count && i < MOST_PANELS; i++) {
        const struct result_row *first = &grid->set->row[grid->first[panel[i].line]];
        bool is_graph = strcmp(first->policy, RESULT_PROBLEM) != 0;
        uint64_t factor;
        uint32_t before = plot->blocks;
        const char *unit = script_unit(panel[i].most_bytes, &factor);
        char head[160];
        for (uint32_t k = 0; k < plot->planners; k++) {
            const struct result_row *row = grid_at(grid, panel[i].line, plot->planner[k]);
            if (has_curve(row) || (row && query_worth(row) == RESULT_NUMBER))
                add_curve(plot, row, factor, k);
        }
        snprintf(head, sizeof head, "%.*s%s%s%.20s (%s)", MOST_NAME, first->instance,
                 strlen(first->instance) > MOST_NAME ? "..." : "", is_graph ? ", " : "",
                 is_graph ? first->policy : "", unit);
        plot->drawn++;
        text_append(&plot->facts, "first[%u] = %u\nlast[%u] = %u\n", plot->drawn, before + 1,
                    plot->drawn, plot->blocks);
        script_set_element(&plot->facts, "head", plot->drawn - 1, head);
    }
    plot->left_out = count - plot->drawn;
    return plot->drawn ? STATUS_OK : plot_fail_empty(plot->drawing);
}

static bool has_any_curve(const struct contest *contest, uint32_t planner)
{
    for (uint32_t line = 0; line < contest->grid.lines; line++)
        if (has_curve(grid_at(&contest->grid, line, planner)))
            return true;
    return false;
}

static void add_script(const struct anytime_plot *plot)
{
    struct text *script = plot->drawing->script;
    uint32_t columns = plot->drawn < COLUMNS ? plot->drawn : COLUMNS;
    uint32_t lines = (plot->drawn + columns - 1) / columns;
    unsigned height = ABOVE + BELOW + PANEL_HEIGHT * lines;
    if (plot->left_out)
        plot_begin(plot->drawing, 960, height,
                   "solid: the best plan; dashed: the proved bound; dot: an end; %u shorter ones "
                   "are left out: --instances chooses",
                   plot->left_out);
    else
        plot_begin(plot->drawing, 960, height,
                   "solid: the best plan; dashed: the proved bound; dot: the end of a "
                   "planner that tells no more");
    text_append(script,
                "panels = %u\ncolumns = %u\nabove = %d.0\npanel = %d.0\nbegin = %.6g\nend = %.6g\n"
                "planners = %u\n",
                plot->drawn, columns, ABOVE, PANEL_HEIGHT, (double)plot->begin_ns / 1e9,
                (double)plot->end_ns / 1e9, plot->planners);
    script_begin_array(script, "planner", plot->planners);
    for (uint32_t i = 0; i < plot->planners; i++)
        script_set_element(script, "planner", i,
                           names_get(&plot->contest->grid.planners, plot->planner[i]));
    text_append(script,
                "array first[panels]\narray last[panels]\narray head[panels]\narray hue[%u]\n",
                plot->blocks);
    script_add_lines(script, &plot->facts);
    script_add_data(script, "curves", &plot->curves);
    script_add_template(script, "anytime");
}

static const char *get_name(const void *planners, const void *item)
{
    const uint32_t *planner = item;
    return names_get(planners, *planner);
}

/* Shows the planners with curves, even if they have no plan, then those with the best standings. */
enum status plot_draw_anytime(struct plot_drawing *drawing)
{
    const struct contest *contest = &drawing->contest;
    const struct standings *standings = &contest->standings;
    uint32_t all = contest->grid.planners.count;
    SCOPED(memory_release) uint32_t *planner = NULL;
    TRY(memory_create(&planner, all + (size_t)1, sizeof *planner, drawing->error));
    struct anytime_plot plot = {
        .drawing = drawing, .contest = contest, .planner = planner, .begin_ns = UINT64_MAX};
    for (uint32_t i = 0; i < all; i++)
        if (has_any_curve(contest, i))
            planner[plot.planners++] = i;
    for (uint32_t i = 0; i < standings->count; i++)
        if (!has_any_curve(contest, standings->standing[i].planner))
            planner[plot.planners++] = standings->standing[i].planner;
    plot.planners = plot_shown_lines(
        drawing, &(struct plot_lines){planner, sizeof *planner, get_name, &contest->grid.planners},
        plot.planners, MOST_PLANNERS);
    enum status status = add_panels(&plot, drawing->error);
    if (!status)
        add_script(&plot);
    text_free(&plot.curves);
    text_free(&plot.facts);
    return status;
}
