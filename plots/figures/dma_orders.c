/* The plot dma-orders: time against on-chip bytes of networks in several orders of their operators,
   a panel for each network, a colour for each order, a shape for each mode of weight transfers. */

#include <string.h>

#include "plots/script/recipe.h"
#include "plots/script/script.h"
#include "results/views/fronts.h"

enum { PANEL = 400, HEIGHT = 520, MOST_PANELS = 3, MOST_ORDERS = 8 };

static const char *const modes[] = {"sync", "pingpong", "cross_region", "ring", "planned"};
enum { MODES = sizeof modes / sizeof *modes };

struct panels {
    const char *instance[MOST_PANELS];
    char order[MOST_ORDERS][ORDER_FRONTS_NAME_BYTES];
    unsigned instances, orders;
};

static unsigned find_text(const char *const *texts, unsigned count, const char *text)
{
    unsigned i = 0;
    while (i < count && strcmp(texts[i], text) != 0)
        i++;
    return i;
}

static unsigned find_order(const struct panels *panels, const char *order)
{
    unsigned i = 0;
    while (i < panels->orders && strcmp(panels->order[i], order) != 0)
        i++;
    return i;
}

enum status plot_draw_dma_orders(struct plot_drawing *drawing)
{
    const struct measure_set *set = &drawing->measures;
    struct text *script = drawing->script;
    struct panels panels = {.instances = 0};
    struct order_front_point point;
    for (uint32_t next = 0; order_fronts_next(set, &next, &point);) {
        if (panels.instances < MOST_PANELS &&
            find_text(panels.instance, panels.instances, point.instance) == panels.instances)
            panels.instance[panels.instances++] = point.instance;
        if (panels.orders < MOST_ORDERS && find_order(&panels, point.order) == panels.orders)
            memcpy(panels.order[panels.orders++], point.order, sizeof point.order);
    }
    if (!panels.instances)
        return plot_fail_empty(drawing);
    plot_begin(
        drawing, PANEL * panels.instances, HEIGHT,
        "profile ethos_u55, int8; arena and buffers, planned: one arena for tensors and weights");
    script_begin_array(script, "planner", panels.orders);
    for (unsigned i = 0; i < panels.orders; i++)
        script_set_element(script, "planner", i, panels.order[i]);
    script_begin_array(script, "head", panels.instances);
    for (unsigned i = 0; i < panels.instances; i++)
        script_set_element(script, "head", i, panels.instance[i]);
    script_begin_array(script, "mode", MODES);
    for (unsigned i = 0; i < MODES; i++)
        script_set_element(script, "mode", i, modes[i]);
    script_begin_data(script, "points");
    for (unsigned i = 0; i < panels.instances; i++) {
        for (uint32_t next = 0; order_fronts_next(set, &next, &point);)
            if (strcmp(point.instance, panels.instance[i]) == 0)
                text_append(script, "%.9g %.9g %u %u\n", (double)point.on_chip_bytes / 1e6,
                            (double)point.total_ns / 1e6, find_order(&panels, point.order),
                            find_text(modes, MODES, point.mode));
        text_append(script, "\n\n");
    }
    script_end_data(script);
    text_append(script, "shown = %u\npanels = %u\nmodes = %u\n", panels.orders, panels.instances,
                (unsigned)MODES);
    script_add_template(script, "dma_orders");
    return STATUS_OK;
}
