/* The plots layout, figure1, figure2, figure6a, figure6b and patent-figure5: plans as rectangles of
 * steps and bytes. */

#include <inttypes.h>
#include <string.h>

#include "plots/script/recipe.h"
#include "plots/script/script.h"
#include "results/store/query.h"
#include "results/store/reconstructions.h"
#include "results/store/rectangles.h"
#include "results/table/escape.h"

/* Measures of the picture, in pixels, as templates/layout.gp places things. A label is drawn where
   its rectangle has room for it, upright or turned. A turned one needs an area of ROOM: a hundred
   of them side by side say nothing. */
enum { WIDTH = 800, HEIGHT = 490, ABOVE = 122, BELOW = 64, LETTER = 6, LINE = 12, ROOM = 1200 };

struct panel {
    struct result_set set;
    const struct result_row *row;
    struct rectangle_set rectangles;
};

struct layout_plot {
    unsigned panels;
    struct panel panel[PLOT_MOST_PANELS];
    uint64_t steps, top; /* of all panels, so that they can be compared */
    uint64_t line;       /* number of steps that are time steps */
    uint64_t regions;    /* the greatest group */
    bool blocks;
};

static const struct result_row *find_newest(const struct result_set *set)
{
    const struct result_row *best = NULL;
    for (uint32_t i = 0; i < set->count; i++) {
        const struct result_row *row = &set->row[i];
        if (query_worth(row) == RESULT_NUMBER &&
            (!best || strcmp(row->started, best->started) > 0 ||
             (strcmp(row->started, best->started) == 0 && query_prefers(row, best))))
            best = row;
    }
    return best;
}

/* Reads a panel, and widens the axes of the plot to what it has. */
static enum status find_panel(const struct plot_panel *wanted, struct plot_drawing *drawing,
                              struct layout_plot *plot, struct panel *panel)
{
    const struct plot_request *request = drawing->request;
    const struct result_filter filter = {.choice = request->choice,
                                         .instance = wanted->instance,
                                         .policy = wanted->policy,
                                         .planner = wanted->planner,
                                         .with_rectangles = true};
    TRY(query_newest(request->store, &filter, &panel->set, drawing->error));
    panel->row = find_newest(&panel->set);
    if (!panel->row && !wanted->instance)
        return error_set(drawing->error, STATUS_NO,
                         "no valid plan whose places were kept among the chosen results");
    if (!panel->row)
        return error_set(
            drawing->error, STATUS_NO,
            "no valid plan whose places were kept for instance %s, policy %s, planner %s",
            wanted->instance, wanted->policy, wanted->planner);
    TRY(rectangles_read(request->store, panel->set.id[panel->row - panel->set.row],
                        &panel->rectangles, drawing->error));
    uint64_t peak = panel->row->peak_bytes, load = panel->row->load_bytes;
    plot->top = peak > plot->top ? peak : plot->top;
    plot->top = load > plot->top ? load : plot->top;
    for (uint32_t i = 0; i < panel->rectangles.count; i++) {
        const struct result_rectangle *rectangle = &panel->rectangles.rectangle[i];
        uint64_t top = rectangle->offset + rectangle->size;
        plot->steps = rectangle->upper > plot->steps ? rectangle->upper : plot->steps;
        plot->top = top > plot->top ? top : plot->top;
        if (rectangle->group != RESULT_TIMELESS) {
            plot->line = rectangle->upper > plot->line ? rectangle->upper : plot->line;
            plot->regions = rectangle->group > plot->regions ? rectangle->group : plot->regions;
        }
        plot->blocks |= rectangle->block != 0;
    }
    return STATUS_OK;
}

static void add_label(struct text *script, const struct layout_plot *plot,
                      const struct result_rectangle *rectangle)
{
    double panel_width = WIDTH * (0.885 - 0.03 * (plot->panels - 1)) / plot->panels;
    double width =
        panel_width * (double)(rectangle->upper - rectangle->lower) / (double)plot->steps;
    double height = (HEIGHT - ABOVE - BELOW) * (double)rectangle->size / (1.06 * (double)plot->top);
    double letters = (double)(LETTER * (escape_width(rectangle->label) + 1));
    bool upright = letters <= width && height >= LINE;
    bool turned = !upright && letters <= height && width >= LINE && width * height >= ROOM;
    script_add_field(script, !rectangle->block && (upright || turned) ? rectangle->label : "");
    text_append(script, " %d\n", turned ? 90 : 0);
}

