/* The plots orders-profile and orders-times: how far the loads of orders are above the least that
   any of them reaches, over all graphs, and how long finding them takes. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/compare.h"
#include "core/memory.h"
#include "plots/script/recipe.h"
#include "plots/script/script.h"
#include "results/views/order_lines.h"

enum { WIDTH = 900, HEIGHT = 560, MOST_LINES = 8 };

/* A graph for which an order is missing counts as eight times the least load when orders are
   ranked. */
static const double log_of_missing = 3;

/* An order with its results over all graphs. */
struct competitor {
    const char *order;
    double sum;     /* of the logarithms of its ratios */
    uint32_t loads; /* number of graphs for which it has a load */
};

struct field {
    struct plot_drawing *drawing;
    struct order_lines lines;
    uint64_t *least_bytes; /* [lines] the least load of the line's graph; 0 where none is known */
    struct competitor *competitor; /* [competitors] the best first */
    uint32_t competitors, graphs, shown;
};

static uint64_t find_load(const struct order_line *line)
{
    const struct result_row *row = line->best;
    return order_rows_is_stored(row) ? line->load_bytes : row->order_load_bytes;
}

static double find_ratio(const struct field *field, uint32_t line)
{
    return (double)find_load(&field->lines.line[line]) / (double)field->least_bytes[line];
}

static bool is_known(const struct field *field, uint32_t line)
{
    return field->least_bytes[line] && find_load(&field->lines.line[line]);
}

COMPARE_BY(compare_competitors, struct competitor, compare_reals(a->sum, b->sum),
           strcmp(a->order, b->order))

static const char *get_order_name(const void *context, const void *item)
{
    const struct competitor *competitor = item;
    (void)context;
    return competitor->order;
}

static enum status open_field(struct plot_drawing *drawing, struct field *field)
{
    struct error *error = drawing->error;
    *field = (struct field){.drawing = drawing};
    TRY(order_lines_create(&drawing->contest.set, &field->lines, error));
    size_t lines = field->lines.count;
    TRY(memory_create_all(lines, error, &field->least_bytes, &field->competitor));
    for (uint32_t first = 0, end; first < lines; first = end) {
        uint64_t least = UINT64_MAX;
        end = order_lines_end(&field->lines, first);
        for (uint32_t i = first; i < end; i++) {
            uint64_t load = find_load(&field->lines.line[i]);
            least = load && load < least ? load : least;
        }
        bool counts = least < UINT64_MAX && end - first > 1;
        field->graphs += counts;
        for (uint32_t i = first; i < end; i++)
            field->least_bytes[i] = counts ? least : 0;
    }
    for (uint32_t i = 0; i < lines; i++) {
        const char *order = field->lines.line[i].order;
        uint32_t c = 0;
        if (!is_known(field, i))
            continue;
        while (c < field->competitors && strcmp(field->competitor[c].order, order) != 0)
            c++;
        if (c == field->competitors)
            field->competitor[field->competitors++] = (struct competitor){.order = order};
        field->competitor[c].sum += log2(find_ratio(field, i));
        field->competitor[c].loads++;
    }
    for (uint32_t c = 0; c < field->competitors; c++)
        field->competitor[c].sum += log_of_missing * (field->graphs - field->competitor[c].loads);
    qsort(field->competitor, field->competitors, sizeof *field->competitor, compare_competitors);
    field->shown = plot_shown_lines(
        drawing,
        &(struct plot_lines){field->competitor, sizeof *field->competitor, get_order_name, NULL},
        field->competitors, MOST_LINES);
    return field->graphs ? STATUS_OK : plot_fail_empty(drawing);
}

static void close_field(struct field *field)
{
    memory_free_all(field->least_bytes, field->competitor);
    order_lines_free(&field->lines);
}

static void begin_script(const struct field *field, const char *what)
{
    struct text *script = field->drawing->script;
    plot_begin(field->drawing, WIDTH, HEIGHT, "%s; %u graphs", what, field->graphs);
    script_begin_array(script, "planner", field->shown);
    for (uint32_t i = 0; i < field->shown; i++)
        script_set_element(script, "planner", i, field->competitor[i].order);
    text_append(script, "shown = %u\n", field->shown);
}

enum status plot_draw_orders_profile(struct plot_drawing *drawing)
{
    SCOPED(close_field) struct field field = {0};
    SCOPED(memory_release) double *ratio = NULL;
    struct text *script = drawing->script;
    double least_share = 1, most_ratio = 1;
    TRY(open_field(drawing, &field));
    TRY(memory_create(&ratio, field.lines.count, sizeof *ratio, drawing->error));
    begin_script(&field, "share of graphs within a factor of the least load that any order has");
    script_begin_data(script, "curves");
    for (uint32_t i = 0; i < field.shown; i++) {
        /* Adds the data of a curve as templates/profile.gp expects it: a step for each ratio, then
           the lanes, of which the last is empty. */
        uint32_t count = 0, best = 0;
        for (uint32_t k = 0; k < field.lines.count; k++)
            if (is_known(&field, k) &&
                strcmp(field.lines.line[k].order, field.competitor[i].order) == 0)
                ratio[count++] = find_ratio(&field, k);
        qsort(ratio, count, sizeof *ratio, compare_real_items);
        for (uint32_t k = 0; k < count; k++) {
            best += ratio[k] <= 1;
            if (k + 1 == count || ratio[k + 1] > ratio[k])
                text_append(script, "%.9g %.6g\n", ratio[k], (k + 1) / (double)field.graphs);
        }
        most_ratio = fmax(most_ratio, ratio[count - 1]);
        least_share = fmin(least_share, best / (double)field.graphs);
        text_append(script, "end0 %.6g\nend1 1\nend2 1\n\n\n", count / (double)field.graphs);
    }
    script_end_data(script);
    text_append(script,
                "most = %.9g\nleast = %.6g\nmeasured = 'load / least load (logarithmic)'\n"
                "counted = 'share of graphs'\nmissing = 'none'\n",
                most_ratio, least_share);
    script_add_template(script, "profile");
    return STATUS_OK;
}

/* A point for each graph. The stored order has none, since it takes no time. */
enum status plot_draw_orders_times(struct plot_drawing *drawing)
{
    SCOPED(close_field) struct field field = {0};
    struct text *script = drawing->script;
    uint32_t points = 0;
    TRY(open_field(drawing, &field));
    begin_script(&field, "time to find an order, none for the stored one");
    script_begin_data(script, "points");
    for (uint32_t i = 0; i < field.shown; i++) {
        for (uint32_t k = 0; k < field.lines.count; k++) {
            const struct result_row *row = field.lines.line[k].best;
            if (strcmp(field.lines.line[k].order, field.competitor[i].order) != 0 ||
                !row->order_ns || !row->buffers)
                continue;
            text_append(script, "%.9g %.6g\n", (double)row->buffers, (double)row->order_ns / 1e9);
            points++;
        }
        text_append(script, "NaN NaN\n\n\n");
    }
    script_end_data(script);
    script_add_template(script, "orders_times");
    return points ? STATUS_OK : plot_fail_empty(drawing);
}
