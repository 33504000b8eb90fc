/* The plot peaks: a bar for each planner on each instance, as long as its peak over the load. */

#include <stdio.h>
#include <string.h>

#include "plots/script/recipe.h"
#include "plots/script/script.h"
#include "results/store/reconstructions.h"
#include "results/views/roles.h"

enum { ROW_HEIGHT = 17, ABOVE = 100, BELOW = 62, MOST_BARS = 120 };

struct peaks_plot {
    const char *mine;
    const struct grid *grid;
    struct text bars, heads;
    struct names policies; /* policies that have bars; the index is the colour */
    uint32_t places, drawn, left_out;
    /* Ratio of the longest bar; bars of naive do not count, since they would make all others too
       short to see. */
    double most;
};

/* Finds peak / load; it is negative where there is no number but a text to show. */
static bool find_ratio(const struct result_row *row, double *ratio)
{
    if (!row || !row->load_bytes)
        return false;
    *ratio =
        query_worth(row) == RESULT_NUMBER ? (double)row->peak_bytes / (double)row->load_bytes : -1;
    return true;
}

static enum status add_line(struct peaks_plot *plot, uint32_t line, struct error *error)
{
    const struct grid *grid = plot->grid;
    const struct result_row *first = &grid->set->row[grid->first[line]];
    uint32_t bars = 0;
    double ratio;
    for (uint32_t i = 0; i < grid->planners.count; i++)
        bars += find_ratio(grid_at(grid, line, i), &ratio);
    if (bars && (plot->left_out || (plot->drawn && plot->drawn + bars > MOST_BARS))) {
        plot->left_out++;
        return STATUS_OK;
    }
    if (!bars)
        return STATUS_OK;
    if (names_find(&plot->policies, first->policy) == NAMES_NONE)
        TRY(names_add(&plot->policies, first->policy, error));
    char head[256];
    snprintf(head, sizeof head, "%s%s, policy %s", first->instance,
             first->reconstruction ? RECONSTRUCTIONS_LABEL : "", first->policy);
    script_add_name(&plot->heads, plot->places++, head);
    for (uint32_t i = 0; i < grid->planners.count; i++) {
        const struct result_row *row = grid_at(grid, line, i);
        SCOPED(text_free) struct text value = {0};
        if (!find_ratio(row, &ratio))
            continue;
        if (strcmp(row->planner, ROLES_NAIVE) != 0 && ratio > plot->most)
            plot->most = ratio;
        text_append(&plot->bars, "%u %.6g %u ", plot->places++, ratio < 0 ? 0 : ratio,
                    names_find(&plot->policies, first->policy));
        bool is_mine = plot->mine && strcmp(row->planner, plot->mine) == 0;
        snprintf(head, sizeof head, "%.240s%s", row->planner, is_mine ? " (mine)" : "");
        script_add_field(&plot->bars, head);
        text_append(&plot->bars, " ");
        if (ratio < 0) {
            text_append(&value, "%s", query_worth(row) == RESULT_INVALID ? "invalid" : row->status);
        } else {
            text_append(&value, "%.3f (", ratio);
            script_add_grouped(&value, row->peak_bytes);
            text_append(&value, " bytes)");
        }
        script_add_field(&plot->bars, value.failed ? "" : value.bytes);
        text_append(&plot->bars, "\n");
        plot->drawn++;
    }
    return STATUS_OK;
}

static void end_plot(struct peaks_plot *plot)
{
    text_free(&plot->bars);
    text_free(&plot->heads);
    names_free(&plot->policies);
}

enum status plot_draw_peaks(struct plot_drawing *drawing)
{
    SCOPED(end_plot) struct peaks_plot plot = {.grid = &drawing->contest.grid, .most = 1.2};
    plot.mine = drawing->request->choice ? drawing->request->choice->mine : NULL;
    struct text *script = drawing->script;
    for (uint32_t i = 0; i < plot.grid->lines; i++)
        TRY(add_line(&plot, i, drawing->error));
    if (!plot.drawn)
        return plot_fail_empty(drawing);
    unsigned height = ABOVE + BELOW + ROW_HEIGHT * plot.places;
    if (plot.left_out)
        plot_begin(drawing, 800, height,
                   "the first %u bars; %u more pairs of instance and policy are left out: choose "
                   "with --instances or --planners",
                   plot.drawn, plot.left_out);
    else
        plot_begin(drawing, 800, height, "valid plans only; >> marks bars that are cut off");
    text_append(script, "count = %u\nmost = %.6g\n", plot.places, plot.most);
    script_begin_array(script, "policy", plot.policies.count);
    for (uint32_t k = 0; k < plot.policies.count; k++)
        script_set_element(script, "policy", k, names_get(&plot.policies, k));
    script_add_data(script, "bars", &plot.bars);
    script_add_data(script, "heads", &plot.heads);
    script_add_template(script, "peaks");
    return STATUS_OK;
}
