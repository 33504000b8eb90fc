/* The plot quality: a point for each planner, its time against its gap, and a line through those
   that no other planner beats in both. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/compare.h"
#include "core/memory.h"
#include "plots/script/recipe.h"
#include "plots/script/script.h"

/* Sizes of the picture in pixels; templates/quality.gp uses the same. */
enum { WIDTH = 900, HEIGHT = 600, ABOVE = 92, BELOW = 66, LINE = 15, FEW = 10 };

/* Quartiles over the rows on which a planner's mean is based. */
struct spread {
    double low, middle, high;
};

struct place {
    uint32_t standing;
    struct spread time_ns, gap_percent;
    double mean_percent; /* of the geometric mean ratio */
    bool is_unbeaten, is_named, is_mine;
    double label; /* height of its name on the axis */
};

static struct spread find_spread(double *value, uint32_t count)
{
    qsort(value, count, sizeof *value, compare_real_items);
    return (struct spread){value[(count - 1) / 4], value[(count - 1) / 2],
                           value[(count - 1) - (count - 1) / 4]};
}

/* Finds a planner's time and gap. times and gaps are [lines] of scratch. */
static void measure(const struct contest *contest, uint32_t index, double *times, double *gaps,
                    struct place *place)
{
    const struct standing *standing = &contest->standings.standing[index];
    const struct grid *grid = &contest->grid;
    uint32_t rows = 0;
    double ratio;
    for (uint32_t i = 0; i < grid->lines; i++) {
        if (!grid_ratio(grid, i, standing->planner, &ratio) ||
            (standing->rank && !contest->standings.common.is_common[i]))
            continue;
        times[rows] = (double)grid_at(grid, i, standing->planner)->wall_ns;
        gaps[rows++] = fmax(0, 100 * (ratio - 1));
    }
    *place = (struct place){.standing = index,
                            .mean_percent = fmax(0, 100 * (standing->mean_ratio - 1))};
    if (rows) {
        place->time_ns = find_spread(times, rows);
        place->gap_percent = find_spread(gaps, rows);
    }
}

/* The height of a gap in the figure, on a logarithmic scale with a place for 0. */
static double find_height(double percent)
{
    return log10(1 + percent);
}

COMPARE_BY(compare_heights, struct place, compare_reals(a->mean_percent, b->mean_percent),
           compare_numbers(a->standing, b->standing))

/* Finds the planners that no other one beats, and places the names from the bottom up, each at
   least a line of text above the one below it. */
static void place_names(struct place *place, uint32_t count)
{
    double most = 0, lowest = -INFINITY;
    for (uint32_t i = 0; i < count; i++) {
        place[i].is_unbeaten = true;
        for (uint32_t k = 0; k < count && place[i].is_unbeaten; k++) {
            bool as_good = place[k].mean_percent <= place[i].mean_percent &&
                           place[k].time_ns.middle <= place[i].time_ns.middle;
            bool better = place[k].mean_percent < place[i].mean_percent ||
                          place[k].time_ns.middle < place[i].time_ns.middle;
            place[i].is_unbeaten = !(as_good && (better || k < i)) || k == i;
        }
        most = fmax(most, find_height(place[i].mean_percent));
    }
    qsort(place, count, sizeof *place, compare_heights);
    double text = (most + 0.1) * LINE / (HEIGHT - ABOVE - BELOW);
    for (uint32_t i = 0; i < count; i++) {
        place[i].is_named = place[i].is_unbeaten || place[i].is_mine || count <= FEW;
        if (!place[i].is_named)
            continue;
        place[i].label = fmax(find_height(place[i].mean_percent), lowest + text);
        lowest = place[i].label;
    }
}

static double in_milliseconds(double ns)
{
    return fmax(ns, 1) / 1e6;
}

/* Draws the ranked planners. Those without a rank have means over other rows, which cannot be
   compared. */
enum status plot_draw_quality(struct plot_drawing *drawing)
{
    const struct contest *contest = &drawing->contest;
    const struct standings *standings = &contest->standings;
    struct text *script = drawing->script;
    SCOPED(memory_release) struct place *place = NULL;
    SCOPED(memory_release) double *times = NULL, *gaps = NULL;
    size_t lines = contest->grid.lines + (size_t)1;
    uint32_t count = 0;
    while (count < standings->count && standings->standing[count].rank)
        count++;
    /* Mine is shown even without a rank, over its own rows. */
    const char *mine = drawing->request->choice ? drawing->request->choice->mine : NULL;
    for (uint32_t i = count; mine && i < standings->count; i++)
        if (strcmp(contest_name(contest, i), mine) == 0) {
            standings->standing[count++] = standings->standing[i];
            mine = NULL;
        }
    count = plot_shown_planners(drawing, count, UINT32_MAX);
    if (!count)
        return plot_fail_empty(drawing);
    TRY(memory_create(&place, count, sizeof *place, drawing->error));
    TRY(memory_create_all(lines, drawing->error, &times, &gaps));
    for (uint32_t i = 0; i < count; i++)
        measure(contest, i, times, gaps, &place[i]);
    if (drawing->mine)
        place[drawing->mine - 1].is_mine = true;
    place_names(place, count);
    plot_begin(drawing, WIDTH, HEIGHT,
               "median time and mean gap of %u planners over %u rows; bars: the middle half of the "
               "rows, of those that none beats in both",
               count, standings->common.common);
    script_begin_data(script, "planners");
    for (uint32_t i = 0; i < count; i++) {
        text_append(script, "%.6g %.6g %.6g %.6g %.6g %.6g %d %.6g %d ",
                    in_milliseconds(place[i].time_ns.middle), place[i].mean_percent,
                    in_milliseconds(place[i].time_ns.low), in_milliseconds(place[i].time_ns.high),
                    place[i].gap_percent.low, place[i].gap_percent.high, place[i].is_unbeaten,
                    place[i].is_named ? place[i].label : NAN, place[i].is_mine);
        script_add_field(script, place[i].is_named ? contest_name(contest, place[i].standing) : "");
        text_append(script, "\n");
    }
    script_end_data(script);
    script_add_template(script, "quality");
    return STATUS_OK;
}
