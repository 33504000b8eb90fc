/* The tables sizes and sizes-rules: one plan for all sizes of an instance beside what others do
   about sizes that are known only when a network runs. */
#include <math.h>

#include "results/views/recipe.h"
#include "results/views/sizes.h"

static void add_rule(struct table_making *making, const char *instance, const char *rule)
{
    const struct measure_set *set = &making->measures;
    struct table *table = making->table;
    int64_t overlapping, points, optimal = 0;
    if (!measures_find(set, instance, rule, "overlapping", &overlapping) ||
        !measures_find(set, instance, rule, "points", &points))
        return;
    measures_find(set, instance, rule, "optimal", &optimal);
    table_add(table, cell_instance(instance), cell_text(rule),
              making_measure(making, instance, rule, "greatest_bytes"),
              making_scaled(making, instance, rule, "worst_ppm", 1e6, 4),
              making_scaled(making, instance, rule, "proved_ppm", 1e6, 4),
              making_scaled(making, instance, rule, "mean_ppm", 1e6, 4),
              making_scaled(making, instance, rule, "plan_ns", 1e6, 1),
              making_scaled(making, instance, rule, "place_ns", 1e3, 1),
              overlapping ? cell_words("overlaps at %d of %d", (int)overlapping, (int)points)
                          : cell_text(optimal ? "valid, optimal" : "valid"));
}

static enum status fill_rules(struct table_making *making)
{
    const struct measure_set *set = &making->measures;
    for (uint32_t i = 0; i < set->count; i++)
        for (unsigned r = 0; making_starts_instance(making, i) && r < SIZES_RULES; r++)
            add_rule(making, set->measure[i].instance, sizes_view_rule(r));
    table_add_note(making->table,
                   "Ratios of peak and load, worst and mean over up to nine points from the least "
                   "sizes to the greatest; proved: no point of the whole box is above. Place: "
                   "least time to find all offsets at one point.");
    return STATUS_OK;
}

/* The worst ratio of a rule: in brackets where its plans overlap, with a star where a lower one of
   ours is not excluded. */
static struct cell show_worst(const struct measure_set *set, const char *instance, unsigned rule,
                              double *log_sum, uint32_t *summed)
{
    const char *name = sizes_view_rule(rule);
    int64_t worst, overlapping, optimal = 1;
    if (!measures_find(set, instance, name, "worst_ppm", &worst) ||
        !measures_find(set, instance, name, "overlapping", &overlapping))
        return cell_missing();
    measures_find(set, instance, name, "optimal", &optimal);
    *log_sum += log((double)worst / 1e6);
    ++*summed;
    return cell_words(overlapping ? "(%.4f)" : optimal ? "%.4f" : "%.4f*", (double)worst / 1e6);
}

static enum status fill(struct table_making *making)
{
    const struct measure_set *set = &making->measures;
    struct table *table = making->table;
    double log_sum[SIZES_RULES] = {0};
    uint32_t summed[SIZES_RULES] = {0}, before = table_columns(table);
    for (unsigned r = 0; r < SIZES_RULES; r++)
        table_add_column(table, sizes_view_rule(r), "", TABLE_RIGHT);
    for (uint32_t i = 0; i < set->count; i++) {
        const char *instance = set->measure[i].instance;
        if (!making_starts_instance(making, i))
            continue;
        table_add(table, cell_instance(instance),
                  making_measure(making, instance, SIZES_OURS, "greatest_bytes"),
                  making_scaled(making, instance, SIZES_OURS, "proved_ppm", 1e6, 4));
        for (unsigned r = 0; r < SIZES_RULES; r++)
            table_add(table, show_worst(set, instance, r, &log_sum[r], &summed[r]));
    }
    table_add(table, cell_text("geometric mean"));
    table_repeat(table, before - 1, cell_text(""));
    for (unsigned r = 0; r < SIZES_RULES; r++)
        table_add(table, cell_known_real(summed[r] > 0, exp(log_sum[r] / summed[r]), 4));
    table_set_foot(table, 1);
    table_add_note(table,
                   "The worst ratio of peak and load at up to nine points from the least sizes to "
                   "the greatest. Proved: ours is above it at no point of the whole box. A star: "
                   "it is not proved that no single plan is better than ours. In brackets: buffers "
                   "that are live at once overlap.");
    table_add_note(
        table,
        "fixed is planned once for the greatest sizes, replanned for each point by itself; "
        "best_fit_joining, ggml, pytorch_caching and tf_bfc are allocators that run "
        "with the network, ggml_reserved keeps ggml's offsets for the greatest sizes, "
        "relax and inductor are rules of compilers; proportional scales the offsets of fixed.");
    return STATUS_OK;
}

const struct table_recipe table_sizes = {
    .name = "sizes",
    .title = "one plan for all sizes beside what others do: the worst ratio of peak and load",
    .caption = "One plan for all sizes: the worst ratio of peak and load",
    .columns = "instance | peak (bytes): | proved:",
    .source = TABLE_OF_MEASURES,
    .topic = SIZES_TOPIC,
    .wanted = "sizes",
    .fill = fill,
};

const struct table_recipe table_sizes_rules = {
    .name = "sizes-rules",
    .title = "the same, rule by rule: peaks, mean ratios and times",
    .caption = "One plan for all sizes, and what others do",
    .columns = "instance | rule | at the greatest (bytes): | worst: | proved: | mean: | "
               "plan (ms): | place (us): | check",
    .source = TABLE_OF_MEASURES,
    .topic = SIZES_TOPIC,
    .wanted = "sizes",
    .fill = fill_rules,
};
