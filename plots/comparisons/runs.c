/* The plots runs-bytes, runs-nodes and runs-times: a line for each planner over the runs of a
   database in the order of time. */

#include <stdio.h>
#include <stdlib.h>

#include "core/memory.h"
#include "plots/script/recipe.h"
#include "plots/script/script.h"
#include "results/views/run_lines.h"

enum { MOST_LINES = 8, MOST_LABEL = 40, WIDTH = 960, HEIGHT = 600 };

/* What differs between the three plots. */
struct runs_detail {
    enum run_figure figure;
    const char *axis;
    bool is_logarithmic;
};

/* The line of a planner, and by what ratio it moves. */
struct moving {
    uint32_t planner;
    double range;
};

static int compare_moving(const void *left, const void *right)
{
    const struct moving *a = left, *b = right;
    if (a->range != b->range)
        return a->range > b->range ? -1 : 1;
    return (a->planner > b->planner) - (a->planner < b->planner);
}

/* Sorts the lines by how much they move; those that are shown come first. */
static enum status sort_lines(const struct run_lines *lines, struct moving **moving,
                              struct error *error)
{
    TRY(memory_create(moving, lines->planners.count, sizeof **moving, error));
    for (uint32_t i = 0; i < lines->planners.count; i++)
        (*moving)[i] = (struct moving){i, run_lines_range(lines, i)};
    qsort(*moving, lines->planners.count, sizeof **moving, compare_moving);
    return STATUS_OK;
}

static void add_labels(const struct run_lines *lines, struct text *script)
{
    script_begin_data(script, "labels");
    for (uint32_t i = 0; i < lines->runs; i++) {
        char label[MOST_LABEL + 8];
        snprintf(label, sizeof label, "%.*s", MOST_LABEL, lines->run[i]);
        text_append(script, "%u ", i);
        script_add_field(script, label);
        text_append(script, "\n");
    }
    script_end_data(script);
}

static void add_line(const struct run_lines *lines, uint32_t planner, struct text *script)
{
    const double *mean = &lines->mean[(size_t)planner * lines->runs];
    for (uint32_t i = 0; i < lines->runs; i++)
        if (mean[i] > 0)
            text_append(script, "%u %.9g\n", i, mean[i]);
    text_append(script, "\n\n");
}

static void add_data(const struct run_lines *lines, const struct moving *moving, uint32_t shown,
                     struct text *script)
{
    char name[32], title[160];
    text_append(script, "shown = %u\nruns = %u\narray planner[shown]\n", shown, lines->runs);
    for (uint32_t i = 0; i < shown; i++) {
        snprintf(name, sizeof name, "planner[%u]", i + 1);
        snprintf(title, sizeof title, "%s (%u)", names_get(&lines->planners, moving[i].planner),
                 lines->jobs[moving[i].planner]);
        script_set_text(script, name, title);
    }
    add_labels(lines, script);
    script_begin_data(script, "lines");
    for (uint32_t i = 0; i < shown; i++)
        add_line(lines, moving[i].planner, script);
    script_end_data(script);
}

static void add_script(const struct plot_recipe *recipe, const struct plot_request *request,
                       const struct run_lines *lines, const struct moving *moving,
                       struct text *script)
{
    const struct runs_detail *detail = recipe->detail;
    uint32_t planners = lines->planners.count;
    uint32_t shown = plot_recipe_shown(request, planners, MOST_LINES);
    char subtitle[200] =
        "geometric means over the jobs (how many) that a planner has in all these runs";
    if (shown < planners)
        snprintf(
            subtitle, sizeof subtitle,
            "geometric means over the jobs (how many) in all these runs; the %u of %u planners "
            "that move most, --planners chooses",
            shown, planners);
    const struct script_head head = {recipe->name, WIDTH, HEIGHT, recipe->title, subtitle};
    script_begin(script, &head);
    add_data(lines, moving, shown, script);
    script_set_text(script, "axis", detail->axis);
    text_append(script, "logarithmic = %d\n", detail->is_logarithmic);
    script_add_template(script, "runs");
}

static enum status draw_lines(const struct plot_recipe *recipe, const struct plot_request *request,
                              const struct run_lines *lines, struct text *script,
                              struct error *error)
{
    struct moving *moving;
    if (!lines->planners.count)
        return error_set(error, STATUS_NO, "no results for this plot, expected %s", recipe->data);
    TRY(sort_lines(lines, &moving, error));
    add_script(recipe, request, lines, moving, script);
    memory_free(moving);
    return text_check(script, error);
}

static enum status build(const struct plot_recipe *recipe, const struct plot_request *request,
                         struct text *script, struct error *error)
{
    const struct runs_detail *detail = recipe->detail;
    const struct result_filter filter = {.choice = request->choice, .stored = true};
    struct result_set set = {0};
    struct run_list runs = {0};
    struct run_lines lines = {0};
    enum status status;
    TRY_OR_DONE(status, query_newest(request->store, &filter, &set, error));
    TRY_OR_DONE(status, runs_list(request->store, &runs, error));
    TRY_OR_DONE(status, run_lines_create(&set, &runs, detail->figure, &lines, error));
    status = draw_lines(recipe, request, &lines, script, error);
done:
    run_lines_free(&lines);
    runs_free(&runs);
    query_free(&set);
    return status;
}

#define EXPECTED "a planner's results for the same jobs in two runs"

static const struct runs_detail bytes = {RUN_BYTES, "peak / best known lower bound", false};
const struct plot_recipe plot_runs_bytes = {
    .name = "runs-bytes",
    .title = "Peaks from run to run",
    .data = EXPECTED,
    .build = build,
    .detail = &bytes,
};

static const struct runs_detail nodes = {RUN_NODES, "nodes of the search", true};
const struct plot_recipe plot_runs_nodes = {
    .name = "runs-nodes",
    .title = "Work of searches from run to run",
    .data = EXPECTED,
    .build = build,
    .detail = &nodes,
};

static const struct runs_detail times = {RUN_TIME, "time, ms", true};
const struct plot_recipe plot_runs_times = {
    .name = "runs-times",
    .title = "Times from run to run",
    .data = EXPECTED,
    .build = build,
    .detail = &times,
};
