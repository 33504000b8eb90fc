/* The tables cache and quantise: the plan cache on the networks of Xu 2019, Table 6.2, and the
   bytes of their weights, Table 6.3, with the noise that quantising them makes. */
#include <string.h>

#include "results/views/figures.h"
#include "results/views/recipe.h"

/* A network as the thesis calls it, with the one of the zoo that it most likely is. */
struct network {
    struct published_value name, instance;
};

/* Reads the next network of Table 6.3, each of which is named with its file after quantisation. */
static bool next_network(unsigned *row, struct network *network)
{
    struct figure figure;
    while (figures_next("xu2019", row, &figure)) {
        char *colon = strstr(figure.figure.text, ": after");
        if (!colon || strcmp(figure.place.text, "Table 6.3") != 0)
            continue;
        *colon = '\0';
        *network = (struct network){figure.figure, figure.instance};
        return true;
    }
    return false;
}

/* A measured time in milliseconds; 0 where there is none. */
static double find_ms(const struct measure_set *set, const char *instance, const char *planner,
                      const char *name)
{
    int64_t ns;
    return measures_find(set, instance, planner, name, &ns) && ns > 0 ? (double)ns / 1e6 : 0;
}

static void add_cached(struct table_making *making, const char *instance, const char *planner)
{
    const struct measure_set *set = &making->measures;
    double plan_ms = find_ms(set, instance, planner, "plan_ns");
    double save_ms = find_ms(set, instance, planner, "plan_and_save_ns");
    double hit_ms = find_ms(set, instance, planner, "hit_ns");
    bool planned = plan_ms > 0;
    int64_t identical = 0;
    bool compared = measures_find(set, instance, planner, "identical", &identical);
    table_add(making->table, making_scaled(making, instance, planner, "planner_ns", 1e6, 3),
              cell_known_real(planned, plan_ms, 3), cell_known_real(save_ms > 0, save_ms, 3),
              cell_known_real(planned, 100 * (save_ms - plan_ms) / plan_ms, 2),
              cell_known_real(hit_ms > 0, hit_ms, 3),
              cell_known_real(planned, 100 * hit_ms / plan_ms, 2),
              making_measure(making, instance, planner, "archive_bytes"),
              cell_any_text(!compared   ? ""
                            : identical ? "yes"
                                        : "no"));
}

static enum status fill_cache(struct table_making *making)
{
    static const char *const planners[] = {"large_first", "glpk"};
    struct network network;
    for (unsigned row = 0; next_network(&row, &network);)
        for (unsigned p = 0; p < sizeof planners / sizeof *planners; p++) {
            table_add(making->table, cell_text(network.name.text), cell_text(planners[p]));
            add_cached(making, network.instance.text, planners[p]);
        }
    return STATUS_OK;
}

static void add_quantised(struct table_making *making, const char *instance, const char *dtype)
{
    int64_t before = 0, after = 0;
    bool known = measures_find(&making->measures, instance, dtype, "bytes_before", &before) &&
                 measures_find(&making->measures, instance, dtype, "bytes_after", &after) &&
                 after > 0;
    table_add(making->table, making_measure(making, instance, dtype, "bytes_after"),
              cell_known_real(known, (double)before / (double)after, 2),
              making_scaled(making, instance, dtype, "snr_millidecibels", 1000, 2));
}

static enum status fill_quantise(struct table_making *making)
{
    struct network network;
    for (unsigned row = 0; next_network(&row, &network);) {
        const char *instance = network.instance.text;
        table_add(making->table, cell_text(network.name.text), cell_instance(instance),
                  making_measure(making, instance, "int8", "bytes_before"));
        add_quantised(making, instance, "int8");
        add_quantised(making, instance, "int4");
        table_add(making->table, making_measure(making, instance, "int8", "bytes_in_file"));
    }
    return STATUS_OK;
}

const struct table_recipe table_cache = {
    .name = "cache",
    .title = "the plan cache on the twelve networks of Xu 2019, Table 6.2",
    .caption = "Planning without the cache, with an empty one, and after a hit (for Xu 2019, Table "
               "6.2)",
    .columns = "network | planner | planner alone (ms): | plan (ms): | "
               "and save (ms): | more (%): | hit (ms): | of it (%): | archive (bytes): | "
               "same plan",
    .source = TABLE_OF_MEASURES,
    .topic = "cache",
    .fill = fill_cache,
};

const struct table_recipe table_quantise = {
    .name = "quantise",
    .title = "weights of the twelve networks of Xu 2019, Table 6.3, before and after quantisation",
    .caption = "Weights before and after quantisation (for Xu 2019, Table 6.3)",
    .columns =
        "network | instance | float16 (bytes): | int8 (bytes): | ratio: | signal to noise (dB): | "
        "int4 (bytes): | ratio: | signal to noise (dB): | int8 file (bytes):",
    .source = TABLE_OF_MEASURES,
    .topic = "quantise",
    .fill = fill_quantise,
};
