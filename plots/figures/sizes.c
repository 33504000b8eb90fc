/* The plot sizes: peaks in relation to the load from the least value of a parameter to the
   greatest, a panel for each of the largest instances with one parameter, a line for each rule. */

#include <string.h>

#include "plots/script/recipe.h"
#include "plots/script/script.h"
#include "results/views/fronts.h"
#include "results/views/sizes.h"

/* The last rule, proportional, makes no plans that could be used. */
enum { WIDTH = 1200, HEIGHT = 760, SHOWN = SIZES_RULES - 1, MOST_PANELS = 6 };

struct panels {
    const char *instance[MOST_PANELS];
    int64_t bytes[MOST_PANELS]; /* falling */
    unsigned count;
};

static void choose_panels(const struct measure_set *set, struct panels *panels)
{
    struct sizes_point point[SIZES_MOST_POINTS];
    int64_t bytes;
    for (const char *instance = NULL; (instance = fronts_next(set, instance));) {
        if (!sizes_view_points(set, instance, SIZES_OURS, point) ||
            !measures_find(set, instance, SIZES_OURS, "greatest_bytes", &bytes))
            continue;
        unsigned at = panels->count;
        while (at && panels->bytes[at - 1] < bytes)
            at--;
        if (at == MOST_PANELS)
            continue;
        panels->count += panels->count < MOST_PANELS;
        unsigned moved = panels->count - at - 1;
        memmove(panels->bytes + at + 1, panels->bytes + at, moved * sizeof *panels->bytes);
        memmove(panels->instance + at + 1, panels->instance + at, moved * sizeof *panels->instance);
        panels->bytes[at] = bytes;
        panels->instance[at] = instance;
    }
}

enum status plot_draw_sizes(struct plot_drawing *drawing)
{
    struct text *script = drawing->script;
    struct panels panels = {.count = 0};
    struct sizes_point point[SIZES_MOST_POINTS];
    choose_panels(&drawing->measures, &panels);
    if (!panels.count)
        return plot_fail_empty(drawing);
    plot_begin(drawing, WIDTH, HEIGHT, "%s",
               panels.count > 1 ? "the largest instances with one parameter"
                                : "peaks in relation to the load");
    script_begin_array(script, "rule", SHOWN);
    for (unsigned r = 0; r < SHOWN; r++)
        script_set_element(script, "rule", r, sizes_view_rule(r));
    script_begin_array(script, "head", panels.count);
    for (unsigned i = 0; i < panels.count; i++)
        script_set_element(script, "head", i, panels.instance[i]);
    text_append(script, "shown = %d\npanels = %u\n", SHOWN, panels.count);
    script_begin_data(script, "lines");
    for (unsigned i = 0; i < panels.count; i++)
        for (unsigned r = 0; r < SHOWN; r++) {
            unsigned count = sizes_view_points(&drawing->measures, panels.instance[i],
                                               sizes_view_rule(r), point);
            for (unsigned p = 0; p < count; p++)
                text_append(script, "%.6g %.6g\n", point[p].place, point[p].ratio);
            text_append(script, count ? "\n\n" : "NaN NaN\n\n\n");
        }
    script_end_data(script);
    script_add_template(script, "sizes");
    return STATUS_OK;
}
