/* The table cache: Xu 2019, Table 6.2, beside the plan cache here. */
#include "results/tables/reproduced/quantised.h"
#include "results/views/recipe.h"

static const char *const planners[] = {"large_first", "glpk"};

/* Times without the cache, with an empty one, and after a hit; the caller chooses the unit. 0 for
   one that is not known. */
struct times {
    double plan, save, hit;
};

/* Adds the times and the ratios between them, if all are known. */
static void add_times(struct table *table, const struct times *times)
{
    if (times->plan <= 0 || times->save <= 0 || times->hit <= 0) {
        table_repeat(table, 5, cell_missing());
        return;
    }
    table_add(table, cell_real(times->plan, 3), cell_real(times->save, 3),
              cell_real(100 * (times->save - times->plan) / times->plan, 2),
              cell_real(times->hit, 3), cell_real(100 * times->hit / times->plan, 2));
}

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
    const struct times times = {.plan = find_ms(set, instance, planner, "plan_ns"),
                                .save = find_ms(set, instance, planner, "plan_and_save_ns"),
                                .hit = find_ms(set, instance, planner, "hit_ns")};
    double planner_ms = find_ms(set, instance, planner, "planner_ns");
    int64_t bytes, identical;
    if (planner_ms <= 0 || times.plan <= 0 || times.save <= 0 || times.hit <= 0 ||
        !measures_find(set, instance, planner, "archive_bytes", &bytes) ||
        !measures_find(set, instance, planner, "identical", &identical)) {
        table_repeat(table, 8, cell_missing());
        return;
    }
    table_add(table, cell_real(planner_ms, 3));
    add_times(table, &times);
    table_add(table, cell_number((uint64_t)bytes), cell_text(identical ? "yes" : "no"));
}

static enum status fill(struct table_making *making)
{
    static const char place[] = "Table 6.2";
    struct table *table = making->table;
    for (unsigned i = 0; i < QUANTISED_NETWORKS; i++)
        for (unsigned p = 0; p < sizeof planners / sizeof *planners; p++) {
            const struct quantised_network *network = &quantised_networks[i];
            table_add(table, cell_text(network->published));
            add_times(table,
                      &(struct times){
                          .plan = quantised_number(place, network->published, "compile"),
                          .save = quantised_number(place, network->published, "compile and save"),
                          .hit = quantised_number(place, network->published, "after a hit")});
            table_add(table, cell_text(planners[p]));
            add_measured(making, network->instance, planners[p]);
        }
    return STATUS_OK;
}

const struct table_recipe table_cache = {
    .name = "cache",
    .title = "the plan cache on twelve networks: published beside measured (Xu 2019, Table 6.2)",
    .caption = "Planning without the cache, with an empty one, and after a hit (Xu 2019, Table "
               "6.2)",
    .columns = "network | published compile (s): | published and save (s): | more (%): | "
               "published hit (s): | of it (%): | planner | planner alone (ms): | plan (ms): | "
               "and save (ms): | more (%): | hit (ms): | of it (%): | archive (bytes): | "
               "same plan",
    .source = TABLE_OF_MEASURES,
    .topic = "cache",
    .fill = fill,
};
