/* The plot sizes: peaks in relation to the load, from the least value of the parameter to the
   greatest, a colour for each rule and a line for each instance with one parameter. */

#include "results/views/sizes.h"
#include "plots/script/recipe.h"
#include "plots/script/script.h"
#include "results/views/fronts.h"

/* The last rule, proportional, makes no plans that could be used. */
enum { WIDTH = 900, HEIGHT = 620, SHOWN = SIZES_RULES - 1 };

static uint32_t add_lines(const struct measure_set *set, const char *rule, struct text *script)
{
    struct sizes_point point[SIZES_MOST_POINTS];
    uint32_t lines = 0;
    for (const char *instance = NULL; (instance = fronts_next(set, instance));) {
        unsigned count = sizes_view_points(set, instance, rule, point);
        for (unsigned p = 0; p < count; p++)
            text_append(script, "%.6g %.6g\n", point[p].place, point[p].ratio);
        text_append(script, count ? "\n" : "");
        lines += count > 0;
    }
    text_append(script, "NaN NaN\n\n\n");
    return lines;
}

enum status plot_draw_sizes(struct plot_drawing *drawing)
{
    struct text *script = drawing->script;
    SCOPED(text_free) struct text lines = {0};
    uint32_t count = 0;
    for (unsigned r = 0; r < SHOWN; r++)
        count += add_lines(&drawing->measures, sizes_view_rule(r), &lines);
    if (!count)
        return plot_fail_empty(drawing);
    plot_begin(drawing, WIDTH, HEIGHT, "a line for each instance with one parameter");
    script_begin_array(script, "rule", SHOWN);
    for (unsigned r = 0; r < SHOWN; r++)
        script_set_element(script, "rule", r, sizes_view_rule(r));
    text_append(script, "shown = %d\n", SHOWN);
    script_add_data(script, "lines", &lines);
    script_add_template(script, "sizes");
    return STATUS_OK;
}
