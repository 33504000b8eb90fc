/* The table cache: Xu 2019, Table 6.2, beside the plan cache here. */

#include <stdio.h>

#include "results/store/measures.h"
#include "results/table/recipe.h"
#include "results/views/quantised.h"

static const char *const planners[] = {"large_first", "glpk"};

static void add_columns(struct table *table)
{
    static const char *const before[] = {"published ", ""};
    table_set_title(table, "Planning without the cache, with an empty one, and after a hit (Xu "
                           "2019, Table 6.2)");
    table_add_column(table, "network", "", TABLE_LEFT);
    for (int i = 0; i < 2; i++) {
        char heading[64];
        const char *unit = i ? "ms" : "s";
        if (i) {
            table_add_column(table, "planner", "", TABLE_LEFT);
            table_add_column(table, "planner alone", "ms", TABLE_RIGHT);
        }
        snprintf(heading, sizeof heading, "%s%s", before[i], i ? "plan" : "compile");
        table_add_column(table, heading, unit, TABLE_RIGHT);
        snprintf(heading, sizeof heading, "%sand save", before[i]);
        table_add_column(table, heading, unit, TABLE_RIGHT);
        table_add_column(table, "more", "%", TABLE_RIGHT);
        snprintf(heading, sizeof heading, "%shit", before[i]);
        table_add_column(table, heading, unit, TABLE_RIGHT);
        table_add_column(table, "of it", "%", TABLE_RIGHT);
    }
    table_add_column(table, "archive", "bytes", TABLE_RIGHT);
    table_add_column(table, "same plan", "", TABLE_LEFT);
    table_add_column(table, "verdict", "", TABLE_LEFT);
}

/* Three times, and the ratios between them; the caller chooses the unit. */
struct times {
    double plan, save, hit;
    unsigned decimals;
};

static void add_times(struct table *table, const struct times *times)
{
    table_add_real(table, times->plan, times->decimals);
    table_add_real(table, times->save, times->decimals);
    table_add_real(table, 100 * (times->save - times->plan) / times->plan, 2);
    table_add_real(table, times->hit, times->decimals);
    table_add_real(table, 100 * times->hit / times->plan, 2);
}

static void add_missing(struct table *table, int cells)
{
    while (cells-- > 0)
        table_add_missing(table);
}

static void add_published(struct table *table, const char *network)
{
    static const char place[] = "Table 6.2";
    const struct times times = {.plan = quantised_number(place, network, "compile"),
                                .save = quantised_number(place, network, "compile and save"),
                                .hit = quantised_number(place, network, "after a hit"),
                                .decimals = 3};
    if (times.plan > 0 && times.save > 0 && times.hit > 0)
        add_times(table, &times);
    else
        add_missing(table, 5);
}

/* A measured time in milliseconds. */
static bool find_ms(const struct measure_set *set, const char *instance, const char *planner,
                    const char *name, double *ms)
{
    int64_t ns;
    if (!measures_find(set, instance, planner, name, &ns) || ns < 1)
        return false;
    *ms = (double)ns / 1e6;
    return true;
}

/* Adds the judgement. The accuracies of the source say whether the plan from the cache was the
   same. */
static void add_verdict(struct table *table, bool identical, const struct times *times,
                        double planner_ms)
{
    table_add_text(table, identical ? "yes" : "no");
    if (!identical)
        table_add_text(table, "differs: the plan that was found is another one");
    else if (times->hit < planner_ms)
        table_add_text(table, "agrees: same result, sooner than it is planned");
    else if (times->hit < times->plan)
        table_add_text(table, "agrees in part: same result, sooner, but for want of a process");
    else
        table_add_text(table, "differs: same result, but planning takes no longer than reading");
}

static bool add_measured(struct table *table, const struct measure_set *set, const char *instance,
                         const char *planner)
{
    struct times times = {.decimals = 3};
    int64_t bytes, identical;
    double planner_ms;
    if (!find_ms(set, instance, planner, "planner_ns", &planner_ms) ||
        !find_ms(set, instance, planner, "plan_ns", &times.plan) ||
        !find_ms(set, instance, planner, "plan_and_save_ns", &times.save) ||
        !find_ms(set, instance, planner, "hit_ns", &times.hit) ||
        !measures_find(set, instance, planner, "archive_bytes", &bytes) ||
        !measures_find(set, instance, planner, "identical", &identical)) {
        add_missing(table, 8);
        table_add_text(table, "not measured");
        return false;
    }
    table_add_real(table, planner_ms, 3);
    add_times(table, &times);
    table_add_number(table, (uint64_t)bytes);
    add_verdict(table, identical, &times, planner_ms);
    return true;
}

static unsigned add_network(struct table *table, const struct measure_set *set,
                            const struct quantised_network *network)
{
    unsigned missing = 0;
    for (unsigned p = 0; p < sizeof planners / sizeof *planners; p++) {
        table_add_text(table, network->published);
        add_published(table, network->published);
        table_add_text(table, planners[p]);
        missing += !add_measured(table, set, network->instance, planners[p]);
    }
    return missing;
}

static void add_notes(struct table *table, unsigned missing)
{
    table_add_note(
        table,
        "What is compiled there is planned here: a chip's compiler takes minutes to hours, a "
        "planner micro- to milliseconds for these networks. So the seconds are not reproducible; "
        "what saving adds, what a hit leaves and that the result is the same are compared. Each "
        "time is the least of nine. To plan is to have a process of its own for the planner and "
        "all checks of the plan; a hit has the checks and needs no process. So a hit beats all of "
        "that, and rarely the planner alone: the cache pays for planners that search.");
    table_add_note(table, "The source's accuracies after a hit are those before it; here the plan "
                          "is compared offset by offset.");
    table_add_note(
        table,
        "The text of section 6.2.1 names Resnet18 (18.25 %%) and Resnet152 (4.96 %%) as the most "
        "and the least that saving adds, and Resnet152 (3.94 %%) and Resnet18 (14.99 %%) as the "
        "least and the most that a hit leaves. By its own table these are SqueezeNet (21.36 %%), "
        "MobileNet (4.40 %%), MobileNet (3.52 %%) and Vgg16 (59.40 %%). The text seems to be of "
        "the ResNets alone, of which Resnet50 adds least (4.58 %%).");
    if (missing)
        table_add_note(table, "Not measured: %u of the rows.", missing);
}

static enum status build(struct store *store, const struct result_choice *choice,
                         struct table *table, struct error *error)
{
    struct measure_set set = {0};
    unsigned missing = 0;
    TRY(measures_read(store, choice, "cache", &set, error));
    if (!set.count)
        return error_set(error, STATUS_NO,
                         "no results for this table, expected those of memplan reproduce cache");
    add_columns(table);
    for (unsigned i = 0; i < QUANTISED_NETWORKS; i++)
        missing += add_network(table, &set, &quantised_networks[i]);
    add_notes(table, missing);
    measures_free(&set);
    return table_check(table, error);
}

const struct table_recipe table_cache = {
    .name = "cache",
    .title = "the plan cache on twelve networks: published beside measured (Xu 2019, Table 6.2)",
    .build = build,
};
