/* The plot profile: performance profiles of the planners that stand best. Dolan and More,
   "Benchmarking optimization software with performance profiles", Math. Programming 91, 2002. */

#include <math.h>
#include <stdlib.h>

#include "core/compare.h"
#include "core/memory.h"
#include "plots/script/recipe.h"
#include "plots/script/script.h"

enum { WIDTH = 900, HEIGHT = 560, MOST_LINES = 8 };

/* How a planner did on those lines on which all shown planners were run. */
struct profile {
    double *ratio; /* [plans] peak / least peak, ascending */
    uint32_t plans, refused, without;
};

struct profiles {
    const struct contest *contest;
    uint32_t shown, lines;
    double most;  /* greatest ratio of all planners */
    double least; /* least share with which any curve begins */
};

static uint32_t get_planner(const struct profiles *profiles, uint32_t place)
{
    return profiles->contest->standings.standing[place].planner;
}

/* Whether a line counts. Lines of unsafe policies do not, since their peaks do not depend on the
   planners alone. */
static bool is_counted(const struct profiles *profiles, uint32_t line)
{
    const struct standings *standings = &profiles->contest->standings;
    if (!standings->common.is_comparable[line] || !standings->least_bytes[line])
        return false;
    for (uint32_t i = 0; i < profiles->shown; i++)
        if (!grid_at(&profiles->contest->grid, line, get_planner(profiles, i)))
            return false;
    return true;
}

static void fill_profile(struct profiles *profiles, uint32_t place, struct profile *profile)
{
    const struct contest *contest = profiles->contest;
    for (uint32_t i = 0; i < contest->grid.lines; i++) {
        if (!is_counted(profiles, i))
            continue;
        const struct result_row *row = grid_at(&contest->grid, i, get_planner(profiles, place));
        enum result_worth worth = query_worth(row);
        profile->refused += worth == RESULT_INVALID;
        profile->without += worth == RESULT_NO_PLAN;
        if (worth == RESULT_NUMBER)
            profile->ratio[profile->plans++] =
                fmax(1, (double)row->peak_bytes / (double)contest->standings.least_bytes[i]);
    }
    qsort(profile->ratio, profile->plans, sizeof *profile->ratio, compare_real_items);
    if (profile->plans && profile->ratio[profile->plans - 1] > profiles->most)
        profiles->most = profile->ratio[profile->plans - 1];
}

enum status plot_draw_profile(struct plot_drawing *drawing)
{
    const struct contest *contest = &drawing->contest;
    struct text *script = drawing->script;
    struct profiles profiles = {.contest = contest,
                                .shown = plot_shown(drawing, contest->standings.count, MOST_LINES),
                                .most = 1,
                                .least = 1};
    double *ratio;
    for (uint32_t i = 0; i < contest->grid.lines; i++)
        profiles.lines += is_counted(&profiles, i);
    if (!profiles.shown || !profiles.lines)
        return plot_fail_empty(drawing);
    TRY(memory_create(&ratio, contest->grid.lines + (size_t)1, sizeof *ratio, drawing->error));
    plot_begin(drawing, WIDTH, HEIGHT,
               "share of %u rows (instances under policies) within a factor of the least peak; %u "
               "of %u planners, the best by rank",
               profiles.lines, profiles.shown, contest->standings.count);
    plot_name_planners(drawing, profiles.shown);
    script_begin_data(script, "curves");
    for (uint32_t i = 0; i < profiles.shown; i++) {
        struct profile profile = {.ratio = ratio};
        fill_profile(&profiles, i, &profile);
        /* A step for each ratio; the share that has no plan and that was refused are added in
           lanes beyond the greatest ratio, which the template draws. */
        double lines = profiles.lines, first = 0;
        for (uint32_t k = 0; k < profile.plans; k++)
            if (k + 1 == profile.plans || profile.ratio[k + 1] > profile.ratio[k])
                text_append(script, "%.9g %.6g\n", profile.ratio[k], (k + 1) / lines);
        while (first < profile.plans && profile.ratio[(uint32_t)first] <= 1)
            first++;
        profiles.least = fmin(profiles.least, first / lines);
        text_append(script, "end0 %.6g\nend1 %.6g\nend2 %.6g\n\n\n", profile.plans / lines,
                    (profile.plans + profile.without) / lines,
                    (profile.plans + profile.without + profile.refused) / lines);
    }
    script_end_data(script);
    memory_free(ratio);
    text_append(script, "shown = %u\nmost = %.9g\nleast = %.6g\n", profiles.shown, profiles.most,
                profiles.least);
    script_add_template(script, "profile");
    return STATUS_OK;
}
