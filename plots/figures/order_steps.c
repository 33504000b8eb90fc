/* The plot orders-steps: live bytes from step to step of one graph in several orders, beside the
   bound on the loads of all orders. */

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "plots/script/recipe.h"
#include "plots/script/script.h"
#include "results/store/rectangles.h"
#include "results/views/order_lines.h"

enum { WIDTH = 900, HEIGHT = 520, MOST_LINES = 4 };

/* The lines of one graph under one policy. */
struct group {
    uint32_t first, end;
};

struct steps_plot {
    struct plot_drawing *drawing;
    struct order_lines lines;
    struct group group;
    uint32_t line[MOST_LINES], shown; /* the stored order, then those with the least load */
    uint64_t bound_bytes, most_bytes;
};

static double find_gain(const struct order_lines *lines, const struct group *group)
{
    uint64_t stored = 0, least = UINT64_MAX;
    for (uint32_t i = group->first; i < group->end; i++) {
        uint64_t load = lines->line[i].load_bytes;
        if (order_lines_is_stored(lines->line[i].best))
            stored = load;
        else if (load && load < least)
            least = load;
    }
    return stored && least < UINT64_MAX ? (double)stored / (double)least : 0;
}

/* Chooses the graph that gains most from another order; false where no graph has two orders. */
static bool choose_group(struct steps_plot *plot)
{
    double most = 0;
    struct group group;
    for (group.first = 0; group.first < plot->lines.count; group.first = group.end) {
        group.end = order_lines_end(&plot->lines, group.first);
        double gain = find_gain(&plot->lines, &group);
        if (gain > most) {
            most = gain;
            plot->group = group;
        }
    }
    return most > 0;
}

static bool is_proved(const struct order_line *line)
{
    return strcmp(line->best->order_status, RESULT_OPTIMAL) == 0;
}

/* Whether `line` is to be shown rather than `other`. */
static bool is_better(const struct steps_plot *plot, uint32_t line, uint32_t other)
{
    const struct order_line *a = &plot->lines.line[line], *b = &plot->lines.line[other];
    if (order_lines_is_stored(a->best) != order_lines_is_stored(b->best))
        return order_lines_is_stored(a->best);
    if (a->load_bytes != b->load_bytes)
        return a->load_bytes < b->load_bytes;
    return is_proved(a) && !is_proved(b);
}

/* Whether an order with the same load is shown already; one of them represents all. */
static bool is_like_another(const struct steps_plot *plot, uint32_t line)
{
    for (uint32_t i = 0; i < plot->shown; i++)
        if (plot->lines.line[plot->line[i]].load_bytes == plot->lines.line[line].load_bytes)
            return true;
    return false;
}

static void choose_lines(struct steps_plot *plot, uint32_t most)
{
    while (plot->shown < most) {
        uint32_t best = UINT32_MAX;
        for (uint32_t i = plot->group.first; i < plot->group.end; i++)
            if (plot->lines.line[i].load_bytes && !is_like_another(plot, i) &&
                (best == UINT32_MAX || is_better(plot, i, best)))
                best = i;
        if (best == UINT32_MAX)
            return;
        plot->line[plot->shown++] = best;
    }
}

/* Adds the live bytes, which change where rectangles begin or end. */
static enum status add_steps(const struct rectangle_set *rectangles, struct text *script,
                             struct error *error)
{
    uint64_t steps = 0, live = 0, *more;
    for (uint32_t i = 0; i < rectangles->count; i++)
        if (rectangles->rectangle[i].group != RESULT_TIMELESS &&
            rectangles->rectangle[i].upper > steps)
            steps = rectangles->rectangle[i].upper;
    TRY(memory_create(&more, (size_t)steps + 1, sizeof *more, error));
    for (uint32_t i = 0; i < rectangles->count; i++) {
        const struct result_rectangle *rectangle = &rectangles->rectangle[i];
        if (rectangle->group == RESULT_TIMELESS)
            continue;
        more[rectangle->lower] += rectangle->size;
        more[rectangle->upper] -= rectangle->size;
    }
    for (uint64_t step = 0; step <= steps; step++) {
        live += more[step];
        text_append(script, "%" PRIu64 " %" PRIu64 "\n", step, live);
    }
    text_append(script, "\n\n");
    memory_free(more);
    return STATUS_OK;
}

static enum status add_script(struct steps_plot *plot)
{
    struct text *script = plot->drawing->script;
    const struct order_line *first = &plot->lines.line[plot->line[0]];
    char name[160];
    uint64_t factor;
    plot_begin(plot->drawing, WIDTH, HEIGHT,
               "%.*s, policy %s; bytes live at once, the most of each order",
               (int)first->name_length, first->best->instance, first->best->policy);
    script_begin_array(script, "planner", plot->shown);
    for (uint32_t i = 0; i < plot->shown; i++) {
        const struct order_line *line = &plot->lines.line[plot->line[i]];
        snprintf(name, sizeof name, "%s: %" PRIu64, line->order, line->load_bytes);
        script_set_element(script, "planner", i, name);
        if (line->load_bytes > plot->most_bytes)
            plot->most_bytes = line->load_bytes;
    }
    script_begin_data(script, "curves");
    for (uint32_t i = 0; i < plot->shown; i++) {
        struct plot_drawing *drawing = plot->drawing;
        const struct result_set *set = &drawing->contest.set;
        struct rectangle_set rectangles = {0};
        enum status status = rectangles_read(
            drawing->request->store, set->id[plot->lines.line[plot->line[i]].best - set->row],
            &rectangles, drawing->error);
        if (!status)
            status = add_steps(&rectangles, drawing->script, drawing->error);
        rectangles_free(&rectangles);
        TRY(status);
    }
    script_end_data(script);
    text_append(script, "shown = %u\nunit = '%s'\n", plot->shown,
                script_unit(plot->most_bytes, &factor));
    text_append(script, "factor = %" PRIu64 ".0\nbound = %" PRIu64 ".0\ntop = 1.08 * %" PRIu64 "\n",
                factor, plot->bound_bytes, plot->most_bytes);
    script_add_template(script, "orders_steps");
    return STATUS_OK;
}

static enum status draw(struct plot_drawing *drawing)
{
    struct steps_plot plot = {.drawing = drawing};
    TRY(order_lines_create(&drawing->contest.set, &plot.lines, drawing->error));
    enum status status;
    if (choose_group(&plot)) {
        choose_lines(&plot, plot_shown(drawing, MOST_LINES, MOST_LINES));
        struct order_lines_bound bound =
            order_lines_bound(&plot.lines, plot.group.first, plot.group.end);
        plot.bound_bytes = bound.is_exact ? bound.bytes : 0;
        status = add_script(&plot);
    } else {
        status = plot_fail_empty(drawing);
    }
    order_lines_free(&plot.lines);
    return status;
}

const struct plot_recipe plot_orders_steps = {
    .name = "orders-steps",
    .title = "Live bytes in several orders of the operators",
    .data = "bench --orders of a graph, the stored order among them, whose places were kept",
    .filter = {.with_rectangles = true},
    .draw = draw,
};
