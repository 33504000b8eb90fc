/* The plot streams: for each policy for several streams the time that it costs against the bytes
   that it saves, both in relation to the policy streams; a panel for each number of streams. */

#include <math.h>
#include <string.h>

#include "plots/script/recipe.h"
#include "plots/script/script.h"
#include "results/views/streams.h"

enum { MOST_PANELS = 4, PANEL_WIDTH = 330, LEFT = 70, RIGHT = 24 };

/* The instances with one number of streams. */
struct panel {
    uint32_t streams, instances;
    double log_bytes[STREAMS_COUNT], log_time[STREAMS_COUNT]; /* sums */
    uint32_t compared[STREAMS_COUNT], refused[STREAMS_COUNT];
};

struct streams_plot {
    struct panel panel[MOST_PANELS]; /* [panels] ascending in the number of streams */
    unsigned panels;
    struct text points; /* lines of "panel bytes time policy refused" */
};

static void visit_instances(struct streams_plot *plot, const struct result_set *set, bool counting)
{
    struct stream_facts facts;
    uint32_t next;
    for (uint32_t i = 0; i < set->count; i = next) {
        uint32_t streams = streams_count(set->row[i].instance);
        next = streams_find(set, i, &facts);
        if (!streams_is_wanted(&facts))
            continue;
        unsigned number = 0;
        while (number < plot->panels && plot->panel[number].streams < streams)
            number++;
        struct panel *panel = &plot->panel[number];
        bool found = number < plot->panels && panel->streams == streams;
        if (counting && !found && number < MOST_PANELS) {
            /* Where there are too many panels, those with the least numbers of streams stay. */
            plot->panels += plot->panels < MOST_PANELS;
            memmove(panel + 1, panel, (plot->panels - number - 1) * sizeof *panel);
            *panel = (struct panel){.streams = streams};
        }
        if (counting || !found)
            continue;
        for (unsigned p = 0; p < STREAMS_COUNT; p++) {
            struct stream_ratio ratio;
            if (!streams_compare(&facts, p, &ratio))
                continue;
            text_append(&plot->points, "%u %.6g %.6g %u %d\n", number, ratio.bytes, ratio.time, p,
                        ratio.refused);
            panel->log_bytes[p] += log(ratio.bytes);
            panel->log_time[p] += log(ratio.time);
            panel->compared[p]++;
            panel->refused[p] += ratio.refused;
        }
        panel->instances++;
    }
}

enum status plot_draw_streams(struct plot_drawing *drawing)
{
    struct streams_plot plot = {0};
    visit_instances(&plot, &drawing->contest.set, true);
    visit_instances(&plot, &drawing->contest.set, false);
    if (!plot.panels)
        return plot_fail_empty(drawing);
    struct text *script = drawing->script;
    /* The lines above the panels need the width of two. */
    const unsigned panel_width = plot.panels > 1 ? PANEL_WIDTH : 2 * PANEL_WIDTH;
    plot_begin(drawing, LEFT + RIGHT + panel_width * plot.panels, 480,
               "small: instances, large: their geometric means; hollow: refused by a check");
    text_append(script, "panels = %u\nleft = %d.0\npanel = %u.0\nfront = %d\n", plot.panels, LEFT,
                panel_width, STREAMS_SERIALISED);
    script_begin_array(script, "headings", plot.panels);
    for (unsigned number = 0; number < plot.panels; number++)
        text_append(script, "headings[%u] = '%u streams, %u instances'\n", number + 1,
                    plot.panel[number].streams, plot.panel[number].instances);
    script_begin_array(script, "names", STREAMS_COUNT);
    for (unsigned p = 0; p < STREAMS_COUNT; p++)
        script_set_element(script, "names", p, streams_policy(p));
    script_add_data(script, "points", &plot.points);
    script_begin_data(script, "means");
    for (unsigned number = 0; number < plot.panels; number++)
        for (unsigned p = 0; p < STREAMS_COUNT; p++) {
            const struct panel *panel = &plot.panel[number];
            if (panel->compared[p] && !panel->refused[p])
                text_append(script, "%u %.6g %.6g %u\n", number,
                            exp(panel->log_bytes[p] / panel->compared[p]),
                            exp(panel->log_time[p] / panel->compared[p]), p);
        }
    script_end_data(script);
    script_add_template(script, "streams");
    text_free(&plot.points);
    return STATUS_OK;
}
