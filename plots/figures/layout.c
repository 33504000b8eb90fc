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

/* Of the picture, in pixels, as templates/layout.gp places things. A label is drawn where its
   rectangle has room for it, upright or turned. A turned one needs an area of ROOM: a hundred of
   them side by side say nothing. */
enum { WIDTH = 800, HEIGHT = 490, ABOVE = 122, BELOW = 64, LETTER = 6, LINE = 12, ROOM = 1200 };

/* One panel of a layout, which shows some of what the request chooses; NULL for no restriction. */
struct layout_panel {
    const char *instance, *policy, *planner;
    const char *heading;
};
enum { MOST_PANELS = 3 };
struct layout_detail {
    unsigned panels;
    struct layout_panel panel[MOST_PANELS];
};

struct panel {
    struct result_set set;
    const struct result_row *row;
    struct rectangle_set rectangles;
};

struct layout_plot {
    unsigned panels;
    struct panel panel[MOST_PANELS];
    uint64_t steps, top; /* of all panels, so that they can be compared */
    uint64_t line;       /* number of steps that are time steps */
    bool regions, blocks;
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

static enum status find_panel(const struct layout_panel *wanted, struct plot_drawing *drawing,
                              struct panel *panel)
{
    const struct plot_request *request = drawing->request;
    const struct result_filter filter = {.choice = request->choice,
                                         .instance = wanted->instance,
                                         .policy = wanted->policy,
                                         .planner = wanted->planner,
                                         .with_rectangles = true};
    TRY(query_newest(request->store, &filter, &panel->set, drawing->error));
    panel->row = find_newest(&panel->set);
    if (panel->row)
        return rectangles_read(request->store, panel->set.id[panel->row - panel->set.row],
                               &panel->rectangles, drawing->error);
    if (!wanted->instance)
        return error_set(drawing->error, STATUS_NO,
                         "no valid plan whose places were kept among the chosen results");
    return error_set(drawing->error, STATUS_NO,
                     "no valid plan whose places were kept for instance %s, policy %s, planner %s",
                     wanted->instance, wanted->policy, wanted->planner);
}

static void measure_panel(struct layout_plot *plot, const struct panel *panel)
{
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
            plot->regions |= rectangle->group != 0;
        }
        plot->blocks |= rectangle->block != 0;
    }
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

