/* The table dma-orders: time and on-chip bytes of networks in several orders of their operators,
   under every mode of weight transfers. */

#include "results/tables/tables.h"
#include "results/views/order_fronts.h"

static void add_columns(struct table *table)
{
    table_set_title(table, "Orders of operators under the modes of weight transfers");
    table_add_column(table, "instance", "", TABLE_LEFT);
    table_add_column(table, "order", "", TABLE_LEFT);
    table_add_column(table, "mode", "", TABLE_LEFT);
    table_add_column(table, "on chip", "bytes", TABLE_RIGHT);
    table_add_column(table, "time", "ms", TABLE_RIGHT);
    table_add_column(table, "front", "", TABLE_LEFT);
}

static void add_point(const struct measure_set *set, struct table *table,
                      const struct order_front_point *point)
{
    table_add_instance(table, point->instance);
    table_add_text(table, point->order);
    table_add_text(table, point->mode);
    table_add_number(table, (uint64_t)point->on_chip_bytes);
    table_add_real(table, (double)point->total_ns / 1e6, 3);
    table_add_any_text(table, order_fronts_is_beaten(set, point) ? "" : "yes");
}

static enum status build(struct store *store, const struct result_choice *choice,
                         struct table *table, struct error *error)
{
    struct measure_set set = {0};
    struct order_front_point point;
    TRY(measures_read(store, choice, ORDER_FRONTS_TOPIC, &set, error));
    if (!set.count)
        return error_set(error, STATUS_NO,
                         "no results for this table, expected those of memplan reproduce "
                         "dma-orders");
    add_columns(table);
    for (uint32_t next = 0; order_fronts_next(&set, &next, &point);)
        add_point(&set, table, &point);
    table_add_note(table, "Hardware profile ethos_u55; ring has three buffers; plans by "
                          "large_first. Front: no other order and mode of the network takes less "
                          "of both. In mode planned the search ends at a time limit, so that its "
                          "points may differ from run to run.");
    measures_free(&set);
    return table_check(table, error);
}

const struct table_recipe table_dma_orders = {
    .name = "dma-orders",
    .title = "time and on-chip bytes of networks in several orders, under every mode of transfers",
    .build = build,
};
