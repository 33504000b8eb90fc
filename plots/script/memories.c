#include "plots/script/memories.h"

#include <inttypes.h>
#include <string.h>

#include "plots/script/script.h"
#include "results/table/escape.h"

/* Measures of the picture, in pixels, as templates/memories.gp places things. A label is drawn
   where its rectangle has room for it, upright or turned. */
enum { PANEL_WIDTH = 330, HEIGHT = 490, ABOVE = 122, BELOW = 64, LETTER = 6, LINE = 12 };

/* A capacity that is not far above the peak is shown. */
static double get_top(const struct memory_panel *panel)
{
    uint64_t peak = panel->peak_bytes ? panel->peak_bytes : 1;
    bool is_near = (double)panel->capacity_bytes * 3 < (double)peak * 4;
    return 1.06 * (double)(is_near && panel->capacity_bytes > peak ? panel->capacity_bytes : peak);
}

/* "NAME: PEAK of CAPACITY bytes" */
static void set_heading(const struct memory_panel *panel, uint32_t index, struct text *script)
{
    SCOPED(text_free) struct text heading = {0};
    text_append(&heading, "%s: ", panel->name);
    script_add_grouped(&heading, panel->peak_bytes);
    if (panel->capacity_bytes != UINT64_MAX) {
        text_append(&heading, " of ");
        script_add_grouped(&heading, panel->capacity_bytes);
    }
    text_append(&heading, " bytes");
    if (heading.failed)
        script->failed = true;
    else
        script_set_element(script, "heading", index, heading.bytes);
}

static void add_rectangle(const struct memory_figure *figure, const struct memory_panel *panel,
                          const struct memory_rectangle *shown, struct text *script)
{
    double width = (PANEL_WIDTH - 40.0) * (shown->upper - shown->lower) / figure->steps;
    double height = (HEIGHT - ABOVE - BELOW) * (double)shown->size / get_top(panel);
    double letters = (double)(LETTER * (escape_width(shown->label) + 1));
    bool upright = letters <= width && height >= LINE;
    bool turned = !upright && letters <= height && width >= LINE;
    text_append(script, "%" PRIu32 " %" PRIu32 " %" PRIu64 " %" PRIu64 " ", shown->lower,
                shown->upper, shown->offset, shown->offset + shown->size);
    script_add_field(script, upright || turned ? shown->label : "");
    text_append(script, " %d\n", turned ? 90 : 0);
}

void memory_figure_write(const struct memory_figure *figure, struct text *script)
{
    const struct script_head head = {"memories", PANEL_WIDTH * figure->panels + 140, HEIGHT,
                                     "What lies where", figure->subtitle};
    script_begin(script, &head);
    text_append(script,
                "panels = %" PRIu32 "\nsteps = %" PRIu32
                "\narray heading[panels]\narray unit[panels]\narray factor[panels]\n"
                "array top[panels]\narray peak[panels]\narray capacity[panels]\n",
                figure->panels, figure->steps);
    for (uint32_t i = 0; i < figure->panels; i++) {
        const struct memory_panel *panel = &figure->panel[i];
        uint64_t factor;
        char element[32];
        bool is_limited = panel->capacity_bytes != UINT64_MAX;
        set_heading(panel, i, script);
        snprintf(element, sizeof element, "unit[%" PRIu32 "]", i + 1);
        script_set_text(script, element, script_unit(panel->peak_bytes, &factor));
        text_append(script,
                    "factor[%" PRIu32 "] = %" PRIu64 ".0\ntop[%" PRIu32 "] = %.17g\npeak[%" PRIu32
                    "] = %" PRIu64 ".0\ncapacity[%" PRIu32 "] = %" PRIu64 ".0\n",
                    i + 1, factor, i + 1, get_top(panel), i + 1, panel->peak_bytes, i + 1,
                    is_limited ? panel->capacity_bytes : 0);
    }
    script_begin_data(script, "data");
    for (uint32_t i = 0; i < figure->panels; i++) {
        const struct memory_panel *panel = &figure->panel[i];
        /* A memory in which nothing lies has a line of its own, so that indexes stay. */
        text_append(script, "%s%s", i ? "\n\n" : "", panel->rectangles ? "" : "0 0 0 0 \"\" 0\n");
        for (size_t k = 0; k < panel->rectangles; k++)
            add_rectangle(figure, panel, &figure->rectangle[panel->first + k], script);
    }
    script_end_data(script);
    script_add_template(script, "memories");
}
