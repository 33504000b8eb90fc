/* The plot profile: performance profiles of the planners that stand best. Dolan and More,
   "Benchmarking optimization software with performance profiles", Math. Programming 91, 2002. */

#include <math.h>
#include <stdlib.h>

#include "core/compare.h"
#include "core/memory.h"
#include "plots/script/recipe.h"
#include "plots/script/script.h"

enum { WIDTH = 900, HEIGHT = 560, MOST_LINES = 8 };

struct profiles {
    const struct contest *contest;
    uint32_t shown, lines;
    double most;  /* greatest ratio of all planners */
    double least; /* least share with which any curve begins */
};

/* Whether a line counts. Lines of unsafe policies do not, since their peaks do not depend on the
   planners alone. */
static bool is_counted(const struct profiles *profiles, uint32_t line)
{
    const struct standings *standings = &profiles->contest->standings;
    if (!standings->common.is_comparable[line] || !standings->least_bytes[line])
        return false;
    for (uint32_t i = 0; i < profiles->shown; i++)
        if (!grid_at(&profiles->contest->grid, line, standings->standing[i].planner))
            return false;
    return true;
}

enum status plot_draw_profile(struct plot_drawing *drawing)
{
    const struct contest *contest = &drawing->contest;
    struct text *script = drawing->script;
    struct profiles profiles = {
        .contest = contest,
        .shown = plot_shown_planners(drawing, contest->standings.count, MOST_LINES),
        .most = 1,
        .least = 1};
    SCOPED(memory_release) double *ratio = NULL; /* [plans] peak / least peak, ascending */
    for (uint32_t i = 0; i < contest->grid.lines; i++)
        profiles.lines += is_counted(&profiles, i);
    if (!profiles.shown || !profiles.lines)
        return plot_fail_empty(drawing);
    TRY(memory_create(&ratio, contest->grid.lines + (size_t)1, sizeof *ratio, drawing->error));
    plot_begin(drawing, WIDTH, HEIGHT,
               "share of %u rows (instances under policies) within a factor of the least peak",
               profiles.lines);
    plot_name_planners(drawing, profiles.shown);
    script_begin_data(script, "curves");
    for (uint32_t i = 0; i < profiles.shown; i++) {
        uint32_t plans = 0, refused = 0, without = 0;
        for (uint32_t k = 0; k < contest->grid.lines; k++) {
            if (!is_counted(&profiles, k))
                continue;
            const struct result_row *row =
                grid_at(&contest->grid, k, contest->standings.standing[i].planner);
            enum result_worth worth = query_worth(row);
            refused += worth == RESULT_INVALID;
            without += worth == RESULT_NO_PLAN;
            if (worth == RESULT_NUMBER)
                ratio[plans++] =
                    fmax(1, (double)row->peak_bytes / (double)contest->standings.least_bytes[k]);
        }
        qsort(ratio, plans, sizeof *ratio, compare_real_items);
        if (plans && ratio[plans - 1] > profiles.most)
            profiles.most = ratio[plans - 1];
        /* A step for each ratio; the share that has no plan and that was refused are added in
           lanes beyond the greatest ratio, which the template draws. */
        double lines = profiles.lines, first = 0;
        for (uint32_t k = 0; k < plans; k++)
            if (k + 1 == plans || ratio[k + 1] > ratio[k])
                text_append(script, "%.9g %.6g\n", ratio[k], (k + 1) / lines);
        while (first < plans && ratio[(uint32_t)first] <= 1)
            first++;
        profiles.least = fmin(profiles.least, first / lines);
        text_append(script, "end0 %.6g\nend1 %.6g\nend2 %.6g\n\n\n", plans / lines,
                    (plans + without) / lines, (plans + without + refused) / lines);
    }
    script_end_data(script);
    text_append(script, "shown = %u\nmost = %.9g\nleast = %.6g\n", profiles.shown, profiles.most,
                profiles.least);
    script_add_template(script, "profile");
    return STATUS_OK;
}
