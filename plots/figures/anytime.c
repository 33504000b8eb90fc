/* The plot anytime: how the best plan and the proved bound of an instance came together over time,
   a panel for each instance and policy. */

#include <stdio.h>
#include <string.h>

#include "core/names.h"
#include "plots/figures/plots.h"
#include "plots/figures/script.h"
#include "results/views/curve.h"
#include "results/views/grid.h"

enum { MOST_PANELS = 24, COLUMNS = 2, PANEL_HEIGHT = 250, ABOVE = 96, BELOW = 20 };
enum { MOST_NAME = 48 }; /* bytes that fit above a panel */

struct anytime_plot {
    const struct grid *grid;
    struct text curves;    /* data: a block for each curve */
    struct text facts;     /* script: what the panels and the blocks are */
    struct names planners; /* those that have curves; the index is the colour */
    uint32_t drawn, left_out, blocks;
    uint64_t begin_ns, end_ns;
};

static bool has_curve(const struct result_row *row)
{
    const char *text = row ? row->curve : "";
    struct curve_point point;
    return curve_next(&text, &point);
}

static uint64_t find_most(const struct result_row *row)
{
    const char *text = row->curve;
    struct curve_point point;
    uint64_t most = 0;
    while (curve_next(&text, &point)) {
        uint64_t bytes = point.peak_bytes == UINT64_MAX ? point.bound_bytes : point.peak_bytes;
        most = bytes > most ? bytes : most;
    }
    return most;
}

/* The time axis is logarithmic, so it has no zero. */
static void add_point(struct anytime_plot *plot, const struct curve_point *point, uint64_t factor)
{
    uint64_t time_ns = point->time_ns ? point->time_ns : 1;
    text_append(&plot->curves, "%.9g %.9g ", (double)time_ns / 1e9,
                (double)point->bound_bytes / (double)factor);
    if (point->peak_bytes == UINT64_MAX)
        text_append(&plot->curves, "NaN\n");
    else
        text_append(&plot->curves, "%.9g\n", (double)point->peak_bytes / (double)factor);
    plot->begin_ns = time_ns < plot->begin_ns ? time_ns : plot->begin_ns;
    plot->end_ns = time_ns > plot->end_ns ? time_ns : plot->end_ns;
}

/* The last interval holds until the planner ended. */
static void add_curve(struct anytime_plot *plot, const struct result_row *row, uint64_t factor,
                      uint32_t colour)
{
    const char *text = row->curve;
    struct curve_point point;
    while (curve_next(&text, &point))
        add_point(plot, &point, factor);
    if (row->wall_ns > point.time_ns)
        point.time_ns = row->wall_ns;
    add_point(plot, &point, factor);
    text_append(&plot->curves, "\n\n");
    text_append(&plot->facts, "tint[%u] = %u\n", ++plot->blocks, colour);
}

static void set_text(struct text *script, const char *name, uint32_t index, const char *value)
{
    char element[32];
    snprintf(element, sizeof element, "%s[%u]", name, index);
    script_set_text(script, element, value);
}

static void add_panel_facts(struct anytime_plot *plot, uint32_t line, uint32_t before,
                            const char *unit)
{
    const struct result_row *row = &plot->grid->set->row[plot->grid->first[line]];
    bool is_graph = strcmp(row->policy, RESULT_PROBLEM) != 0;
    bool is_long = strlen(row->instance) > MOST_NAME;
    char head[160];
    snprintf(head, sizeof head, "%.*s%s%s%.20s (%s)", MOST_NAME, row->instance,
             is_long ? "..." : "", is_graph ? ", " : "", is_graph ? row->policy : "", unit);
    plot->drawn++;
    text_append(&plot->facts, "first[%u] = %u\nlast[%u] = %u\n", plot->drawn, before + 1,
                plot->drawn, plot->blocks);
    set_text(&plot->facts, "head", plot->drawn, head);
}

static enum status find_colour(struct anytime_plot *plot, const char *planner, uint32_t *colour,
                               struct error *error)
{
    if (names_find(&plot->planners, planner) == NAMES_NONE)
        TRY(names_add(&plot->planners, planner, error));
    *colour = names_find(&plot->planners, planner);
    return STATUS_OK;
}