static bool rows_agree(const struct layout_plot *plot, size_t field_offset)
{
    const char *first, *other;
    memcpy(&first, (const char *)plot->panel[0].row + field_offset, sizeof first);
    for (unsigned i = 1; i < plot->panels; i++) {
        memcpy(&other, (const char *)plot->panel[i].row + field_offset, sizeof other);
        if (strcmp(first, other) != 0)
            return false;
    }
    return true;
}

/* An order of operators is a part of the instance's name, NAME@ORDER, and the title of layouts in
   several orders has the name alone. */
static int count_title_bytes(const struct layout_plot *plot)
{
    const char *instance = plot->panel[0].row->instance;
    return (int)(rows_agree(plot, offsetof(struct result_row, instance)) ? strlen(instance)
                                                                         : strcspn(instance, "@"));
}

static void add_script(struct plot_drawing *drawing, const struct plot_panel *wanted,
                       const struct layout_plot *plot)
{
    struct text *script = drawing->script;
    const struct result_row *row = plot->panel[0].row;
    bool policy = rows_agree(plot, offsetof(struct result_row, policy));
    bool planner = rows_agree(plot, offsetof(struct result_row, planner));
    uint64_t factor;
    plot_begin(drawing, WIDTH, HEIGHT, "instance %.*s%s%s%s%s%s", count_title_bytes(plot),
               row->instance, row->reconstruction ? RECONSTRUCTIONS_LABEL : "",
               policy ? ", policy " : "", policy ? row->policy : "", planner ? ", planner " : "",
               planner ? row->planner : "");
    text_append(script, "unit = '%s'\n", script_unit(plot->top, &factor));
    text_append(script,
                "factor = %" PRIu64 ".0\npanels = %u\nsteps = %" PRIu64 "\ntop = 1.06 * %" PRIu64
                "\nline = %" PRIu64 "\nregions = %" PRIu64 "\nblocks = %d\n",
                factor, plot->panels, plot->steps, plot->top, plot->line, plot->regions,
                plot->blocks);
    text_append(script, "array peak[%u]\narray load[%u]\n", plot->panels, plot->panels);
    script_begin_array(script, "heading", plot->panels);
    for (unsigned i = 0; i < plot->panels; i++) {
        const struct result_row *shown = plot->panel[i].row;
        SCOPED(text_free) struct text heading = {0};
        text_append(&heading, "%s%speak ", wanted[i].heading ? wanted[i].heading : "",
                    wanted[i].heading ? ": " : "");
        script_add_grouped(&heading, shown->peak_bytes);
        text_append(&heading, " bytes");
        script_set_element(script, "heading", i, heading.bytes ? heading.bytes : "");
        text_append(script, "peak[%u] = %" PRIu64 ".0\nload[%u] = %" PRIu64 ".0\n", i + 1,
                    shown->peak_bytes, i + 1, shown->load_bytes);
    }
    script_begin_data(script, "data");
    for (unsigned i = 0; i < plot->panels; i++) {
        text_append(script, i ? "\n\n" : "");
        for (uint32_t k = 0; k < plot->panel[i].rectangles.count; k++) {
            const struct result_rectangle *rectangle = &plot->panel[i].rectangles.rectangle[k];
            uint64_t group = rectangle->group == RESULT_TIMELESS ? 0 : rectangle->group;
            text_append(script, "%" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %d ",
                        rectangle->lower, rectangle->upper, rectangle->offset,
                        rectangle->offset + rectangle->size, group, rectangle->block != 0);
            add_label(script, plot, rectangle);
        }
    }
    script_end_data(script);
    script_add_template(script, "layout");
}

enum status plot_draw_layout(struct plot_drawing *drawing)
{
    const struct plot_panel *wanted =
        drawing->request->panel ? drawing->request->panel : drawing->recipe->panel;
    struct layout_plot plot = {.panels = 1, .steps = 1, .top = 1};
    while (plot.panels < PLOT_MOST_PANELS && wanted[plot.panels].instance)
        plot.panels++;
    enum status status = STATUS_OK;
    for (unsigned i = 0; i < plot.panels && !status; i++)
        status = find_panel(&wanted[i], drawing, &plot, &plot.panel[i]);
    if (!status)
        add_script(drawing, wanted, &plot);
    for (unsigned i = 0; i < plot.panels; i++) {
        query_free(&plot.panel[i].set);
        rectangles_free(&plot.panel[i].rectangles);
    }
    return status;
}
