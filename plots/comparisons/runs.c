/* The plots runs-bytes, runs-nodes and runs-times: a line for each planner over the runs of a
   database in the order of time. */

#include <stdio.h>
#include <stdlib.h>

#include "core/compare.h"
#include "core/memory.h"
#include "plots/script/recipe.h"
#include "plots/script/script.h"
#include "results/views/run_lines.h"

enum { MOST_LINES = 8, MOST_LABEL = 40, WIDTH = 960, HEIGHT = 600 };

/* The line of a planner, and by what ratio it moves. */
struct moving {
    uint32_t planner;
    double range;
};

COMPARE_BY(compare_moving, struct moving, compare_reals(b->range, a->range),
           compare_numbers(a->planner, b->planner))

static const char *get_moving_name(const void *planners, const void *item)
{
    const struct moving *moving = item;
    return names_get(planners, moving->planner);
}

/* Draws the lines that move most. */
static enum status draw(struct plot_drawing *drawing, enum run_figure figure, const char *axis,
                        bool is_logarithmic)
{
    struct text *script = drawing->script;
    SCOPED(runs_free) struct run_list runs = {0};
    SCOPED(run_lines_free) struct run_lines lines = {0};
    SCOPED(memory_release) struct moving *moving = NULL;
    TRY(runs_list(drawing->request->store, &runs, drawing->error));
    TRY(run_lines_create(&drawing->contest.set, &runs, figure, &lines, drawing->error));
    uint32_t planners = lines.planners.count, shown;
    char label[160];
    if (!planners)
        return plot_fail_empty(drawing);
    TRY(memory_create(&moving, planners, sizeof *moving, drawing->error));
    for (uint32_t i = 0; i < planners; i++)
        moving[i] = (struct moving){i, run_lines_range(&lines, i)};
    qsort(moving, planners, sizeof *moving, compare_moving);
    shown = plot_shown_lines(
        drawing, &(struct plot_lines){moving, sizeof *moving, get_moving_name, &lines.planners},
        planners, MOST_LINES);
    plot_begin(drawing, WIDTH, HEIGHT,
               "geometric means over the jobs (how many) that a planner has in all these runs, "
               "those that move most first");
    text_append(script, "shown = %u\nruns = %u\narray planner[shown]\n", shown, lines.runs);
    for (uint32_t i = 0; i < shown; i++) {
        snprintf(label, sizeof label, "%s (%u)", names_get(&lines.planners, moving[i].planner),
                 lines.jobs[moving[i].planner]);
        script_set_element(script, "planner", i, label);
    }
    script_begin_data(script, "labels");
    for (uint32_t i = 0; i < lines.runs; i++) {
        snprintf(label, sizeof label, "%.*s", MOST_LABEL, lines.run[i]);
        script_add_name(script, i, label);
    }
    script_end_data(script);
    script_begin_data(script, "lines");
    for (uint32_t i = 0; i < shown; i++) {
        const double *mean = &lines.mean[(size_t)moving[i].planner * lines.runs];
        for (uint32_t run = 0; run < lines.runs; run++)
            if (mean[run] > 0)
                text_append(script, "%u %.9g\n", run, mean[run]);
        text_append(script, "\n\n");
    }
    script_end_data(script);
    script_set_text(script, "axis", axis);
    text_append(script, "logarithmic = %d\n", is_logarithmic);
    script_add_template(script, "runs");
    return STATUS_OK;
}

enum status plot_draw_runs_bytes(struct plot_drawing *drawing)
{
    return draw(drawing, RUN_BYTES, "peak / best known lower bound", false);
}

enum status plot_draw_runs_nodes(struct plot_drawing *drawing)
{
    return draw(drawing, RUN_NODES, "nodes of the search", true);
}

enum status plot_draw_runs_times(struct plot_drawing *drawing)
{
    return draw(drawing, RUN_TIME, "time, ms", true);
}
