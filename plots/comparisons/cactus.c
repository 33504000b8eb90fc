/* The plot cactus: how many rows each planner solves as well as any within a time. */

#include <stdlib.h>

#include "core/compare.h"
#include "core/memory.h"
#include "plots/script/recipe.h"
#include "plots/script/script.h"

enum { WIDTH = 900, HEIGHT = 560, MOST_LINES = 8 };

/* Lists the times in which a planner found the least peak, ascending: time[lines]. */
static uint32_t collect(const struct contest *contest, uint32_t planner, double *time)
{
    const struct standings *standings = &contest->standings;
    uint32_t count = 0;
    for (uint32_t i = 0; i < contest->grid.lines; i++) {
        const struct result_row *row = grid_at(&contest->grid, i, planner);
        if (!standings->common.is_comparable[i] || !standings->least_bytes[i] || !row ||
            query_worth(row) != RESULT_NUMBER || row->peak_bytes > standings->least_bytes[i])
            continue;
        time[count++] = row->wall_ns ? (double)row->wall_ns / 1e9 : 1e-9;
    }
    qsort(time, count, sizeof *time, compare_real_items);
    return count;
}

enum status plot_draw_cactus(struct plot_drawing *drawing)
{
    const struct contest *contest = &drawing->contest;
    struct text *script = drawing->script;
    uint32_t shown = plot_shown(drawing, contest->standings.count, MOST_LINES), most = 0;
    double *time;
    if (!shown)
        return plot_fail_empty(drawing);
    TRY(memory_create(&time, contest->grid.lines + (size_t)1, sizeof *time, drawing->error));
    plot_begin(drawing, WIDTH, HEIGHT,
               "rows (of %u) whose least known peak a planner reaches, the quickest first; %u of "
               "%u planners, the best by rank",
               contest->standings.common.comparable, shown, contest->standings.count);
    plot_name_planners(drawing, shown);
    script_begin_data(script, "curves");
    for (uint32_t i = 0; i < shown; i++) {
        uint32_t count = collect(contest, contest->standings.standing[i].planner, time);
        most = count > most ? count : most;
        for (uint32_t k = 0; k < count; k++)
            text_append(script, "%u %.6g\n", k + 1, time[k]);
        text_append(script, "%s\n\n", count ? "" : "NaN NaN\n");
    }
    script_end_data(script);
    text_append(script, "shown = %u\nmost = %u\n", shown, most);
    script_add_template(script, "cactus");
    memory_free(time);
    return STATUS_OK;
}
