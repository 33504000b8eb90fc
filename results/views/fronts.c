#include "results/views/fronts.h"

#include <stdio.h>
#include <string.h>

const char *fronts_next(const struct measure_set *set, const char *instance)
{
    for (uint32_t i = 0; i < set->count; i++)
        if (!instance || strcmp(set->measure[i].instance, instance) > 0)
            return set->measure[i].instance;
    return NULL;
}

bool fronts_mode(const struct measure_set *set, const char *instance, const char *mode,
                 struct front_point *point)
{
    return measures_find(set, instance, mode, "total_ns", &point->total_ns) &&
           measures_find(set, instance, mode, "on_chip_bytes", &point->on_chip_bytes);
}

bool fronts_planned(const struct measure_set *set, const char *instance, const char *planner,
                    unsigned index, struct front_point *point)
{
    char variant[128];
    snprintf(variant, sizeof variant, "planned %s %03u", planner, index);
    return fronts_mode(set, instance, variant, point);
}
