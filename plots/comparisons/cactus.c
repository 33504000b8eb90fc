/* The plot cactus: the number of rows on which each planner reaches the least peak of all within a
   time. The plot proofs: on which it proves something. */

#include <stdlib.h>
#include <string.h>

#include "core/compare.h"
#include "core/memory.h"
#include "plots/script/recipe.h"
#include "plots/script/script.h"

enum { WIDTH = 900, HEIGHT = 560, MOST_LINES = 8 };

static bool is_least(const struct standings *standings, uint32_t line, const struct result_row *row)
{
    return standings->common.is_comparable[line] && standings->least_bytes[line] &&
           query_worth(row) == RESULT_NUMBER && row->peak_bytes <= standings->least_bytes[line];
}

static bool is_proof(const struct standings *standings, uint32_t line, const struct result_row *row)
{
    (void)standings, (void)line;
    return strcmp(row->status, RESULT_OPTIMAL) == 0 || strcmp(row->status, RESULT_INFEASIBLE) == 0;
}

typedef bool is_counted(const struct standings *standings, uint32_t line,
                        const struct result_row *row);

/* Writes the times of the rows of a planner that count, in seconds, the quickest first, to
   time[lines], and returns their number. */
static uint32_t collect_times(const struct contest *contest, uint32_t planner, is_counted *counts,
                              double *time)
{
    uint32_t count = 0;
    for (uint32_t k = 0; k < contest->grid.lines; k++) {
        const struct result_row *row = grid_at(&contest->grid, k, planner);
        if (row && counts(&contest->standings, k, row))
            time[count++] = row->wall_ns ? (double)row->wall_ns / 1e9 : 1e-9;
    }
    qsort(time, count, sizeof *time, compare_real_items);
    return count;
}

static bool is_any_counted(const struct contest *contest, is_counted *counts, double *time)
{
    for (uint32_t i = 0; i < contest->grid.planners.count; i++)
        if (collect_times(contest, i, counts, time))
            return true;
    return false;
}

static void draw_curves(struct plot_drawing *drawing, uint32_t shown, is_counted *counts,
                        double *time)
{
    struct text *script = drawing->script;
    uint32_t most = 0;
    plot_name_planners(drawing, shown);
    script_begin_data(script, "curves");
    for (uint32_t i = 0; i < shown; i++) {
        uint32_t count = collect_times(
            &drawing->contest, drawing->contest.standings.standing[i].planner, counts, time);
        most = count > most ? count : most;
        if (count) /* so that one row alone is a line, too */
            text_append(script, "0 %.6g\n", time[0]);
        for (uint32_t k = 0; k < count; k++)
            text_append(script, "%u %.6g\n", k + 1, time[k]);
        text_append(script, "%s\n\n", count ? "" : "NaN NaN\n");
    }
    script_end_data(script);
    text_append(script, "shown = %u\nmost = %u\n", shown, most);
    script_add_template(script, "cactus");
}

enum status plot_draw_cactus(struct plot_drawing *drawing)
{
    const struct contest *contest = &drawing->contest;
    SCOPED(memory_release) double *time = NULL;
    TRY(memory_create(&time, contest->grid.lines + (size_t)1, sizeof *time, drawing->error));
    if (!is_any_counted(contest, is_least, time))
        return plot_fail_empty(drawing);
    uint32_t shown = plot_shown_planners(drawing, contest->standings.count, MOST_LINES);
    plot_begin(drawing, WIDTH, HEIGHT,
               "rows (of %u) whose least known peak a planner reaches, the quickest first",
               contest->standings.common.comparable);
    draw_curves(drawing, shown, is_least, time);
    return STATUS_OK;
}

/* Planners that prove nothing are left out. */
enum status plot_draw_proofs(struct plot_drawing *drawing)
{
    struct contest *contest = &drawing->contest;
    struct standing *standing = contest->standings.standing;
    uint32_t proving = 0;
    SCOPED(memory_release) double *time = NULL;
    TRY(memory_create(&time, contest->grid.lines + (size_t)1, sizeof *time, drawing->error));
    for (uint32_t i = 0; i < contest->standings.count; i++)
        if (collect_times(contest, standing[i].planner, is_proof, time))
            standing[proving++] = standing[i];
    uint32_t shown = plot_shown_planners(drawing, proving, MOST_LINES);
    if (!shown)
        return plot_fail_empty(drawing);
    plot_begin(
        drawing, WIDTH, HEIGHT,
        "rows (of %u) with a proved optimum, or a proof that nothing fits, the quickest first",
        contest->grid.lines);
    draw_curves(drawing, shown, is_proof, time);
    return STATUS_OK;
}