static enum status add_panel(struct anytime_plot *plot, uint32_t line, uint64_t most,
                             struct error *error)
{
    uint64_t factor;
    uint32_t before = plot->blocks, colour;
    const char *unit = script_unit(most, &factor);
    for (uint32_t i = 0; i < plot->grid->planners.count; i++) {
        const struct result_row *row = grid_at(plot->grid, line, i);
        if (!has_curve(row))
            continue;
        TRY(find_colour(plot, row->planner, &colour, error));
        add_curve(plot, row, factor, colour);
    }
    add_panel_facts(plot, line, before, unit);
    return STATUS_OK;
}

static enum status add_panels(struct anytime_plot *plot, const struct plot_recipe *recipe,
                              struct error *error)
{
    for (uint32_t line = 0; line < plot->grid->lines; line++) {
        uint64_t most = 0;
        for (uint32_t i = 0; i < plot->grid->planners.count; i++) {
            const struct result_row *row = grid_at(plot->grid, line, i);
            uint64_t highest = has_curve(row) ? find_most(row) : 0;
            most = highest > most ? highest : most;
        }
        if (most && plot->drawn < MOST_PANELS)
            TRY(add_panel(plot, line, most, error));
        else
            plot->left_out += most > 0;
    }
    if (!plot->drawn)
        return error_set(error, STATUS_NO, "no results for this plot, expected %s", recipe->data);
    return STATUS_OK;
}

static void add_planners(struct text *script, const struct anytime_plot *plot)
{
    text_append(script, "planners = %u\narray planner[planners]\n", plot->planners.count);
    for (uint32_t i = 0; i < plot->planners.count; i++)
        set_text(script, "planner", i + 1, names_get(&plot->planners, i));
}

static void add_script(const struct plot_recipe *recipe, const struct anytime_plot *plot,
                       struct text *script)
{
    uint32_t columns = plot->drawn < COLUMNS ? plot->drawn : COLUMNS;
    uint32_t lines = (plot->drawn + columns - 1) / columns;
    char subtitle[160] = "solid: the best plan; dashed: the proved bound";
    if (plot->left_out)
        snprintf(
            subtitle, sizeof subtitle,
            "solid: the best plan; dashed: the proved bound; %u more are left out: choose with "
            "--instances",
            plot->left_out);
    const struct script_head head = {recipe->name, 960, ABOVE + BELOW + PANEL_HEIGHT * lines,
                                     recipe->title, subtitle};
    script_begin(script, &head);
    text_append(script,
                "panels = %u\ncolumns = %u\nabove = %d.0\npanel = %d.0\nbegin = %.6g\nend = %.6g\n",
                plot->drawn, columns, ABOVE, PANEL_HEIGHT, (double)plot->begin_ns / 1e9,
                (double)plot->end_ns / 1e9);
    add_planners(script, plot);
    text_append(script,
                "array first[panels]\narray last[panels]\narray head[panels]\n"
                "array tint[%u]\n",
                plot->blocks);
    if (plot->facts.failed)
        script->failed = true;
    else
        text_append_bytes(script, plot->facts.bytes, plot->facts.length);
    script_add_data(script, "curves", &plot->curves);
    script_add_template(script, "anytime");
}

static enum status build(const struct plot_recipe *recipe, const struct plot_request *request,
                         struct text *script, struct error *error)
{
    const struct result_filter filter = {.choice = request->choice};
    struct result_set set = {0};
    struct grid grid = {0};
    struct anytime_plot plot = {.grid = &grid, .begin_ns = UINT64_MAX};
    enum status status;
    TRY_OR_DONE(status, query_newest(request->store, &filter, &set, error));
    TRY_OR_DONE(status, grid_create(&set, &grid, error));
    TRY_OR_DONE(status, add_panels(&plot, recipe, error));
    add_script(recipe, &plot, script);
done:
    text_free(&plot.curves);
    text_free(&plot.facts);
    names_free(&plot.planners);
    grid_free(&grid);
    query_free(&set);
    return status;
}

const struct plot_recipe plot_anytime = {
    "anytime", "The best plan and the proved bound over time",
    "results of planners that tell how they searched, as exact does", build, NULL};
