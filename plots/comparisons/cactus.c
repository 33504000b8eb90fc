/* The plot cactus: how many rows each planner solves as well as any within a time. */

#include <stdio.h>
#include <stdlib.h>

#include "core/memory.h"
#include "plots/script/recipe.h"
#include "plots/script/script.h"
#include "results/views/contest.h"

enum { WIDTH = 900, HEIGHT = 560, MOST_LINES = 8 };

/* The times in which a planner found the least peak, ascending. */
struct cactus {
    const struct contest *contest;
    double *time; /* [lines] scratch */
    uint32_t shown, lines, most;
};

static int compare_times(const void *left, const void *right)
{
    const double *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

static uint32_t collect(const struct cactus *cactus, uint32_t planner)
{
    const struct contest *contest = cactus->contest;
    const struct standings *standings = &contest->standings;
    uint32_t count = 0;
    for (uint32_t i = 0; i < contest->grid.lines; i++) {
        const struct result_row *row = grid_at(&contest->grid, i, planner);
        if (!standings->common.is_comparable[i] || !standings->least_bytes[i] || !row ||
            query_worth(row) != RESULT_NUMBER || row->peak_bytes > standings->least_bytes[i])
            continue;
        cactus->time[count++] = row->wall_ns ? (double)row->wall_ns / 1e9 : 1e-9;
    }
    qsort(cactus->time, count, sizeof *cactus->time, compare_times);
    return count;
}

static void add_curves(struct cactus *cactus, struct text *script)
{
    script_begin_data(script, "curves");
    for (uint32_t i = 0; i < cactus->shown; i++) {
        uint32_t count = collect(cactus, cactus->contest->standings.standing[i].planner);
        cactus->most = count > cactus->most ? count : cactus->most;
        for (uint32_t k = 0; k < count; k++)
            text_append(script, "%u %.6g\n", k + 1, cactus->time[k]);
        text_append(script, "%s\n\n", count ? "" : "NaN NaN\n");
    }
    script_end_data(script);
}

static void add_script(const struct plot_recipe *recipe, struct cactus *cactus, struct text *script)
{
    const struct standings *standings = &cactus->contest->standings;
    char subtitle[200];
    snprintf(subtitle, sizeof subtitle,
             "rows (of %u) whose least known peak a planner reaches, the quickest first; %u of %u "
             "planners, the best by rank",
             cactus->lines, cactus->shown, standings->count);
    const struct script_head head = {recipe->name, WIDTH, HEIGHT, recipe->title, subtitle};
    script_begin(script, &head);
    script_begin_array(script, "planner", cactus->shown);
    for (uint32_t i = 0; i < cactus->shown; i++)
        script_set_element(script, "planner", i, contest_name(cactus->contest, i));
    add_curves(cactus, script);
    text_append(script, "shown = %u\nmost = %u\n", cactus->shown, cactus->most);
    script_add_template(script, "cactus");
}

static enum status build(const struct plot_recipe *recipe, const struct plot_request *request,
                         struct text *script, struct error *error)
{
    struct contest contest;
    TRY(contest_open(request->store, request->choice, &contest, error));
    struct cactus cactus = {.contest = &contest,
                            .shown =
                                plot_recipe_shown(request, contest.standings.count, MOST_LINES),
                            .lines = contest.standings.common.comparable};
    enum status status =
        memory_create(&cactus.time, contest.grid.lines + (size_t)1, sizeof *cactus.time, error);
    if (!status && cactus.shown)
        add_script(recipe, &cactus, script);
    else if (!status)
        status = plot_recipe_fail_empty(recipe, error);
    memory_free(cactus.time);
    contest_free(&contest);
    return status;
}

const struct plot_recipe plot_cactus = {
    .name = "cactus",
    .title = "Rows solved as well as by any, within a time",
    .data = "the results of any bench run",
    .build = build,
};
