#include "results/views/sizes.h"

#include <stdio.h>

static const char *const rules[SIZES_RULES] = {
    SIZES_OURS, "replanned",     "fixed",           "best_fit_joining",
    "ggml",     "ggml_reserved", "pytorch_caching", "tf_bfc",
    "inductor", "relax",         "relax_symbolic",  "proportional"};

const char *sizes_view_rule(unsigned index)
{
    return rules[index];
}

static bool read_point(const struct measure_set *set, const char *instance, const char *rule,
                       unsigned index, struct sizes_point *point)
{
    char part[8];
    int64_t load, peak, place;
    snprintf(part, sizeof part, "%03u", index);
    const struct measure_key load_key = {part, MEASURE_LOAD_BYTES, NULL};
    const struct measure_key place_key = {part, MEASURE_PLACE_PPM, NULL};
    const struct measure_key peak_key = {part, MEASURE_PEAK_BYTES, NULL};
    if (!measures_find_part(set, instance, SIZES_POINTS, &load_key, &load) ||
        !measures_find_part(set, instance, SIZES_POINTS, &place_key, &place) ||
        !measures_find_part(set, instance, rule, &peak_key, &peak) || load <= 0)
        return false;
    *point = (struct sizes_point){(double)place / 1e6, (double)peak / (double)load};
    return true;
}

unsigned sizes_view_points(const struct measure_set *set, const char *instance, const char *rule,
                           struct sizes_point *point)
{
    int64_t parameters;
    unsigned count = 0;
    if (!measures_find(set, instance, SIZES_POINTS, "parameters", &parameters) || parameters != 1)
        return 0;
    for (unsigned i = 1; i < SIZES_MOST_POINTS - 1; i++)
        count += read_point(set, instance, rule, i, &point[count]);
    return count + read_point(set, instance, rule, 0, &point[count]);
}
