/* The table dma-orders: time and on-chip bytes of networks in several orders of their operators,
   under every mode of weight transfers. */
#include "results/views/fronts.h"
#include "results/views/recipe.h"

static enum status fill(struct table_making *making)
{
    struct table *table = making->table;
    const struct measure_set *set = &making->measures;
    struct order_front_point point;
    for (uint32_t next = 0; order_fronts_next(set, &next, &point);) {
        table_add(table, cell_instance(point.instance), cell_text(point.order),
                  cell_text(point.mode), cell_number((uint64_t)point.on_chip_bytes),
                  cell_real((double)point.total_ns / 1e6, 3),
                  cell_any_text(order_fronts_is_beaten(set, &point) ? "" : "yes"));
    }
    table_add_note(table, "Hardware profile ethos_u55; ring has three buffers; plans by "
                          "large_first. Front: no other order and mode of the network takes less "
                          "of both. In mode planned the search ends at a time limit, so that its "
                          "points may differ from run to run.");
    return STATUS_OK;
}

const struct table_recipe table_dma_orders = {
    .name = "dma-orders",
    .title = "time and on-chip bytes of networks in several orders, under every mode of transfers",
    .caption = "Orders of operators under the modes of weight transfers",
    .columns = "instance | order | mode | on chip (bytes): | time (ms): | front",
    .source = TABLE_OF_MEASURES,
    .topic = ORDER_FRONTS_TOPIC,
    .wanted = "dma-orders",
    .fill = fill,
};
