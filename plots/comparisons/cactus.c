/* The plot cactus: the number of rows on which each planner reaches the least peak of all within a
   time. */

#include <stdlib.h>

#include "core/compare.h"
#include "core/memory.h"
#include "plots/script/recipe.h"
#include "plots/script/script.h"

enum { WIDTH = 900, HEIGHT = 560, MOST_LINES = 8 };

enum status plot_draw_cactus(struct plot_drawing *drawing)
{
    const struct contest *contest = &drawing->contest;
    const struct standings *standings = &contest->standings;
    struct text *script = drawing->script;
    uint32_t shown = plot_shown_planners(drawing, standings->count, MOST_LINES), most = 0;
    SCOPED(memory_release) double *time = NULL;
    if (!shown)
        return plot_fail_empty(drawing);
    TRY(memory_create(&time, contest->grid.lines + (size_t)1, sizeof *time, drawing->error));
    plot_begin(drawing, WIDTH, HEIGHT,
               "rows (of %u) whose least known peak a planner reaches, the quickest first",
               standings->common.comparable);
    plot_name_planners(drawing, shown);
    script_begin_data(script, "curves");
    for (uint32_t i = 0; i < shown; i++) {
        uint32_t count = 0;
        for (uint32_t k = 0; k < contest->grid.lines; k++) {
            const struct result_row *row =
                grid_at(&contest->grid, k, standings->standing[i].planner);
            if (standings->common.is_comparable[k] && standings->least_bytes[k] && row &&
                query_worth(row) == RESULT_NUMBER && row->peak_bytes <= standings->least_bytes[k])
                time[count++] = row->wall_ns ? (double)row->wall_ns / 1e9 : 1e-9;
        }
        qsort(time, count, sizeof *time, compare_real_items);
        most = count > most ? count : most;
        for (uint32_t k = 0; k < count; k++)
            text_append(script, "%u %.6g\n", k + 1, time[k]);
        text_append(script, "%s\n\n", count ? "" : "NaN NaN\n");
    }
    script_end_data(script);
    text_append(script, "shown = %u\nmost = %u\n", shown, most);
    script_add_template(script, "cactus");
    return STATUS_OK;
}
