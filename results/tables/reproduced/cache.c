/* The table cache: the plan cache on the networks of Xu 2019, Table 6.2. */
#include "results/tables/reproduced/quantised.h"
#include "results/views/recipe.h"

static const char *const planners[] = {"large_first", "glpk"};

/* A measured time in milliseconds; 0 where there is none. */
static double find_ms(const struct measure_set *set, const char *instance, const char *planner,
                      const char *name)
{
    int64_t ns;
    return measures_find(set, instance, planner, name, &ns) && ns > 0 ? (double)ns / 1e6 : 0;
}

static void add_measured(struct table_making *making, const char *instance, const char *planner)
{
    const struct measure_set *set = &making->measures;
    struct table *table = making->table;
    double plan_ms = find_ms(set, instance, planner, "plan_ns");
    double save_ms = find_ms(set, instance, planner, "plan_and_save_ns");
    double hit_ms = find_ms(set, instance, planner, "hit_ns");
    double planner_ms = find_ms(set, instance, planner, "planner_ns");
    int64_t bytes, identical;
    if (planner_ms <= 0 || plan_ms <= 0 || save_ms <= 0 || hit_ms <= 0 ||
        !measures_find(set, instance, planner, "archive_bytes", &bytes) ||
        !measures_find(set, instance, planner, "identical", &identical)) {
        table_repeat(table, 8, cell_missing());
        return;
    }
    table_add(table, cell_real(planner_ms, 3), cell_real(plan_ms, 3), cell_real(save_ms, 3),
              cell_real(100 * (save_ms - plan_ms) / plan_ms, 2), cell_real(hit_ms, 3),
              cell_real(100 * hit_ms / plan_ms, 2), cell_number((uint64_t)bytes),
              cell_text(identical ? "yes" : "no"));
}

static enum status fill(struct table_making *making)
{
    for (unsigned i = 0; i < QUANTISED_NETWORKS; i++)
        for (unsigned p = 0; p < sizeof planners / sizeof *planners; p++) {
            const struct quantised_network *network = &quantised_networks[i];
            table_add(making->table, cell_text(network->published), cell_text(planners[p]));
            add_measured(making, network->instance, planners[p]);
        }
    return STATUS_OK;
}

const struct table_recipe table_cache = {
    .name = "cache",
    .title = "the plan cache on the twelve networks of Xu 2019, Table 6.2",
    .caption = "Planning without the cache, with an empty one, and after a hit (for Xu 2019, Table "
               "6.2)",
    .columns = "network | planner | planner alone (ms): | plan (ms): | "
               "and save (ms): | more (%): | hit (ms): | of it (%): | archive (bytes): | same plan",
    .source = TABLE_OF_MEASURES,
    .topic = "cache",
    .fill = fill,
};
