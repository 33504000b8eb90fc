/* The table dma-front: for each instance the points of time against on-chip bytes that the modes of
   transferring weights and the mode planned reach. */
#include "results/views/fronts.h"
#include "results/views/recipe.h"

static const char *const modes[] = {"sync", "pingpong", "cross_region", "ring"};
static const char *const planners[] = {"large_first", "descent"};

/* The instance, the mode and the planner of a point. */
struct label {
    const char *instance, *mode, *planner;
};

static void add_point(struct table *table, struct label label, const struct front_point *point,
                      const struct front_point *bound)
{
    table_add(
        table, cell_instance(label.instance), cell_text(label.mode), cell_text(label.planner),
        cell_number((uint64_t)point->on_chip_bytes), cell_real((double)point->total_ns / 1e6, 3),
        cell_known_real(bound->total_ns > 0,
                        100 * (double)(point->total_ns - bound->total_ns) / (double)bound->total_ns,
                        2));
}

static void add_instance(const struct measure_set *set, struct table *table, const char *instance)
{
    struct front_point point, bound = {0};
    fronts_mode(set, instance, "bound", &bound);
    for (unsigned m = 0; m < sizeof modes / sizeof *modes; m++)
        if (fronts_mode(set, instance, modes[m], &point))
            add_point(table, (struct label){instance, modes[m], "descent"}, &point, &bound);
    for (unsigned i = 0; fronts_planned(set, instance, FRONTS_IN_ORDER, i, &point); i++)
        add_point(table, (struct label){instance, "planned in order", "large_first"}, &point,
                  &bound);
    for (unsigned p = 0; p < sizeof planners / sizeof *planners; p++)
        for (unsigned i = 0; fronts_planned(set, instance, planners[p], i, &point); i++)
            add_point(table, (struct label){instance, "planned", planners[p]}, &point, &bound);
}

static enum status fill(struct table_making *making)
{
    struct table *table = making->table;
    for (uint32_t i = 0; i < making->measures.count; i++)
        if (making_starts_instance(making, i))
            add_instance(&making->measures, table, making->measures.measure[i].instance);
    table_add_note(table,
                   "Hardware profile ethos_u55; ring has three buffers. On chip are arena and "
                   "buffers, in mode planned one arena for tensors and weights. Only points "
                   "that no other one of the same planner beats in time and bytes are "
                   "shown. In order: transfers start in the order in which weights are needed, "
                   "and travel each time.");
    table_add_note(table, "descent searches under a time limit, so its points may differ from run "
                          "to run.");
    return STATUS_OK;
}

const struct table_recipe table_dma_front = {
    .name = "dma-front",
    .title = "time against on-chip bytes of weights that are planned with the tensors",
    .caption = "Time against on-chip bytes: weights planned with the tensors",
    .columns = "instance | mode | planner | on chip (bytes): | time (ms): | above the bound (%):",
    .source = TABLE_OF_MEASURES,
    .topic = FRONTS_TOPIC,
    .wanted = "dma-front",
    .fill = fill,
};
