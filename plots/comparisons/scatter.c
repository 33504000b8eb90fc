/* The plot scatter: one planner against another, a point for each row that both were run on. */

#include <math.h>

#include "plots/script/recipe.h"
#include "plots/script/script.h"

enum { WIDTH = 720, HEIGHT = 720 };

struct scatter {
    const struct contest *contest;
    uint32_t planner[2]; /* of the grid */
    /* Number of rows where only this planner is lower, and where both are equal. */
    uint32_t lower[2], equal;
    uint32_t failed[2]; /* number of rows where this planner has no plan that counts */
    double most;        /* greatest ratio */
    struct text points;
};

static const char *get_name(const struct scatter *scatter, unsigned side)
{
    return names_get(&scatter->contest->grid.planners, scatter->planner[side]);
}

/* Finds peak / bound; -1 for a row without a plan that counts. */
static double find_ratio(const struct scatter *scatter, uint32_t line, unsigned side)
{
    double ratio;
    bool found = grid_ratio(&scatter->contest->grid, line, scatter->planner[side], &ratio);
    return found ? fmax(1, ratio) : -1;
}

static uint32_t collect(struct scatter *scatter)
{
    const struct contest *contest = scatter->contest;
    uint32_t points = 0;
    for (uint32_t i = 0; i < contest->grid.lines; i++) {
        if (!grid_at(&contest->grid, i, scatter->planner[0]) ||
            !grid_at(&contest->grid, i, scatter->planner[1]) ||
            !contest->standings.common.is_comparable[i])
            continue;
        const double ratio[2] = {find_ratio(scatter, i, 0), find_ratio(scatter, i, 1)};
        for (unsigned side = 0; side < 2; side++) {
            scatter->failed[side] += ratio[side] < 0;
            scatter->most = fmax(scatter->most, ratio[side]);
        }
        if (ratio[0] >= 0 && ratio[1] >= 0) {
            scatter->lower[0] += ratio[0] < ratio[1];
            scatter->lower[1] += ratio[1] < ratio[0];
            scatter->equal += !(ratio[0] < ratio[1]) && !(ratio[1] < ratio[0]);
        }
        text_append(&scatter->points, "%.9g %.9g\n", ratio[0], ratio[1]);
        points++;
    }
    return points;
}

/* Finds the two planners: those that the user named, else mine and the best of the others, else the
   two with the best standings. */
static bool find_planners(struct scatter *scatter, const struct names *subject,
                          const char *mine_name)
{
    const struct standings *standings = &scatter->contest->standings;
    bool named = subject && subject->count;
    if (named ? subject->count != 2 : standings->count < 2)
        return false;
    uint32_t mine =
        !named && mine_name ? names_find(&scatter->contest->grid.planners, mine_name) : NAMES_NONE;
    for (uint32_t i = 0; i < 2; i++)
        scatter->planner[i] =
            named ? names_find(&scatter->contest->grid.planners, names_get(subject, i))
                  : standings->standing[i].planner;
    if (mine != NAMES_NONE) {
        scatter->planner[1] =
            scatter->planner[0] == mine ? scatter->planner[1] : scatter->planner[0];
        scatter->planner[0] = mine;
    }
    return scatter->planner[0] != NAMES_NONE && scatter->planner[1] != NAMES_NONE;
}

enum status plot_draw_scatter(struct plot_drawing *drawing)
{
    const struct result_choice *choice = drawing->request->choice;
    const struct names *subject = choice ? choice->subject : NULL;
    struct scatter scatter = {.contest = &drawing->contest, .most = 1};
    if (subject && subject->count != 2)
        return error_set(drawing->error, STATUS_USAGE,
                         "found %u planners, expected two: memplan plot %s A,B", subject->count,
                         drawing->recipe->name);
    if (!find_planners(&scatter, subject, choice ? choice->mine : NULL) || !collect(&scatter))
        return plot_fail_empty(drawing);
    struct text *script = drawing->script;
    plot_begin(drawing, WIDTH, HEIGHT, "%.60s is lower on %u rows, %.60s on %u, both alike on %u",
               get_name(&scatter, 0), scatter.lower[0], get_name(&scatter, 1), scatter.lower[1],
               scatter.equal);
    script_set_text(script, "first", get_name(&scatter, 0));
    script_set_text(script, "second", get_name(&scatter, 1));
    text_append(script, "most = %.9g\nfailed0 = %u\nfailed1 = %u\n", scatter.most,
                scatter.failed[0], scatter.failed[1]);
    script_add_data(script, "points", &scatter.points);
    script_add_template(script, "scatter");
    text_free(&scatter.points);
    return STATUS_OK;
}