static void add_panel_values(struct text *script, const struct layout_detail *detail,
                             const struct layout_plot *plot)
{
    text_append(script, "array heading[%u]\narray peak[%u]\narray load[%u]\n", plot->panels,
                plot->panels, plot->panels);
    for (unsigned i = 0; i < plot->panels; i++) {
        const struct result_row *row = plot->panel[i].row;
        const char *heading = detail->panel[i].heading;
        text_append(script, "heading[%u] = '%s%speak ", i + 1, heading, *heading ? ": " : "");
        script_add_grouped(script, row->peak_bytes);
        text_append(script, " bytes'\npeak[%u] = %" PRIu64 ".0\nload[%u] = %" PRIu64 ".0\n", i + 1,
                    row->peak_bytes, i + 1, row->load_bytes);
    }
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

static void add_script(struct plot_drawing *drawing, const struct layout_plot *plot)
{
    struct text *script = drawing->script;
    const struct result_row *row = plot->panel[0].row;
    bool policy = rows_agree(plot, offsetof(struct result_row, policy));
    bool planner = rows_agree(plot, offsetof(struct result_row, planner));
    uint64_t factor;
    plot_begin(drawing, WIDTH, HEIGHT, "instance %s%s%s%s%s%s", row->instance,
               row->reconstruction ? RECONSTRUCTIONS_LABEL : "", policy ? ", policy " : "",
               policy ? row->policy : "", planner ? ", planner " : "", planner ? row->planner : "");
    text_append(script, "unit = '%s'\n", script_unit(plot->top, &factor));
    text_append(script,
                "factor = %" PRIu64 ".0\npanels = %u\nsteps = %" PRIu64 "\ntop = 1.06 * %" PRIu64
                "\nline = %" PRIu64 "\nregions = %d\nblocks = %d\n",
                factor, plot->panels, plot->steps, plot->top, plot->line, plot->regions,
                plot->blocks);
    add_panel_values(script, drawing->recipe->detail, plot);
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

static enum status draw(struct plot_drawing *drawing)
{
    const struct layout_detail *detail = drawing->recipe->detail;
    struct layout_plot plot = {.panels = detail->panels, .steps = 1, .top = 1};
    enum status status = STATUS_OK;
    for (unsigned i = 0; i < plot.panels && !status; i++) {
        status = find_panel(&detail->panel[i], drawing, &plot.panel[i]);
        if (!status)
            measure_panel(&plot, &plot.panel[i]);
    }
    if (!status)
        add_script(drawing, &plot);
    for (unsigned i = 0; i < plot.panels; i++) {
        query_free(&plot.panel[i].set);
        rectangles_free(&plot.panel[i].rectangles);
    }
    return status;
}

static const struct layout_detail figure1 = {
    3,
    {{"paper/figure1", "flat", "sequential", "sequential"},
     {"paper/figure1", "flat", "large_first", "large_first"},
     {"paper/figure1", "flat", "short_first", "short_first"}}};
const struct plot_recipe plot_figure1 = {
    .name = "figure1",
    .title = "Memory layouts of three strategies",
    .data = "paper/figure1, policy flat: sequential, large_first, short_first (Wang et al. 2025, "
            "Figure 1)",
    .source = TABLE_OF_ITS_OWN,
    .draw = draw,
    .detail = &figure1,
};

static const struct layout_detail figure2 = {
    2,
    {{"paper/figure1", "flat", "large_first", "flat"},
     {"paper/figure1", "recursive", "large_first", "recursive"}}};
const struct plot_recipe plot_figure2 = {
    .name = "figure2",
    .title = "Memory layout before and after control-flow optimisation",
    .data = "paper/figure1, large_first, policies flat and recursive (Wang et al. 2025, Figure 2)",
    .source = TABLE_OF_ITS_OWN,
    .draw = draw,
    .detail = &figure2,
};

static const struct layout_detail patent_figure5 = {1,
                                                    {{"patent/figure4", "flat", "exclusive", ""}}};
const struct plot_recipe plot_patent_figure5 = {
    .name = "patent-figure5",
    .title = "Memory of operators that exclude each other",
    .data = "patent/figure4, exclusive, policy flat (the patent, Figure 5)",
    .source = TABLE_OF_ITS_OWN,
    .draw = draw,
    .detail = &patent_figure5,
};

static const struct layout_detail figure6a = {1,
                                              {{"luna/fusion_detect", "flat", "large_first", ""}}};
const struct plot_recipe plot_figure6a = {
    .name = "figure6a",
    .title = "FusionDetect before control-flow optimisation",
    .data = "luna/fusion_detect, large_first, policy flat (Wang et al. 2025, Figure 6a)",
    .source = TABLE_OF_ITS_OWN,
    .draw = draw,
    .detail = &figure6a,
};

static const struct layout_detail figure6b = {
    1, {{"luna/fusion_detect", "recursive", "large_first", ""}}};
const struct plot_recipe plot_figure6b = {
    .name = "figure6b",
    .title = "FusionDetect after control-flow optimisation",
    .data = "luna/fusion_detect, large_first, policy recursive (Wang et al. 2025, Figure 6b)",
    .source = TABLE_OF_ITS_OWN,
    .draw = draw,
    .detail = &figure6b,
};

static const struct layout_detail requested = {1, {{NULL, NULL, NULL, ""}}};
const struct plot_recipe plot_layout = {
    .name = "layout",
    .title = "Memory layout",
    .data = "the newest plan for an instance, a policy and a planner",
    .source = TABLE_OF_ITS_OWN,
    .draw = draw,
    .detail = &requested,
};
