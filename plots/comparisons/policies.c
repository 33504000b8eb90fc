/* The plot policies: a group of bars for each instance with branches or loops: how far the best
   plan under each policy is above the best under select. */

#include <string.h>

#include "core/memory.h"
#include "plots/script/recipe.h"
#include "plots/script/script.h"
#include "results/views/policies.h"

enum { BAR_HEIGHT = 6, GROUP_HEIGHT = POLICIES_COUNT * BAR_HEIGHT + 10, ABOVE = 90, BELOW = 70 };
enum { LETTER_WIDTH = 7, BARS_WIDTH = 640, LEAST_WIDTH = 900 };

/* The facts of one instance, whose rows start at `first`. */
struct group {
    uint32_t first;
    struct policy_facts facts[POLICIES_COUNT];
};

struct policies_plot {
    const struct result_set *set;
    struct group *group; /* [groups] */
    uint32_t groups;
    size_t capacity;
    double most; /* percent */
};

static double find_gap(const struct group *group, unsigned policy)
{
    double gap = query_gap_percent(group->facts[policy].best_bytes,
                                   group->facts[POLICIES_SELECT].best_bytes);
    return gap > 0 ? gap : 0;
}

static enum status find_groups(struct policies_plot *plot, struct error *error)
{
    uint32_t next;
    for (uint32_t i = 0; i < plot->set->count; i = next) {
        struct group group = {.first = i};
        next = policies_find(plot->set, i, group.facts);
        if (!policies_is_wanted(group.facts) || !group.facts[POLICIES_SELECT].best_bytes)
            continue;
        TRY(memory_reserve(&plot->group, &plot->capacity, plot->groups + (size_t)1,
                           sizeof *plot->group, error));
        plot->group[plot->groups++] = group;
        for (unsigned p = 0; p < POLICIES_COUNT; p++)
            if (group.facts[p].best_bytes && find_gap(&group, p) > plot->most)
                plot->most = find_gap(&group, p);
    }
    return STATUS_OK;
}

static void add_bars(struct text *script, const struct policies_plot *plot, bool refused)
{
    script_begin_data(script, refused ? "refused" : "bars");
    /* gnuplot takes no empty datablock. */
    text_append(script, "NaN NaN 0\n");
    for (uint32_t i = 0; i < plot->groups; i++)
        for (unsigned p = 0; p < POLICIES_COUNT; p++) {
            const struct policy_facts *facts = &plot->group[i].facts[p];
            double top = i + (p - (POLICIES_COUNT - 1) / 2.0) * BAR_HEIGHT / GROUP_HEIGHT;
            if (facts->best_bytes && (*facts->fault != '\0') == refused)
                text_append(script, "%.6g %.6g %u\n", top, find_gap(&plot->group[i], p), p);
        }
    script_end_data(script);
}

static void end_plot(struct policies_plot *plot)
{
    memory_free(plot->group);
}

enum status plot_draw_policies(struct plot_drawing *drawing)
{
    SCOPED(end_plot) struct policies_plot plot = {.set = &drawing->contest.set};
    struct text *script = drawing->script;
    size_t longest = 0;
    TRY(find_groups(&plot, drawing->error));
    if (!plot.groups)
        return plot_fail_empty(drawing);
    for (uint32_t i = 0; i < plot.groups; i++) {
        size_t length = strlen(plot.set->row[plot.group[i].first].instance);
        longest = length > longest ? length : longest;
    }
    unsigned width = (unsigned)longest * LETTER_WIDTH + 24;
    unsigned names_width = width > LEAST_WIDTH - BARS_WIDTH ? width : LEAST_WIDTH - BARS_WIDTH;
    plot_begin(drawing, names_width + BARS_WIDTH, ABOVE + BELOW + GROUP_HEIGHT * plot.groups,
               "the least peak known under each, above the least under select; hollow: refused by "
               "a check");
    text_append(script, "count = %u\nmost = %.6g\nhalf = %.6g\nleft = %u.0\n", plot.groups,
                plot.most > 1 ? plot.most : 1.0, 0.42 * BAR_HEIGHT / GROUP_HEIGHT, names_width);
    for (unsigned p = 0; p < POLICIES_COUNT; p++)
        text_append(script, "name%u = '%s'\n", p, policies_name(p));
    add_bars(script, &plot, false);
    add_bars(script, &plot, true);
    script_begin_data(script, "names");
    for (uint32_t i = 0; i < plot.groups; i++)
        script_add_name(script, i, plot.set->row[plot.group[i].first].instance);
    script_end_data(script);
    script_add_template(script, "policies");
    return STATUS_OK;
}
