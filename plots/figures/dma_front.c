/* The plot dma-front: time against on-chip bytes, each in relation to its own instance. */

#include <stdio.h>

#include "plots/script/recipe.h"
#include "plots/script/script.h"
#include "results/views/fronts.h"

/* What a point is compared with: the bytes that ping-pong needs on the chip, and the bound on the
   time. */
struct front_scale {
    double bytes, ns;
};

static bool find_scale(const struct measure_set *set, const char *instance,
                       struct front_scale *scale)
{
    struct front_point pingpong, bound;
    if (!fronts_mode(set, instance, "pingpong", &pingpong) ||
        !fronts_mode(set, instance, "bound", &bound))
        return false;
    *scale = (struct front_scale){(double)pingpong.on_chip_bytes, (double)bound.total_ns};
    return scale->bytes > 0 && scale->ns > 0;
}

static void add_point(struct text *data, const struct front_point *point,
                      const struct front_scale *scale)
{
    text_append(data, "%.6g %.6g", (double)point->on_chip_bytes / scale->bytes,
                (double)point->total_ns / scale->ns);
}

static void add_curve(const struct measure_set *set, struct text *script, const char *instance,
                      const char *planner, const struct front_scale *scale)
{
    struct front_point point;
    unsigned count = 0;
    while (fronts_planned(set, instance, planner, count, &point))
        count++;
    for (unsigned i = count; i-- > 0;) {
        fronts_planned(set, instance, planner, i, &point);
        add_point(script, &point, scale);
        text_append(script, "\n");
    }
    text_append(script, "\n\n");
}

static void add_curves(const struct measure_set *set, struct text *script, const char *name,
                       const char *planner)
{
    struct front_scale scale;
    script_begin_data(script, name);
    for (const char *instance = fronts_next(set, NULL); instance;
         instance = fronts_next(set, instance))
        if (find_scale(set, instance, &scale))
            add_curve(set, script, instance, planner, &scale);
    script_end_data(script);
}

static void add_modes(const struct measure_set *set, struct text *script)
{
    static const char *const modes[] = {"sync", "pingpong", "cross_region", "ring"};
    struct front_scale scale;
    struct front_point point;
    unsigned colour = 0;
    script_begin_data(script, "modes");
    for (const char *instance = fronts_next(set, NULL); instance;
         instance = fronts_next(set, instance)) {
        if (!find_scale(set, instance, &scale))
            continue;
        for (unsigned m = 0; m < sizeof modes / sizeof *modes; m++)
            if (fronts_mode(set, instance, modes[m], &point)) {
                add_point(script, &point, &scale);
                text_append(script, " %u %u\n", colour, m);
            }
        colour++;
    }
    script_end_data(script);
}

static unsigned count_instances(const struct measure_set *set)
{
    struct front_scale scale;
    unsigned count = 0;
    for (const char *instance = fronts_next(set, NULL); instance;
         instance = fronts_next(set, instance))
        count += find_scale(set, instance, &scale);
    return count;
}

static void add_names(const struct measure_set *set, struct text *script)
{
    struct front_scale scale;
    char name[32];
    unsigned place = 0;
    text_append(script, "count = %u\narray shown[count]\n", count_instances(set));
    for (const char *instance = fronts_next(set, NULL); instance;
         instance = fronts_next(set, instance))
        if (find_scale(set, instance, &scale)) {
            snprintf(name, sizeof name, "shown[%u]", ++place);
            script_set_text(script, name, instance);
        }
}

static void add_script(const struct plot_recipe *recipe, const struct measure_set *set,
                       struct text *script)
{
    const struct script_head head = {
        recipe->name, 800, 560, recipe->title,
        "lines: mode planned, solid placed by descent, dotted by large_first; profile ethos_u55"};
    script_begin(script, &head);
    add_names(set, script);
    add_curves(set, script, "descent", "descent");
    add_curves(set, script, "large_first", "large_first");
    add_modes(set, script);
    script_add_template(script, "front");
}

static enum status build(const struct plot_recipe *recipe, const struct plot_request *request,
                         struct text *script, struct error *error)
{
    struct measure_set set = {0};
    TRY(fronts_read(request->store, request->choice, &set, error));
    unsigned count = count_instances(&set);
    if (count)
        add_script(recipe, &set, script);
    measures_free(&set);
    return count
               ? STATUS_OK
               : error_set(error, STATUS_NO, "no results for this plot, expected %s", recipe->data);
}

const struct plot_recipe plot_dma_front = {
    .name = "dma-front",
    .title = "Fronts of time against on-chip bytes",
    .data = "those of memplan reproduce dma-front",
    .build = build,
};
