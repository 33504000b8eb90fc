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

struct steps_plot {
    struct plot_drawing *drawing;
    struct order_lines lines;
    uint32_t first, end;              /* lines of the graph under its policy */
    uint32_t line[MOST_LINES], shown; /* the stored order, then those with the least load */
};

static bool is_proved(const struct order_line *line)
{
    return strcmp(line->best->order_status, RESULT_OPTIMAL) == 0;
}

/* Whether `line` is to be shown rather than `other`. */
static bool is_better(const struct steps_plot *plot, uint32_t line, uint32_t other)
{
    const struct order_line *a = &plot->lines.line[line], *b = &plot->lines.line[other];
    if (order_rows_is_stored(a->best) != order_rows_is_stored(b->best))
        return order_rows_is_stored(a->best);
    if (a->load_bytes != b->load_bytes)
        return a->load_bytes < b->load_bytes;
    return is_proved(a) && !is_proved(b);
}

/* Chooses the graph that gains most from another order; false where no graph has two orders. */
static bool choose_graph(struct steps_plot *plot)
{
    const struct order_lines *lines = &plot->lines;
    double most = 0;
    for (uint32_t first = 0, end; first < lines->count; first = end) {
        uint64_t stored = 0, least = UINT64_MAX;
        end = order_lines_end(lines, first);
        for (uint32_t i = first; i < end; i++) {
            uint64_t load = lines->line[i].load_bytes;
            if (order_rows_is_stored(lines->line[i].best))
                stored = load;
            else if (load && load < least)
                least = load;
        }
        double gain = stored && least < UINT64_MAX ? (double)stored / (double)least : 0;
        if (gain > most) {
            most = gain;
            plot->first = first;
            plot->end = end;
        }
    }
    return most > 0;
}

/* Chooses the lines that are shown; one of those with the same load represents all. */
static void choose_lines(struct steps_plot *plot, uint32_t most)
{
    while (plot->shown < most) {
        uint32_t best = UINT32_MAX;
        for (uint32_t i = plot->first; i < plot->end; i++) {
            uint64_t load = plot->lines.line[i].load_bytes;
            bool represented = !load;
            for (uint32_t k = 0; k < plot->shown; k++)
                represented |= plot->lines.line[plot->line[k]].load_bytes == load;
            if (!represented && (best == UINT32_MAX || is_better(plot, i, best)))
                best = i;
        }
        if (best == UINT32_MAX)
            return;
        plot->line[plot->shown++] = best;
    }
}

/* Adds the live bytes of a line, which change where rectangles begin or end. */
static enum status add_steps(struct plot_drawing *drawing, const struct order_line *line)
{
    const struct result_set *set = &drawing->contest.set;
    SCOPED(rectangles_free) struct rectangle_set rectangles = {0};
    SCOPED(memory_release) uint64_t *more = NULL;
    uint64_t steps = 0, live = 0;
    TRY(rectangles_read(drawing->request->store, set->id[line->best - set->row], &rectangles,
                        drawing->error));
    const struct result_rectangle *rectangle = rectangles.rectangle;
    for (uint32_t i = 0; i < rectangles.count; i++)
        if (rectangle[i].group != RESULT_TIMELESS && rectangle[i].upper > steps)
            steps = rectangle[i].upper;
    TRY(memory_create(&more, (size_t)steps + 1, sizeof *more, drawing->error));
    for (uint32_t i = 0; i < rectangles.count; i++) {
        if (rectangle[i].group == RESULT_TIMELESS)
            continue;
        more[rectangle[i].lower] += rectangle[i].size;
        more[rectangle[i].upper] -= rectangle[i].size;
    }
    for (uint64_t step = 0; step <= steps; step++) {
        live += more[step];
        text_append(drawing->script, "%" PRIu64 " %" PRIu64 "\n", step, live);
    }
    text_append(drawing->script, "\n\n");
    return STATUS_OK;
}

static enum status add_script(struct steps_plot *plot)
{
    struct text *script = plot->drawing->script;
    const struct order_line *first = &plot->lines.line[plot->line[0]];
    struct order_lines_bound bound = order_lines_bound(&plot->lines, plot->first, plot->end);
    char name[160];
    uint64_t factor, most_bytes = 0;
    plot_begin(plot->drawing, WIDTH, HEIGHT,
               "%.*s, policy %s; bytes live at once, the most of each order",
               (int)first->name_length, first->best->instance, first->best->policy);
    script_begin_array(script, "planner", plot->shown);
    for (uint32_t i = 0; i < plot->shown; i++) {
        const struct order_line *line = &plot->lines.line[plot->line[i]];
        snprintf(name, sizeof name, "%s: %" PRIu64, line->order, line->load_bytes);
        script_set_element(script, "planner", i, name);
        most_bytes = line->load_bytes > most_bytes ? line->load_bytes : most_bytes;
    }
    script_begin_data(script, "curves");
    for (uint32_t i = 0; i < plot->shown; i++)
        TRY(add_steps(plot->drawing, &plot->lines.line[plot->line[i]]));
    script_end_data(script);
    text_append(script, "shown = %u\nunit = '%s'\n", plot->shown, script_unit(most_bytes, &factor));
    text_append(script, "factor = %" PRIu64 ".0\nbound = %" PRIu64 ".0\ntop = 1.08 * %" PRIu64 "\n",
                factor, bound.is_exact ? bound.bytes : 0, most_bytes);
    script_add_template(script, "orders_steps");
    return STATUS_OK;
}

enum status plot_draw_order_steps(struct plot_drawing *drawing)
{
    struct steps_plot plot = {.drawing = drawing};
    TRY(order_lines_create(&drawing->contest.set, &plot.lines, drawing->error));
    bool found = choose_graph(&plot);
    if (found)
        choose_lines(&plot, plot_shown(drawing, MOST_LINES, MOST_LINES));
    enum status status = found ? add_script(&plot) : plot_fail_empty(drawing);
    order_lines_free(&plot.lines);
    return status;
}
