/* The plot dma-front: time against on-chip bytes, each in relation to its own instance. */

#include "plots/script/recipe.h"
#include "plots/script/script.h"
#include "results/views/fronts.h"

/* An instance that is shown, and what its points are compared with: the bytes that ping-pong needs
   on the chip, and the bound on the time. */
struct shown {
    const char *instance;
    double bytes, ns;
};

/* Finds the next instance that has both; false after the last. Zero-initialise it before the first
   call. */
static bool next_shown(const struct measure_set *set, struct shown *shown)
{
    struct front_point pingpong, bound;
    while ((shown->instance = fronts_next(set, shown->instance))) {
        if (!fronts_mode(set, shown->instance, "pingpong", &pingpong) ||
            !fronts_mode(set, shown->instance, "bound", &bound))
            continue;
        shown->bytes = (double)pingpong.on_chip_bytes;
        shown->ns = (double)bound.total_ns;
        if (shown->bytes > 0 && shown->ns > 0)
            return true;
    }
    return false;
}

static void add_point(struct text *data, const struct front_point *point, const struct shown *shown)
{
    text_append(data, "%.6g %.6g", (double)point->on_chip_bytes / shown->bytes,
                (double)point->total_ns / shown->ns);
}

/* Adds the curve of each instance, slowest point first. */
static void add_curves(const struct measure_set *set, struct text *script, const char *planner)
{
    struct front_point point;
    script_begin_data(script, planner);
    for (struct shown shown = {0}; next_shown(set, &shown);) {
        unsigned count = 0;
        while (fronts_planned(set, shown.instance, planner, count, &point))
            count++;
        for (unsigned i = count; i-- > 0;) {
            fronts_planned(set, shown.instance, planner, i, &point);
            add_point(script, &point, &shown);
            text_append(script, "\n");
        }
        text_append(script, "\n\n");
    }
    script_end_data(script);
}

enum status plot_draw_dma_front(struct plot_drawing *drawing)
{
    const struct measure_set *set = &drawing->measures;
    struct text *script = drawing->script;
    unsigned count = 0, place = 0;
    for (struct shown shown = {0}; next_shown(set, &shown);)
        count++;
    if (!count)
        return plot_fail_empty(drawing);
    plot_begin(drawing, 800, 560,
               "lines: mode planned, solid placed by descent, dotted by large_first; profile "
               "ethos_u55");
    text_append(script, "count = %u\narray shown[count]\n", count);
    for (struct shown shown = {0}; next_shown(set, &shown);)
        script_set_element(script, "shown", place++, shown.instance);
    add_curves(set, script, "descent");
    add_curves(set, script, "large_first");
    static const char *const modes[] = {"sync", "pingpong", "cross_region", "ring"};
    struct front_point point;
    unsigned colour = 0;
    script_begin_data(script, "modes");
    for (struct shown shown = {0}; next_shown(set, &shown); colour++)
        for (unsigned m = 0; m < sizeof modes / sizeof *modes; m++)
            if (fronts_mode(set, shown.instance, modes[m], &point)) {
                add_point(script, &point, &shown);
                text_append(script, " %u %u\n", colour, m);
            }
    script_end_data(script);
    script_add_template(script, "front");
    return STATUS_OK;
}
